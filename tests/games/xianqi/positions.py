"""Positions of Xianqi for tests: a fixed deal, actions as text, random games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from qipai.core import State, copy_state
from qipai.games.xianqi import GAME, layout, rules
from qipai.games.xianqi.text import parse

VIEWERS = (-1, 0, 1, 2)
HANDS = [
    {"R_SHI": 2, "B_SHI": 2, "R_MA": 2, "R_NIU": 2},
    {"R_XIANG": 1, "B_MA": 2, "R_CHE": 2, "B_CHE": 2, "R_GOU": 1},
    {"R_XIANG": 1, "B_XIANG": 2, "B_GOU": 1, "R_NIU": 1, "B_NIU": 3},
]
OPTION_SETS: list[dict[str, Any]] = [
    {},
    {"dog_pair": "equal_red_shi", "black_chess": "redeal", "round_open": "buckle_first"},
    {"reveal_ceramic_liability": "on", "enough_must_buckle": "on"},
    {"first_game_limits": "on", "eight_pillars": "on"},
]


def position(actions: str = "", hands: Any = HANDS, options: dict[str, Any] | None = None) -> State:
    """Return the deal `hands`, opened by seat 0, after the comma-separated `actions`."""
    GAME.compile()
    s = GAME.blank(options)
    layout.lay_out(s, {"hands": hands, "first": 0})
    rules.start(s)
    for word in filter(None, (w.strip() for w in actions.split(","))):
        rules.apply(s, parse(word))
    return s


def random_games(count: int, options: dict[str, Any]) -> Iterator[tuple[State, list[tuple[State, int]]]]:
    """Return final states with the (state, action) pairs that led there."""
    chance = random.Random(7)
    for i in range(count):
        s = GAME.new(options, words=(i, 1, 2, 3))
        steps = []
        while s["seat"] >= 0:
            action = chance.choice(GAME.legal_actions(s))
            steps.append((copy_state(s), action))
            GAME.rules.apply(s, action)
        yield s, steps
