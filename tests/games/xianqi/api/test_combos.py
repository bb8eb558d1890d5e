"""Spec §12.2, §12.3 and §12.6: combos and legal actions, and the seed's own examples (its §6)."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import pytest

from qipai.games.xianqi.api import EngineError, enumerate_combos
from tests.games.xianqi.api.states import Json, cards, dealt, loaded, state
from tests.naive import xianqi as naive

pytestmark = pytest.mark.plain

EQUAL = {"dog_pair": "equal_red_shi"}
CB07 = "R_GOU B_GOU R_SHI2 B_SHI2 R_MA2"
CB11 = "R_SHI2 R_GOU B_GOU R_NIU3"
ONE_OF_EACH = " ".join(naive.COPIES)
ALL_SINGLES = (
    "R_SHI@9 B_SHI@8 R_XIANG@7 B_XIANG@6 R_MA@5 B_MA@4 R_CHE@3 R_GOU@3 B_CHE@2 B_GOU@2 R_NIU@1 B_NIU@0"
)
DOG = "R_GOU+B_GOU"


def combos(text: str) -> list[Json]:
    """Return `"R_SHI2@9 R_GOU+B_GOU@10"` as combos with their powers."""
    found = []
    for word in text.split():
        what, _, power = word.partition("@")
        found.append({"cards": cards(what.replace("+", " ")), "power": int(power)})
    return found


def plays(text: str) -> list[Json]:
    return [{"type": "PLAY", "payload_cards": c["cards"], "power": c["power"]} for c in combos(text)]


def actions_of(document: Json, rules: Any = None) -> list[Json]:
    listed = loaded(document, rules).get_legal_actions(document["turn"]["current_seat"])
    found: list[Json] = listed["actions"]
    return found


COMBOS = {
    "M3-CB-01": ("R_SHI2 B_NIU", None, "R_SHI@9 B_NIU@0 R_SHI2@9"),
    "M3-CB-02": ("R_SHI R_MA2 B_NIU", 2, "R_MA2@5"),
    "M3-CB-03A": ("R_GOU B_GOU", 2, f"{DOG}@10"),
    "M3-CB-03B": ("R_GOU", 2, ""),
    "M3-CB-04": ("R_GOU B_GOU", 2, f"{DOG}@10"),
    "M3-CB-04-swapped": ("B_GOU R_GOU", 2, f"{DOG}@10"),
    "M3-CB-05A": ("R_NIU3 B_NIU2", 3, "R_NIU3@11"),
    "M3-CB-05B": ("R_NIU2 B_NIU3", 3, "B_NIU3@10"),
    "M3-CB-06": ("R_SHI2 R_NIU2 B_NIU", 3, ""),
    "M3-CB-07": (CB07, 2, f"{DOG}@10 R_SHI2@9 B_SHI2@8 R_MA2@5"),
    "M3-CB-08": ("R_NIU3 B_NIU3", 3, "R_NIU3@11 B_NIU3@10"),
    "M3-CB-09": (ONE_OF_EACH, 1, ALL_SINGLES),
    "M3-CB-11-kind1": (CB11, 1, "R_SHI@9 R_GOU@3 B_GOU@2 R_NIU@1"),
    "M3-CB-11-kind2": (CB11, 2, f"{DOG}@10 R_SHI2@9 R_NIU2@1"),
    "M3-CB-11-kind3": (CB11, 3, "R_NIU3@11"),
    "M3-CB-13": ("R_GOU R_CHE", 1, "R_CHE@3 R_GOU@3"),
    "M3-CB-14": ("B_GOU B_CHE", 1, "B_CHE@2 B_GOU@2"),
    "all-pairs": (
        " ".join(f"{c}2" for c in naive.COPIES if not c.endswith("GOU")),
        2,
        "R_SHI2@9 B_SHI2@8 R_XIANG2@7 B_XIANG2@6 R_MA2@5 B_MA2@4 R_CHE2@3 B_CHE2@2 R_NIU2@1 B_NIU2@0",
    ),
    "empty-hand": ("", None, ""),
}


@pytest.mark.parametrize(("hand", "kind", "expected"), COMBOS.values(), ids=COMBOS)
def test_a_hand_gives_exactly_these_combos_in_this_order(hand: str, kind: int | None, expected: str) -> None:
    assert enumerate_combos(cards(hand), kind) == combos(expected)


def test_a_count_of_zero_is_no_card_in_m3_cb_03b() -> None:
    assert enumerate_combos({"R_GOU": 1, "B_GOU": 0}, 2) == []
    assert enumerate_combos({"R_GOU": 1, "B_GOU": 0}) == combos("R_GOU@3")


def test_pair_powers_fall_strictly_in_m3_cb_07() -> None:
    found = [c["power"] for c in enumerate_combos(cards(CB07), 2)]
    assert all(a > b for a, b in pairwise(found))


def test_three_calls_give_identical_lists_in_m3_cb_10() -> None:
    first = enumerate_combos(cards(CB07), 2)
    assert [enumerate_combos(cards(CB07), 2) for _ in range(2)] == [first, first]


def test_the_dog_pair_may_equal_the_red_shi_pair_in_cb_07_later_form() -> None:
    expected = combos(f"{DOG}@9 R_SHI2@9 B_SHI2@8 R_MA2@5")
    assert enumerate_combos(cards(CB07), 2, rules=EQUAL) == expected
    assert enumerate_combos(cards(CB07), 2, rules="later") == expected


def test_only_a_greater_power_beats_in_m3_cb_12() -> None:
    document = state("in_round", 1, mine="R_SHI B_SHI R_NIU B_NIU", kind=1, last=8)
    assert actions_of(document) == plays("R_SHI@9")


def test_combos_are_new_objects_every_time() -> None:
    found = enumerate_combos({"R_SHI": 2})
    found[0]["cards"]["R_SHI"] = 99
    assert enumerate_combos({"R_SHI": 2}) == combos("R_SHI@9 R_SHI2@9")


@pytest.mark.parametrize(
    ("hand", "kind"),
    [
        ([{"type": "R_SHI", "count": 1}], None),
        (None, None),
        ("R_SHI", None),
        ({"KING": 1}, None),
        ({1: 1}, None),
        ({"R_SHI": -1}, None),
        ({"R_SHI": 1.0}, None),
        ({"R_SHI": True}, None),
        ({"R_SHI": "1"}, None),
        ({"R_SHI": 10**400}, None),
        ({"R_SHI": 1}, 0),
        ({"R_SHI": 1}, 4),
        ({"R_SHI": 1}, True),
        ({"R_SHI": 1}, "1"),
        ({"R_SHI": 1}, []),
    ],
)
def test_what_is_no_hand_or_no_round_kind_is_refused(hand: Any, kind: Any) -> None:
    with pytest.raises(EngineError, match="ENGINE_INVALID_STATE"):
        enumerate_combos(hand, kind)


def test_combos_agree_with_the_naive_twin_on_every_hand_of_three_types() -> None:
    types = list(naive.COPIES)
    for start, rules in product(range(len(types)), ({}, EQUAL)):
        trio = [types[(start + k) % 12] for k in (0, 1, 4)]
        for counts in product(*(range(naive.COPIES[t] + 1) for t in trio)):
            hand = dict(zip(trio, counts, strict=True))
            for kind in (None, 1, 2, 3):
                expected = naive.combos(hand, kind, {**naive.DEFAULTS, **rules})
                assert enumerate_combos(hand, kind, rules=rules) == expected


# --- legal actions --------------------------------------------------------------------

BUCKLE = [{"type": "BUCKLE"}]
LA01 = state("buckle_decision", 0, mine="R_SHI2 R_GOU B_GOU")
LA02 = plays(f"R_SHI@9 R_GOU@3 B_GOU@2 {DOG}@10 R_SHI2@9")
LA04 = state("in_round", 1, mine="R_SHI", kind=1, last=2)
LA13 = plays(f"R_SHI@9 R_GOU@3 B_GOU@2 R_NIU@1 {DOG}@10 R_SHI2@9 R_NIU2@1 R_NIU3@11")
PAIRS = "R_SHI2 B_SHI2 R_MA2 R_GOU B_GOU"
ASKED = [{"type": "REVEAL"}, {"type": "PASS_REVEAL"}]


def covers(count: int) -> list[Json]:
    return [{"type": "COVER", "required_count": count}]


LEGAL: dict[str, tuple[Json, list[Json]]] = {
    "M3-LA-01": (LA01, LA02 + BUCKLE),
    "M3-LA-02": (LA01, LA02 + BUCKLE),
    "M3-LA-04": (LA04, plays("R_SHI@9")),
    "M3-LA-05": (state("in_round", 1, mine="B_NIU", kind=1, last=9), covers(1)),
    "M3-LA-06": (state("in_round", 1, mine="R_SHI R_XIANG", kind=2, last=3), covers(2)),
    "M3-LA-07": (state("in_round", 1, mine="R_SHI2 R_MA2 B_NIU2", kind=2, last=6), plays("R_SHI2@9")),
    "M3-LA-09": (state("reveal_decision", 2, pending=[2, 1], buckler=0), ASKED),
    "M3-LA-09-seed": (state("reveal_decision", 2), ASKED),
    "M3-LA-13": (state("in_round", 0, mine=CB11), LA13),
    "M3-LA-15": (
        state("in_round", 0, mine="R_SHI B_SHI R_XIANG B_CHE", kind=1, last=3),
        plays("R_SHI@9 B_SHI@8 R_XIANG@7"),
    ),
    "M3-LA-16": (
        state("in_round", 0, mine=f"{PAIRS} B_NIU2", kind=2, last=4),
        plays(f"{DOG}@10 R_SHI2@9 B_SHI2@8 R_MA2@5"),
    ),
    "M3-LA-17": (state("in_round", 0, mine=PAIRS, kind=2, last=8), plays(f"{DOG}@10 R_SHI2@9")),
    "M3-LA-18": (state("in_round", 0, mine="R_NIU3 B_NIU3", kind=3, last=10), plays("R_NIU3@11")),
    "M3-LA-19": (
        state("in_round", 0, mine="R_SHI2 B_SHI R_NIU3 R_MA2", kind=2, last=0),
        plays("R_SHI2@9 R_MA2@5 R_NIU2@1"),
    ),
    "M3-LA-20": (state("in_round", 0, mine="R_SHI2 B_SHI", kind=1, last=0), plays("R_SHI@9 B_SHI@8")),
    "dog-vs-red-shi": (state("in_round", 0, mine="R_GOU B_GOU", kind=2, last=9), plays(f"{DOG}@10")),
    "equal-cards-do-not-beat-5.3": (state("in_round", 0, mine="R_GOU R_CHE", kind=1, last=3), covers(1)),
    "a-pair-is-broken-to-beat-5.4": (
        state("in_round", 0, mine="R_SHI2 B_NIU", kind=1, last=8),
        plays("R_SHI@9"),
    ),
    "worked-round-5.5-seat-0": (
        state("in_round", 0, mine="R_CHE2 R_SHI B_SHI", kind=2, last=4, owner=2),
        covers(2),
    ),
    "worked-round-5.5-seat-1": (
        state("in_round", 1, mine="R_GOU B_GOU R_XIANG2", kind=2, last=4, owner=2),
        plays(f"{DOG}@10 R_XIANG2@7"),
    ),
    "an-opener-without-cards-may-buckle": (state("buckle_decision", 0), BUCKLE),
    "a-cover-is-listed-even-when-the-hand-is-short": (
        state("in_round", 0, mine="B_NIU", kind=2, last=9),
        covers(2),
    ),
}


@pytest.mark.parametrize(("document", "expected"), LEGAL.values(), ids=LEGAL)
def test_the_deciding_seat_has_exactly_these_actions(document: Json, expected: list[Json]) -> None:
    assert actions_of(document) == expected


def test_under_equal_red_shi_the_dog_pair_must_cover_a_red_shi_pair() -> None:
    document, _ = LEGAL["dog-vs-red-shi"]
    assert actions_of(document, EQUAL) == covers(2)


def test_at_most_one_buckle_and_it_is_last_in_m3_la_01() -> None:
    types = [a["type"] for a in actions_of(LA01)]
    assert types.count("BUCKLE") == 1 and types[-1] == "BUCKLE" and set(types) == {"PLAY", "BUCKLE"}


@pytest.mark.parametrize("name", ["M3-LA-01", "M3-LA-04", "M3-LA-13", "M3-LA-16"])
def test_the_order_is_stable_in_m3_la_03_11_21_22(name: str) -> None:
    document, expected = LEGAL[name]
    engine = loaded(document)
    seat = document["turn"]["current_seat"]
    assert all(engine.get_legal_actions(seat)["actions"] == expected for _ in range(20))


def test_a_forced_lead_equals_enumerate_combos_in_m3_la_14() -> None:
    found = [{"cards": a["payload_cards"], "power": a["power"]} for a in actions_of(LEGAL["M3-LA-13"][0])]
    assert found == enumerate_combos(cards(CB11))


@pytest.mark.parametrize("seat", [0, 2])
def test_other_seats_have_no_actions_in_m3_la_08(seat: int) -> None:
    assert loaded(LA04).get_legal_actions(seat) == {"seat": seat, "actions": []}


@pytest.mark.parametrize("seat", [-1, 3, 99, 10**30, "1", None, 1.0, True])
def test_odd_seat_numbers_have_no_actions_and_raise_nothing(seat: Any) -> None:
    assert loaded(LA04).get_legal_actions(seat) == {"seat": seat, "actions": []}


@pytest.mark.parametrize("phase", ["settlement", "finished"])
def test_nobody_acts_after_the_end_in_m3_la_10(phase: str) -> None:
    engine = loaded(state(phase, 0, ["R_SHI", "B_SHI", "R_MA"]))
    assert [engine.get_legal_actions(seat)["actions"] for seat in range(3)] == [[], [], []]


def test_lists_follow_the_deciding_seat_in_m3_la_12() -> None:
    engine = dealt(7)
    for idx in range(len(engine.get_legal_actions(engine.dump_state()["decision"]["seat"])["actions"])):
        engine = dealt(7)
        out = engine.apply_action(idx)
        new = out["new_state"]
        seat = out["legal_actions"]["seat"]
        assert seat == new["decision"]["seat"] == new["turn"]["current_seat"]
        assert out["legal_actions"] == engine.get_legal_actions(seat) and out["legal_actions"]["actions"]
        assert all(engine.get_legal_actions(k)["actions"] == [] for k in range(3) if k != seat)
