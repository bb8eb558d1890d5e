"""`qipai verify`: one line per file, and a reliable exit status."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from qipai.cli import main
from qipai.match import Match, RecordWriter
from tests.toys import PRIZES, SEED, play

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.jsonl"
    RecordWriter(path, play(Match(PRIZES, seed=SEED), Random(1)), sync=False).close()
    return path


def altered(path: Path, line: int, **values: object) -> Path:
    """Return a copy of the file in which a line is changed."""
    lines = path.read_text().splitlines()
    lines[line] = json.dumps({**json.loads(lines[line]), **values})
    other = path.with_name(f"altered{line}{len(values)}.jsonl")
    other.write_text("\n".join(lines) + "\n")
    return other


def verify(capsys: Capture, *paths: Path) -> tuple[int, list[str]]:
    status = main(["verify", *map(str, paths)])
    return status, capsys.readouterr().out.splitlines()


def test_a_good_record_is_told_so_with_its_commitment(capsys: Capture, good: Path) -> None:
    status, lines = verify(capsys, good)
    assert status == 0 and len(lines) == 1
    assert lines[0].startswith(f"{good}: good: skeleton, 2 seats, 10 moves, result ")
    assert lines[0].endswith(Match(PRIZES, seed=SEED).commitment)


@pytest.mark.parametrize(
    ("line", "values", "word"),
    [
        (0, {"commitment": "0" * 64}, "commitment"),
        (0, {"seed": "0" * 64}, "commitment"),
        (4, {"actions": [15, 14]}, "move 4"),
        (-1, {"payoff": [1, -1]}, "result"),
        (-1, {"seed": "0" * 64}, "seed"),
        (-1, {"digest": "0" * 64}, "digest"),
    ],
)
def test_what_differs_is_named(
    capsys: Capture, good: Path, line: int, values: dict[str, object], word: str
) -> None:
    status, lines = verify(capsys, altered(good, line, **values))
    assert status == 1 and len(lines) == 1 and word in lines[0]


def test_an_unfinished_record_is_not_good(capsys: Capture, good: Path) -> None:
    good.write_text("".join(good.read_text().splitlines(True)[:-1]))
    status, lines = verify(capsys, good)
    assert status == 1 and "not finished" in lines[0]


def test_what_cannot_be_read_is_told_apart(capsys: Capture, good: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(good.read_bytes()[:-1])
    others = [altered(good, 0, game="chess"), altered(good, 0, rules=2, seats=2)]
    for path in [torn, tmp_path / "none", tmp_path, *others]:
        status, lines = verify(capsys, path)
        assert status == 2 and "cannot be checked" in lines[0]


def test_of_several_files_the_worst_counts(capsys: Capture, good: Path, tmp_path: Path) -> None:
    differs = altered(good, -1, payoff=[0, 0])
    assert verify(capsys, good, good)[0] == 0
    status, lines = verify(capsys, good, differs, good)
    assert status == 1 and len(lines) == 3
    status, lines = verify(capsys, tmp_path / "none", good, differs)
    assert status == 2 and len(lines) == 3
