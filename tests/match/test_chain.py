"""Every change of a record's moves breaks its hash chain, also where the final state would be the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from qipai.cli import main
from qipai.core.errors import BadRecord
from qipai.match import Match, RecordFile, RecordWriter, check_record, parse_record, resume
from qipai.match.chain import last_link, links
from qipai.match.verify import _check_chain
from tests.toys import PRIZES, SEED, play

Lines = list[dict[str, Any]]


@pytest.fixture
def lines(tmp_path: Path) -> Lines:
    path = tmp_path / "m.jsonl"
    RecordWriter(path, play(Match(PRIZES, seed=SEED), Random(1)), sync=False).close()
    return [json.loads(line) for line in path.read_text().splitlines()]


def written(lines: Lines) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def numbered(lines: Lines) -> RecordFile:
    """Return a record whose moves are numbered again, as someone who edits one would do."""
    head, *moves, end = lines
    return parse_record(written([head, *({**m, "move": k} for k, m in enumerate(moves, 1)), end]))


def without(lines: Lines) -> Lines:
    """Return a record as earlier versions wrote it."""
    return [{k: v for k, v in line.items() if k not in ("link", "chain")} for line in lines]


def edits(lines: Lines) -> Iterator[Lines]:
    """Yield the record with a single move changed, dropped, doubled or swapped, at every place."""
    for at in range(1, len(lines) - 1):
        move = lines[at]
        for actions in ([move["actions"][0] + 1, *move["actions"][1:]], [*move["actions"], 0]):
            yield [*lines[:at], {**move, "actions": actions}, *lines[at + 1 :]]
        yield [*lines[:at], {**move, "seat": 1 - move["seat"]}, *lines[at + 1 :]]
        yield [*lines[:at], *lines[at + 1 :]]
        yield [*lines[:at], move, *lines[at:]]
        if at < len(lines) - 2:
            yield [*lines[:at], lines[at + 1], move, *lines[at + 2 :]]


def test_the_chain_is_what_the_page_says(lines: Lines) -> None:
    head, *moves, end = lines
    del head["commitment"]
    link = hashlib.sha256(b"qipai/1/chain" + json.dumps(head, sort_keys=True, separators=(",", ":")).encode())
    for move in moves:
        found = move.pop("link")
        text = json.dumps(move, sort_keys=True, separators=(",", ":"))
        link = hashlib.sha256(link.digest() + text.encode())
        assert found == link.hexdigest()
    assert end["chain"] == link.hexdigest()


def test_every_single_edit_of_the_moves_is_noticed(lines: Lines) -> None:
    assert check_record(numbered(lines))[1] == []
    for edited in edits(lines):
        record = numbered(edited)
        assert _check_chain(record, Match.begin(record.head)), "whether or not the moves could be played"
        assert check_record(record)[1]


def test_other_moves_that_replay_to_their_result_break_the_chain(lines: Lines, tmp_path: Path) -> None:
    """Nothing else is wrong: all moves are legal, and the closing line fits them."""
    path = tmp_path / "other.jsonl"
    RecordWriter(path, play(Match(PRIZES, seed=SEED), Random(2)), sync=False).close()
    other = [json.loads(line) for line in path.read_text().splitlines()]
    assert check_record(parse_record(written(other)))[1] == [] and len(other) == len(lines)
    edited = [
        {**line, **{key: known[key] for key in ("link", "chain") if key in known}}
        for line, known in zip(other, lines, strict=True)
    ]
    first = next(k for k, (one, known) in enumerate(zip(edited, lines, strict=True)) if one != known)
    assert check_record(parse_record(written(edited)))[1] == [f"the hash chain breaks at move {first}"]


def test_a_dump_whose_moves_were_edited_does_not_load(monkeypatch: pytest.MonkeyPatch) -> None:
    doc = play(Match(PRIZES, seed=SEED), Random(1)).dump()
    other = {**doc, "chain": last_link(Match(PRIZES, seed=SEED).head(), Match.load(doc).moves[:-1])}
    with pytest.raises(BadRecord, match="hash chain"):
        Match.load(other)
    with pytest.raises(BadRecord, match="64 hexadecimal"):
        Match.load({**doc, "chain": "x"})


def test_older_records_load_and_say_what_they_lack(
    lines: Lines, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "old.jsonl"
    for found, word in ((lines, "hash chain intact"), (without(lines), "no hash chain")):
        path.write_bytes(written(found))
        assert main(["verify", str(path)]) == 0 and word in capsys.readouterr().out
    doc = play(Match(PRIZES, seed=SEED), Random(1)).dump()
    del doc["chain"]
    assert Match.load(doc).over


def test_a_chain_with_gaps_is_refused(lines: Lines) -> None:
    old = without(lines)
    for at in range(1, len(lines)):
        with pytest.raises(BadRecord, match="incomplete"):
            parse_record(written([*lines[:at], old[at], *lines[at + 1 :]]))


@pytest.mark.parametrize("chained", [True, False])
def test_a_resumed_file_goes_on_as_it_began(lines: Lines, tmp_path: Path, chained: bool) -> None:
    path = tmp_path / "resumed.jsonl"
    path.write_bytes(written((lines if chained else without(lines))[:5]))
    match, writer, _ = resume(path, sync=False)
    play(match, Random(3))
    writer.save()
    writer.close()
    record = parse_record(path.read_bytes())
    assert record.chained is chained and check_record(record)[1] == []


def test_the_head_is_part_of_the_chain() -> None:
    one, other = Match(PRIZES, seed=SEED), Match(PRIZES, {"first_seat": 1}, seed=SEED)
    assert next(links(one.head(), [])) == one.chain != other.chain
