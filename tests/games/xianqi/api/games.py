"""Random games through Xianqi's named API, checked as they go; `make proof` runs the full counts."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from qipai.games.xianqi.api import XianqiGameEngine
from qipai.games.xianqi.api.ruleset import CHOICES, SWITCHES
from tests.games.xianqi.api.states import (
    FITTING,
    Json,
    cover,
    face_up,
    groups,
    pillars_of,
    random_call,
    state,
)
from tests.naive import xianqi as naive

THREE = {"player_count": 3}
COLUMNS = ("delta", "delta_enough", "delta_reveal", "delta_ceramic")


def random_rules(rng: Random) -> Json:
    """Return any combination of the options."""
    rules: Json = {name: rng.choice(values) for name, values in CHOICES.items() if name != "reveal_ask"}
    for name in SWITCHES:
        rules[name] = rng.random() < 0.4
    return rules


def full_rules(rules: Json) -> Json:
    """Return the same for the twin: every option."""
    return {**naive.DEFAULTS, **rules}


# --- default rules: "exhausted C" of §12.7, "always" of §12.9, the figures of §10.3 ------


def random_games(count: int, seed: int) -> dict[str, float]:
    """Play `count` games of consecutive seeds with random actions, check each, and count how they end."""
    rng = Random(seed)
    engine = XianqiGameEngine()
    ends: Counter[str] = Counter()
    actions = 0
    for game in range(seed, seed + count):
        out = engine.init_game(THREE, game)
        made = 0
        while out["legal_actions"] is not None:
            listed = out["legal_actions"]
            assert listed["actions"], f"seed {game}: a deciding position without actions"
            hand = out["private_state_by_seat"][str(listed["seat"])]["hand"]
            out = engine.apply_action(*random_call(listed, hand, rng), out["new_state"]["version"])
            made += 1
            assert made <= 48, f"seed {game}: too many actions"
        assert out["new_state"]["phase"] == "settlement"
        ends[how_it_ended(out["new_state"], made)] += 1
        check_settlement(engine.settle(), game)
        actions += made
    return {"actions": actions / count, **{end: ends[end] / count for end in sorted(ends)}}


def how_it_ended(document: Json, made: int) -> str:
    """Return why the game stopped, read off its pillars (§4.4)."""
    won = pillars_of(document)
    if made == 0:
        return "black"
    if max(won) >= 6:
        return "ceramic"
    if sum(p >= 3 for p in won) >= 2:
        return "two_enough"
    return "exhausted" if sum(won) == 8 else "buckled"


def check_settlement(out: Json, game: int) -> None:
    rows, final = out["settlement"]["chip_delta_by_seat"], out["settlement"]["final_state"]
    for row in rows:
        assert row["delta"] == row["delta_enough"] + row["delta_reveal"] + row["delta_ceramic"], game
        assert -11 <= row["delta"] <= 12, game
    for column in COLUMNS:
        assert sum(row[column] for row in rows) == 0, game
    assert sum(pillars_of(final)) <= 8 and final["version"] <= 50, game


# --- all options, against the naive twin ------------------------------------------------


def twin_games(count: int, seed: int) -> dict[str, int]:
    """Play `count` random games under random options, comparing every answer with the twin's."""
    rng = Random(seed)
    compared = 0
    for game in range(count):
        rules = random_rules(rng)
        engine = XianqiGameEngine(rules)
        first = rng.choice([None, 0, 1, 2])
        config = THREE if first is None else {**THREE, "first_seat": first}
        new = engine.init_game(config, rng.randrange(1 << 40))["new_state"]
        hands = [player["hand"] for player in new["players"]]
        twin = naive.first_state(hands, new["turn"]["current_seat"], full_rules(rules))
        where = f"seed {seed}, game {game}"
        compare(engine, twin, full_rules(rules), where)
        compared += 1 + play_twins(engine, twin, full_rules(rules), rng, where)
    return {"games": count, "positions": compared}


