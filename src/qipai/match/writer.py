"""`RecordWriter` saves a match to disk while it is played; `resume` continues an interrupted one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from types import ModuleType, TracebackType
from typing import NamedTuple

from qipai.core.errors import BadRecord

from .chain import first_link, next_link
from .match import Match
from .record import (
    FILE_LIMIT,
    End,
    Path,
    RecordFile,
    end_line,
    head_line,
    move_line,
    open_file,
    parse_record,
    read_bytes,
    reason,
    shown,
)
from .verify import restore

locks: ModuleType | None
try:
    import fcntl as locks
except ImportError:  # not a POSIX system: no lock against a second writer
    locks = None


class RecordWriter:
    """Writes a new file at `path`: the head and all moves so far, then what `save` adds.

    `act` calls `match.act` and then `save`. Unless `sync` is off, saved data survives a crash of the
    machine. The file must not exist; it is readable by its owner only.
    """

    def __init__(self, path: Path, match: Match, sync: bool = True) -> None:
        fd = open_file(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL)
        self._attach(path, match, sync, fd)
        try:
            _lock(fd, path)
            self._append(head_line(match.head(), match.commitment))
            self.save()
            if sync:
                _sync_folder(path)
        except BadRecord:
            self.close()
            os.unlink(path)
            raise

    def _attach(self, path: Path, match: Match, sync: bool, fd: int) -> None:
        self.path = path
        self.match = match
        self._sync = sync
        self._fd = fd
        self._size = 0  # bytes of complete lines in the file
        self._moves = 0  # how many of these lines are moves
        self._ended = False
        self._link: str | None = first_link(match.head())  # the last link in the file; None in an older file

    def act(self, seat: int, actions: int | Sequence[int], version: int | None = None) -> None:
        """Make a move and save it. A rejected move leaves match and file unchanged."""
        self.match.act(seat, actions, version)
        self.save()

    def save(self) -> None:
        """Append the moves that are not in the file yet, and the closing line if the match is over."""
        moves = self.match.moves
        lines, link = [], self._link
        for k in range(self._moves, len(moves)):
            link = next_link(link, k + 1, moves[k]) if link is not None else None
            lines.append(move_line(k + 1, moves[k], link))
        ends = not self._ended and self.match.payoff is not None
        if ends:
            lines.append(end_line(_end_of(self.match, link)))
        if lines:
            self._append(b"".join(lines))
        self._moves, self._link = len(moves), link
        self._ended = self._ended or ends

    def close(self) -> None:
        """Close the file; an unfinished match can be resumed from it."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _append(self, data: bytes) -> None:
        if self._fd < 0:
            raise BadRecord(f"{shown(self.path)} is closed")
        if self._size + len(data) > FILE_LIMIT:
            raise BadRecord(f"{shown(self.path)} would have more than {FILE_LIMIT} bytes")
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._fd, rest) :]
            if self._sync:
                os.fsync(self._fd)
        except OSError as error:
            self._cut_back()
            raise BadRecord(f"cannot write {shown(self.path)}: {reason(error)}") from error
        self._size += len(data)

    def _cut_back(self) -> None:
        """Truncate a partial line before the next write; if that fails too, stop writing."""
        try:
            os.ftruncate(self._fd, self._size)
        except OSError:
            self.close()


class Resumed(NamedTuple):
    """A match resumed from its file, the writer that continues the file, and the bytes dropped."""

    match: Match
    writer: RecordWriter
    dropped: int  # bytes of a last line that a crash truncated; 0 if the file was complete


def resume(path: Path, sync: bool = True) -> Resumed:
    """Resume the match in the file; raise `BadRecord` and leave the file unchanged if that is impossible."""
    fd = open_file(path, os.O_RDWR | os.O_APPEND)
    try:
        _lock(fd, path)
        record = parse_record(read_bytes(fd, path), torn=True)
        match = restore(record)
        if record.dropped:
            os.ftruncate(fd, record.size)
    except OSError as error:
        os.close(fd)
        raise BadRecord(f"cannot write {shown(path)}: {reason(error)}") from error
    except BaseException:
        os.close(fd)
        raise
    writer = _writer_of(path, match, sync, fd, record)
    writer.save()  # the closing line, if the crash came just before it
    return Resumed(match, writer, record.dropped)


def _writer_of(path: Path, match: Match, sync: bool, fd: int, record: RecordFile) -> RecordWriter:
    writer = RecordWriter.__new__(RecordWriter)
    writer._attach(path, match, sync, fd)
    writer._size = record.size
    writer._moves = len(record.moves)
    writer._ended = record.end is not None
    if record.links:
        writer._link = record.links[-1]
    elif not record.chained:
        writer._link = None  # a file of an earlier version stays one
    return writer


def _end_of(match: Match, link: str | None) -> End:
    assert match.payoff is not None and match.revealed_seed is not None
    return End(tuple(match.payoff), match.revealed_seed, match.digest, link)


def _lock(fd: int, path: Path) -> None:
    if locks is not None:
        try:
            locks.flock(fd, locks.LOCK_EX | locks.LOCK_NB)
        except OSError as error:
            raise BadRecord(f"{shown(path)} is being written by another process") from error


def _sync_folder(path: Path) -> None:
    """Make the file's name durable too, if the system supports that for a folder."""
    with suppress(OSError):
        folder = os.open(os.path.dirname(os.fspath(path)) or ".", os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
