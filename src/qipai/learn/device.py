"""Where a run computes: the CPU, or a GPU on which everything is launched in order on one stream.

On a GPU the parts of the loop are recorded as CUDA graphs: the launches of a whole segment, rules and net
alike, become one call, and the host does not wait.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from qipai.core.errors import NoDevice

WARM = 2  # calls before a function is recorded, which allocate and compile


class Device:
    """A place for tensors, and a way to run functions on it repeatedly."""

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

        `function` takes no arguments, allocates only what it returns, and is called twice first: a caller
        that
        records something that changes weights must restore them afterwards. On the CPU it is returned
        unchanged.
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
        """Wait until everything launched has finished."""
        if self.stream is not None:
            self.stream.synchronize()

    def seed(self, seed: int) -> None:
        """Seed the generator of noise and permutations."""
        torch.manual_seed(seed)  # the CPU's and every GPU's

    def generator_state(self) -> torch.Tensor:
        """Return the state of that generator, uint8, on the CPU."""
        if self.kind == "cuda":
            return torch.cuda.get_rng_state()
        return torch.get_rng_state()

    def set_generator_state(self, state: torch.Tensor) -> None:
        """Continue from a state that `generator_state` returned."""
        if self.kind == "cuda":
            torch.cuda.set_rng_state(state)
        else:
            torch.set_rng_state(state)
