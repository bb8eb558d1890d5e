"""Spec §12.1, §12.5 and §6.3-6.4: beginning, dumping, loading, projections, refusals."""

from __future__ import annotations

import copy
import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from qipai.games.xianqi.api import EngineError, XianqiGameEngine
from qipai.games.xianqi.api.engine import read_seed
from tests.games.xianqi.api.states import (
    Json,
    cards,
    dealt,
    loaded,
    play_random,
    refuse,
)
from tests.games.xianqi.test_reference import BLACK, DEALS
from tests.naive import xianqi as naive

THREE: dict[Any, Any] = {"player_count": 3}


def hands_of(document: Json) -> list[Json]:
    return [player["hand"] for player in document["players"]]


# --- beginning ------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [20260216, *range(100)])
def test_every_deal_is_three_hands_of_eight_in_m3_ut_01(seed: int) -> None:
    hands = hands_of(dealt(seed).dump_state())
    assert [sum(hand.values()) for hand in hands] == [8, 8, 8]
    assert sum((Counter(hand) for hand in hands), Counter()) == Counter(naive.COPIES)


@pytest.mark.parametrize("seed", [314159, *DEALS])
def test_one_seed_gives_one_hand_in_m3_ut_02(seed: int) -> None:
    one, two = dealt(seed).dump_state(), dealt(seed).dump_state()
    assert one == two
    if seed in DEALS:
        *hands, first = DEALS[seed]
        assert hands_of(one) == [cards(str(hand)) for hand in hands]
        assert one["turn"]["current_seat"] == first


@pytest.mark.parametrize("seed", BLACK)
def test_a_black_deal_goes_to_settlement_in_m3_ut_03(seed: int) -> None:
    engine = dealt(seed)
    document = engine.dump_state()
    assert (document["phase"], document["version"], document["decision"]) == ("settlement", 1, None)
    assert all(engine.get_legal_actions(seat)["actions"] == [] for seat in range(3))
    assert [row["delta"] for row in engine.settle()["settlement"]["chip_delta_by_seat"]] == [0, 0, 0]


def test_any_other_deal_starts_with_the_opener_in_m3_ut_03() -> None:
    for seed in range(200):
        document = dealt(seed).dump_state()
        black = naive.is_black(hands_of(document))
        assert document["phase"] == ("settlement" if black else "buckle_decision")


def test_the_output_of_init_game_holds_everything() -> None:
    engine = XianqiGameEngine()
    out = engine.init_game(THREE, rng_seed=42)
    assert set(out) == {"new_state", "public_state", "private_state_by_seat", "legal_actions"}
    assert out["new_state"] == engine.dump_state() and out["public_state"] == engine.get_public_state()
    assert out["private_state_by_seat"] == {str(k): engine.get_private_state(k) for k in range(3)}
    assert out["legal_actions"] == engine.get_legal_actions(2)
    assert list(out["new_state"]) == [
        "version", "phase", "players", "turn", "decision", "pillar_groups", "reveal"
    ]  # fmt: skip
    assert out["new_state"]["reveal"] == {
        "buckler_seat": None, "active_revealer_seat": None, "pending_order": [], "relations": []
    }  # fmt: skip


@pytest.mark.parametrize("first", [0, 1, 2])
def test_first_seat_overrides_the_drawn_one(first: int) -> None:
    plain, given = dealt(42).dump_state(), dealt(42, first_seat=first).dump_state()
    assert given["decision"] == {"seat": first, "context": "buckle_decision"}
    assert given["players"] == plain["players"]


def test_without_a_seed_deals_differ() -> None:
    engine = XianqiGameEngine()
    deals = {json.dumps(engine.init_game(THREE)["new_state"]["players"]) for _ in range(20)}
    assert len(deals) == 20


@pytest.mark.parametrize(
    "config",
    [
        None, [], "3", 3, {}, {"player_count": 2}, {"player_count": 4}, {"player_count": "3"},
        {"player_count": 3.0}, {"player_count": True}, {"player_count": None}, {"player_count": [3]},
        {**THREE, "first_seat": 3}, {**THREE, "first_seat": -1}, {**THREE, "first_seat": "0"},
        {**THREE, "first_seat": True}, {**THREE, "first_seat": 1.0}, {**THREE, "first_seat": None},
        {**THREE, "first_seat": 10**50}, {**THREE, "seats": 3}, {**THREE, 7: 7},
        {**THREE, "rules": {"dog_pair": "weak"}}, {**THREE, "rules": {"dogs": 1}},
        {**THREE, "rules": "earlier"}, {**THREE, "rules": ["later"]}, {**THREE, "rules": {"dog_pair": []}},
        {**THREE, "rules": {"eight_pillars": 1}}, {**THREE, "rules": {"eight_pillars": "on"}},
        {**THREE, "rules": {"first_seat": 1}}, {**THREE, "rules": {1: 1}}, {**THREE, "rules": 0},
    ],
)  # fmt: skip
def test_a_wrong_config_is_refused_and_the_running_game_goes_on(config: Any) -> None:
    engine = dealt(7)
    refuse("ENGINE_INVALID_CONFIG", lambda: engine.init_game(config, 1), engine)
    engine.apply_action(0)


