"""The phases and edges against the diagram of the turn machine (README 5)."""

from __future__ import annotations

import pytest

from qipai.core import diagram
from qipai.games.skill_gomoku import GAME
from qipai.games.skill_gomoku.state import EDGES, Phase
from qipai.testing import check_game

DIAGRAM = """
[*] --> maybeSkip
maybeSkip --> endTurn: guard shouldSkip / actions consumeSkip, logSkip
maybeSkip --> drawTwo: (not shouldSkip)

drawTwo --> choose: (entry doDrawTwo, logDrawTwo)
choose --> maybeTarget: CHOOSE_CARD / setChosen, logChosen

maybeTarget --> selectTarget: guard needsTarget
maybeTarget --> resolve: else

selectTarget --> resolve: SELECT_TARGET [targetValid] / setTarget, logTarget

resolve --> checkWin: (entry applyCardEffect, logEffect)
checkWin --> endTurn: (entry applyWinCheck, logWinCheck)
endTurn --> [*]: (entry advanceTurn)
"""
ADDED = {
    "drawTwo --> endTurn: guard noCards",  # spec 9.5: both piles are empty
    "endTurn --> maybeSkip: next turn",  # spec 8: the driver starts the next run
}


def lines(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines() if "-->" in line}


def test_the_diagram_is_that_of_clause_5() -> None:
    assert lines(diagram(GAME)) == lines(DIAGRAM) | ADDED


def test_qipai_rules_prints_that_diagram(capsys: pytest.CaptureFixture[str]) -> None:
    from qipai.cli import main

    assert main(["rules", "skill_gomoku", "--diagram"]) == 0
    assert lines(capsys.readouterr().out) == lines(DIAGRAM) | ADDED


def test_the_edges_are_those_of_the_diagram() -> None:
    named = {f"{Phase(a).name} --> {Phase(b).name}" for a, b in EDGES}
    drawn = {line.partition(":")[0] for line in lines(DIAGRAM) | ADDED if "[*] -->" not in line}
    assert named == {line for line in drawn if "[*]" not in line}
    assert [p.name for p in Phase] == [
        "maybeSkip", "drawTwo", "choose", "maybeTarget", "selectTarget", "resolve", "checkWin", "endTurn",
    ]  # fmt: skip


def test_every_edge_of_the_diagram_is_taken_by_an_example_or_a_game() -> None:
    report = check_game(GAME, games=1, parity_games=0, only=["edges"], options=[{}])
    assert report.counts
