"""Spec §10.1 and §10.2: flat ids, native actions, and the requests of the named API."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from qipai.core.errors import IllegalAction
from qipai.games.xianqi import state as st
from qipai.games.xianqi.api import XianqiGameEngine
from qipai.games.xianqi.api.flat import (
    COVERS,
    FLAT,
    PASS_BUCKLE,
    flat_mask,
    flat_to_native,
    flat_to_request,
    native_to_flat,
)
from qipai.games.xianqi.api.mapping import to_state
from qipai.games.xianqi.api.ruleset import read_rules
from qipai.games.xianqi.rules import make
from tests.games.xianqi.api.states import Json, cards, loaded, state
from tests.naive import xianqi as naive

TYPES = list(naive.COPIES)
SPOTS = {  # §10.1
    "R_SHI": 28, "B_NIU": 39, "R_SHI2": 40, "R_SHI B_SHI": 41, "R_SHI B_NIU": 51, "R_GOU B_GOU": 108,
    "R_NIU2": 113, "R_NIU B_NIU": 114, "B_NIU2": 115, "R_SHI2 B_SHI": 116, "R_SHI B_SHI2": 127,
    "B_MA2 B_CHE": 382, "R_CHE2 B_NIU": 410, "R_NIU3": 444, "R_NIU2 B_NIU": 445, "B_NIU3": 447,
}  # fmt: skip


def under(text: str) -> tuple[int, ...]:
    held = cards(text)
    return tuple(st.UNDER + t for t, code in enumerate(TYPES) for _ in range(held.get(code, 0)))


def mask_of(document: Json, rules: Any = None) -> np.ndarray[Any, Any]:
    return flat_mask(to_state(document, read_rules(rules)))


def test_there_are_448_ids_and_one_more_for_pass_buckle() -> None:
    assert FLAT == PASS_BUCKLE == 448
    assert [sum(len(c) == k for c in COVERS) for k in (1, 2, 3)] == [12, 76, 332]
    assert len(mask_of(state("buckle_decision", 0, mine="R_SHI"))) == 448
    flow = {"round_open": "buckle_first"}
    assert len(mask_of(state("buckle_flow", 0, mine="R_SHI"), flow)) == 449


@pytest.mark.parametrize(("text", "flat"), SPOTS.items(), ids=SPOTS)
def test_spot_values_of_10_1(text: str, flat: int) -> None:
    assert native_to_flat(under(text)) == flat and flat_to_native(flat) == under(text)


def test_the_pair_of_functions_is_a_bijection() -> None:
    moves = [flat_to_native(flat) for flat in range(FLAT)]
    assert len(set(moves)) == FLAT
    assert [native_to_flat(move) for move in moves] == list(range(FLAT))
    assert flat_to_native(PASS_BUCKLE) == (st.PASS,)
    assert native_to_flat((st.PASS,), opening=True) == PASS_BUCKLE
    assert native_to_flat((st.BUCKLE,), opening=True) == st.BUCKLE


def test_covers_are_listed_in_lexicographic_order_without_impossible_ones() -> None:
    for size in (1, 2, 3):
        tuples = [c for c in COVERS if len(c) == size]
        assert tuples == sorted(tuples)
        assert all(list(c) == sorted(c) for c in tuples)
        assert all(c.count(t) <= naive.COPIES[TYPES[t]] for c in tuples for t in c)


@pytest.mark.parametrize("flat", [-1, 449, 10**30, True, 1.0, "1", None])
def test_what_is_no_flat_id_is_refused(flat: Any) -> None:
    with pytest.raises(IllegalAction):
        flat_to_native(flat)


@pytest.mark.parametrize(
    "move",
    [
        (),
        (0, 1),
        (st.UNDER + 1, st.UNDER),
        (st.UNDER + 8, st.UNDER + 8),
        (40,),
        (-1,),
        (28, 28, 28, 28),
        (28, True),
    ]
    + [("x",), (28.0,), (25, 28)],
)
def test_what_is_no_whole_move_is_refused(move: Any) -> None:
    with pytest.raises(IllegalAction):
        native_to_flat(move)


@pytest.mark.parametrize(("kind", "last", "most"), [(1, 9, 8), (2, 9, 28), (3, 11, 56)])
def test_a_cover_may_be_any_part_of_the_hand(kind: int, last: int, most: int) -> None:
    hand = "R_SHI B_SHI R_XIANG B_XIANG R_MA B_MA R_CHE B_CHE"
    mask = mask_of(state("in_round", 0, mine=hand, kind=kind, last=last))
    assert mask.sum() == most and not mask[: st.UNDER].any()
    mask = mask_of(state("in_round", 0, mine="B_NIU3 R_NIU", kind=2, last=9))
    assert sorted(mask.nonzero()[0]) == [SPOTS["R_NIU B_NIU"], SPOTS["B_NIU2"]]


def test_nobody_decides_after_the_end() -> None:
    assert not mask_of(state("settlement", 0, mine="R_SHI")).any()


@pytest.mark.parametrize("rules", [None, {"round_open": "buckle_first"}], ids=["448", "449"])
def test_games_played_by_flat_id_are_the_games_of_the_engine(rules: Any) -> None:
    """Flat ids drive the engine by requests and the record by native actions; both stay equal."""
    rng = Random(10)
    never = {SPOTS["R_GOU B_GOU"], SPOTS["R_NIU3"]} | {
        native_to_flat(tuple(st.UNDER + t for t in c)) for c in COVERS if {10, 11} <= set(c) and len(c) == 3
    }
    assert len(never) == 14  # §10.1: never legal under the default rules
    for seed in range(40):
        engine = XianqiGameEngine(rules)
        listed = engine.init_game({"player_count": 3}, seed)["legal_actions"]
        while listed is not None:
            s = to_state(engine.dump_state(), read_rules(rules))
            legal = flat_mask(s).nonzero()[0].tolist()
            flat = rng.choice(legal)
            assert not set(legal) & never
            for action in flat_to_native(flat):
                make(s, action)
            out = engine.apply_action(*flat_to_request(flat, listed["actions"]))
            listed = out["legal_actions"]
            hands = [[p["hand"].get(code, 0) for code in TYPES] for p in out["new_state"]["players"]]
            assert s["hand"].tolist() == hands
            assert int(s["seat"]) == (-1 if listed is None else listed["seat"])


def test_a_cover_id_is_index_0_and_a_cover_list() -> None:
    document = state("in_round", 0, mine="R_CHE2 B_NIU R_MA", kind=3, last=11)
    listed = loaded(document).get_legal_actions(0)["actions"]
    assert flat_to_request(SPOTS["R_CHE2 B_NIU"], listed) == (0, {"R_CHE": 2, "B_NIU": 1})


@pytest.mark.parametrize("flat", [0, 25, 27, 28, 448])
def test_a_flat_id_that_is_not_listed_has_no_request(flat: int) -> None:
    listed = loaded(state("in_round", 0, mine="R_CHE2 B_NIU", kind=3, last=11)).get_legal_actions(0)
    with pytest.raises(IllegalAction):
        flat_to_request(flat, listed["actions"])
