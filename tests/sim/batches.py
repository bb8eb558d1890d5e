"""Batches of a toy game, and everything in them, to compare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

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


class Lent:
    """Actions of another library: `__array__` returns read-only memory."""

    def __init__(self, actions: NDArray[np.int32]) -> None:
        self._actions = actions

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return read_only(self._actions)


def read_only(actions: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return a copy that may not be written to, as NumPy shows every JAX array."""
    copy = actions.copy()
    copy.flags.writeable = False
    return copy


def unaligned(actions: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return a copy that starts at an odd address."""
    memory = np.zeros(actions.nbytes + 1, np.uint8)
    copy = memory[1:].view(np.int32)
    copy[:] = actions
    return copy


# The same actions in every form that an array of whole numbers can have.
FORMS: dict[str, Callable[[NDArray[np.int32]], Any]] = {
    "read-only": read_only,
    "lent": Lent,
    "unaligned": unaligned,
    "slice": lambda a: np.repeat(a, 3)[::3],
    "reversed": lambda a: a[::-1].copy()[::-1],
    "read-only slice": lambda a: read_only(np.repeat(a, 2))[::2],
    "column": lambda a: np.stack([a, a], 1)[:, 1],
    "big-endian": lambda a: a.astype(">i4"),
    "int8": lambda a: a.astype(np.int8),
    "int64": lambda a: a.astype(np.int64),
    "uint64": lambda a: read_only(a).astype(np.uint64),
    "list": lambda a: a.tolist(),
}
