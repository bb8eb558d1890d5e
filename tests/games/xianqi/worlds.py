"""Xianqi's `determinize` over many positions: frequencies against brute force, and the work of one world."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from qipai.core import State, compile_rules, copy_state, draw, new_states, pick, rule, seed_words
from qipai.games.xianqi.observe import determinize
from qipai.games.xianqi.rules import apply, deal, legal
from qipai.games.xianqi.state import ACTIONS, BUCKLE, PAIRS, PLAYS, SEATS

from .consistent import (
    GAME,
    all_worlds,
    blind_chance,
    fit,
    lowest,
    redrawn_worlds,
    slots_of,
    walk,
    world_of,
)
from .positions import OPTION_SETS, VIEWERS

DRAWS = 60  # per world
MOST_WORLDS = 600  # of a position, to be compared
HIDDEN = 9  # cards of a small position, at most
BLIND = 1 / 1000  # a position is hard if a blind shuffle fits more seldom
UNLIKELY = 1e-7

Position = tuple[State, list[int], int]  # with the actions before it and the viewer


# --- frequencies ------------------------------------------------------------------------


def frequencies(random: int, hard: int) -> dict[str, Any]:
    """Compare the frequencies of redrawn worlds with brute force, by chi-square."""
    figures: dict[str, Any] = {}
    for name, positions in (("random play", small(random)), ("hard", difficult(hard))):
        found = list(positions)
        chances = [chance(position, k) for k, position in enumerate(found)]
        assert min(chances) > UNLIKELY, f"{name}: p = {min(chances)}"
        figures[f"{name}: positions"] = len(found)
        figures[f"{name}: smallest p"] = f"{min(chances):.2g}"
        figures[f"{name}: p below 0.05"] = f"{np.mean(np.array(chances) < 0.05):.1%}"
    return figures


def chance(position: Position, seed: int) -> float:
    """Return the chance of a worse fit than that of the worlds redrawn from a position."""
    s, actions, viewer = position
    weights = all_worlds(s, viewer, actions)
    assert weights
    seen = redrawn_worlds(s, viewer, DRAWS * len(weights), seed)
    assert set(seen) <= set(weights), "a world that cannot be"
    return fit(seen, weights)


def small(count: int) -> Iterator[Position]:
    """Yield positions of random play under all sets of options, with few hidden cards."""
    seed = 0
    while count > 0:
        viewer = VIEWERS[seed // len(OPTION_SETS) % len(VIEWERS)]
        for s, actions in walk(seed, OPTION_SETS[seed % len(OPTION_SETS)]):
            slots = slots_of(s, viewer)
            if sum(n for _, _, n in slots) <= HIDDEN and any(k < 8 for _, k, _ in slots):
                weights = all_worlds(s, viewer, actions, MOST_WORLDS)
                if weights is not None and count > 0:
                    yield s, actions, viewer
                    count -= 1
                    break
        seed += 1


def difficult(count: int) -> Iterator[Position]:
    """Yield positions of lowest-action play in which a blind shuffle seldom fits."""
    seed = 0
    while count > 0:
        viewer = seed % SEATS
        for s, actions in walk(seed, choose=lowest)[::-1]:
            if sum(n for _, _, n in slots_of(s, viewer)) <= HIDDEN:
                continue
            weights = all_worlds(s, viewer, actions, MOST_WORLDS)
            if weights is None:
                break  # those before it have more
            if blind_chance(s, viewer, weights) < BLIND:
                assert world_of(s, viewer) in weights or s["picked"] > 0
                yield s, actions, viewer
                count -= 1
                break
        seed += 1


# --- work -------------------------------------------------------------------------------

WAYS = ("random", "lowest", "highest", "no buckle", "weak pairs", "weak singles")
WORDS = 1 << 14  # of a world; a word and what is done with it take some ten nanoseconds


def work(games: int) -> dict[str, Any]:
    """Count the generator words that a world takes, in six ways to play and under all sets of options."""
    compile_rules([count_words], GAME.rules.State, "xianqi/proof/worlds")
    mask, rng = np.zeros(GAME.width, np.uint8), np.zeros(4, np.uint32)
    states = new_states(GAME.rules.State, 2)
    figures: dict[str, Any] = {}
    for way, name in enumerate(WAYS):
        counts = np.zeros(WORDS + 1, np.int64)
        for k, options in enumerate(OPTION_SETS):
            seed_words(rng, way, k, 3, 4)
            states[0] = copy_state(GAME.blank(options))
            count_words(states, games // len(OPTION_SETS), way, rng, mask, counts)
        assert counts[WORDS] == 0, f"{name}: a world took {WORDS} words or more"
        share = np.cumsum(counts) / counts.sum()
        most = int(np.flatnonzero(counts)[-1])
        figures[name] = (
            f"{int(counts.sum()):,} worlds, words: p50 {int(np.searchsorted(share, 0.5))}, "
            f"p99.9 {int(np.searchsorted(share, 0.999))}, most {most}"
        )
    return figures


@rule(states="states", counts="i8[:]")  # type: ignore[untyped-decorator]
def count_words(states: Any, games: Any, way: Any, rng: Any, mask: Any, counts: Any) -> None:
    """Play games in a way of `WAYS`; draw a world for everyone at every decision and count its words."""
    for _ in range(games):
        s = states[0]
        deal(s)
        while s.seat >= 0:
            for seat in range(-1, SEATS):
                states[1] = states[0]
                c = states[1]
                for k in range(4):
                    c.rng[k] = draw(rng, 1 << 30)
                before = int(c.rng[3])  # sfc32 counts its words there
                determinize(c, seat)
                counts[min((int(c.rng[3]) - before) & 0xFFFFFFFF, len(counts) - 1)] += 1
            n = legal(s, mask)
            apply(s, choose(way, rng, mask, n))


@rule
def choose(way: Any, rng: Any, mask: Any, n: Any) -> Any:
    """Return a legal action, chosen by the kind of play."""
    found = -1
    for a in range(ACTIONS):
        if mask[a] != 0:
            if way == 1 and found < 0:
                found = a
            if way == 2 or (way == 4 and PAIRS <= a < PLAYS) or (way == 5 and a < PAIRS):
                found = a
    if way == 3 and mask[BUCKLE] != 0 and n > 1:
        mask[BUCKLE] = 0
        n -= 1
    return found if found >= 0 else pick(rng, mask, n)
