"""Batches of a toy game, and all that they hold, to compare."""

from __future__ import annotations

from typing import Any

from qipai.sim import Batch
from tests.toys_check.hush import GAME

ARRAYS = ("state", "mask", "obs", "seat", "reward", "done", "cut")
N = 200  # enough for three threads


def make(seed: int = 0, n: int = N, **settings: Any) -> Batch:
    return Batch(GAME, n, seed, **{"seats": 3, **settings})


def arrays(batch: Batch) -> dict[str, bytes]:
    return {name: getattr(batch, name).tobytes() for name in ARRAYS}


def everything(batch: Batch) -> tuple[bytes, ...]:
    return (*arrays(batch).values(), batch._arrays.choice.tobytes())
