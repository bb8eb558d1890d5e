"""The CPU engine of a batch: compiled loops, threads over the lanes.

A lane's result depends on the seed and its number only, so the number of threads
changes nothing but the time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import Game, new_states
from qipai.core.rule import Progress, Variant, compile_rules, progress_line, rules_digest
from qipai.core.state import States

from . import kernels

LOOPS = (
    "reset_lanes",
    "observe_lanes",
    "first_illegal",
    "step_lanes",
    "choose_lanes",
    "rollout_lanes",
    "rollout_observed_lanes",
)
CHUNK = 1024  # lanes that stay in a core's cache together
MIN_SHARE = 64  # fewer lanes a thread than this are not worth a thread

_loops: dict[tuple[int, str], dict[str, Any]] = {}


def loops_for(game: Game, variant: str = "compiled", progress: Progress | None = None) -> dict[str, Any]:
    """The loops with this game's functions in them, compiled."""
    key = (id(game), variant)
    if key not in _loops:
        parts = game.functions(variant)
        names = {"deal": parts.deal, "legal": parts.legal, "apply": parts.apply, "observe": parts.observe}
        # One cache folder a game and version of its rules: its loops share their source
        # file with every other game's, and Numba sees only that file.
        tag = f"{game.name}-{game.actions}-{rules_digest(names.values())}"
        make = Variant(variant, tag=tag, names={kernels.__name__: names})
        made = {name: make(getattr(kernels, name)) for name in LOOPS}
        if variant != "plain":
            label = f"sim/{game.name}/{game.actions}/{variant}"
            compile_rules(list(made.values()), game.State, label, progress)
        _loops[key] = made
    return _loops[key]


class CpuEngine:
    """Allocates the arrays of a batch and runs the loops over them."""

    def __init__(self, game: Game, n: int, threads: int | None, variant: str = "compiled") -> None:
        self.loops = loops_for(game, variant, progress_line(game.title["en"]))
        self.n = n
        wanted = threads if threads is not None else (os.cpu_count() or 1)
        self.threads = max(1, min(wanted, n // MIN_SHARE)) if n >= MIN_SHARE else 1
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def states(self, game: Game) -> States:
        """The states of all lanes."""
        return new_states(game.State, self.n)

    def array(self, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
        """A zeroed array."""
        return np.zeros(shape, dtype)

    def run(self, name: str, *arguments: Any) -> list[int]:
        """Run loop `name` over all lanes; one result a part, in lane order."""
        loop: Callable[..., int] = self.loops[name]
        parts = self._parts(1)
        return self._gather([(loop, (*arguments, lo, hi)) for lo, hi in parts])

    def run_chunked(self, name: str, *arguments: Any) -> list[int]:
        """As `run`, in chunks small enough for the cache (for loops that sweep many times)."""
        loop: Callable[..., int] = self.loops[name]
        pieces = -(-self.n // (self.threads * CHUNK))
        return self._gather([(loop, (*arguments, lo, hi)) for lo, hi in self._parts(pieces)])

    def _parts(self, pieces: int) -> list[tuple[int, int]]:
        count = self.threads * pieces
        edges = [self.n * k // count for k in range(count + 1)]
        return [(a, b) for a, b in pairwise(edges) if a < b]

    def _gather(self, calls: list[tuple[Callable[..., int], tuple[Any, ...]]]) -> list[int]:
        if self._pool is None:
            return [fn(*arguments) for fn, arguments in calls]
        futures = [self._pool.submit(fn, *arguments) for fn, arguments in calls]
        return [f.result() for f in futures]
