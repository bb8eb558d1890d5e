"""Shared by NANA's tests: random positions, the spec's fixture F, and facts of a state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from qipai.arena import Standings, run
from qipai.core import State
from qipai.games.nana import (
    GAME,
    BotMemory,
    Card,
    Facts,
    Player,
    facts_of,
    init_bot_memory,
    update_memory_on_reveal,
)
from qipai.games.nana.bots.hard import memory_from_view
from qipai.games.nana.rules import slot_of
from qipai.games.nana.view import Reading

RANGE_12 = {"min": 1, "max": 12}
ME = Player("me", [Card(f"m{i}") for i in range(7)])
BOT_2 = Player("bot-2", [Card(f"b{i}") for i in range(7)])
PUBLIC = [Card(f"p{i}") for i in range(8)]
HAND = [Card("2-a", 2), Card("5-b", 5), Card("8-c", 8)]
PUBLIC_SOURCE = {"type": "public"}


def players(hand: list[Card]) -> list[Player]:
    """Return fixture F's players, with this hand for bot-1."""
    return [ME, Player("bot-1", hand), BOT_2]


def fixture(hand: list[Card] | None = None, public: list[Card] | None = None) -> BotMemory:
    """Return fixture F of the spec, §16."""
    held = HAND if hand is None else hand
    return init_bot_memory("bot-1", held, players(held), PUBLIC if public is None else public, RANGE_12)


def source(player: str) -> dict[str, str]:
    return {"type": "player", "player_id": player}


def end(player: str, position: str) -> dict[str, str]:
    return {"type": "player", "player_id": player, "position": position}


def reveal(memory: BotMemory, card: str, number: int) -> BotMemory:
    """Read an event such as `reveal m0=3`; the id tells whose card it is."""
    where = {"m": source("me"), "b": source("bot-2"), "p": PUBLIC_SOURCE}[card[0]]
    return update_memory_on_reveal(memory, card, number, where)


def random_states(
    count: int, seats: int, seed: int = 0, most: int = 40, layout: dict[str, Any] | None = None
) -> Iterator[State]:
    """Yield positions some way into games of mixed random and remembering play."""
    rng = np.random.default_rng(seed)
    for i in range(count):
        s = GAME.new(seats=seats, words=(seed, i, seats, 77), layout=layout)
        for _ in range(int(rng.integers(0, most))):
            if s["seat"] < 0:
                break
            legal = GAME.legal_actions(s)
            up = [a for a in legal if s["links"] and shows_target(s, a)]
            GAME.rules.apply(s, int(rng.choice(up if up and rng.random() < 0.7 else legal)))
        if s["seat"] >= 0:
            yield s


def shows_target(s: State, action: int) -> bool:
    """Return whether an action would show the number of the chain (tests may peek)."""
    return bool(s["card"][slot_of(s, action)] == s["card"][s["chain"][0]])


def facts_for(s: State, seat: int) -> Facts:
    """Return what `seat` knows, as facts."""
    seen = GAME.rules.view(s, seat)
    return facts_of(memory_from_view(seen), [card["slot"] for card in seen["face_up"]])[0]


def world_of(s: State) -> tuple[int, ...]:
    """Return every dealt card, in the order of the slots."""
    table = Reading(s)
    return tuple(table.card[slot] for slot in table.slots())


def contest(one: str, other: str, seats: int, deals: int, seed: int = 0) -> Standings:
    """Play one seat of `one` against `other` in all the others."""
    return run(GAME, [one] + [other] * (seats - 1), deals, seed=seed, seats=seats, threads=1)