@pytest.mark.parametrize("seed", [True, 1.5, "7", [], {}, b"7"])
def test_a_wrong_seed_is_refused(seed: Any) -> None:
    engine = dealt(7)
    refuse("ENGINE_INVALID_CONFIG", lambda: engine.init_game(THREE, seed), engine)


def test_before_a_game_there_is_nothing_to_see_and_nothing_to_do() -> None:
    engine = XianqiGameEngine()
    assert engine.dump_state() == {} and engine.get_public_state() == {}
    assert engine.get_legal_actions(0) == {"seat": 0, "actions": []}
    for call in (lambda: engine.apply_action(0), engine.settle, lambda: engine.get_private_state(0)):
        refuse("ENGINE_INVALID_PHASE", call, engine)


# --- versions, dump and load ----------------------------------------------------------


def test_only_accepted_actions_count_in_m3_ut_04() -> None:
    engine = dealt(7)
    assert engine.apply_action(0, client_version=1)["new_state"]["version"] == 2
    refuse("ENGINE_INVALID_ACTION_INDEX", lambda: engine.apply_action(999, client_version=2), engine)
    assert engine.dump_state()["version"] == 2


@pytest.mark.parametrize("made", [0, 5, 12])
@pytest.mark.parametrize("strict", [False, True])
def test_a_dump_loads_into_an_equal_engine_in_m3_ut_05(made: int, strict: bool) -> None:
    engine = dealt(99)
    assert play_random(engine, Random(made), made) == made
    dump = engine.dump_state()
    other = XianqiGameEngine()
    other.load_state(json.loads(json.dumps(dump)), strict=strict)
    assert other.dump_state() == dump and other.get_public_state() == engine.get_public_state()
    for seat in range(3):
        assert other.get_private_state(seat) == engine.get_private_state(seat)
        assert other.get_legal_actions(seat) == engine.get_legal_actions(seat)


def test_changing_a_dump_or_a_loaded_object_changes_no_engine_in_m3_ut_05() -> None:
    engine = dealt(99)
    dump = engine.dump_state()
    other = loaded(dump)
    kept = copy.deepcopy(dump)
    dump["players"][0]["hand"].clear()
    dump["reveal"]["relations"].append("junk")
    dump["version"] = 77
    assert engine.dump_state() == kept and other.dump_state() == kept


def test_dumps_hold_rules_only_when_some_option_differs() -> None:
    assert "rules" not in XianqiGameEngine({"dog_pair": "above_red_shi"}).init_game(THREE, 1)["new_state"]
    dump = XianqiGameEngine({"dog_pair": "equal_red_shi"}).init_game(THREE, 1)["new_state"]
    assert dump["rules"] == {"dog_pair": "equal_red_shi"}
    fresh = loaded(dump)
    assert fresh.dump_state() == dump
    fresh.init_game(THREE, 1)
    assert "rules" not in fresh.dump_state()  # a document's rules are those of its game


def test_rules_may_come_with_the_engine_or_with_the_config() -> None:
    one = XianqiGameEngine("later").init_game(THREE, 52)["new_state"]
    two = XianqiGameEngine().init_game({**THREE, "rules": "later"}, 52)["new_state"]
    assert one == two and one["rules"] == {
        "dog_pair": "equal_red_shi",
        "black_chess": "redeal",
        "round_open": "buckle_first",
        "after_settle": "stay",
    }
    mixed = XianqiGameEngine("later").init_game({**THREE, "rules": {"dog_pair": "above_red_shi"}}, 52)
    assert "dog_pair" not in mixed["new_state"]["rules"]


# --- seeds ----------------------------------------------------------------------------


def test_without_a_seed_every_game_has_its_own() -> None:
    seeds = {read_seed(None) for _ in range(50)}
    assert len(seeds) == 50 and all(0 <= seed < 1 << 256 for seed in seeds)


@pytest.mark.parametrize("seed", [0, -5, 10**100, 2**31])
def test_any_whole_number_is_a_seed_of_the_engine(seed: int) -> None:
    assert read_seed(seed) == seed


@pytest.mark.parametrize("seed", [True, 1.0, "1", b"1", [], {}, float("nan")])
def test_a_seed_of_another_type_is_refused(seed: Any) -> None:
    with pytest.raises(EngineError, match="ENGINE_INVALID_CONFIG"):
        read_seed(seed)
