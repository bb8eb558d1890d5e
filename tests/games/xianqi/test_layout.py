"""Custom deals of Xianqi: what is laid out, and what is refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core.errors import BadLayout
from qipai.games.xianqi import GAME, layout, state

from .positions import HANDS, position, random_games


def test_a_layout_is_a_deal_with_the_actions_that_followed() -> None:
    actions = ["RS2", "under BC", 35]
    s = GAME.new(layout={"hands": HANDS, "first": 0, "actions": actions})
    played = position("RS2, under BC, under BC")
    assert s["hand"].tolist() == played["hand"].tolist() and int(s["seat"]) == 2
    assert int(s["ply"]) == 0


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"hands": None}, "three hands"),
        ({"hands": HANDS[:2]}, "three hands"),
        ({"hands": [*HANDS[:2], []]}, "hand 2"),
        ({"hands": [*HANDS[:2], {"R_KING": 8}]}, "R_KING"),
        ({"hands": [*HANDS[:2], {"R_XIANG": 4}]}, "R_XIANG"),
        ({"hands": [*HANDS[:2], {"R_XIANG": True}]}, "R_XIANG"),
        ({"hands": [*HANDS[:2], {"R_XIANG": 1}]}, "1 cards, not 8"),
        ({"hands": [HANDS[0], HANDS[0], HANDS[2]]}, "in the deck"),
        ({"first": 3}, "first"),
        ({"first": True}, "first"),
        ({"actions": ["RS", "nonsense"]}, "nonsense"),
        ({"actions": [40]}, "below 40"),
        ({"actions": ["BN"]}, "not legal"),
        ({"actions": ["RS"] * 65}, "at most 64"),
        ({"actions": ["buckle", "pass", "pass", "pass"]}, "after the end"),
        ({"deck": []}, "'deck'"),
    ],
)
def test_a_wrong_layout_is_refused_by_name(change: dict[str, Any], named: str) -> None:
    with pytest.raises(BadLayout, match=named):
        GAME.new(layout={"hands": HANDS, "first": 0, **change})


def test_no_piece_is_ever_lost() -> None:
    for final, steps in random_games(30, {}):
        for s in [*(s for s, _ in steps), final]:
            assert layout.pieces(s) == state.COPIES.tolist()


def test_the_limits_of_a_first_hand_are_not_inherited() -> None:
    assert layout.successor(GAME.blank({"first_game_limits": "on"})) == {"first_game_limits": "off"}
    assert layout.successor(GAME.blank({"eight_pillars": "on"})) == {}
