"""The compiled plans of the heuristic: how well a suit serves sets and a pair."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.core import compile_rules
from qipai.games.wuhan_mahjong import GAME
from qipai.games.wuhan_mahjong.bots.policy import MEMO, suit_uses
from qipai.games.wuhan_mahjong.examples import ids

NO_PAIR, PAIR_258, ANY_PAIR = range(3)


def uses(hand: str, sets: int, pair: int) -> int:
    """Return how many tiles of the characters of a hand serve so many sets and such a pair."""
    compile_rules([suit_uses], GAME.rules.State, "wuhan_mahjong/suit_uses")
    counts = np.bincount(ids(hand), minlength=34).astype(np.int8)
    packed = int(suit_uses(counts, 0, np.zeros(MEMO, np.int64)))
    return packed >> 4 * (sets + 5 * pair) & 15


@pytest.mark.parametrize(
    ("hand", "sets", "pair", "tiles"),
    [
        ("123m", 1, NO_PAIR, 3),
        ("12m", 1, NO_PAIR, 2),
        ("123m 88m", 1, PAIR_258, 5),
        ("123m 99m", 1, ANY_PAIR, 5),
        ("123456m", 2, NO_PAIR, 6),
        ("123456m", 1, NO_PAIR, 3),
        ("777m", 1, NO_PAIR, 3),
        ("7m", 0, NO_PAIR, 0),
    ],
)
def test_tiles_that_serve(hand: str, sets: int, pair: int, tiles: int) -> None:
    assert uses(hand, sets, pair) == tiles


def test_a_pair_of_nines_is_no_258_pair() -> None:
    assert uses("99m", 0, ANY_PAIR) == 2
    assert uses("99m", 0, PAIR_258) < 2
