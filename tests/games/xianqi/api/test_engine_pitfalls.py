"""Spec §14: the faults of the original, each shown not to come back.

10, 11 and 13 belong to the online table and to speed, and have no test here.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from qipai.games.xianqi.api import XianqiGameEngine, enumerate_combos
from tests.games.xianqi.api.states import cards, cover, dealt, loaded, pillars_of, play_random, refuse, state
from tests.games.xianqi.api.test_engine_actions import act, close, closing

THREE = {"player_count": 3}


@pytest.mark.parametrize("pillars", [(3, 2, 2), (4, 2, 1), (1, 2, 4)])
def test_14_1_all_cards_played_ends_the_game(pillars: tuple[int, int, int]) -> None:
    new = close(closing(pillars, 0))
    assert new["phase"] == "settlement" and sum(pillars_of(new)) == 8


def test_14_2_a_buckle_forgets_no_relation() -> None:
    engine = loaded(state("buckle_decision", 0, mine="R_SHI", relations="1>0 2>0T 1>2"))
    before = engine.dump_state()["reveal"]["relations"]
    assert act(engine, "BUCKLE")["reveal"]["relations"] == before and len(before) == 3


@pytest.mark.parametrize("seat", [-1, -3, 3])
def test_14_3_a_negative_seat_is_no_other_seat(seat: int) -> None:
    engine = dealt(7)
    refuse("ENGINE_INVALID_SEAT", lambda: engine.get_private_state(seat), engine)
    assert engine.get_legal_actions(seat)["actions"] == []


@pytest.mark.parametrize("count", [1.9, "1", True, 1.0, None, [1]])
def test_14_4_loose_numbers_are_no_counts(count: Any) -> None:
    engine = loaded(state("in_round", 0, mine="B_NIU", kind=1, last=9))
    refuse("ENGINE_INVALID_COVER_LIST", lambda: engine.apply_action(0, {"B_NIU": count}), engine)
    refuse("ENGINE_INVALID_ACTION_INDEX", lambda: engine.apply_action(float(0), {"B_NIU": 1}), engine)


def test_14_5_no_card_leaves_a_hand_before_all_is_checked() -> None:
    engine = loaded(state("in_round", 0, mine="B_NIU R_MA", kind=2, last=9))
    refuse("ENGINE_INVALID_COVER_LIST", lambda: engine.apply_action(0, {"B_NIU": 1, "R_SHI": 1}), engine)
    refuse("ENGINE_VERSION_CONFLICT", lambda: engine.apply_action(0, cards("B_NIU R_MA"), 2), engine)
    assert engine.get_private_state(0)["hand"] == cards("B_NIU R_MA")


@pytest.mark.parametrize(("key", "value"), [("phase", "playing"), ("turn", 7), ("players", {"X": 1})])
def test_14_6_a_bad_document_fails_when_it_is_loaded(key: str, value: Any) -> None:
    document = state("in_round", 0, mine="B_NIU")
    if key == "turn":
        document["turn"]["current_seat"] = value
    elif key == "players":
        document["players"][0]["hand"] = value
    else:
        document[key] = value
    engine = dealt(7)
    refuse("ENGINE_INVALID_STATE", lambda: engine.load_state(document), engine)


def test_14_7_the_best_combo_and_its_play_are_two_objects() -> None:
    engine = dealt(0)
    engine.apply_action(0)
    turn = engine._doc["turn"] if engine._doc else {}
    assert turn["last_combo"]["cards"] == turn["plays"][0]["cards"]
    assert turn["last_combo"]["cards"] is not turn["plays"][0]["cards"]


def test_14_8_a_round_of_three_cards_is_three_pillars() -> None:
    assert pillars_of(close(closing((0, 0, 0), 1, 3))) == [0, 3, 0]


def test_14_9_games_without_a_seed_are_not_the_same_game() -> None:
    hands = [json.dumps(XianqiGameEngine().init_game(THREE)["new_state"]["players"]) for _ in range(10)]
    assert len(set(hands)) == 10
    engine = XianqiGameEngine()
    out = engine.init_game(THREE, 987654321)
    assert "987654321" not in json.dumps(out)


def test_14_12_ties_are_listed_che_before_gou() -> None:
    found = enumerate_combos(cards("B_GOU R_GOU B_CHE R_CHE"), 1)
    assert [next(iter(c["cards"])) for c in found] == ["R_CHE", "R_GOU", "B_CHE", "B_GOU"]


def test_14_14_short_hands_load_unless_strict() -> None:
    document = state("in_round", 0, mine="B_NIU", kind=1, last=9)
    engine = loaded(document)
    refuse("ENGINE_INVALID_STATE", lambda: engine.load_state(document, strict=True), engine)


def test_14_15_three_seats_with_enough_are_at_least_two() -> None:
    assert close(closing((2, 3, 3), 0))["phase"] == "settlement"


def test_a_covered_card_is_told_to_nobody_else_even_after_the_round_in_5_5() -> None:
    seen = 0
    for seed in range(20):
        engine = dealt(seed)
        play_random(engine, Random(seed))
        for group in engine.get_public_state()["pillar_groups"]:
            for play in group["plays"]:
                seen += play["power"] == -1
                assert ("cards" in play) == (play["power"] >= 0)
    assert seen > 50
    engine = loaded(state("in_round", 0, mine="B_NIU", kind=1, last=9, plays=[cover(2, "R_SHI")]))
    assert "R_SHI" not in json.dumps(engine.get_public_state()["turn"]["plays"])
