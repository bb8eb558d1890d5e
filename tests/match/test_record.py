"""Record files as text: what is read, and what is refused."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from qipai.core.errors import BadRecord
from qipai.match import Match, RecordWriter, parse_record, read_record, restore
from qipai.match.chain import links
from qipai.match.record import FILE_LIMIT, LINE_LIMIT
from tests.toys import PRIZES, SEED, play


def record_of(match: Match, folder: Path) -> bytes:
    path = folder / "sample.jsonl"
    RecordWriter(path, match, sync=False).close()
    data = path.read_bytes()
    path.unlink()
    return data


@pytest.fixture
def lines(tmp_path: Path) -> list[bytes]:
    return record_of(play(Match(PRIZES, seed=SEED), Random(1)), tmp_path).splitlines(keepends=True)


def refusal(data: bytes, torn: bool = False) -> str:
    with pytest.raises(BadRecord) as caught:
        restore(parse_record(data, torn))
    return str(caught.value)


def changed(line: bytes, **values: Any) -> bytes:
    return json.dumps({**json.loads(line), **values}).encode() + b"\n"


def test_a_record_is_a_head_a_line_a_move_and_a_closing_line(lines: list[bytes]) -> None:
    match = play(Match(PRIZES, seed=SEED), Random(1))
    head, *moves, end = map(json.loads, lines)
    chain = list(links(match.head(), match.moves))
    assert head == {**match.head(), "commitment": hashlib.sha256(b"qipai/1/commit" + SEED).hexdigest()}
    for number, (seat, actions) in enumerate(match.moves, 1):
        link = chain[number]
        assert moves[number - 1] == {"move": number, "seat": seat, "actions": list(actions), "link": link}
    assert len(moves) == len(match.moves)
    closing = {"end": True, "payoff": match.payoff, "seed": SEED.hex(), "digest": match.digest}
    assert end == {**closing, "chain": chain[-1]}


def test_a_record_is_read_back(lines: list[bytes]) -> None:
    record = parse_record(b"".join(lines))
    match = restore(record)
    assert match.dump() == play(Match(PRIZES, seed=SEED), Random(1)).dump()
    assert record.end is not None and record.dropped == 0 and record.size == len(b"".join(lines))


def test_a_line_cut_short_is_left_out_only_when_asked(lines: list[bytes]) -> None:
    for cut in (1, 5, len(lines[-1]) - 1):
        data = b"".join(lines[:-1]) + lines[-1][:cut]
        assert "last line" in refusal(data)
        record = parse_record(data, torn=True)
        assert record.end is None and record.dropped == cut
        assert len(restore(record).moves) == len(lines) - 2


def test_a_head_cut_short_is_no_record(lines: list[bytes]) -> None:
    for data in (b"", lines[0][:-1], lines[0][:30], b"\n", b"\n" + b"".join(lines)):
        refusal(data)
        refusal(data, torn=True)


def test_lines_dropped_doubled_or_exchanged_are_refused(lines: list[bytes]) -> None:
    for k in range(len(lines) - 1):
        refusal(b"".join(lines[:k] + lines[k + 1 :]))
        refusal(b"".join(lines[: k + 1] + lines[k:]))
        refusal(b"".join([*lines[:k], lines[k + 1], lines[k], *lines[k + 2 :]]))
    refusal(b"".join([*lines, lines[-1]]))
    refusal(b"".join([*lines, b"\n"]))


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"nonsense",
        b"[]",
        b"1",
        b"{}",
        b'{"move":1}',
        b'{"move":1,"move":1,"seat":0,"actions":[0,1]}',
        b'{"move":1,"seat":0,"actions":[]}',
        b'{"move":1,"seat":0,"actions":[NaN]}',
        b'{"move":1,"seat":0,"actions":[1e999]}',
        b'{"move":1,"seat":0,"actions":[' + b"9" * 5000 + b"]}",
        b'{"move":1,"seat":0,"actions":[true]}',
        b'{"move":1,"seat":0,"actions":"0"}',
        b'{"move":1,"seat":-1,"actions":[0,1]}',
        b'{"move":"1","seat":0,"actions":[0,1]}',
        b'{"end":false,"payoff":[0,0],"seed":"","digest":""}',
        b'{"end":true}',
        b"[" * 50_000,
        b'{"a":' * 10_000,
        b"\xff\xfe",
        b"\x00" * 40,
        b'"\\ud800"',
    ],
    ids=range(22),
)
def test_a_malformed_line_is_refused(lines: list[bytes], line: bytes) -> None:
    text = refusal(b"".join([lines[0], line + b"\n", *lines[2:]]))
    assert "line 2" in text or "move 1" in text


def test_what_does_not_replay_is_refused(lines: list[bytes]) -> None:
    head, *moves, end = lines
    assert "commitment" in refusal(b"".join([changed(head, commitment="0" * 64), *moves, end]))
    assert "move 3 does not replay" in refusal(
        b"".join([head, *moves[:2], changed(moves[2], actions=[15, 15]), *moves[3:], end])
    )
    assert "result" in refusal(b"".join([head, *moves, changed(end, payoff=[7, -7])]))
    assert "seed" in refusal(b"".join([head, *moves, changed(end, seed="0" * 64)]))
    assert "digest" in refusal(b"".join([head, *moves, changed(end, digest="0" * 64)]))
    short = [changed(line, move=n) for n, line in enumerate(moves[:-1], 1)]
    assert "before the end" in refusal(b"".join([head, *short, end]))
    assert "rules" in refusal(b"".join([changed(head, rules=9), *moves, end]))
    assert "[game/unknown]" in refusal(b"".join([changed(head, game="chess"), *moves, end]))


def test_too_much_is_refused_before_it_is_read(lines: list[bytes], tmp_path: Path) -> None:
    assert "at most" in refusal(lines[0] + b" " * FILE_LIMIT)
    assert "more than" in refusal(lines[0] + b" " * LINE_LIMIT + b"\n")
    path = tmp_path / "sparse.jsonl"
    with path.open("wb") as file:
        file.write(lines[0])
        file.truncate(1 << 40)  # a terabyte that takes no room on disk
    with pytest.raises(BadRecord, match="at most"):
        read_record(path)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    places: list[Any] = [tmp_path, tmp_path / "pipe", tmp_path / "none", "/dev/null"]
    for place in [*places, "a\0b", "", None, 1.5, b"\xff"]:
        with pytest.raises(BadRecord):
            read_record(place)
