"""Record files: a match on disk, one JSON line per move, durable before it is acknowledged.

Line 1 is the head (with the seed, so that the match can be resumed; files are readable by
their owner only). One line per move follows, and a closing line when the match is over. The
page "Records" of the documentation has the format. One match per file.
"""

from __future__ import annotations

import json
import os
import stat
from dataclasses import dataclass
from typing import Any

from qipai.core.errors import BadRecord, short

from .document import (
    HEAD_KEYS,
    MORE_KEYS,
    Head,
    Move,
    check_keys,
    read_document,
    read_head,
    read_hex,
    read_move,
    read_number,
)
from .jsonable import is_int
from .signature import Signature, read_signature

FILE_LIMIT = 1 << 22  # bytes; tens of thousands of moves
LINE_LIMIT = 1 << 16
MOVE_KEYS = ("move", "seat", "actions")
END_KEYS = ("end", "payoff", "seed", "digest")

# Non-blocking, because opening a named pipe would wait for its other end. Some systems lack some flags.
FLAGS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class End:
    """The closing line: the result, and what to check it against."""

    payoff: tuple[int, ...]
    seed: bytes
    digest: str
    chain: str | None = None  # the last link of the hash chain; older records have none
    signature: Signature | None = None  # of the server that hosted the match


@dataclass(frozen=True)
class RecordFile:
    """The contents of a record file, not yet verified."""

    head: Head
    commitment: str
    moves: tuple[Move, ...]
    end: End | None
    size: int  # bytes in whole lines
    dropped: int  # bytes after them: a line that a crash truncated
    links: tuple[str, ...] | None = None  # the hash chain, one per move; None in older records

    @property
    def chained(self) -> bool:
        """Whether the record carries a hash chain over its moves."""
        return self.links is not None


def read_record(path: Path, torn: bool = False) -> RecordFile:
    """Read a file. With `torn`, ignore an incomplete last line; otherwise raise for it."""
    fd = open_file(path, os.O_RDONLY)
    try:
        return parse_record(read_bytes(fd, path), torn)
    finally:
        os.close(fd)


def parse_record(data: bytes, torn: bool = False) -> RecordFile:
    """Read a record from the bytes of a file; see `read_record`."""
    if len(data) > FILE_LIMIT:
        raise BadRecord(f"a record may have at most {FILE_LIMIT} bytes")
    size = data.rfind(b"\n") + 1
    if size == 0:
        raise BadRecord("a record begins with a whole line, its head")
    if size < len(data) and not torn:
        raise BadRecord("the last line is not complete")
    lines = data[:size].split(b"\n")[:-1]
    head = read_document(_json(lines[0], 1), (*HEAD_KEYS, "commitment"), "line 1", MORE_KEYS)
    commitment = read_hex(head.pop("commitment"), "'commitment'")
    moves: list[Move] = []
    links: list[str | None] = []
    end = None
    for number, line in enumerate(lines[1:], 2):
        if end is not None:
            raise BadRecord(f"line {number} comes after the closing line")
        doc = _json(line, number)
        if type(doc) is dict and "end" in doc:
            end = _read_end(doc, number)
        else:
            moves.append(_read_move(doc, number))
            links.append(_read_link(doc, "link", number))
    chain = _whole_chain(links, end)
    return RecordFile(read_head(head), commitment, tuple(moves), end, size, len(data) - size, chain)


def head_line(head: dict[str, Any], commitment: str) -> bytes:
    """Return the first line of a file."""
    return _line({**head, "commitment": commitment})


def move_line(number: int, move: Move, link: str | None) -> bytes:
    """Return the line of the `number`-th move, from 1, with its link unless the file is an older one."""
    seat, actions = move
    chain = {} if link is None else {"link": link}
    return _line({"move": number, "seat": seat, "actions": list(actions), **chain})


def end_line(end: End) -> bytes:
    """Return the closing line."""
    chain = {} if end.chain is None else {"chain": end.chain}
    doc = {"end": True, "payoff": list(end.payoff), "seed": end.seed.hex(), "digest": end.digest}
    signature = end.signature
    signed = {} if signature is None else {"key": signature.key, "signature": signature.value}
    return _line({**doc, **chain, **signed})


