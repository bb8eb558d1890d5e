"""What everybody and what one seat may see of a document (§7.1), and the document next to the state."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest

from qipai.core import new_states
from qipai.games.xianqi import state
from qipai.games.xianqi.api import mapping
from qipai.games.xianqi.api.ruleset import DEFAULTS, read_rules
from tests.games.xianqi.api.states import (
    GOOD,
    cards,
    cover,
    dealt,
    face_up,
    loaded,
    pillars_of,
    play_random,
    refuse,
    relation,
)
from tests.naive import xianqi as naive


def test_the_public_state_hides_hands_and_covers_in_m3_ut_06() -> None:
    document = copy.deepcopy(GOOD)
    document["pillar_groups"][0]["plays"] = [face_up(0, "R_SHI", 9), cover(1, "R_NIU"), cover(2, "B_NIU")]
    document["decision"].update(started_at_ms=1, timeout_at_ms=2)
    expected = naive.public(GOOD)
    expected["pillar_groups"][0]["plays"] = [
        {"seat": 0, "power": 9, "cards": {"R_SHI": 1}},
        {"seat": 1, "power": -1, "covered_count": 1},
        {"seat": 2, "power": -1, "covered_count": 1},
    ]
    seen = loaded(document).get_public_state()
    assert seen == expected
    assert seen["players"] == [
        {"seat": 0, "hand_count": 2}, {"seat": 1, "hand_count": 1}, {"seat": 2, "hand_count": 1}
    ]  # fmt: skip
    assert seen["turn"]["plays"][1] == {"seat": 2, "power": -1, "covered_count": 1}


def test_a_seat_sees_its_hand_and_its_covers_in_m3_ut_07() -> None:
    document = copy.deepcopy(GOOD)
    document["players"][1]["hand"] = {"R_MA": 1, "B_NIU": 2}
    document["turn"]["plays"] = [cover(1, "B_NIU"), cover(2, "R_CHE")]
    document["pillar_groups"][1]["plays"] = [cover(1, "B_NIU2"), face_up(0, "R_SHI2", 9)]
    document["pillar_groups"][2]["plays"] = [cover(1, "R_NIU B_NIU"), face_up(1, "B_SHI2", 8)]
    expected = {"hand": {"R_MA": 1, "B_NIU": 2}, "covered": {"B_NIU": 4, "R_NIU": 1}}
    assert loaded(document).get_private_state(1) == expected


@pytest.mark.parametrize("seat", [-1, 3, "0", 0.0, True, None, [], 10**30])
def test_private_states_exist_for_the_three_seats_only(seat: Any) -> None:
    engine = dealt(7)
    refuse("ENGINE_INVALID_SEAT", lambda: engine.get_private_state(seat), engine)


def test_groups_have_exactly_four_keys_everywhere_in_m3_ssot_01_05_07() -> None:
    engine = dealt(0)
    play_random(engine, Random(0))
    assert sum(pillars_of(engine.dump_state())) > 0
    for document in (engine.dump_state(), engine.get_public_state()):
        for group in document["pillar_groups"]:
            assert set(group) == {"round_index", "winner_seat", "round_kind", "plays"}
            assert len(group["plays"]) == 3


# --- the state of a document ----------------------------------------------------------


def test_a_document_becomes_the_state_that_the_rules_go_on_from() -> None:
    document = loaded(GOOD).dump_state()
    s = mapping.to_state(document, DEFAULTS)
    assert int(s["seat"]) == document["turn"]["current_seat"]
    assert s["pillars"].tolist() == pillars_of(document)
    for seat, player in enumerate(document["players"]):
        held = zip(state.CARDS, s["hand"][seat].tolist(), strict=True)
        assert {code: n for code, n in held if n} == player["hand"]


def test_two_phases_share_a_name_under_buckle_first() -> None:
    rules = read_rules({"round_open": "buckle_first"})
    asked = (state.BUCKLE_DECISION, state.REVEAL_DECISION)
    assert {mapping.phase_name(phase, rules) for phase in asked} == {"buckle_flow"}
    assert mapping.phase_name(state.IN_ROUND, rules) == "in_round"
    assert [mapping.phase_name(phase, DEFAULTS) for phase in asked] == ["buckle_decision", "reveal_decision"]


def test_more_relations_than_a_state_holds_are_all_paid() -> None:
    states = new_states(state.State, 2)
    states[0] = mapping.to_state(loaded(GOOD).dump_state(), DEFAULTS)
    states[0]["pillars"] = [0, 0, 0]
    rows = mapping.chips(states, [relation("0>1")] * (state.LINKS + 5))
    assert [row["delta_reveal"] for row in rows] == [-21, 21, 0]


def test_a_fresh_document_of_a_black_deal_waits_for_its_settlement() -> None:
    hands = [cards("R_SHI2"), cards("B_SHI2"), cards("R_NIU3")]
    document = mapping.fresh(hands, 1, True, DEFAULTS)
    assert document["phase"] == "settlement" and document["decision"] is None
