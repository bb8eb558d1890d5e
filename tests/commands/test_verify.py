"""`qipai verify`: a line for each record file, and the worst status of all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qipai.cli import main

from .test_replay import record


def test_a_true_record_is_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = record(tmp_path / "a.jsonl")
    assert main(["verify", str(tmp_path / "a.jsonl")]) == 0
    out = capsys.readouterr().out
    assert f"a.jsonl: good: xianqi, 3 seats, {len(match.moves)} moves, result" in out
    assert match.commitment in out


def test_a_match_that_goes_on_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(tmp_path / "a.jsonl", moves=4)
    assert main(["verify", str(tmp_path / "a.jsonl")]) == 1
    assert "not finished: 4 moves are correct" in capsys.readouterr().out


def test_a_changed_result_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.jsonl"
    record(path)
    *lines, end = path.read_text().splitlines()
    data = json.loads(end)
    data["payoff"] = [chips + 1 for chips in data["payoff"]]
    path.write_text("\n".join([*lines, json.dumps(data)]) + "\n")
    assert main(["verify", str(path)]) == 1
    assert "good" not in capsys.readouterr().out


def test_the_worst_of_several_files_is_the_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad, none = tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "none.jsonl"
    record(good)
    bad.write_text("not a record\n")
    assert main(["verify", str(good), str(bad), str(none), str(good)]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert [": good: " in line for line in lines] == [True, False, False, True]
    assert all("cannot be checked" in line for line in lines[1:3])
