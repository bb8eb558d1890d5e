"""Spec §6.1, §6.3 and §12.5: what `load_state` takes and what it refuses."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from qipai.games.xianqi.api import InvalidState, XianqiGameEngine
from tests.games.xianqi.api.states import (
    GOOD,
    Json,
    cards,
    cover,
    dealt,
    face_up,
    loaded,
    play_random,
    refuse,
    relation,
    state,
)


def changed(path: str, value: Any, base: Json = GOOD) -> Json:
    """Return `base` with the value at a dotted path replaced (DELETED removes it)."""
    document = copy.deepcopy(base)
    *steps, last = path.split(".")
    at: Any = document
    for step in steps:
        at = at[int(step)] if isinstance(at, list) else at[step]
    key: Any = int(last) if isinstance(at, list) else last
    if value is DELETED:
        del at[key]
    else:
        at[key] = value
    return document


DELETED = object()
RELATION = relation("0>1")
GROUP = {"round_index": 0, "winner_seat": 0, "round_kind": 1, "plays": []}
BAD: list[tuple[str, str, Any]] = [
    ("M3-UT-08", "players", [{"seat": s, "hand": {}} for s in (1, 0, 2)]),
    ("M3-UT-09-no-active", "reveal.active_revealer_seat", DELETED),
    ("M3-UT-09-pending-twice", "reveal.pending_order", [1, 1]),
    ("M3-UT-09-flag-1", "reveal.relations.0.revealer_enough_at_time", 1),
    ("M3-CM-02", "turn.plays.0.cards", [{"type": "B_SHI", "count": 1}]),
    ("M3-SSOT-02", "pillar_groups.0.pillars", 1),
    ("players-two", "players", [{"seat": 0, "hand": {}}, {"seat": 1, "hand": {}}]),
    ("players-object", "players", {"0": {}}),
    ("players-missing", "players", DELETED),
    ("player-null", "players.1", None),
    ("player-seat-bool", "players.1.seat", True),
    ("player-seat-float", "players.1.seat", 1.0),
    ("hand-missing", "players.0.hand", DELETED),
    ("hand-list", "players.0.hand", [{"type": "R_SHI", "count": 1}]),
    ("hand-unknown-type", "players.0.hand", {"R_KING": 1}),
    ("hand-padded-type", "players.0.hand", {" R_SHI": 1}),
    ("hand-negative", "players.0.hand", {"R_SHI": -1}),
    ("hand-float", "players.0.hand", {"R_SHI": 1.0}),
    ("hand-bool", "players.0.hand", {"R_SHI": True}),
    ("hand-text", "players.0.hand", {"R_SHI": "1"}),
    ("hand-25", "players.0.hand", {"R_SHI": 25}),
    ("phase-init", "phase", "init"),
    ("phase-unknown", "phase", "playing"),
    ("phase-flow-without-its-option", "phase", "buckle_flow"),
    ("phase-upper-case", "phase", "IN_ROUND"),
    ("phase-null", "phase", None),
    ("phase-list", "phase", ["in_round"]),
    ("phase-missing", "phase", DELETED),
    ("current-seat-7", "turn.current_seat", 7),
    ("current-seat-null", "turn.current_seat", None),
    ("current-seat-bool", "turn.current_seat", False),
    ("decision-disagrees", "decision.seat", 1),
    ("decision-seat-odd", "decision.seat", "0"),
    ("decision-text", "decision", "seat 0"),
    ("turn-missing", "turn", DELETED),
    ("turn-list", "turn", []),
    ("round-kind-4", "turn.round_kind", 4),
    ("round-kind-bool", "turn.round_kind", True),
    ("round-kind-missing", "turn.round_kind", DELETED),
    ("round-index-negative", "turn.round_index", -1),
    ("round-index-huge", "turn.round_index", 2**31),
    ("plays-missing", "turn.plays", DELETED),
    ("play-seat-3", "turn.plays.0.seat", 3),
    ("play-power-text", "turn.plays.0.power", "8"),
    ("play-unknown-type", "turn.plays.1.cards", {"X": 1}),
    ("last-combo-missing", "turn.last_combo", DELETED),
    ("last-combo-list", "turn.last_combo", []),
    ("last-combo-power-huge", "turn.last_combo.power", 10**20),
    ("last-combo-owner", "turn.last_combo.owner_seat", None),
    ("last-combo-cards-list", "turn.last_combo.cards", []),
    ("version-missing", "version", DELETED),
    ("version-float", "version", 1.0),
    ("version-bool", "version", True),
    ("version-above-2^31-1", "version", 2**31),
    ("version-negative", "version", -1),
    ("groups-missing", "pillar_groups", DELETED),
    ("groups-object", "pillar_groups", {}),
    ("groups-17", "pillar_groups", [GROUP] * 17),
    ("plays-17", "turn.plays", [cover(0, "B_NIU")] * 17),
    ("group-plays-17", "pillar_groups.0.plays", [cover(0, "B_NIU")] * 17),
    ("group-kind-4", "pillar_groups.0.round_kind", 4),
    ("play-power-128", "turn.plays.0.power", 128),
    ("group-null", "pillar_groups.0", None),
    ("group-winner-3", "pillar_groups.0.winner_seat", 3),
    ("group-plays-missing", "pillar_groups.0.plays", DELETED),
    ("group-cards-list", "pillar_groups.0.plays", [{"seat": 0, "power": 1, "cards": []}]),
    ("reveal-missing", "reveal", DELETED),
    ("reveal-no-buckler", "reveal.buckler_seat", DELETED),
    ("reveal-no-pending", "reveal.pending_order", DELETED),
    ("reveal-no-relations", "reveal.relations", DELETED),
    ("buckler-3", "reveal.buckler_seat", 3),
    ("active-text", "reveal.active_revealer_seat", "0"),
    ("active-minus-1", "reveal.active_revealer_seat", -1),
    ("pending-three", "reveal.pending_order", [0, 1, 2]),
    ("pending-null", "reveal.pending_order", None),
    ("pending-bool", "reveal.pending_order", [True]),
    ("pending-nested", "reveal.pending_order", [[1]]),
    ("relations-17", "reveal.relations", [RELATION] * 17),
    ("relation-lacks-a-key", "reveal.relations.0.buckler_seat", DELETED),
    ("relation-non-seat", "reveal.relations.0.revealer_seat", 5),
    ("relation-flag-null", "reveal.relations.0.revealer_enough_at_time", None),
    ("relation-list", "reveal.relations.0", [0, 1, False]),
    ("rules-unknown", "rules", {"no_such": 1}),
    ("rules-ask-all", "rules", {"reveal_ask": "ask_all"}),
    ("rules-number", "rules", 5),
    ("an-object-that-is-not-json", "note", {1, 2}),
    ("a-key-that-is-not-text", "note", {3: 4}),
    ("not-a-number", "note", float("nan")),
    ("infinity", "note", float("inf")),
    ("a-number-beyond-64-bits", "note", 10**5000),
]


@pytest.mark.parametrize(("path", "value"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
@pytest.mark.parametrize("strict", [False, True])
def test_a_malformed_document_is_refused_and_the_old_state_kept(path: str, value: Any, strict: bool) -> None:
    engine = dealt(7)
    bad = changed(path, value)
    error = refuse("ENGINE_INVALID_STATE", lambda: engine.load_state(bad, strict), engine)
    assert type(error) is InvalidState and issubclass(InvalidState, AssertionError)
    engine.load_state(GOOD)


@pytest.mark.parametrize("document", [None, [], "x", 0, {}, {"phase": "in_round"}, True, (1,), 1.5])
def test_what_is_no_document_is_refused(document: Any) -> None:
    engine = dealt(7)
    refuse("ENGINE_INVALID_STATE", lambda: engine.load_state(document), engine)


def test_a_document_that_contains_itself_or_grows_without_end_is_refused() -> None:
    engine = dealt(7)
    loop: Json = copy.deepcopy(GOOD)
    loop["self"] = loop
    refuse("ENGINE_INVALID_STATE", lambda: engine.load_state(loop), engine)
    wide: Any = [0]
    for _ in range(20):
        wide = [wide, wide]
    refuse("ENGINE_INVALID_STATE", lambda: engine.load_state({**GOOD, "wide": wide}), engine)


@pytest.mark.parametrize(
    ("path", "value"),
    [("players.0.hand", {"R_SHI": 24}), ("version", 2**31 - 1), ("version", 0)]
    + [("pillar_groups", [GROUP] * 16), ("reveal.relations", [RELATION] * 16)],
)
def test_documents_at_the_stated_limits_load(path: str, value: Any) -> None:
    document = changed(path, value)
    assert loaded(document).dump_state() == document


NOT_NAMED: list[tuple[str, str, Any]] = [
    ("three-plays", "turn.plays", [face_up(1, "B_SHI", 8), cover(2, "R_CHE"), cover(0, "B_NIU")]),
    ("four-plays", "turn.plays", [cover(s % 3, "B_NIU") for s in range(4)]),
    ("plays-of-one-seat", "turn.plays", [cover(1, "B_NIU"), cover(1, "B_NIU")]),
    ("no-plays-in-a-led-round", "turn.plays", []),
    ("no-best-combo-in-a-led-round", "turn.last_combo", None),
    ("best-combo-of-power-minus-1", "turn.last_combo.power", -1),
    ("play-of-power-minus-2", "turn.plays.1.power", -2),
    ("play-without-cards", "turn.plays.1.cards", {}),
    ("more-cards-than-the-deck-has", "players.0.hand", {"R_SHI": 9, "B_NIU": 1}),
    ("a-group-of-four-plays", "pillar_groups.0.plays", [cover(s % 3, "B_NIU") for s in range(4)]),
    ("a-group-of-no-pillar", "pillar_groups.0.round_kind", 0),
    ("a-round-index-of-long-ago", "turn.round_index", 0),
    ("pending-in-a-round", "reveal.pending_order", [2, 1]),
    ("a-buckler-in-a-round", "reveal.buckler_seat", 2),
    ("revealed-against-itself", "reveal.relations.0.buckler_seat", 0),
    ("a-clock-as-text", "decision.started_at_ms", "noon"),
]


@pytest.mark.parametrize(("path", "value"), [row[1:] for row in NOT_NAMED], ids=[row[0] for row in NOT_NAMED])
def test_what_6_3_does_not_name_is_accepted_and_played_on(path: str, value: Any) -> None:
    document = changed(path, value)
    engine = loaded(document)
    assert engine.dump_state() == document
    refuse("ENGINE_INVALID_STATE", lambda: engine.load_state(document, strict=True), engine)
    assert "B_NIU" not in json.dumps(engine.get_public_state()["turn"]["plays"])
    assert play_random(engine, Random(1), 1) == 1
    assert engine.dump_state()["version"] == document["version"] + 1


def test_a_round_with_three_plays_is_closed_by_the_next() -> None:
    document = state("in_round", 0, mine="B_NIU R_MA", kind=1, last=8, owner=1)
    document["turn"]["plays"] = [face_up(1, "B_SHI", 8), cover(2, "R_CHE"), cover(0, "B_CHE")]
    new = loaded(document).apply_action(0, {"B_NIU": 1})["new_state"]
    assert [play["seat"] for play in new["pillar_groups"][0]["plays"]] == [1, 2, 0, 0]
    assert new["phase"] == "buckle_decision" and new["turn"]["current_seat"] == 1


def test_in_a_round_without_a_best_combo_everything_beats() -> None:
    document = state("in_round", 0, ["R_NIU B_NIU", "R_SHI", "R_MA"], kind=1)
    engine = loaded(document)
    assert [a["payload_cards"] for a in engine.get_legal_actions(0)["actions"]] == [
        {"R_NIU": 1},
        {"B_NIU": 1},
    ]
    assert engine.apply_action(1)["new_state"]["turn"]["last_combo"]["owner_seat"] == 0


def test_who_laid_down_first_wins_a_round_of_covers() -> None:
    document = state("in_round", 0, mine="B_NIU R_MA", kind=2)
    document["turn"]["plays"] = [cover(2, "R_CHE R_MA"), cover(1, "B_CHE R_NIU")]
    new = loaded(document).apply_action(0, cards("B_NIU R_MA"))["new_state"]
    assert new["pillar_groups"][0]["winner_seat"] == new["turn"]["current_seat"] == 2


@pytest.mark.parametrize("decision", ["over", {"seat": 7}, {"context": 3}, []])
def test_a_decision_after_the_end_means_nothing(decision: Any) -> None:
    document = changed("phase", "settlement", changed("decision", decision))
    assert loaded(document).dump_state()["decision"] is None
    assert loaded(changed("decision.context", 3)).dump_state() == GOOD


def test_a_missing_decision_is_derived_from_the_turn_and_the_other_way_round() -> None:
    for without in ("decision", "turn.current_seat"):
        engine = loaded(changed(without, DELETED))
        assert engine.dump_state() == GOOD
    refused = changed("decision", DELETED, changed("turn.current_seat", DELETED))
    engine = dealt(7)
    refuse("ENGINE_INVALID_STATE", lambda: engine.load_state(refused), engine)


def test_a_decision_says_its_phase_and_is_null_after_the_end() -> None:
    assert loaded(changed("decision.context", "IN_ROUND")).dump_state() == GOOD
    assert loaded(changed("decision.context", DELETED)).dump_state() == GOOD
    for phase in ("settlement", "finished"):
        engine = loaded(changed("phase", phase))
        assert engine.dump_state()["decision"] is None and engine.get_public_state()["decision"] is None


def test_zero_counts_are_ignored_and_never_written() -> None:
    engine = loaded(changed("players.0.hand", {"B_NIU": 1, "R_SHI": 0, "R_MA": 1}))
    assert engine.dump_state()["players"][0]["hand"] == {"B_NIU": 1, "R_MA": 1}
    assert engine.get_private_state(0)["hand"] == {"B_NIU": 1, "R_MA": 1}


@pytest.mark.parametrize("junk", [5, [], {}, "x", [9]])
def test_keys_of_options_that_are_off_mean_nothing(junk: Any) -> None:
    document = copy.deepcopy(GOOD)
    document["reveal"]["no_buckle_seats"] = junk
    document["reveal"]["relations"][0]["round_index"] = junk
    engine = loaded(document)
    assert engine.dump_state() == document
    assert engine.get_public_state() == loaded(GOOD).get_public_state()


def test_keys_that_the_engine_does_not_know_stay_in_the_dump_and_nowhere_else() -> None:
    document = {**copy.deepcopy(GOOD), "note": {"by": ["tester"]}}
    document["players"][0]["name"] = "x"
    engine = loaded(document)
    assert engine.dump_state() == document
    assert "note" not in engine.get_public_state() and "tester" not in json.dumps(engine.get_public_state())


# --- strict ---------------------------------------------------------------------------


def real(made: int, seed: int = 0) -> Json:
    engine = dealt(seed)
    play_random(engine, Random(seed), made)
    return engine.dump_state()


def running() -> Json:
    """Return a real position in the middle of a round, with a cover in it and closed rounds behind it."""
    for seed in range(500):
        engine = dealt(seed)
        rng = Random(seed)
        while play_random(engine, rng, 1):
            document = engine.dump_state()
            powers = [p["power"] for p in document["turn"]["plays"]]
            if len(powers) == 2 and -1 in powers and len(document["pillar_groups"]) >= 2:
                return document
    raise AssertionError("no such position")


RUNNING = running()
NOT_STRICT: dict[str, Callable[[Json], Any]] = {
    "a-card-lost": lambda d: d["players"][RUNNING["turn"]["current_seat"]]["hand"].popitem(),
    "a-card-too-many": lambda d: d["players"][0]["hand"].update(R_SHI=2),
    "version-0": lambda d: d.update(version=0),
    "kind-without-plays": lambda d: d["turn"].update(plays=[]),
    "plays-without-kind": lambda d: d["turn"].update(round_kind=0),
    "another-best": lambda d: d["turn"]["last_combo"].update(power=d["turn"]["last_combo"]["power"] + 1),
    "another-owner": lambda d: d["turn"]["last_combo"].update(owner_seat=d["turn"]["current_seat"]),
    "pending-in-a-round": lambda d: d["reveal"].update(pending_order=[0]),
    "buckler-in-a-round": lambda d: d["reveal"].update(buckler_seat=0),
    "context": lambda d: d["decision"].update(context="buckle_decision"),
    "a-clock": lambda d: d["decision"].update(started_at_ms=5),
    "a-fifth-key-in-a-group": lambda d: d["pillar_groups"][0].update(note=1),
    "a-group-of-two": lambda d: d["pillar_groups"][0]["plays"].pop(),
    "a-group-won-by-another": lambda d: d["pillar_groups"][0].update(
        winner_seat=(d["pillar_groups"][0]["winner_seat"] + 1) % 3
    ),
    "a-wrong-power": lambda d: d["turn"]["plays"][0].update(power=99),
    "round-index-of-an-option-that-is-off": lambda d: d["reveal"]["relations"].append(relation("0>1@0")),
    "no-buckle-seats-of-an-option-that-is-off": lambda d: d["reveal"].update(no_buckle_seats=[]),
    "revealed-against-itself": lambda d: d["reveal"]["relations"].append(relation("1>1")),
    "phase-settlement-with-a-decision": lambda d: d.update(phase="settlement"),
}


@pytest.mark.parametrize("name", NOT_STRICT)
def test_strict_loading_demands_the_invariants_of_6_1(name: str) -> None:
    XianqiGameEngine().load_state(RUNNING, strict=True)
    bad = copy.deepcopy(RUNNING)
    NOT_STRICT[name](bad)
    engine = dealt(7)
    refuse("ENGINE_INVALID_STATE", lambda: engine.load_state(bad, strict=True), engine)
    engine.load_state(bad)  # a partial position is fine when not strict


def test_strict_loading_wants_the_head_of_the_line_to_decide() -> None:
    engine = dealt(7)
    last = len(engine.get_legal_actions(engine.dump_state()["decision"]["seat"])["actions"]) - 1
    asked = engine.apply_action(last)["new_state"]
    assert asked["phase"] == "reveal_decision"
    XianqiGameEngine().load_state(asked, strict=True)
    order = asked["reveal"]["pending_order"]
    for pending in ([], order[::-1], [order[0], asked["reveal"]["buckler_seat"]]):
        bad = changed("reveal.pending_order", pending, asked)
        refuse("ENGINE_INVALID_STATE", lambda bad=bad: engine.load_state(bad, True), engine)  # type: ignore[misc]


def test_strict_loading_wants_hands_of_equal_size() -> None:
    document = real(0)
    card = next(iter(document["players"][0]["hand"]))
    for player, step in ((0, -1), (1, 1)):
        hand = document["players"][player]["hand"]
        hand[card] = hand.get(card, 0) + step
    engine = dealt(7)
    refuse("ENGINE_INVALID_STATE", lambda: engine.load_state(document, strict=True), engine)


def test_clocks_may_be_null_even_when_strict() -> None:
    document = real(3)
    document["decision"].update(started_at_ms=None, timeout_at_ms=None)
    engine = XianqiGameEngine()
    engine.load_state(document, strict=True)
    assert engine.get_public_state()["decision"] == {
        key: document["decision"][key] for key in ("seat", "context")
    }