def open_file(path: Path, flags: int) -> int:
    """Return a descriptor of a regular file; raise `BadRecord` if it cannot be opened."""
    try:
        fd = os.open(path, flags | FLAGS, 0o600)
    except (OSError, TypeError, ValueError) as error:
        raise BadRecord(f"cannot open {shown(path)}: {reason(error)}") from error
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise BadRecord(f"{shown(path)} is not a file")
    return fd


def read_bytes(fd: int, path: Path) -> bytes:
    """Return the whole file, up to the size limit of a record plus one byte (to detect longer files)."""
    parts = []
    left = FILE_LIMIT + 1
    try:
        while left > 0 and (part := os.read(fd, left)):
            parts.append(part)
            left -= len(part)
    except OSError as error:
        raise BadRecord(f"cannot read {shown(path)}: {reason(error)}") from error
    return b"".join(parts)


def shown(path: Any) -> str:
    """Return a path that can be printed anywhere."""
    text = os.fspath(path) if isinstance(path, str | os.PathLike) else short(path)
    return text.encode("utf-8", "backslashreplace").decode() if isinstance(text, str) else short(text)


def reason(error: Exception) -> str:
    """Return the reason of an error, without the path."""
    return getattr(error, "strerror", None) or str(error)


def _line(doc: dict[str, Any]) -> bytes:
    line = json.dumps(doc, separators=(",", ":"), allow_nan=False).encode() + b"\n"
    if len(line) > LINE_LIMIT:
        raise BadRecord(f"a line of a record has at most {LINE_LIMIT} bytes, not {len(line)}")
    return line


def _json(line: bytes, number: int) -> Any:
    if len(line) >= LINE_LIMIT:
        raise BadRecord(f"line {number} has more than {LINE_LIMIT} bytes")
    try:
        return _DECODER.decode(line.decode())
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"line {number} is not JSON: {str(error)[:80]}") from error


def _no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_no_twice, parse_constant=_no_constant)


def _read_move(doc: Any, number: int) -> Move:
    what = f"line {number}"
    if type(doc) is not dict:
        raise BadRecord(f"{what} is neither a move nor the closing line")
    check_keys(doc, MOVE_KEYS, what, ("link",))
    if read_number(doc["move"], f"{what}: 'move'") != number - 1:
        raise BadRecord(f"{what} is move {doc['move']}; move {number - 1} is expected here")
    return read_move(doc["seat"], doc["actions"], number - 1)


def _read_end(doc: dict[str, Any], number: int) -> End:
    what = f"line {number}"
    check_keys(doc, END_KEYS, what, ("chain", "key", "signature"))
    payoff = doc["payoff"]
    if doc["end"] is not True:
        raise BadRecord(f"{what}: 'end' is true")
    if type(payoff) is not list or not all(is_int(x) and abs(x) < 1 << 31 for x in payoff):
        raise BadRecord(f"{what}: 'payoff' must be a list of whole numbers")
    seed = read_hex(doc["seed"], f"{what}: 'seed'")
    digest = read_hex(doc["digest"], f"{what}: 'digest'")
    chain, signature = _read_link(doc, "chain", number), read_signature(doc, what)
    if signature is not None and chain is None:
        raise BadRecord(f"{what}: a signature is over the hash chain, and there is none")
    return End(tuple(payoff), bytes.fromhex(seed), digest, chain, signature)


def _read_link(doc: dict[str, Any], key: str, number: int) -> str | None:
    return read_hex(doc[key], f"line {number}: {key!r}") if key in doc else None


def _whole_chain(found: list[str | None], end: End | None) -> tuple[str, ...] | None:
    """Return the links of the moves, or None for an older record; a chain with gaps is refused."""
    given = [*found, *([end.chain] if end is not None else [])]
    links = tuple(link for link in found if link is not None)
    if any(link is None for link in given) and any(link is not None for link in given):
        raise BadRecord("the hash chain is incomplete: some lines carry their link and others do not")
    return None if None in given else links
