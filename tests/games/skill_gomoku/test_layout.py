"""Custom deals and positions: what is impossible is refused by name; pieces are conserved."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core.errors import BadLayout
from qipai.games.skill_gomoku import GAME
from qipai.games.skill_gomoku.layout import pieces

from .positions import PI, SG, P, T

FIVE = ["1" * 5 + "0" * 10, *["0" * 15] * 14]
OVER = {"board": FIVE, "winner": 1, "reason": "five", "turn": {"state": "endTurn"}}
BAD_LAYOUTS: list[Any] = [
    {"nothing": 1}, {"board": ["0"]}, {"board": ["3" * 15] * 15}, {"board": [[0] * 14] * 15},
    {"board": [[True] * 15] * 15}, {"currentPlayer": 3}, {"currentPlayer": "1"}, {"deck": []},
    {"deck": {"drawPile": ["Nope"]}}, {"deck": {"drawPile": [P] * 65}}, {"deck": {"drawPile": "P"}},
    {"deck": {"drawPile": [P] * 40, "discardPile": [P] * 40}}, {"status": {"skipNextTurns": {"3": 1}}},
    {"status": {"skipNextTurns": {"1": -1}}}, {"turn": {"state": "resolve"}}, {"turn": {"state": "choose"}},
    {"turn": {"state": "maybeSkip", "drawn": [P]}}, {"turn": {"state": "choose", "drawn": [P, P, P]}},
    {"turn": {"state": "selectTarget", "drawn": [P, T]}},
    {"turn": {"state": "selectTarget", "drawn": [PI, T], "chosenIndex": 0}},
    {"turn": {"state": "selectTarget", "drawn": [T, P], "chosenIndex": 0}},
    {"turn": {"state": "selectTarget", "drawn": [P, T], "chosenIndex": 0, "chosen": T}},
    {"turn": {"state": "choose", "drawn": [P, T], "chosenIndex": 0}}, {"turn": {"number": 0}},
    {"turn": {"number": 10**9}}, {"lastMove": {"x": 0, "y": 0}}, {"lastMove": 5}, {"winner": 1},
    {"winner": 1, "reason": "five", "turn": {"state": "endTurn"}}, {**OVER, "winner": 2},
    {**OVER, "reason": "turnLimit"}, {**OVER, "reason": "luck"}, {**OVER, "winner": True},
    {"topped": 1}, {"logged": -1},
    {"turn": {"state": "choose", "drawn": [P, P]}, "deck": {"drawPile": [P] * 64}},
]  # fmt: skip


@pytest.mark.parametrize("layout", BAD_LAYOUTS)
def test_an_impossible_layout_is_refused_by_name(layout: Any) -> None:
    with pytest.raises(BadLayout):
        GAME.new({}, layout=layout)


def test_positions_can_be_laid_out_at_any_wait() -> None:
    turn = {"state": "selectTarget", "drawn": [P, T], "chosen": P, "number": 7}
    s = GAME.new({}, layout={"turn": turn, "currentPlayer": 2, "deck": {"drawPile": [SG]}})
    assert (int(s["seat"]), int(s["turn"]), len(GAME.legal_actions(s))) == (1, 7, 225)
    assert int(GAME.new({}, layout=OVER)["seat"]) == -1
    dealt = GAME.new({}, words=(3, 1, 4, 1), layout={"board": FIVE[1:] + FIVE[:1]})
    assert int(dealt["piled"]) == 27
    assert dealt["drawn"].tolist()[0] == 0  # a deck that is not given is shuffled, a Place on top


def test_pieces_counts_the_cards_of_the_deck_at_every_decision() -> None:
    s = GAME.new({}, words=(4, 2, 4, 2))
    while s["seat"] >= 0 and s["ply"] < 60:
        assert pieces(s) == s["copies"].tolist()
        GAME.rules.apply(s, GAME.legal_actions(s)[-1])


def test_pieces_notices_a_lost_card() -> None:
    s = GAME.new({}, words=(4, 2, 4, 2))
    s["piled"] -= 1
    assert sum(pieces(s)) == int(s["copies"].sum()) - 1
