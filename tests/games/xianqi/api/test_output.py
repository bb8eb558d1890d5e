"""What a call returns: a dictionary of one position, whose values are made when they are looked at."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from qipai.games.xianqi.api import XianqiGameEngine
from qipai.games.xianqi.api.output import KEYS, LATER, Output
from tests.games.xianqi.api.states import Json, dealt, play_random

THREE = {"player_count": 3}


def eager(engine: XianqiGameEngine) -> Json:
    """Return the output of the engine's position, from its other calls."""
    document = engine.dump_state()
    decider = None if document["decision"] is None else document["decision"]["seat"]
    return {
        "new_state": document,
        "public_state": engine.get_public_state(),
        "private_state_by_seat": {str(k): engine.get_private_state(k) for k in range(3)},
        "legal_actions": None if decider is None else engine.get_legal_actions(decider),
    }


def made(output: Json) -> list[str]:
    """Return the keys whose values are there already."""
    return [key for key in KEYS if dict.__getitem__(output, key) is not LATER]


def fresh(seed: int = 3) -> tuple[Json, Json]:
    """Return an output that was not read, and what it must contain."""
    engine = dealt(seed)
    return engine.apply_action(0), eager(engine)


READS: dict[str, Callable[[Json], Json]] = {
    "by key": lambda out: {key: out[key] for key in KEYS},
    "get": lambda out: {key: out.get(key) for key in KEYS},
    "items": lambda out: dict(list(out.items())),
    "values": lambda out: dict(zip(KEYS, out.values(), strict=True)),
    "dict": lambda out: dict(out),
    "stars": lambda out: {**out},
    "arguments": lambda out: (lambda **given: given)(**out),
    "update": lambda out: (given := {}, given.update(out))[0],
    "copy": lambda out: out.copy(),
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "or": lambda out: out | {},
    "ror": lambda out: {} | out,
    "ior": lambda out: out.__ior__({}),
    "json": lambda out: json.loads(json.dumps(out)),
    "indented json": lambda out: json.loads(json.dumps(out, indent=1)),
    "sorted json": lambda out: json.loads(json.dumps(out, sort_keys=True)),
    "pickle": lambda out: pickle.loads(pickle.dumps(out)),
    "old pickle": lambda out: pickle.loads(pickle.dumps(out, 0)),
    "repr": lambda out: eval(repr(out)),
    "pop": lambda out: {key: out.pop(key) for key in KEYS},
    "popitem": lambda out: dict([out.popitem() for _ in KEYS][::-1]),
    "setdefault": lambda out: {key: out.setdefault(key, 1) for key in KEYS},
    "match": lambda out: _matched(out),
}


def _matched(out: Json) -> Json:
    match out:
        case {"new_state": a, "public_state": b, "private_state_by_seat": c, "legal_actions": d}:
            return dict(zip(KEYS, (a, b, c, d), strict=True))
    raise AssertionError("no match")


@pytest.mark.parametrize("way", READS)
def test_every_way_to_read_it_finds_the_values(way: str) -> None:
    out, expected = fresh()
    assert made(out) == []
    assert READS[way](out) == expected


def test_it_equals_a_dictionary_with_the_same_values() -> None:
    (one, expected), (other, _) = fresh(), fresh()
    assert one == expected and expected == other and one == other
    assert (one != expected) is False
    different = fresh(4)[0]
    assert one != different and different != expected


def test_it_is_a_dictionary_with_its_keys_in_order() -> None:
    out, _ = fresh()
    assert isinstance(out, dict) and isinstance(out, Output)
    assert list(out) == list(out.keys()) == list(KEYS) and len(out) == 4 and "new_state" in out
    assert made(out) == [] and "computed when read" in dict.__repr__(out)
    assert out.get("other") is None and out.get("other", 5) == 5 and out.pop("other", 6) == 6
    with pytest.raises(KeyError):
        out["other"]
    with pytest.raises(TypeError):
        hash(out)


def test_only_what_is_looked_at_is_made_and_only_once() -> None:
    out, _ = fresh()
    listed = out["legal_actions"]
    assert made(out) == ["legal_actions"] and out["legal_actions"] is listed


def test_it_tells_of_its_own_position_however_late_it_is_read() -> None:
    engine = XianqiGameEngine()
    outputs, expected = [engine.init_game(THREE, 5)], [eager(engine)]
    while outputs[-1]["legal_actions"] is not None and len(outputs) < 12:
        decider = outputs[-1]["legal_actions"]
        hand = engine.get_private_state(decider["seat"])["hand"]
        first = decider["actions"][0]
        cover = None
        if first["type"] == "COVER":
            held = [card for card, n in hand.items() for _ in range(n)][: first["required_count"]]
            cover = {card: held.count(card) for card in held}
        outputs.append(engine.apply_action(0, cover))
        expected.append(eager(engine))
    engine.init_game(THREE, 6)
    assert len(outputs) > 5 and outputs == expected


def test_what_a_caller_does_to_it_changes_no_engine_and_no_other_output() -> None:
    engine = dealt(3)
    out = engine.apply_action(0)
    kept = eager(engine)
    for key in KEYS:
        spoil(out[key])
    assert eager(engine) == kept
    again = XianqiGameEngine()
    again.load_state(kept["new_state"])
    spoil(again.dump_state())
    assert eager(again) == kept


def spoil(value: Any) -> None:
    """Empty every container inside."""
    for part in value.values() if isinstance(value, dict) else value:
        if isinstance(part, dict | list):
            spoil(part)
    value.clear()


def test_the_settlement_comes_with_the_state_after_it() -> None:
    engine = dealt(3)
    play_random(engine, Random(3))
    out = engine.settle()
    assert list(out) == [*KEYS, "settlement"]
    rows = out["settlement"]["chip_delta_by_seat"]
    assert sum(row["delta"] for row in rows) == 0
    assert out["settlement"]["final_state"] == engine.dump_state() == out["new_state"]
    assert out["settlement"]["final_state"] is not out["new_state"]
