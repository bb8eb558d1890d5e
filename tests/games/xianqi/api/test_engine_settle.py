"""Spec §8, §9 and §12.9: the settlement, its options, and the optional rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from qipai.games.xianqi.api import XianqiGameEngine
from tests.games.xianqi.api.states import (
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
from tests.games.xianqi.api.test_engine_actions import act
from tests.naive import xianqi as naive

pytestmark = pytest.mark.plain

ZERO = (0, 0, 0)
Chips = tuple[int, int, int]


def rows_of(engine: XianqiGameEngine) -> list[Json]:
    rows: list[Json] = engine.settle()["settlement"]["chip_delta_by_seat"]
    for row in rows:
        assert row["delta"] == row["delta_enough"] + row["delta_reveal"] + row["delta_ceramic"]
    assert [row["seat"] for row in rows] == [0, 1, 2]
    for column in ("delta", "delta_enough", "delta_reveal", "delta_ceramic"):
        assert sum(row[column] for row in rows) == 0
    return rows


def column(rows: list[Json], name: str) -> Chips:
    one, two, three = (row[name] for row in rows)
    return one, two, three


# id: pillars, relations, enough, reveal, ceramic, delta (None where not stated)
SETTLED: dict[str, tuple[Chips, str, Chips | None, Chips | None, Chips | None, Chips]] = {
    "M5-UT-02": ((3, 2, 1), "", None, None, None, (2, -1, -1)),
    "M5-UT-03": ((6, 2, 0), "", ZERO, ZERO, (6, -3, -3), (6, -3, -3)),
    "M5-UT-04": ((3, 3, 2), "", None, None, None, (1, 1, -2)),
    "M5-UT-05": ((2, 2, 2), "", None, None, None, ZERO),
    "M5-UT-06a": ((2, 3, 3), "", None, None, None, (-2, 1, 1)),
    "M5-UT-06b": ((5, 2, 1), "", None, None, None, (2, -1, -1)),
    "M5-UT-06c": ((6, 1, 1), "", None, None, None, (6, -3, -3)),
    "M5-UT-07": ((2, 2, 2), "0>1", None, None, None, (-1, 1, 0)),
    "M5-UT-08": ((3, 2, 1), "0>1", None, ZERO, None, (2, -1, -1)),
    "M5-UT-09": ((2, 2, 2), "0>1T", None, None, None, ZERO),
    "M5-UT-10": ((2, 2, 2), "0>1 0>2", None, None, None, (-2, 1, 1)),
    "M5-UT-11": ((3, 3, 2), "0>1T", None, None, None, (0, 1, -1)),
    "E1": ((4, 2, 1), "", (2, -1, -1), ZERO, ZERO, (2, -1, -1)),
    "E2": ((3, 3, 1), "", (1, 1, -2), ZERO, ZERO, (1, 1, -2)),
    "E3": ((6, 2, 0), "", ZERO, ZERO, (6, -3, -3), (6, -3, -3)),
    "E4": ((2, 1, 2), "1>2 1>0", ZERO, (1, -2, 1), ZERO, (1, -2, 1)),
    "E5": ((3, 2, 2), "0>1 2>0", (2, -1, -1), (1, 0, -1), ZERO, (3, -1, -2)),
    "E6": ((5, 1, 2), "0>2T", ZERO, ZERO, ZERO, ZERO),
    "E7": ((6, 1, 1), "0>2T 1>0", ZERO, (1, -1, 0), (6, -3, -3), (7, -4, -3)),
    "E8": ((3, 4, 1), "1>0T 2>1 2>0", (1, 0, -1), (1, 1, -2), ZERO, (2, 1, -3)),
    "E9": ((2, 2, 4), "0>2 0>2", (-1, -1, 2), (-2, 0, 2), ZERO, (-3, -1, 4)),
}


@pytest.mark.parametrize(
    ("pillars", "relations", "enough", "reveal", "ceramic", "delta"), SETTLED.values(), ids=SETTLED
)
def test_chips_are_paid_by_parts(
    pillars: Chips,
    relations: str,
    enough: Chips | None,
    reveal: Chips | None,
    ceramic: Chips | None,
    delta: Chips,
) -> None:
    rows = rows_of(loaded(state("settlement", 0, pillars=pillars, relations=relations)))
    assert column(rows, "delta") == delta
    parts = {"delta_enough": enough, "delta_reveal": reveal, "delta_ceramic": ceramic}
    for name, expected in parts.items():
        assert expected is None or column(rows, name) == expected


def test_black_chess_is_settled_with_nothing_in_e10_and_m5_ut_13() -> None:
    rows = rows_of(dealt(52))
    assert all(set(row.values()) <= {0, row["seat"]} for row in rows)
    again = XianqiGameEngine({"black_chess": "redeal"}).init_game({"player_count": 3}, 52)["new_state"]
    assert again["phase"] == "buckle_decision"
    assert again["players"] == dealt(53).dump_state()["players"]
    assert again["turn"] == dealt(53).dump_state()["turn"]


def test_pillars_are_round_kinds_not_rounds_in_m3_ssot_03_and_pitfall_8() -> None:
    document = state("settlement", 0)
    document["pillar_groups"] = [
        {"round_index": i, "winner_seat": seat, "round_kind": kind, "plays": []}
        for i, (seat, kind) in enumerate([(0, 2), (1, 1), (2, 3)])
    ]
    rows = rows_of(loaded(document))
    assert pillars_of(document) == [2, 1, 3] and column(rows, "delta") == (-1, -1, 2)


@pytest.mark.parametrize(
    "phase", ["in_round", "buckle_decision", "reveal_decision", "finished"], ids=lambda p: f"M5-UT-01-{p}"
)
def test_there_is_nothing_to_settle_before_the_end(phase: str) -> None:
    engine = loaded(state(phase, 0, mine="R_SHI"))
    refuse("ENGINE_INVALID_PHASE", engine.settle, engine)


def test_a_game_is_settled_once_in_m5_ut_12() -> None:
    engine = loaded(state("settlement", 0, pillars=(3, 2, 1), version=40))
    out = engine.settle()
    assert out["new_state"]["phase"] == "finished" and out["new_state"]["version"] == 41
    assert out["new_state"]["decision"] is None and out["legal_actions"] is None
    assert out["settlement"]["final_state"] == out["new_state"] == engine.dump_state()
    assert len(out["settlement"]["chip_delta_by_seat"]) == 3
    refuse("ENGINE_INVALID_PHASE", engine.settle, engine)


def test_a_game_may_stay_in_settlement_in_m5_ut_12() -> None:
    document = state("settlement", 0, pillars=(3, 2, 1), version=40)
    engine = loaded(document, {"after_settle": "stay"})
    outs = [engine.settle() for _ in range(3)]
    assert outs[0] == outs[1] == outs[2]
    new = outs[0]["new_state"]
    assert (new["phase"], new["version"]) == ("settlement", 40)
    assert outs[0]["settlement"]["final_state"] == new
    assert column(outs[0]["settlement"]["chip_delta_by_seat"], "delta") == (2, -1, -1)


def test_settlement_opens_everything_only_in_the_final_state() -> None:
    document = state("settlement", 0, ["R_SHI", "B_SHI", "R_MA"], pillars=(3, 0, 0))
    document["pillar_groups"][0]["plays"] = [face_up(0, "R_XIANG", 7), cover(1, "B_NIU"), cover(2, "R_NIU")]
    engine = loaded(document)
    assert engine.get_public_state() == naive.public(document)
    out = engine.settle()
    assert out["public_state"] == naive.public(out["new_state"])
    assert "cards" not in out["public_state"]["pillar_groups"][0]["plays"][1]
    assert out["settlement"]["final_state"]["players"] == document["players"]
    assert out["settlement"]["final_state"]["pillar_groups"] == document["pillar_groups"]


# --- §9 optional rules ----------------------------------------------------------------

LIABLE = {"reveal_ceramic_liability": True}
FIRST = {"first_game_limits": True}
MUST = {"enough_must_buckle": True}
EIGHT = {"eight_pillars": True}


def ending(pillars: Sequence[int], owner: int, rules: Any, **more: Any) -> XianqiGameEngine:
    """Seat 0 closes a single round with a cover; `owner` wins it."""
    document = state(
        "in_round", 0, mine="B_NIU B_MA", kind=1, last=9, owner=owner, pillars=pillars, index=sum(pillars),
        plays=[face_up(1, "R_SHI", 9), cover(2, "B_NIU")], **more,
    )  # fmt: skip
    engine = loaded(document, rules)
    engine.apply_action(0, {"B_NIU": 1})
    return engine


@pytest.mark.parametrize(
    ("relations", "ceramic"),
    [
        ("1>0@5", (6, -6, 0)),  # the round that made it ceramic was started by seat 1's reveal
        ("2>0@5", (6, 0, -6)),
        ("1>0@4", (6, -3, -3)),  # an earlier round
        ("1>0@4 2>0@5", (6, 0, -6)),
        ("0>1@5", (6, -3, -3)),  # its own reveal
        ("", (6, -3, -3)),
    ],
    ids=[f"9.1-{i}" for i in range(6)],
)
def test_whose_reveal_lets_another_become_ceramic_pays_for_both(relations: str, ceramic: Chips) -> None:
    engine = ending((5, 0, 0), 0, LIABLE, relations=relations)
    rows = rows_of(engine)
    assert column(rows, "delta_ceramic") == ceramic
    paid = [x for x in relations.split() if x[0] != "0"]
    assert sum(row["delta_reveal"] for row in rows if row["seat"] != 0) == -len(paid)


def test_liability_survives_a_dump_between_the_last_card_and_the_settlement() -> None:
    for rules, expected in ((LIABLE, (6, -6, 0)), ({}, (6, -3, -3))):
        engine = ending((5, 0, 0), 0, rules, relations="1>0@5")
        again = XianqiGameEngine(rules)
        again.load_state(engine.dump_state())
        assert column(rows_of(again), "delta_ceramic") == expected


def test_relations_store_their_round_only_with_liability_in_9_1() -> None:
    for rules, expected in ((LIABLE, relation("1>0@7")), ({}, relation("1>0"))):
        engine = loaded(state("buckle_decision", 0, mine="R_SHI", index=7), rules)
        act(engine, "BUCKLE")
        assert act(engine, "REVEAL")["reveal"]["relations"] == [expected]
        assert engine.get_public_state()["reveal"]["relations"] == [expected]


def test_in_the_first_game_nobody_buckles_below_3_pillars_in_9_2() -> None:
    for pillars, may in (((2, 2, 2), False), ((3, 0, 0), True), ((0, 3, 0), False)):
        engine = loaded(state("buckle_decision", 0, mine="R_SHI", pillars=pillars), FIRST)
        types = [a["type"] for a in engine.get_legal_actions(0)["actions"]]
        assert types == ["PLAY", *(["BUCKLE"] if may else [])]
        both = {**FIRST, "round_open": "buckle_first"}
        engine = loaded(state("buckle_flow", 0, mine="R_SHI", pillars=pillars), both)
        types = [a["type"] for a in engine.get_legal_actions(0)["actions"]]
        assert types == [*(["BUCKLE"] if may else []), "PASS_BUCKLE"]


def test_in_the_first_game_ceramic_pays_one_in_9_2() -> None:
    document = state("settlement", 0, pillars=(6, 1, 1), relations="0>2T")
    assert column(rows_of(loaded(document, FIRST)), "delta_ceramic") == (2, -1, -1)
    assert ending((5, 0, 0), 0, FIRST).dump_state()["phase"] == "settlement"


@pytest.mark.parametrize("flow", [False, True], ids=["9.5", "9.5-buckle_first"])
def test_an_opener_with_enough_that_plays_on_is_remembered(flow: bool) -> None:
    rules = {**MUST, **({"round_open": "buckle_first"} if flow else {})}
    phase, word = ("buckle_flow", "PASS_BUCKLE") if flow else ("buckle_decision", "PLAY")
    for pillars, expected in (((3, 0, 0), [0]), ((2, 0, 0), [])):
        engine = loaded(state(phase, 0, ["R_SHI B_MA", "B_NIU2", "B_NIU2"], pillars=pillars), rules)
        assert engine.dump_state()["reveal"]["no_buckle_seats"] == []
        new = act(engine, word)
        assert new["reveal"]["no_buckle_seats"] == expected
        assert engine.get_public_state()["reveal"]["no_buckle_seats"] == expected


def test_a_forced_lead_after_a_reveal_does_not_count_in_9_5() -> None:
    engine = loaded(state("buckle_decision", 0, ["R_SHI B_MA", "B_NIU2", "B_NIU2"], pillars=(3, 0, 0)), MUST)
    act(engine, "BUCKLE")
    act(engine, "REVEAL")
    assert act(engine, "PLAY")["reveal"]["no_buckle_seats"] == []


def test_who_played_on_collects_nothing_unless_ceramic_in_9_5() -> None:
    for pillars, expected in (((4, 2, 1), ZERO), ((3, 3, 1), (0, 1, -1)), ((6, 1, 0), (6, -3, -3))):
        document = state("settlement", 0, pillars=pillars)
        document["reveal"]["no_buckle_seats"] = [0]
        assert column(rows_of(loaded(document, MUST)), "delta") == expected
        del document["reveal"]["no_buckle_seats"]
        assert column(rows_of(loaded(document, MUST)), "delta") != ZERO


def test_no_buckle_seats_exist_only_with_their_option() -> None:
    assert "no_buckle_seats" not in dealt(7).dump_state()["reveal"]
    engine = XianqiGameEngine(MUST)
    assert engine.init_game({"player_count": 3}, 7)["new_state"]["reveal"]["no_buckle_seats"] == []
    for bad in ([3], [0, 0], "0", None, [True]):
        document = state("settlement", 0)
        document["reveal"]["no_buckle_seats"] = bad
        refuse("ENGINE_INVALID_STATE", lambda d=document: engine.load_state(d), engine)  # type: ignore[misc]


def test_whoever_owns_every_pillar_plays_on_to_eight_in_9_6() -> None:
    engine = ending((5, 0, 0), 0, EIGHT)
    new = engine.dump_state()
    assert (new["phase"], new["decision"]["seat"]) == ("buckle_decision", 0)
    assert {"BUCKLE", "PLAY"} == {a["type"] for a in engine.get_legal_actions(0)["actions"]}
    assert ending((5, 0, 0), 0, None).dump_state()["phase"] == "settlement"


def test_the_first_pillar_of_another_then_ends_the_game_in_9_6() -> None:
    for owner in (1, 2):
        engine = ending((6, 0, 0), owner, EIGHT)
        assert engine.dump_state()["phase"] == "settlement"
        assert column(rows_of(engine), "delta_ceramic") == (6, -3, -3)
    assert ending((5, 1, 0), 0, EIGHT).dump_state()["phase"] == "settlement"


def test_eight_pillars_win_eight_from_each_in_9_6() -> None:
    engine = ending((7, 0, 0), 0, EIGHT)
    assert engine.dump_state()["phase"] == "settlement"
    assert column(rows_of(engine), "delta_ceramic") == (16, -8, -8)
    document = state("settlement", 0, pillars=(8, 0, 0))
    assert column(rows_of(loaded(document)), "delta_ceramic") == (6, -3, -3)


def test_the_ceramic_unit_is_8_before_1_before_3_when_rules_meet() -> None:
    document = state("settlement", 0, pillars=(8, 0, 0))
    assert column(rows_of(loaded(document, {**EIGHT, **FIRST})), "delta_ceramic") == (16, -8, -8)
    document = state("settlement", 0, pillars=(6, 0, 0), relations="2>0@5")
    rules = {**EIGHT, **FIRST, **LIABLE}
    assert column(rows_of(loaded(document, rules)), "delta_ceramic") == (2, 0, -2)
    document = state("settlement", 0, pillars=(8, 0, 0), relations="2>0@5")
    assert column(rows_of(loaded(document, rules)), "delta_ceramic") == (16, 0, -16)


@pytest.mark.parametrize("rules", [LIABLE, FIRST, MUST, EIGHT], ids=lambda r: next(iter(r)))
def test_an_optional_rule_is_carried_by_the_dump_and_adopted(rules: Json) -> None:
    engine = XianqiGameEngine(rules)
    dump = engine.init_game({"player_count": 3}, 3)["new_state"]
    assert dump["rules"] == rules
    other = XianqiGameEngine()
    other.load_state(dump, strict=True)
    assert other.dump_state() == dump and other.get_public_state()["rules"] == rules
