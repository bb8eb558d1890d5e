"""`qipai check`: the report, what failed and where, and its older form `python -m qipai.testing`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from qipai import testing
from qipai.cli import main
from qipai.core import register, registry
from qipai.skeleton.write import write_small
from qipai.testing import Property
from qipai.testing.__main__ import main as older
from qipai.testing.report import Report
from tests.toys_check import faults, hush
from tests.toys_check.faults import broken


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(registry, "_added", {})
    return register


@pytest.mark.slow
def test_it_prints_a_line_per_property(registered: Any, capsys: pytest.CaptureFixture[str]) -> None:
    registered("hush", hush.GAME)
    flags = ["--games", "6", "--seed", "4", "--variant", "plain", "--parity", "1"]
    assert main(["check", "hush", *flags]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("hush: 6 games, ")
    assert len(lines) == 1 + len(Property)
    assert all(line.split()[0] == "OK" for line in lines[1:])


def test_it_says_what_failed_and_where(registered: Any, capsys: pytest.CaptureFixture[str]) -> None:
    registered("hush", broken(legal=faults.legal_miscounts))
    assert main(["check", "hush", "--games", "30", "--variant", "plain"]) == 1
    out = capsys.readouterr().out
    assert "FAILED mask" in out
    assert "seed 0, game 0, ply 0" in out


def test_an_unknown_game_is_refused_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "no_such_game"]) == 2
    assert "there is no game 'no_such_game'" in capsys.readouterr().err


def test_the_older_form_is_the_same_command(registered: Any, capsys: pytest.CaptureFixture[str]) -> None:
    registered("hush", broken(legal=faults.legal_miscounts))
    assert older(["hush", "--games", "30", "--variant", "plain"]) == 1
    assert "FAILED mask" in capsys.readouterr().out
    assert older(["no_such_game"]) == 2


def test_a_file_is_checked_as_the_game_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(registry.FILES, "")
    asked: list[Any] = []

    def check(game: str, **settings: Any) -> Report:
        asked.append((game, settings["games"], os.environ[registry.FILES]))
        return Report(game)

    monkeypatch.setattr(testing, "check_game", check)
    file = write_small("tiny_checked", tmp_path)
    assert main(["check", str(file), "--games", "7"]) == 0
    assert asked == [("tiny_checked", 7, str(file))]
    assert capsys.readouterr().out.startswith("tiny_checked: ")
