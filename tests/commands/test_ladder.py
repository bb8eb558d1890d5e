"""`qipai ladder`: plays, writes its folder, goes on, verifies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qipai.cli import main

ARGS = ["kuhn_poker", "--agents", "random,repeater", "--add", "beginner", "--meetings", "2", "--rounds", "1"]


def test_it_writes_games_figures_and_a_page_and_verifies_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["ladder", *ARGS, "--workers", "1", "--out", str(tmp_path / "out")]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in ("random", "repeater", "beginner"))
    games = tmp_path / "out" / "games.jsonl"
    before = games.read_bytes()
    assert json.loads((tmp_path / "out" / "ladder.json").read_text("utf-8"))["entries"]
    assert "<svg" in (tmp_path / "out" / "index.html").read_text("utf-8")
    assert main([*command, "--json"]) == 0  # nothing is left to play
    assert games.read_bytes() == before
    json.loads(capsys.readouterr().out)
    assert main(["ladder", "--verify", str(games), "--sample", "2", "--workers", "1"]) == 0
    assert "2 deals played again, 0 differ" in capsys.readouterr().out
    again = tmp_path / "again"
    assert main([*command[:-1], str(again), "--seed", "5"]) == 0
    capsys.readouterr()
    status = main(["ladder", "--compare", str(games), str(again / "games.jsonl")])
    told = capsys.readouterr().out.splitlines()
    assert "of 3 pairs are separated" in told[-1] and status == int(len(told) > 1)
    games.write_bytes(before.replace(b'"payoffs":[[', b'"payoffs":[[1', 1))
    assert main(["ladder", "--verify", str(games), "--workers", "1"]) == 1
    assert "SHA-256" in capsys.readouterr().out


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["--compare", "nowhere", "nowhere"],
        ["--verify", "nowhere.jsonl"],
        [*ARGS, "--verify", "x", "--sample", "0"],
        ["no_such_game"],
    ],
)
def test_what_cannot_be_is_refused_in_one_line(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ladder", *args]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
