"""Xianqi's state machine (§2 to §6); whole games against the slow twin are in `api/test_engine_games.py`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.core import same
from qipai.games.xianqi import GAME, rules, state
from qipai.games.xianqi.text import parse, say

from .positions import OPTION_SETS, position, random_games

PAIR = "RS2, under BC, under BC, under RN, under BN"
BLACK = [
    {"R_SHI": 2, "B_SHI": 2, "R_XIANG": 2, "R_MA": 2},
    {"B_XIANG": 2, "B_MA": 2, "R_CHE": 2, "B_CHE": 2},
    {"R_GOU": 1, "B_GOU": 1, "R_NIU": 3, "B_NIU": 3},
]


def legal(s: Any) -> list[str]:
    return [say(a) for a in GAME.legal_actions(s)]


def test_a_deal_gives_every_seat_eight_pieces_and_leaves_nothing_in_the_deck_2_3() -> None:
    for i in range(50):
        s = GAME.new(words=(i, 5, 6, 7))
        assert s["hand"].sum(axis=1).tolist() == [8, 8, 8]
        assert s["hand"].sum(axis=0).tolist() == state.COPIES.tolist()
        assert not s["deck"].any()


def test_the_same_words_give_the_same_deal_in_a_used_record() -> None:
    fresh = GAME.new(words=(1, 2, 3, 4))
    used = next(final for final, _ in random_games(1, {}))
    GAME.key(used, (1, 2, 3, 4))
    rules.deal(used)
    assert same(fresh, used)


def test_a_black_deal_is_settled_at_once_or_dealt_again_2_4() -> None:
    s = GAME.new(layout={"hands": BLACK, "first": 0})
    assert int(s["phase"]) == state.FINISHED and int(s["end"]) == state.END_BLACK
    assert s["payoff"].tolist() == [0, 0, 0]
    for i in range(200):
        s = GAME.new({"black_chess": "redeal"}, words=(i, 1, 1, 1))
        assert int(s["seat"]) != state.NONE


def test_the_option_first_seat_decides_who_opens() -> None:
    for seat in range(state.SEATS):
        assert int(GAME.new({"first_seat": seat, "black_chess": "redeal"})["seat"]) == seat


def test_the_opener_plays_any_combo_or_buckles_4_1() -> None:
    assert legal(position()) == ["RS", "BS", "RM", "RN", "RS2", "BS2", "RM2", "RN2", "buckle"]


def test_a_seat_that_can_beat_must_5_4() -> None:
    assert legal(position("RN")) == ["RX", "BM", "RC", "RG", "BC"]


def test_equal_power_does_not_beat_5_3() -> None:
    hands = [
        {"R_GOU": 1, "R_SHI": 2, "B_SHI": 2, "R_XIANG": 2, "R_MA": 1},
        {"R_CHE": 2, "B_XIANG": 1, "B_NIU": 3, "B_CHE": 2},
        {"R_MA": 1, "B_MA": 2, "B_XIANG": 1, "B_GOU": 1, "R_NIU": 3},
    ]
    assert legal(position("RG", hands)) == ["BX"]  # the red che has the same power


def test_a_seat_that_cannot_beat_covers_types_in_order_5_5() -> None:
    s = position("RS2")
    assert legal(s) == ["under RX", "under BM", "under RC", "under BC"]  # after RG nothing would be left
    rules.apply(s, parse("under RC"))
    assert int(s["picked"]) == 1 and rules.partial(s) == 1
    assert legal(s) == ["under RC", "under BC", "under RG"]
    rules.apply(s, parse("under BC"))
    assert rules.partial(s) == 0 and int(s["seat"]) == 2


def test_the_winner_gets_as_many_pillars_as_each_seat_laid_down_4_4() -> None:
    s = position(PAIR)
    assert s["pillars"].tolist() == [2, 0, 0] and int(s["seat"]) == 0 and int(s["closed"]) == 1


def test_those_after_the_buckler_are_asked_in_turn_and_two_passes_end_the_hand_4_3() -> None:
    s = position(PAIR + ", buckle")
    assert int(s["seat"]) == 1 and legal(s) == ["reveal", "pass"]
    rules.apply(s, state.PASS)
    assert int(s["seat"]) == 2
    rules.apply(s, state.PASS)
    assert int(s["end"]) == state.END_BUCKLED and int(s["phase"]) == state.FINISHED


def test_a_reveal_makes_the_buckler_lead_without_another_buckle_6_2() -> None:
    s = position(PAIR + ", buckle, pass, reveal")
    assert int(s["seat"]) == 0 and "buckle" not in legal(s)
    assert int(s["active"]) == 2 and int(s["challenger"]) == 2


def test_the_active_revealer_is_asked_first_4_3() -> None:
    again = ", buckle, pass, reveal, BS2, under BM, under BM, under BX, under BX, buckle"
    s = position(PAIR + again)
    assert int(s["seat"]) == 2 and s["pending"].tolist() == [2, 1]


def test_the_opener_says_first_whether_to_buckle_4_6() -> None:
    s = position(options={"round_open": "buckle_first"})
    assert legal(s) == ["buckle", "pass"]
    rules.apply(s, state.PASS)
    assert legal(s) == ["RS", "BS", "RM", "RN", "RS2", "BS2", "RM2", "RN2"]


def test_nobody_buckles_below_three_pillars_in_a_limited_first_hand_9_2() -> None:
    limits = {"first_game_limits": "on"}
    assert "buckle" not in legal(position(PAIR, options=limits))
    more = PAIR + ", BS2, under BM, under BM, under BX, under BX"
    assert "buckle" in legal(position(more, options=limits))


@pytest.mark.parametrize("options", OPTION_SETS, ids=lambda o: "+".join(o) or "default")
def test_every_hand_ends_within_48_actions_for_nothing_in_sum_4_5(options: dict[str, Any]) -> None:
    for final, steps in random_games(100, options):
        assert len(steps) <= 48 and int(final["phase"]) == state.FINISHED
        assert final["payoff"].sum() == 0
        assert int(final["end"]) != state.END_NONE
        assert final["pillars"].sum() <= state.ALL_PILLARS


def test_the_mask_has_as_many_ones_as_legal_says() -> None:
    mask = np.zeros(GAME.width, np.uint8)
    for _, steps in random_games(20, {}):
        for s, _ in steps:
            assert rules.legal(s, mask) == mask.sum() > 0
