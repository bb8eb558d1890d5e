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
_lock = Lock()


@contextmanager
def lend_scratch(game: Game) -> Iterator[NDArray[np.int64]]:
    """Yield `Search.work` entries to one thread; they are zero, or as another search left them."""
    with _lock:
        kept = _spare.setdefault(game, [])
        array = kept.pop() if kept else np.zeros(max(game.search.work, 1), np.int64)
    try:
        yield array
    finally:
        with _lock:
            kept.append(array)
