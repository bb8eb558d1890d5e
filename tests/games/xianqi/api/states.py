"""Documents for the tests of Xianqi's named API, in the notation of spec §12."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from qipai.games.xianqi.api import EngineError, XianqiGameEngine

Json = dict[str, Any]

# A combo of each size and power, for `last` (cards are arbitrary but fitting)
FITTING: dict[tuple[int, int], Json] = {
    (1, 9): {"R_SHI": 1}, (1, 8): {"B_SHI": 1}, (1, 7): {"R_XIANG": 1}, (1, 6): {"B_XIANG": 1},
    (1, 5): {"R_MA": 1}, (1, 4): {"B_MA": 1}, (1, 3): {"R_CHE": 1}, (1, 2): {"B_CHE": 1},
    (1, 1): {"R_NIU": 1}, (1, 0): {"B_NIU": 1},
    (2, 10): {"R_GOU": 1, "B_GOU": 1}, (2, 9): {"R_SHI": 2}, (2, 8): {"B_SHI": 2}, (2, 7): {"R_XIANG": 2},
    (2, 6): {"B_XIANG": 2}, (2, 5): {"R_MA": 2}, (2, 4): {"B_MA": 2}, (2, 3): {"R_CHE": 2},
    (2, 2): {"B_CHE": 2}, (2, 1): {"R_NIU": 2}, (2, 0): {"B_NIU": 2},
    (3, 11): {"R_NIU": 3}, (3, 10): {"B_NIU": 3}, (3, 9): {"B_NIU": 3},
}  # fmt: skip


def cards(text: str) -> Json:
    """Return text such as `"R_SHI2 B_NIU"` as a card set."""
    found: Json = {}
    for word in text.split():
        code, count = (word[:-1], int(word[-1])) if word[-1].isdigit() else (word, 1)
        found[code] = found.get(code, 0) + count
    return found


def cover(seat: int, text: str) -> Json:
    """Return a play entry that is a cover."""
    return {"seat": seat, "power": -1, "cards": cards(text)}


def face_up(seat: int, text: str, power: int) -> Json:
    """Return a play entry that is a combo."""
    return {"seat": seat, "power": power, "cards": cards(text)}


def relation(text: str) -> Json:
    """Read relations: `"0>1"` is revealer 0 against buckler 1, `T` was enough, `@3` started round 3."""
    found: Json = {
        "revealer_seat": int(text[0]),
        "buckler_seat": int(text[2]),
        "revealer_enough_at_time": "T" in text,
    }
    if "@" in text:
        found["round_index"] = int(text.partition("@")[2])
    return found


def groups(pillars: Sequence[int]) -> list[Json]:
    """Return pillar groups without plays that give each seat that many pillars, one at a time."""
    winners = [seat for seat, count in enumerate(pillars) for _ in range(count)]
    return [
        {"round_index": i, "winner_seat": seat, "round_kind": 1, "plays": []}
        for i, seat in enumerate(winners)
    ]


def state(
    phase: str,
    seat: int,
    hands: Sequence[str] = (),
    *,
    mine: str = "",
    kind: int = 0,
    last: int | None = None,
    owner: int | None = None,
    plays: Sequence[Json] = (),
    version: int = 1,
    index: int = 0,
    pillars: Sequence[int] = (0, 0, 0),
    buckler: int | None = None,
    active: int | None = None,
    pending: Sequence[int] = (),
    relations: str = "",
) -> Json:
    """Return the position `S(phase; seat; hands; kind; last; ...)` of §12; `mine` is the hand of `seat`."""
    held = [cards(text) for text in hands] or [{}, {}, {}]
    if mine:
        held[seat] = cards(mine)
    combo = None
    if last is not None:
        owner = (seat - 1) % 3 if owner is None else owner
        combo = {"power": last, "cards": dict(FITTING[kind, last]), "owner_seat": owner}
    deciding = phase not in ("settlement", "finished")
    return {
        "version": version,
        "phase": phase,
        "players": [{"seat": i, "hand": hand} for i, hand in enumerate(held)],
        "turn": {
            "current_seat": seat,
            "round_index": index,
            "round_kind": kind,
            "last_combo": combo,
            "plays": list(plays),
        },
        "decision": {"seat": seat, "context": phase} if deciding else None,
        "pillar_groups": groups(pillars),
        "reveal": {
            "buckler_seat": buckler,
            "active_revealer_seat": active,
            "pending_order": list(pending),
            "relations": [relation(text) for text in relations.split()],
        },
    }


def loaded(document: Json, rules: Any = None) -> XianqiGameEngine:
    """Return an engine in the given position."""
    engine = XianqiGameEngine(rules)
    engine.load_state(document)
    return engine


def dealt(seed: int, **config: Any) -> XianqiGameEngine:
    """Return an engine with a game dealt from `seed`."""
    engine = XianqiGameEngine()
    engine.init_game({"player_count": 3, **config}, rng_seed=seed)
    return engine


def pillars_of(document: Json) -> list[int]:
    """Return the pillars by seat, from the groups."""
    won = [0, 0, 0]
    for group in document["pillar_groups"]:
        won[group["winner_seat"]] += group["round_kind"]
    return won


def random_call(listed: Json, hand: Json, rng: Random) -> tuple[int, Json | None]:
    """Return a random action of a legal list, with random cards where it is a cover."""
    idx = rng.randrange(len(listed["actions"]))
    action = listed["actions"][idx]
    if action["type"] != "COVER":
        return idx, None
    held = [card for card, n in hand.items() for _ in range(n)]
    picked = rng.sample(held, action["required_count"])
    return idx, {card: picked.count(card) for card in picked}


def play_random(engine: XianqiGameEngine, rng: Random, most: int = 1000) -> int:
    """Play up to `most` random actions; how many were made."""
    for made in range(most):
        document = engine.dump_state()
        if document["decision"] is None:
            return made
        seat = document["decision"]["seat"]
        hand = document["players"][seat]["hand"]
        engine.apply_action(*random_call(engine.get_legal_actions(seat), hand, rng))
    return most


def refuse(code: str, call: Callable[[], Any], engine: XianqiGameEngine) -> EngineError:
    """Check that `call` is refused with `code` and leaves the engine's state byte for byte unchanged."""
    before = json.dumps(engine.dump_state())
    with pytest.raises(EngineError) as caught:
        call()
    assert caught.value.code == code
    assert json.dumps(engine.dump_state()) == before
    return caught.value


# A position in the middle of a round, with a cover, captured pillars and relations
GOOD = state(
    "in_round",
    0,
    ["B_NIU R_MA", "R_CHE", "B_CHE"],
    kind=1,
    last=8,
    owner=1,
    plays=[face_up(1, "B_SHI", 8), cover(2, "B_CHE")],
    pillars=(1, 2, 0),
    relations="0>1 1>2T",
)
