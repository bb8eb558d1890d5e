"""Hand-made positions of Skill Gomoku: rare edges, and pairs that look the same to a seat."""

from __future__ import annotations

from typing import Any

from qipai.core import Example, Twins

from .state import CELL

P, T, PI, TF, SG = "Place", "Take", "PolarityInversion", "TimeFreeze", "SpontaneousGeneration"


def _deck(draw: list[str], discard: list[str] | None = None) -> dict[str, Any]:
    return {"drawPile": draw, "discardPile": discard or []}


EXAMPLES = (
    Example("no card is left anywhere: a draw", {"deck": _deck([])}),
    Example(
        "a frozen player's turn is skipped",
        {"status": {"skipNextTurns": {"1": 1}}, "deck": _deck([T, P, T, P])},
        (0,),
    ),
    Example("Time Freeze, aimed at the opponent", {"deck": _deck([P, P, T, TF])}, (0, 2)),
    Example("two Takes and no stone to take: a forced fizzle", {"deck": _deck([P, P, T, T])}, (0,)),
    Example("the only card there is", {"deck": _deck([], [P])}, (0, CELL)),
    Example("the pile is reshuffled between two cards", {"deck": _deck([T], [P, PI, SG, P])}, (1,)),
)


def _choosing(drawn: list[str], pile: list[str]) -> dict[str, Any]:
    turn = {"state": "choose", "drawn": drawn, "number": 3}
    return {"turn": turn, "deck": _deck(pile, [P, SG]), "currentPlayer": 1}


def _aiming(pile: list[str]) -> dict[str, Any]:
    turn = {"state": "selectTarget", "drawn": [P, T], "chosenIndex": 0, "number": 3}
    return {"turn": turn, "deck": _deck(pile, [SG, T]), "currentPlayer": 1}


TWINS = (
    Twins("the order of the pile", 0, _choosing([P, T], [SG, PI, TF]), _choosing([P, T], [TF, SG, PI])),
    Twins("the order of the pile, while aiming", 0, _aiming([SG, PI, P]), _aiming([P, PI, SG])),
    Twins("what the opponent has drawn", 1, _choosing([P, T], [SG, PI]), _choosing([SG, PI], [T, P])),
    Twins("what is drawn, for a watcher", -1, _choosing([P, T], [SG, P]), _choosing([P, P], [T, SG])),
)
