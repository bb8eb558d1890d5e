"""`qipai rules`: words and picture."""

from __future__ import annotations

import sys

import pytest

from qipai.cli import main
from qipai.games.xianqi import GAME, state


def test_the_rules_are_printed_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "xianqi"]) == 0
    assert "**5.4 Must beat.**" in capsys.readouterr().out
    assert main(["rules", "xianqi", "--lang", "zh"]) == 0
    assert "**5.4 必须压。**" in capsys.readouterr().out


def test_on_a_terminal_the_rules_are_set_by_rich(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["rules", "xianqi"]) == 0
    out = capsys.readouterr().out
    assert "Must beat." in out and "**5.4" not in out


def test_the_picture_has_every_declared_edge(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "xianqi", "--diagram"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "stateDiagram-v2"
    assert len(lines) == 1 + len(GAME.rules.edges)
    assert "    REVEAL_DECISION --> SETTLEMENT" in lines


def test_an_unknown_game_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "nosuch"]) == 2
    assert "game/unknown" in capsys.readouterr().err


def test_the_rules_name_every_phase_action_option_and_clause_that_the_code_cites(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["rules", "xianqi"])
    english = capsys.readouterr().out
    main(["rules", "xianqi", "--lang", "zh"])
    for text in (english, capsys.readouterr().out):
        for phase in state.Phase:
            assert f"`{phase.name.lower()}`" in text
        for option in GAME.rules.options:
            assert f"`{option.name}`" in text
        for transition in range(1, 12):
            assert f"| T{transition} |" in text
        for example in range(1, 11):
            assert f"| E{example} |" in text
        for clause in (
            "2.1",
            "2.3",
            "2.4",
            "4.1",
            "4.2",
            "4.3",
            "4.4",
            "4.6",
            "5.2",
            "5.3",
            "8.1",
            "9.1",
            "10.2",
        ):
            assert f"**{clause}" in text
