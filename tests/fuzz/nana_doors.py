"""Malformed input at every checked entry point of NANA: vectors, memories, events, actions, deals, text.

A real document is spoilt in one to three places; the door must answer or refuse by name,
and change neither its input nor its table.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from qipai.core import QipaiError
from qipai.games.nana import (
    GAME,
    BotDecision,
    Card,
    LocalGame,
    evaluate_all_actions,
    init_bot_memory,
    make_bot_decision,
    run_vector,
    seeded_deal,
)
from qipai.games.nana.layout import state_json
from qipai.games.nana.text import parse
from qipai.games.nana.vectors import read_memory, update
from tests.games.nana.make_vectors import memory, vectors

JUNK: list[Any] = [
    None, True, False, -1, 0, 1, 3, 7, 12, 13, 99, 10**30, -(10**30), 1.5, float("nan"),
    "", "c0", "h0.0", "h9.99",
    "c99", "p1", "settle", "head", "x" * 500, [], [[]], {}, {"a": 1}, [1, 1, 1],
    [None], {"slot": "c0"}, b"x", "７",
]  # fmt: skip


def spoil(rng: random.Random, document: Any) -> Any:
    """Return a copy with one to three places replaced, dropped or repeated."""
    found = copy.deepcopy(document)
    for _ in range(rng.randint(1, 3)):
        found = _spoil_once(rng, found)
    return found


def _spoil_once(rng: random.Random, node: Any) -> Any:
    if isinstance(node, dict) and node and rng.random() < 0.9:
        key = rng.choice(list(node))
        if rng.random() < 0.1:
            del node[key]
        elif rng.random() < 0.05:
            node[rng.choice(["surprise", "", "phase"])] = rng.choice(JUNK)
        else:
            node[key] = _spoil_once(rng, node[key])
        return node
    if isinstance(node, list) and node and rng.random() < 0.85:
        i = rng.randrange(len(node))
        if rng.random() < 0.15:
            node.insert(i, copy.deepcopy(rng.choice(JUNK)))
        elif rng.random() < 0.1:
            node[i:i] = copy.deepcopy(node)
        else:
            node[i] = _spoil_once(rng, node[i])
        return node
    return copy.deepcopy(rng.choice(JUNK))


# --- doors: each takes a generator and makes one call ---------------------------------

VECTORS = vectors()
DEALS = [seeded_deal(n, n) for n in range(2, 7)]
TABLE = GAME.new()
POSITION = state_json(GAME.new())
CANDIDATE = {"action": "reveal-player-card", "player_id": "me", "min_max": "min", "card_id": None}
CARDS = {
    "chain": [{"id": "x", "number": 3, "is_revealed": True}],
    "players": [{"id": "me", "hand": [{"id": "m0"}]}],
}


def door_vector(rng: random.Random) -> None:
    vector = rng.choice(VECTORS)
    given = spoil(rng, vector["input"])
    if not isinstance(given, dict):
        given = {"input": given}
    before = repr(given)
    try:
        run_vector(vector["kind"], given)
    finally:
        assert repr(given) == before, "the input was changed"


def door_layout(rng: random.Random) -> None:
    layout = spoil(rng, rng.choice([POSITION, DEALS[0]]))
    before = TABLE.tobytes()
    try:
        GAME.rules.lay_out(TABLE, layout if isinstance(layout, dict) else {"hands": layout})  # type: ignore[misc]
    except QipaiError:
        assert TABLE.tobytes() == before, "the table was changed"
        raise
    GAME.place(TABLE, DEALS[0])


def door_event(rng: random.Random) -> None:
    mind = read_memory(memory())
    before = repr(mind)
    event = rng.choice([
        {"type": "reveal", "card_id": "m0", "number": 3, "source": {"type": "player", "player_id": "me"}},
        {"type": "collect", "by": "me", "number": 5, "card_ids": ["m0", "p0", "5-b"]},
    ])  # fmt: skip
    try:
        update(mind, spoil(rng, event))
    finally:
        assert repr(mind) == before, "the memory was changed"


def door_memory(rng: random.Random) -> None:
    read_memory(spoil(rng, memory()))


def door_init(rng: random.Random) -> None:
    call = spoil(rng, {"id": "b", "hand": [{"id": "a", "number": 2}], "players": [{"id": "m", "hand": []}],
                       "public": [{"id": "p"}], "range": {"min": 1, "max": 12}})  # fmt: skip
    if isinstance(call, dict):
        parts = [call.get(k) for k in ("id", "hand", "players", "public", "range")]
        init_bot_memory(*parts)  # type: ignore[arg-type]


def door_decision(rng: random.Random) -> None:
    mind = read_memory(memory())
    call = spoil(rng, CARDS)
    chain = call.get("chain") if isinstance(call, dict) else call
    people = call.get("players") if isinstance(call, dict) else call
    policy = rng.choice(["seed", "exact", "best", None, 3])
    make_bot_decision(mind, chain, people, rng.choice(JUNK), policy)  # type: ignore[arg-type]


def door_candidates(rng: random.Random) -> None:
    mind = read_memory(memory())
    fields = spoil(rng, CANDIDATE)
    actions = (
        [BotDecision(**fields)] if isinstance(fields, dict) and set(fields) == set(CANDIDATE) else [fields]
    )
    evaluate_all_actions(mind, [Card("x", rng.choice(JUNK))], actions, rng.choice(["seed", "exact", 1]))  # type: ignore[arg-type]


def door_local(rng: random.Random) -> None:
    game = LocalGame()
    game.start_game(deal=rng.choice(DEALS[:1]))
    before = repr(game.players)
    calls: list[Callable[[], Any]] = [
        lambda: game.set_bot_count(rng.choice(JUNK)),
        lambda: game.reveal_player_card(rng.choice(JUNK), rng.choice(JUNK)),
        lambda: game.reveal_public_card(rng.choice([x for x in JUNK if x != "c0"])),
        lambda: game.start_game(deal=spoil(rng, DEALS[0])),
        lambda: game.start_game(rng.choice([x for x in JUNK if x is not None and not isinstance(x, int)])),
        game.process_turn_result,
    ]
    try:
        rng.choice(calls)()
    except QipaiError:
        assert repr(game.players) == before, "the table was changed"
        raise


def door_text(rng: random.Random) -> None:
    words = ["head", "tail", "h", "centre", "c", "头", "7", "0", "-1", " ", "９", "+", "2", "x"]
    parse(rng.choice(["".join(rng.choices(words, k=3)), rng.choice(JUNK)]))


DOORS = (
    door_vector,
    door_vector,
    door_layout,
    door_event,
    door_memory,
    door_init,
    door_decision,
    door_candidates,
    door_local,
    door_text,
)


def fuzz(count: int, seed: int = 0) -> dict[str, int]:
    """Try `count` malformed inputs; return refusals by code. Any other exception is a fault."""
    found: Counter[str] = Counter()
    for i in range(count):
        rng = random.Random(seed * 1_000_003 + i)
        door = DOORS[i % len(DOORS)]
        try:
            door(rng)
            found["accepted"] += 1
        except QipaiError as error:
            found[error.code] += 1
        except Exception as error:
            raise AssertionError(f"{door.__name__}, input {i} of seed {seed}: {error!r}") from error
    return dict(found)
