"""A seeded fuzzer of the match layer: `Match.act`, `Match.load`, record files and `resume`.

Every input is either accepted and right, or refused with a named QipaiError and nothing
changed; anything else is an AssertionError that names the seed and the number of the input.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from importlib.metadata import entry_points
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np

from qipai.core import QipaiError, registry
from qipai.core.errors import BadRecord
from qipai.match import Match, RecordWriter, parse_record, read_record, restore, resume
from qipai.match.jsonable import copied
from tests.toys import TOYS, play, random_move, registered

HUGE = 10**5000
ATOMS: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, 3, -1, -2, 7, 12, 15, 28, 99, 127, 128, 255, 256),
    *(1 << 31, 1 << 63, -(1 << 63), HUGE, -HUGE, 0.0, 1.0, 1.5, -0.0, 1e308, float("nan"), float("inf")),
    *("", "0", "1", "on", "skeleton", "xianqi", "whisper", "qipai/1", "first_seat", "\ud800", "0" * 64),
    "x" * 5000,
    *((), [], {}, [0], [0, 2], [[0]], [None], {"hands": []}, {"holds": [1, 2, 3]}, {1: 2}, {None: []}),
)
ODD: tuple[Any, ...] = (b"0", object(), {1, 2}, np.int8(1), np.bool_(True), np.zeros(2, np.int8), 2j)
GAMES: tuple[Any, ...] = (*TOYS.values(), "xianqi")
LINES = (b"", b"{}", b"[]", b"null", b"[" * 5000, b'{"a":' * 5000, b"9" * 6000, b"1e999", b"\xff", b"\0" * 9)
SHARES = (("act", 55), ("load", 20), ("text", 20), ("file", 5))  # of the inputs, in percent


def run(count: int, seed: int) -> dict[str, Any]:
    """Try `count` inputs; return how many each entry point got, accepted and refused, by code."""
    entries = entry_points(group=registry.GROUP)  # a look at every installed package: once is enough
    with (
        tempfile.TemporaryDirectory() as folder,
        registered(),
        patch.object(registry, "entry_points", lambda group: entries),
    ):
        return Fuzzer(seed, Path(folder)).run(count)


class Fuzzer:
    """The entry points, their supply of good inputs, and the counts."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.seed = seed
        self.rng = Random(seed)
        self.path = folder / "fuzz.jsonl"
        self.tally: Counter[str] = Counter()
        self.matches = [self._played() for _ in range(12)]
        self.docs = [self._played().dump() for _ in range(24)]
        self.files = [self._file(self._played()) for _ in range(24)]

    def run(self, count: int) -> dict[str, Any]:
        """Try `count` inputs, one after the other, and return what happened."""
        doors = [name for name, share in SHARES for _ in range(share)]
        for number in range(count):
            door = self.rng.choice(doors)
            try:
                getattr(self, door)()
            except Exception as error:
                raise AssertionError(f"seed {self.seed}, input {number}, {door}: {error!r}") from error
        return {"inputs": count, **{key: self.tally[key] for key in sorted(self.tally)}}

    # --- the doors ------------------------------------------------------------------

    def act(self) -> None:
        """Try an action in one of the matches."""
        k = self.rng.randrange(len(self.matches))
        match = self.matches[k]
        before = match.state.tobytes(), match.moves, match.version(0)
        good = not match.over and self.rng.random() < 0.15
        args = self._good_move(match) if good else self._bad_move(match)
        try:
            match.act(*args)
        except QipaiError as error:
            assert not good, f"a legal move was refused: {error}"
            assert (match.state.tobytes(), match.moves, match.version(0)) == before, "the match has changed"
            self._refused("act", error)
        else:
            assert match.moves[:-1] == before[1] and len(match.moves) == len(before[1]) + 1
            self.tally["act accepted"] += 1
        if match.over and self.rng.random() < 0.1:
            assert match.dump() == Match.load(match.dump()).dump(), "the match does not replay"
            self.matches[k] = self._played()

    def load(self) -> None:
        """Load a mutated dump of a match."""
        good = self.rng.choice(self.docs)
        doc = self._mutated(good)
        try:
            match = Match.load(doc)
        except BadRecord as error:
            assert doc is not good, f"a good document was refused: {error}"
            self._refused("load", error)
        else:
            assert match.dump()["digest"] == doc["digest"] and match.dump()["moves"] == doc["moves"]
            self.tally["load accepted"] += 1

    def text(self) -> None:
        """Read the mutated bytes of a record file."""
        good = self.rng.choice(self.files)
        data = self._mutated_file(good)
        try:
            match = restore(parse_record(data, torn=self.rng.random() < 0.5))
        except BadRecord as error:
            assert data is not good, f"a good record was refused: {error}"
            self._refused("text", error)
        else:
            assert Match.load(match.dump()).dump() == match.dump()
            self.tally["text accepted"] += 1

    def file(self) -> None:
        """Resume and read a real file."""
        data = self._mutated_file(self.rng.choice(self.files))
        self.path.unlink(missing_ok=True)
        self.path.write_bytes(data)
        try:
            match, writer, dropped = resume(self.path, sync=False)
        except BadRecord as error:
            assert self.path.read_bytes() == data, "a refusal changed the file"
            self._refused("file", error)
            return
        with writer:
            assert self.path.read_bytes().startswith(data[: len(data) - dropped])
            if not match.over:
                writer.act(*self._good_move(match)[:2])
        assert restore(read_record(self.path)).dump() == match.dump()
        self.tally["file accepted"] += 1

    def _refused(self, door: str, error: QipaiError) -> None:
        str(error).encode()  # can be printed anywhere
        assert len(str(error)) < 500 and type(error) is not QipaiError
        self.tally[f"{door} refused {error.code}"] += 1

    # --- good inputs ----------------------------------------------------------------

    def _played(self) -> Match:
        game = self.rng.choice(GAMES)
        match = Match(game, seed=self.rng.randbytes(32))
        return play(match, self.rng, self.rng.choice((0, 1, 3, 5, 9, 99)))

    def _file(self, match: Match) -> bytes:
        RecordWriter(self.path, match, sync=False).close()
        data = self.path.read_bytes()
        self.path.unlink()
        return data

    def _good_move(self, match: Match) -> tuple[int, list[int], int | None]:
        version = match.version(match.seat) if self.rng.random() < 0.5 else None
        return match.seat, random_move(match, self.rng), version

    # --- mutations ------------------------------------------------------------------

    def _bad_move(self, match: Match) -> tuple[Any, ...]:
        """Return near misses and nonsense; some are legal by chance."""
        rng = self.rng
        seat: Any = match.seat if rng.random() < 0.6 else rng.choice((*range(-2, 5), self._junk()))
        actions: Any = rng.randrange(-1, match.game.rules.actions + 1)
        kind = rng.random()
        if kind < 0.3 and not match.over:
            actions = random_move(match, rng)
            if kind < 0.2:
                actions.insert(rng.randrange(len(actions) + 1), rng.choice((actions[0], 3, self._junk())))
            elif kind < 0.27:
                actions.pop()
        elif kind < 0.5:
            actions = [rng.randrange(match.game.rules.actions) for _ in range(rng.randrange(4))]
        elif kind < 0.75:
            actions = self._junk()
        version: Any = None
        if rng.random() < 0.4:
            version = rng.choice((0, 1, 2, match.version(0), self._junk()))
        return seat, actions, version

    def _mutated(self, good: dict[str, Any]) -> Any:
        """Return the document itself, nonsense, or a copy with a few values changed."""
        if self.rng.random() < 0.02:
            return good
        if self.rng.random() < 0.02:
            return self._junk(3)
        doc: dict[str, Any] = copied(good)
        for _ in range(self.rng.choice((1, 1, 1, 2, 5))):
            self._change(doc)
        return doc

    def _change(self, node: Any) -> None:
        """Change something in a dict or list, at some depth."""
        rng = self.rng
        if not node:
            return
        key = rng.choice(list(node)) if isinstance(node, dict) else rng.randrange(len(node))
        value = node[key]
        if isinstance(value, dict | list) and value and rng.random() < 0.8:
            self._change(value)
            return
        kind = rng.random()
        if kind < 0.1:
            del node[key]
        elif kind < 0.3 and type(value) is int:
            node[key] = value + rng.choice((-1, 1, 1 << 32))
        elif kind < 0.3 and type(value) is str and value:
            k = rng.randrange(len(value))
            node[key] = value[:k] + rng.choice("0f9xF") + value[k + 1 :]
        elif kind < 0.4 and isinstance(node, list):
            node.insert(key, value)
        elif kind < 0.5 and isinstance(node, dict):
            node[rng.choice(("end", "move", "x", "layout", 5))] = self._junk()
        else:
            node[key] = self._junk()

    def _mutated_file(self, good: bytes) -> bytes:
        """Return the bytes themselves, or with some flipped, cut, or lines changed."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.03:
            return good
        if kind < 0.25:
            flipped = bytearray(good)
            for _ in range(rng.choice((1, 1, 2, 20))):
                flipped[rng.randrange(len(flipped))] = rng.randrange(256)
            return bytes(flipped)
        if kind < 0.4:
            return good[: rng.randrange(len(good))]
        lines = good.splitlines(keepends=True)
        k = rng.randrange(len(lines))
        if kind < 0.5:
            del lines[k]
        elif kind < 0.6:
            lines.insert(k, rng.choice(lines))
        elif kind < 0.65:
            rng.shuffle(lines)
        elif kind < 0.75:
            lines[k] = rng.choice(LINES) + b"\n"
        else:
            doc = json.loads(lines[k])
            self._change(doc)
            lines[k] = json.dumps(_writable(doc)).encode() + b"\n"
        return b"".join(lines)

    def _junk(self, depth: int = 2) -> Any:
        kind = self.rng.random()
        if depth == 0 or kind < 0.7:
            return copied(self.rng.choice(ATOMS))
        if kind < 0.75:
            return self.rng.choice(ODD)
        if kind < 0.9:
            return [self._junk(depth - 1) for _ in range(self.rng.randrange(5))]
        return {self.rng.choice(("seat", "game", "a", 0, None)): self._junk(depth - 1) for _ in range(3)}


def _writable(value: Any) -> Any:
    """Return `value` as far as JSON text can hold it."""
    if isinstance(value, dict):
        return {str(key): _writable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(item) for item in value]
    if isinstance(value, int) and abs(value) > 10**4000:
        return 10**4000
    return value if isinstance(value, str | int | float) or value is None else type(value).__name__
