"""The two action spaces and the masks of the spec's section 12.3."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.games.wuhan_mahjong import (
    GAME,
    ActionType,
    action_to_index,
    index_to_action,
    legal_mask,
)
from qipai.games.wuhan_mahjong.api import index_to_native, native_of_pair, native_to_pair, public_bits
from qipai.games.wuhan_mahjong.errors import IllegalMove

from ..tables import MASKS, partial, whole


@pytest.mark.parametrize("row", MASKS, ids=[row["id"] for row in MASKS])
def test_12_3_masks_of_partial_positions(row: dict[str, Any]) -> None:
    assert np.flatnonzero(legal_mask(partial(row), 0)).tolist() == row["bits"]
    for other in (1, 2, 3):
        assert not legal_mask(partial(row), other).any()


@pytest.mark.parametrize("row", MASKS, ids=[row["id"] for row in MASKS])
def test_12_3_masks_of_complete_positions(row: dict[str, Any]) -> None:
    s = GAME.new(layout=whole(row))
    assert public_bits(s) == row["bits"]


def test_a2_index_to_action() -> None:
    indices = [0, 33, 35, 37, 59, 76, 109, 171, 185, 218, 251, 276, 277]
    pairs = [(0, 0), (0, 33), (1, 1), (2, 0), (3, 21), (4, 4), (5, 3), (6, 31), (8, 11), (7, 10), (7, 9)]
    assert [index_to_action(i) for i in indices] == [*pairs, (9, 0), (10, 0)]


def test_a3_action_to_index_with_indicator_2s() -> None:
    assert [action_to_index(a, 10) for a in ((7, 10), (7, 9), (8, 0), (6, 0))] == [218, 251, 185, 171]


def test_a4_action_type_values() -> None:
    assert ActionType.PASS.value == 10
    assert ActionType.KONG_SKIN.value == 7
    assert ActionType.KONG_LAZY.value == 8


def test_the_public_mask_and_the_dense_actions_name_the_same_things() -> None:
    s = GAME.new(layout=whole(MASKS[10]))
    for action in range(GAME.rules.actions):
        pair = native_to_pair(action, s)
        assert native_of_pair(*pair, s) == action
        assert index_to_native(action_to_index(pair, 10, int(s["tile"]))) == action


@pytest.mark.parametrize("bad", [-1, 278, 1.0, "3", None, True])
def test_an_index_out_of_range_is_refused(bad: Any) -> None:
    with pytest.raises(IllegalMove):
        index_to_action(bad)


@pytest.mark.parametrize("bad", [(7, 5), (8, 40), (11, 0), (-1, 0), (0,), 5, "pass", (0, 34), (1, 3)])
def test_an_action_without_a_bit_is_refused(bad: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        action_to_index(bad, 10)
