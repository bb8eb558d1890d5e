"""The compiled half of Xianqi's heuristic agent, as plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.core.rule import plain_function
from qipai.games.xianqi import GAME, state
from qipai.games.xianqi.bots import policy
from qipai.games.xianqi.text import parse, say

from ..positions import position

PAIR = "RS2, under BC, under BC, under RN, under BN"
FOUR = PAIR + ", BS2, under BM, under BM, under BX, under BX"


def quick(s: Any) -> str:
    mask = np.zeros(GAME.width, np.uint8)
    GAME.rules.legal(s, mask)
    return say(int(plain_function(policy.quick)(s, mask)))


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        ("", "BS2"),  # nobody can beat it, and the weaker pair of shi does as well as the stronger
        ("RN", "RX"),  # the weakest piece that the next seat cannot beat
        ("RS2", "under BC"),  # the weakest two
        (FOUR, "buckle"),  # enough: stop
        (PAIR + ", buckle", "pass"),  # one strong piece makes no three pillars
    ],
)
def test_a_playout_goes_on_by_common_sense(actions: str, expected: str) -> None:
    assert quick(position(actions)) == expected


def test_the_strongest_combo_of_a_hand_is_found() -> None:
    s = position()
    strongest = plain_function(policy.strongest)
    assert [[strongest(s, kind, seat) for kind in (1, 2, 3)] for seat in range(3)] == [
        [9, 9, -1],
        [7, 4, -1],
        [7, 6, 10],
    ]


def test_the_dog_pair_counts_with_its_power_under_the_option() -> None:
    s = position(options={"dog_pair": "equal_red_shi"})
    s["hand"][1] = 0
    s["hand"][1, [state.R_GOU, state.B_GOU, state.B_CHE]] = 1
    assert plain_function(policy.strongest)(s, 2, 1) == 9
    assert plain_function(policy.strongest)(s, 1, 1) == 3  # the red gou is above the black che


def test_a_playout_reaches_the_end() -> None:
    s = position()
    plain_function(policy.play_out)(s, np.array([1, 2, 3, 4], np.uint32), np.zeros(GAME.width, np.uint8))
    assert int(s["phase"]) == state.FINISHED


def test_throwing_covers_the_weakest_first() -> None:
    s = position("RS2, under BM, under BC")
    assert say(int(plain_function(policy.throw)(s))) == "under BN"
    assert parse("under BN") in GAME.legal_actions(s)
