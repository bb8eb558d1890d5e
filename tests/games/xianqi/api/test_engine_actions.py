"""Spec §12.4, §12.7 and §12.8: applying actions, closing rounds, buckle and reveal."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

import pytest

from qipai.games.xianqi.api import XianqiGameEngine
from tests.games.xianqi.api.states import (
    GOOD,
    Json,
    cover,
    dealt,
    face_up,
    loaded,
    pillars_of,
    refuse,
    relation,
    state,
)

pytestmark = pytest.mark.plain

FLOW = {"round_open": "buckle_first"}


def act(engine: XianqiGameEngine, wanted: str, cover_list: Any = None) -> Json:
    """Make the first listed action of the given type; the new state."""
    seat = engine.dump_state()["decision"]["seat"]
    types = [action["type"] for action in engine.get_legal_actions(seat)["actions"]]
    new: Json = engine.apply_action(types.index(wanted), cover_list)["new_state"]
    return new


# --- refusals -------------------------------------------------------------------------

ACT01 = state("buckle_decision", 0, ["R_SHI B_NIU", "B_SHI", "R_NIU"], version=12)  # 2 PLAY, BUCKLE
ACT04 = state("in_round", 0, mine="B_NIU2", kind=2, last=8, owner=1)
ACT05 = state("in_round", 0, mine="B_NIU", kind=1, last=8, owner=1)
MIXED = state("in_round", 0, mine="B_NIU2 R_MA R_NIU", kind=2, last=8, owner=1)
SETTLED = state("settlement", 0, ["R_SHI", "B_SHI", "R_MA"])
INDEX, COVER = "ENGINE_INVALID_ACTION_INDEX", "ENGINE_INVALID_COVER_LIST"
VERSION, PHASE = "ENGINE_VERSION_CONFLICT", "ENGINE_INVALID_PHASE"

REFUSED: list[tuple[str, Json, tuple[Any, ...], str]] = [
    ("M3-ACT-01", ACT01, (999,), INDEX),
    ("M3-ACT-02", ACT01, (0, None, 11), VERSION),
    ("M3-ACT-03-play", ACT01, (0, {"B_NIU": 1}), COVER),
    ("M3-ACT-03-buckle", ACT01, (2, {"B_NIU": 1}), COVER),
    ("M3-ACT-04", ACT04, (0, {"B_NIU": 1}), COVER),
    ("M3-ACT-05", ACT05, (0, {"R_SHI": 1}), COVER),
    ("M3-CM-01", ACT05, (0, [{"type": "B_NIU", "count": 1}]), COVER),
    ("index-one-past", ACT01, (3,), INDEX),
    ("index-negative", ACT01, (-1,), INDEX),
    ("index-true", ACT01, (True,), INDEX),
    ("index-text", ACT01, ("0",), INDEX),
    ("index-float", ACT01, (0.0,), INDEX),
    ("index-null", ACT01, (None,), INDEX),
    ("index-list", ACT01, ([0],), INDEX),
    ("index-huge", ACT01, (10**400,), INDEX),
    ("version-ahead", ACT01, (0, None, 13), VERSION),
    ("version-text", ACT01, (0, None, "12"), VERSION),
    ("version-float", ACT01, (0, None, 12.0), VERSION),
    ("version-bool", state("buckle_decision", 0, mine="R_SHI"), (0, None, True), VERSION),
    ("version-list", ACT01, (0, None, [12]), VERSION),
    ("cover-list-for-a-play-is-a-list", ACT01, (0, []), COVER),
    ("cover-list-for-a-play-is-text", ACT01, (0, ""), COVER),
    ("cover-null", ACT05, (0, None), COVER),
    ("cover-empty", ACT05, (0, {}), COVER),
    ("cover-too-many", ACT05, (0, {"B_NIU": 2}), COVER),
    ("cover-float", ACT05, (0, {"B_NIU": 1.0}), COVER),
    ("cover-1.9", ACT05, (0, {"B_NIU": 1.9}), COVER),
    ("cover-text", ACT05, (0, {"B_NIU": "1"}), COVER),
    ("cover-true", ACT05, (0, {"B_NIU": True}), COVER),
    ("cover-padded", ACT05, (0, {" B_NIU ": 1}), COVER),
    ("cover-lower-case", ACT05, (0, {"b_niu": 1}), COVER),
    ("cover-unknown", ACT05, (0, {"B_KING": 1}), COVER),
    ("cover-key-number", ACT05, (0, {11: 1}), COVER),
    ("cover-zero", MIXED, (0, {"B_NIU": 2, "R_MA": 0}), COVER),
    ("cover-negative", MIXED, (0, {"B_NIU": 2, "R_MA": 1, "R_NIU": -1}), COVER),
    ("cover-huge", ACT05, (0, {"B_NIU": 10**400}), COVER),
    ("cover-more-than-held", MIXED, (0, {"R_MA": 2}), COVER),
    ("cover-text-object", ACT05, (0, "B_NIU"), COVER),
    ("cover-number", ACT05, (0, 1), COVER),
    (
        "a-hand-too-short-to-cover",
        state("in_round", 0, mine="B_NIU", kind=2, last=9),
        (0, {"B_NIU": 2}),
        COVER,
    ),
    ("settlement", SETTLED, (0,), PHASE),
    ("finished", {**SETTLED, "phase": "finished"}, (0,), PHASE),
    ("order-1-phase-first", SETTLED, ("x", "y", "z"), PHASE),
    ("order-2-version-before-index", ACT01, (999, [], 11), VERSION),
    ("order-3-index-before-cover-list", ACT01, (999, [], 12), INDEX),
    ("reveal-nobody-pending", state("reveal_decision", 1, buckler=0), (0,), PHASE),
    ("pass-nobody-pending", state("reveal_decision", 1, buckler=0), (1,), PHASE),
    ("reveal-another-is-first", state("reveal_decision", 1, buckler=0, pending=[2, 1]), (0,), PHASE),
    ("pass-the-buckler-is-asked", state("reveal_decision", 1, buckler=0, pending=[1, 0]), (1,), PHASE),
    ("reveal-without-a-buckler", state("reveal_decision", 1, pending=[1, 2]), (0,), PHASE),
    ("order-3-index-before-pending", state("reveal_decision", 1, buckler=0), (2,), INDEX),
    ("order-5-cover-list-before-pending", state("reveal_decision", 1, buckler=0), (0, {"B_NIU": 1}), COVER),
]


@pytest.mark.parametrize(("document", "call", "code"), [x[1:] for x in REFUSED], ids=[x[0] for x in REFUSED])
def test_a_wrong_call_is_refused_and_nothing_changes(document: Json, call: Sequence[Any], code: str) -> None:
    engine = loaded(document)
    refuse(code, lambda: engine.apply_action(*call), engine)
    assert engine.dump_state() == document


def test_an_empty_cover_list_is_no_cover_list() -> None:
    assert loaded(ACT01).apply_action(0, {})["new_state"]["version"] == 13


def test_a_refused_cover_does_not_tell_what_the_hand_lacks() -> None:
    engine = loaded(MIXED)
    texts = {
        refuse(COVER, lambda c=cover_list: engine.apply_action(0, c), engine).message  # type: ignore[misc]
        for cover_list in ({"R_SHI": 2}, {"R_MA": 2}, {"B_NIU": 1}, {"B_NIU": 3})
    }
    assert len(texts) == 1


# --- transitions ----------------------------------------------------------------------


def test_a_closed_round_is_opened_by_its_winner_in_m3_act_06() -> None:
    document = state(
        "in_round", 0, ["B_NIU", "", ""], kind=1, last=8, owner=1, version=23,
        plays=[face_up(1, "B_SHI", 8), cover(2, "B_CHE")],
    )  # fmt: skip
    new = loaded(document).apply_action(0, {"B_NIU": 1})["new_state"]
    assert new["phase"] == "buckle_decision" and new["version"] == 24
    assert new["decision"] == {"seat": 1, "context": "buckle_decision"} and new["turn"]["current_seat"] == 1
    assert new["pillar_groups"] == [
        {
            "round_index": 0,
            "winner_seat": 1,
            "round_kind": 1,
            "plays": [face_up(1, "B_SHI", 8), cover(2, "B_CHE"), cover(0, "B_NIU")],
        }
    ]
    assert new["turn"] == {
        "current_seat": 1, "round_index": 1, "round_kind": 0, "last_combo": None, "plays": []
    }  # fmt: skip


def test_a_pass_asks_the_next_seat_in_m3_act_07() -> None:
    document = state("reveal_decision", 1, pending=[1, 2], buckler=0, version=31)
    new = loaded(document).apply_action(1)["new_state"]
    assert (new["phase"], new["version"]) == ("reveal_decision", 32)
    assert new["reveal"]["pending_order"] == [2] and new["decision"]["seat"] == 2


def test_a_lead_sets_the_round_in_t3() -> None:
    engine = loaded(state("buckle_decision", 2, ["R_SHI", "B_SHI", "R_MA2 B_NIU"]))
    new = engine.apply_action(2, client_version=1)["new_state"]  # R_MA, B_NIU, R_MA2, BUCKLE
    combo = {"power": 5, "cards": {"R_MA": 2}}
    assert new["players"][2]["hand"] == {"B_NIU": 1}
    assert new["turn"] == {
        "current_seat": 0,
        "round_index": 0,
        "round_kind": 2,
        "last_combo": {**combo, "owner_seat": 2},
        "plays": [{"seat": 2, **combo}],
    }
    assert (new["phase"], new["decision"]["seat"], new["version"]) == ("in_round", 0, 2)


def test_a_cover_leaves_the_best_combo_alone_in_t10() -> None:
    engine = loaded(state("in_round", 0, ["B_NIU R_CHE2", "R_SHI2", ""], kind=2, last=8, owner=2))
    before = engine.dump_state()["turn"]["last_combo"]
    new = engine.apply_action(0, {"R_CHE": 1, "B_NIU": 1})["new_state"]
    assert new["turn"]["last_combo"] == before
    assert new["turn"]["plays"] == [cover(0, "R_CHE B_NIU")]
    assert new["players"][0]["hand"] == {"R_CHE": 1} and new["decision"]["seat"] == 1


def test_the_worked_round_of_5_5() -> None:
    hands = ["R_CHE2 R_SHI B_SHI", "R_GOU B_GOU R_XIANG2", "B_MA2"]
    engine = loaded(state("buckle_decision", 2, hands))
    engine.apply_action(1)  # B_MA, B_MA2, BUCKLE
    engine.apply_action(0, {"R_SHI": 1, "R_CHE": 1})
    new = engine.apply_action(1)["new_state"]  # dog, R_XIANG2
    assert pillars_of(new) == [0, 2, 0] and new["decision"]["seat"] == 1
    assert engine.get_private_state(0)["covered"] == {"R_SHI": 1, "R_CHE": 1}


# --- closing --------------------------------------------------------------------------


def closing(pillars: Sequence[int], owner: int, kind: int = 1, **more: Any) -> Json:
    """ "Close by cover" of §12.7: seat 0 covers as third play, the best is owned by `owner`."""
    last = {1: 9, 2: 9, 3: 11}[kind]
    best = face_up(owner if owner else 1, {1: "R_SHI", 2: "R_SHI2", 3: "R_NIU3"}[kind], last)
    other = cover(2 if best["seat"] == 1 else 1, {1: "R_NIU", 2: "R_MA2", 3: "R_MA2 B_MA"}[kind])
    return state(
        "in_round", 0, mine=f"B_NIU{kind}", kind=kind, last=last, owner=owner,
        plays=[best, other], pillars=pillars, index=sum(pillars), **more,
    )  # fmt: skip


def close(document: Json, rules: Any = None) -> Json:
    engine = loaded(document, rules)
    new: Json = engine.apply_action(0, {"B_NIU": document["turn"]["round_kind"]})["new_state"]
    if new["phase"] == "settlement":
        assert new["decision"] is None and engine.get_legal_actions(0)["actions"] == []
    return new


def test_a_close_makes_one_group_in_m3_act_08() -> None:
    document = closing((0, 0, 0), 1)
    new = close(document)
    assert len(new["pillar_groups"]) == 1
    group = new["pillar_groups"][0]
    assert group["winner_seat"] == 1 and group["plays"] == [*document["turn"]["plays"], cover(0, "B_NIU")]


@pytest.mark.parametrize("kind", [2, 3], ids=["M3-ACT-09", "M3-ACT-10"])
def test_a_round_of_more_cards_makes_more_pillars(kind: int) -> None:
    new = close(closing((0, 0, 0), 1, kind))
    assert new["pillar_groups"][0]["round_kind"] == kind and pillars_of(new) == [0, kind, 0]


CLOSES: dict[str, tuple[Json, str, int | None]] = {
    "M3-ACT-11-ceramic": (closing((5, 0, 0), 0), "settlement", None),
    "M3-ACT-12-two-enough": (closing((2, 3, 0), 0), "settlement", None),
    "M3-ACT-13": (closing((2, 2, 1), 0), "buckle_decision", 0),
    "M3-ACT-14": (closing((5, 0, 0), 0, pending=[1, 0], buckler=2), "settlement", None),
    "M3-ACT-15": (closing((2, 2, 1), 0, active=0), "buckle_decision", 0),
    "M3-ACT-16": (closing((2, 3, 0), 0, active=0), "settlement", None),
    "exhausted-A": (closing((3, 2, 2), 0), "settlement", None),
    "exhausted-B": (closing((4, 2, 1), 0), "settlement", None),
    "pitfall-15-three-enough": (closing((2, 3, 3), 0), "settlement", None),
    "M3-BF-09": (closing((0, 0, 0), 1, buckler=2), "buckle_decision", 1),
    "short-hands-are-no-exhaustion": (closing((1, 0, 0), 0), "buckle_decision", 0),
}


@pytest.mark.parametrize(("document", "phase", "opener"), CLOSES.values(), ids=CLOSES)
def test_a_close_ends_the_game_or_hands_on_the_lead(document: Json, phase: str, opener: int | None) -> None:
    new = close(document)
    winner = document["turn"]["last_combo"]["owner_seat"]
    assert new["phase"] == phase
    assert new["reveal"]["pending_order"] == [] and new["reveal"]["buckler_seat"] is None
    assert new["reveal"]["active_revealer_seat"] is None
    assert new["turn"]["current_seat"] == winner
    assert (new["decision"] or {"seat": None})["seat"] == opener


ACTIVE: dict[str, tuple[Json, int | None]] = {
    "crossing-3-clears": (closing((2, 2, 1), 0, active=0), None),
    "another-crossing-does-not": (closing((2, 2, 1), 0, active=2), 2),
    "already-enough-is-kept": (closing((3, 2, 0), 0, active=0), 0),
    "still-below-3-is-kept": (closing((1, 2, 0), 0, active=0), 0),
    "cleared-also-at-the-end": (closing((2, 3, 0), 0, active=0), None),
    "a-triple-round-crosses-from-0": (closing((0, 0, 0), 1, 3, active=1), None),
}


@pytest.mark.parametrize(("document", "expected"), ACTIVE.values(), ids=ACTIVE)
def test_the_active_revealer_is_cleared_when_it_gets_enough(document: Json, expected: int | None) -> None:
    assert close(document)["reveal"]["active_revealer_seat"] == expected


# --- buckle and reveal ----------------------------------------------------------------

ORDERS = [  # §4.3: buckler, active, who is asked, active afterwards
    (0, None, [1, 2], None), (0, 0, [1, 2], None), (0, 1, [1, 2], 1), (0, 2, [2, 1], 2),
    (1, None, [2, 0], None), (1, 0, [0, 2], 0), (1, 1, [2, 0], None), (1, 2, [2, 0], 2),
    (2, None, [0, 1], None), (2, 0, [0, 1], 0), (2, 1, [1, 0], 1), (2, 2, [0, 1], None),
]  # fmt: skip
NAMED = {(2, 1): "M3-BF-03", (2, None): "M3-BF-04", (1, 1): "M3-BF-11"}


@pytest.mark.parametrize("rules", [None, FLOW], ids=["default", "buckle_first"])
@pytest.mark.parametrize(
    ("buckler", "active", "order", "kept"),
    ORDERS,
    ids=[NAMED.get((b, a), f"buckler-{b}-active-{a}") for b, a, _, _ in ORDERS],
)
def test_who_is_asked_and_in_which_order(
    buckler: int, active: int | None, order: list[int], kept: int | None, rules: Any
) -> None:
    phase = "buckle_flow" if rules else "buckle_decision"
    new = act(loaded(state(phase, buckler, mine="R_SHI", active=active), rules), "BUCKLE")
    assert new["reveal"]["pending_order"] == order and new["reveal"]["active_revealer_seat"] == kept
    assert new["reveal"]["buckler_seat"] == buckler and new["decision"]["seat"] == order[0]
    assert new["phase"] == ("buckle_flow" if rules else "reveal_decision")


def asked(pending: list[int], rules: Any = None, **more: Any) -> XianqiGameEngine:
    phase = "buckle_flow" if rules else "reveal_decision"
    return loaded(state(phase, pending[0], ["R_SHI", "B_SHI", "R_MA"], pending=pending, **more), rules)


@pytest.mark.parametrize("rules", [None, FLOW], ids=["default", "buckle_first"])
class TestAnswers:
    def test_a_pass_moves_on_in_m3_bf_05(self, rules: Any) -> None:
        new = act(asked([1, 2], rules), "PASS_REVEAL")
        assert new["reveal"]["pending_order"] == [2] and new["decision"]["seat"] == 2

    def test_a_reveal_makes_the_buckler_lead_in_m3_bf_06_10(self, rules: Any) -> None:
        engine = asked([1, 2], rules, buckler=0)
        new = act(engine, "REVEAL")
        assert new["reveal"] == {
            "buckler_seat": None,
            "active_revealer_seat": 1,
            "pending_order": [],
            "relations": [relation("1>0")],
        }
        assert (new["phase"], new["decision"]["seat"]) == ("in_round", 0)
        assert new["turn"] == {
            "current_seat": 0, "round_index": 0, "round_kind": 0, "last_combo": None, "plays": []
        }  # fmt: skip
        types = {action["type"] for action in engine.get_legal_actions(0)["actions"]}
        assert types == {"PLAY"}

    def test_the_active_revealer_that_passes_is_no_longer_active_in_m3_bf_07(self, rules: Any) -> None:
        new = act(asked([1, 2], rules, buckler=0, active=1), "PASS_REVEAL")
        assert new["reveal"]["active_revealer_seat"] is None and new["decision"]["seat"] == 2

    def test_another_pass_leaves_the_active_revealer(self, rules: Any) -> None:
        new = act(asked([1, 2], rules, buckler=0, active=2), "PASS_REVEAL")
        assert new["reveal"]["active_revealer_seat"] == 2

    def test_the_last_pass_ends_the_game_in_m3_bf_08(self, rules: Any) -> None:
        new = act(asked([1], rules, buckler=0), "PASS_REVEAL")
        assert (new["phase"], new["decision"], new["turn"]["current_seat"]) == ("settlement", None, 1)
        assert new["reveal"]["pending_order"] == [] and new["reveal"]["buckler_seat"] is None

    def test_the_flag_says_whether_the_revealer_had_enough(self, rules: Any) -> None:
        for pillars, flag in (((0, 2, 0), False), ((0, 3, 0), True), ((3, 0, 0), False)):
            new = act(asked([1, 2], rules, buckler=0, pillars=pillars), "REVEAL")
            assert new["reveal"]["relations"][0]["revealer_enough_at_time"] is flag

    def test_earlier_relations_are_kept_in_history(self, rules: Any) -> None:
        phase = "buckle_flow" if rules else "buckle_decision"
        engine = loaded(state(phase, 0, mine="R_SHI", relations="2>1T"), rules)
        assert act(engine, "BUCKLE")["reveal"]["relations"] == [relation("2>1T")]
        assert act(engine, "REVEAL")["reveal"]["relations"] == [relation("2>1T"), relation("1>0")]


def test_the_opener_is_asked_to_buckle_first_in_m3_bf_01_02() -> None:
    document = state("buckle_flow", 0, ["R_SHI B_NIU", "B_SHI", "R_NIU"])
    engine = loaded(document, FLOW)
    assert engine.get_legal_actions(0)["actions"] == [{"type": "BUCKLE"}, {"type": "PASS_BUCKLE"}]
    new = act(engine, "PASS_BUCKLE")
    assert (new["phase"], new["decision"]) == ("in_round", {"seat": 0, "context": "in_round"})
    assert (new["turn"]["round_kind"], new["turn"]["plays"], new["version"]) == (0, [], 2)
    assert [a["type"] for a in engine.get_legal_actions(0)["actions"]] == ["PLAY", "PLAY"]


def test_sixteen_loaded_relations_leave_room_for_those_of_play() -> None:
    document = state("buckle_decision", 0, ["R_SHI8", "B_NIU8", "B_NIU8"], relations="1>0 " * 16)
    engine = loaded(document)
    for made in range(1, 6):
        act(engine, "BUCKLE")
        new = act(engine, "REVEAL")
        assert new["reveal"]["relations"] == [relation("1>0")] * 16 + [relation("1>0")] * made
        act(engine, "PLAY")
        act(engine, "COVER", {"B_NIU": 1})
        act(engine, "COVER", {"B_NIU": 1})
    act(engine, "BUCKLE")
    act(engine, "PASS_REVEAL")
    act(engine, "PASS_REVEAL")
    rows = engine.settle()["settlement"]["chip_delta_by_seat"]
    assert [row["delta_reveal"] for row in rows] == [21, -21, 0]
    assert [row["delta_enough"] for row in rows] == [2, -1, -1]


# --- objects --------------------------------------------------------------------------


def test_no_two_places_share_an_object_in_pitfall_7() -> None:
    engine = dealt(0)
    out = engine.apply_action(0)
    kept = json.dumps(engine.dump_state())
    turn = out["new_state"]["turn"]
    turn["last_combo"]["cards"]["R_SHI"] = 9
    assert turn["plays"][0]["cards"] != turn["last_combo"]["cards"]
    out["legal_actions"]["actions"].clear()
    out["private_state_by_seat"]["0"]["hand"].clear()
    out["public_state"]["turn"]["plays"].clear()
    out["public_state"]["reveal"]["relations"].append(1)
    assert json.dumps(engine.dump_state()) == kept
    seen: dict[int, int] = {}
    _count(engine._doc, seen)
    assert max(seen.values()) == 1


def _count(value: Any, seen: dict[int, int]) -> None:
    if isinstance(value, dict | list):
        seen[id(value)] = seen.get(id(value), 0) + 1
        for item in value.values() if isinstance(value, dict) else value:
            _count(item, seen)


def test_a_cover_list_is_copied() -> None:
    engine = loaded(GOOD)
    given = {"R_MA": 1}
    engine.apply_action(0, given)
    kept = copy.deepcopy(engine.dump_state())
    given["R_MA"] = 7
    assert engine.dump_state() == kept