def play_twins(engine: XianqiGameEngine, twin: Json, rules: Json, rng: Random, where: str) -> int:
    """Play random actions in both until the end, and settle."""
    compared = 0
    while twin["decision"] is not None and naive.legal(twin, rules):
        seat = twin["decision"]["seat"]
        listed = {"actions": naive.legal(twin, rules)}
        hand = twin["players"][seat]["hand"]
        need = listed["actions"][0].get("required_count", 0)
        if need > naive.size(hand):
            break  # only in a position laid out by hand
        idx, covered = random_call(listed, hand, rng)
        twin = naive.apply(twin, listed["actions"][idx], covered, rules)
        out = engine.apply_action(idx, covered)
        assert out["new_state"] == twin, where
        compare(engine, twin, rules, where)
        compared += 1
        if rng.random() < 0.2:  # what the record remembers must be in the document too
            again = XianqiGameEngine()
            again.load_state(engine.dump_state())
            engine = again
    if twin["phase"] == "settlement":
        out = engine.settle()
        assert out["settlement"]["chip_delta_by_seat"] == naive.settle(twin, rules), where
        assert out["new_state"] == naive.settled(twin, rules), where
    return compared


def compare(engine: XianqiGameEngine, twin: Json, rules: Json, where: str) -> None:
    assert engine.dump_state() == twin, where
    assert engine.get_public_state() == naive.public(twin), where
    decider = (twin["decision"] or {"seat": None})["seat"]
    for seat in range(3):
        assert engine.get_private_state(seat) == naive.private(twin, seat), where
        expected = naive.legal(twin, rules) if seat == decider else []
        assert engine.get_legal_actions(seat) == {"seat": seat, "actions": expected}, where


# --- positions laid out at random -------------------------------------------------------


def twin_positions(count: int, seed: int) -> dict[str, int]:
    """Load `count` random partial positions and play them out against the twin."""
    rng = Random(seed)
    compared = 0
    for number in range(count):
        rules = random_rules(rng)
        document = random_position(rng, rules)
        changed = {k: v for k, v in rules.items() if v != naive.DEFAULTS[k]}
        if changed:
            document["rules"] = changed
        engine = XianqiGameEngine()
        engine.load_state(document)
        where = f"seed {seed}, position {number}"
        compare(engine, document, full_rules(rules), where)
        compared += 1 + play_twins(engine, document, full_rules(rules), rng, where)
    return {"positions": count, "compared": compared}


def random_position(rng: Random, rules: Json) -> Json:
    """Return a document that load_state accepts; play could reach few of them."""
    flow = rules["round_open"] == "buckle_first"
    phase = rng.choice(["open", "ask", "in_round", "in_round", "settlement"])
    seat = rng.randrange(3)
    deck = [card for card, n in naive.COPIES.items() for _ in range(n)]
    rng.shuffle(deck)
    size = rng.randint(0, 8)
    hands = [" ".join(deck[k * 8 : k * 8 + size]) for k in range(3)]
    more: dict[str, Any] = {"index": rng.randrange(9), "version": rng.randint(1, 99)}
    if phase == "ask":
        others = [k for k in range(3) if k != seat]
        more["buckler"] = rng.choice(others)
        more["pending"] = [seat] + [k for k in others if k != more["buckler"] and rng.random() < 0.5]
    elif phase == "in_round" and rng.random() < 0.8:
        more["kind"], more["last"] = rng.choice([key for key in FITTING if key != (3, 9)])
        more["owner"] = rng.randrange(3)
        more["plays"] = [
            cover(rng.randrange(3), "B_NIU R_SHI") if k % 2 else face_up(rng.randrange(3), "R_NIU", 1)
            for k in range(rng.randrange(5))
        ]
        if rng.random() < 0.2:
            more["last"] = None
    names = {"open": "buckle_flow" if flow else "buckle_decision"}
    names["ask"] = "buckle_flow" if flow else "reveal_decision"
    document = state(names.get(phase, phase), seat, hands, active=rng.choice([None, 0, 1, 2]), **more)
    document["pillar_groups"] = groups([rng.randrange(4) for _ in range(3)])
    rng.shuffle(document["pillar_groups"])
    for _ in range(rng.randrange(4)):
        one, two = rng.sample(range(3), 2)
        found: Json = {
            "revealer_seat": one,
            "buckler_seat": two,
            "revealer_enough_at_time": rng.random() < 0.3,
        }
        if rules["reveal_ceramic_liability"]:
            found["round_index"] = 20 + len(document["reveal"]["relations"])
        document["reveal"]["relations"].append(found)
    if rules["enough_must_buckle"]:
        document["reveal"]["no_buckle_seats"] = rng.sample(range(3), rng.randrange(3))
    return document
