"""The scratch of a game's policies: arrays that outlive a search, because memo tables take long to fill.

What is in them never changes an answer, so the next search may have any of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from qipai.core import Game

_spare: WeakKeyDictionary[Game, list[NDArray[np.int64]]] = WeakKeyDictionary()
_filled: dict[int, tuple[NDArray[np.int64], list[NDArray[np.int64]]]] = {}
_lock = Lock()


def _copies(tables: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return the spare copies of `tables`, which stay alive with them."""
    return _filled.setdefault(id(tables), (tables, []))[1]


@contextmanager
def lend_scratch(game: Game, tables: NDArray[np.int64] | None = None) -> Iterator[NDArray[np.int64]]:
    """Yield `Search.work` entries to one thread; they are zero, or as another search left them.

    With `tables`, yield a copy of these instead.
    """
    with _lock:
        kept = _spare.setdefault(game, []) if tables is None else _copies(tables)
        if kept:
            array = kept.pop()
        else:
            array = np.zeros(max(game.search.work, 1), np.int64) if tables is None else tables.copy()
    try:
        yield array
    finally:
        with _lock:
            kept.append(array)
