"""Where a run computes: the CPU, or a GPU on whose one stream everything is launched in order.

On a GPU the parts of the loop are recorded as CUDA graphs: the launches of a whole segment, rules and net
alike, become one call, and the host waits for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from qipai.core.errors import NoDevice

WARM = 2  # calls before a function is recorded: allocations and compilation happen there


class Device:
    """A place for tensors, and a way to run functions on it again and again."""

    def __init__(self, kind: str) -> None:
        if kind not in ("cpu", "cuda"):
            raise NoDevice(f"unknown device {kind[:20]!r}: use 'cpu' or 'cuda'")
        if kind == "cuda" and not torch.cuda.is_available():
            raise NoDevice("PyTorch finds no CUDA device here; device='cpu' works everywhere")
        self.kind = kind
        self.torch = torch.device(kind)
        self.stream = torch.cuda.Stream() if kind == "cuda" else None

    @contextmanager
    def active(self) -> Iterator[None]:
        """Launch everything inside on the run's stream."""
        if self.stream is None:
            yield
            return
        with torch.cuda.stream(self.stream):
            yield

    def record(self, function: Callable[[], Any]) -> Callable[[], Any]:
        """Return a call that does what `function` does, without its launches on a GPU.

        `function` takes nothing, allocates what it returns nowhere else, and is called twice first: whoever
        records something that changes weights restores them afterwards. On the CPU it is returned as it is.
        """
        if self.stream is None:
            return function
        with self.active():
            for _ in range(WARM):
                function()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=self.stream):
            function()
        torch.cuda.synchronize()

        def replay() -> None:
            with self.active():
                graph.replay()

        return replay

    def wait(self) -> None:
        """Wait until everything launched is done."""
        if self.stream is not None:
            self.stream.synchronize()

    def seed(self, seed: int) -> None:
        """Seed the generator that noise and permutations come from."""
        torch.manual_seed(seed)  # the CPU's and every GPU's

    def generator_state(self) -> torch.Tensor:
        """Return the state of that generator, uint8, on the CPU."""
        if self.kind == "cuda":
            return torch.cuda.get_rng_state()
        return torch.get_rng_state()

    def set_generator_state(self, state: torch.Tensor) -> None:
        """Go on from a state that `generator_state` returned."""
        if self.kind == "cuda":
            torch.cuda.set_rng_state(state)
        else:
            torch.set_rng_state(state)
