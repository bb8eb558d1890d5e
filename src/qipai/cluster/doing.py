"""What a worker process is doing, told to its pool: one that hangs or dies can then be named.

A task calls `doing` before each step that may fail. The text and its time limit are in memory that the worker
shares with the pool, which reads them when the worker is gone, and ends one that exceeds its limit.
"""

from __future__ import annotations

import struct
from multiprocessing.context import SpawnContext
from typing import Any

SIZE = 1024  # bytes of a board
HEAD = struct.Struct("<QdH")  # number of changes, odd while one is being made; seconds; length of the text

_board: Any = None  # of this process, if it is a worker


def doing(text: str, seconds: float = 0.0) -> None:
    """Report what this worker does next, and for how many seconds at most (0: no limit).

    Does nothing outside the workers of a pool of processes.
    """
    if _board is None:
        return
    said = text.encode()[: SIZE - HEAD.size]
    number: int = HEAD.unpack_from(_board)[0]
    HEAD.pack_into(_board, 0, number + 1, seconds, len(said))
    _board[HEAD.size : HEAD.size + len(said)] = said
    HEAD.pack_into(_board, 0, number + 2, seconds, len(said))


def is_worker() -> bool:
    """Return whether this process is a worker of a pool."""
    return _board is not None


def new_board(context: SpawnContext) -> Any:
    """Return an empty board, to be passed to a new process."""
    return context.RawArray("B", SIZE)


def use_board(board: Any) -> None:
    """Let `doing` write to a board from now on."""
    global _board
    _board = memoryview(board).cast("B")


def read_board(board: Any) -> tuple[int, float, str]:
    """Return the number of changes, the time limit, and what the worker does."""
    view = memoryview(board).cast("B")
    number, seconds, length = HEAD.unpack_from(view)
    return number, seconds, bytes(view[HEAD.size : HEAD.size + length]).decode(errors="replace")
