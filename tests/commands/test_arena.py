"""`qipai arena` on the command line."""

from __future__ import annotations

import io
import json
import sys

import pytest

from qipai.cli import main

BASE = ["arena", "xianqi", "--agents", "random,heuristic", "--deals", "3"]


def test_the_table_names_everyone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(BASE) == 0
    told = capsys.readouterr()
    assert "3 deals, each in 6 seating(s), 18 games, seed 0" in told.out
    assert "random over heuristic" in told.out and told.err == ""


def test_json_is_the_same_for_the_same_seed_whatever_the_threads(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for more in (["--threads", "1"], ["--threads", "3"], ["--seed", "5"]):
        assert main([*BASE, "--json", *more]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1] != told[2]
    assert json.loads(told[2])["seed"] == 5


def test_options_reach_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--option", "first_seat=2", "--option", "eight_pillars=on", "--json"]
    assert main([*BASE, *flags]) == 0
    options = json.loads(capsys.readouterr().out)["options"]
    assert (options["first_seat"], options["eight_pillars"]) == (2, "on")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_is_drawn_on_a_terminal_and_wiped_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    assert main([*BASE, "--json"]) == 0
    drawn = screen.getvalue()
    assert "2/3 deals" in drawn and drawn.endswith("\r\033[K")
    json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        (["chess", "--agents", "random"], "game/unknown"),
        (["xianqi", "--agents", "random,deep"], "agent/unknown"),
        (["xianqi", "--agents", ","], "agent/unknown"),
        (["xianqi", "--agents", "random", "--deals", "0"], "count/bad"),
        (["xianqi", "--agents", "random", "--deals", "99999999999"], "count/bad"),
        (["xianqi", "--agents", "random", "--threads", "0"], "count/bad"),
        (["xianqi", "--agents", "random", "--seed", "-1"], "seed/bad"),
        (["xianqi", "--agents", "random", "--seats", "2"], "seat/bad"),
        (["xianqi", "--agents", "random", "--option", "first_seat"], "option/bad"),
        (["xianqi", "--agents", "random", "--option", "first_seat=9"], "option/bad"),
        (["xianqi", "--agents", "random", "--option", "=1"], "option/bad"),
        (["xianqi", "--agents", "random", *["--option", "first_seat=1"] * 2], "option/bad"),
        (["xianqi", "--agents", "random", "--option", "tricks=1"], "option/bad"),
    ],
)
def test_refusals_are_one_sentence_with_a_code(
    flags: list[str], code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *flags]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith("qipai arena: ") and f"[{code}]" in told.err
    assert len(told.err.splitlines()) == 1


@pytest.mark.parametrize("flags", [[], ["--agents"], ["--agents", "random", "--deals", "many"]])
def test_flags_that_cannot_be_read_end_with_status_2(
    flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["arena", "xianqi", *flags])
    assert ended.value.code == 2
    assert "--" in capsys.readouterr().err
