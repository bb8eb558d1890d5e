"""`determinize` against brute force: every world that replays, and each as often as it should."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np
import pytest

from qipai.core import State, compile_rules, copy_state, get, pick, seed_words
from qipai.games.xianqi import rules, worlds
from qipai.games.xianqi import state as st

GAME = get("xianqi")
World = tuple[tuple[int, ...], ...]  # what lies in each slot, as sorted types


def walk(seed: int, options: dict[str, Any] | None = None) -> list[tuple[State, list[int]]]:
    """Every decision of a random game, with the actions before it."""
    words = np.zeros(4, np.uint32)
    s = GAME.new(options, words=(seed, 1, 2, 3))
    seed_words(words, seed, 9, 9, 9)
    found: list[tuple[State, list[int]]] = []
    actions: list[int] = []
    while s["seat"] >= 0:
        found.append((copy_state(s), list(actions)))
        mask = GAME.mask(s)
        action = int(pick(words, mask, int(mask.sum())))
        GAME.rules.apply(s, action)
        actions.append(action)
    return found


def slots_of(s: State, viewer: int) -> list[tuple[int, int, int]]:
    """(seat, round or 8 for the hand, cards) of the hidden places; naive."""
    found = []
    for seat in range(3):
        if seat == viewer:
            continue
        for k in range(min(int(s["closed"]) + 1, 8)):
            if s["entry"][k, seat] == st.COVER:
                found.append((seat, k, int(s["kinds"][k]) if k < s["closed"] else int(s["kind"])))
        found.append((seat, 8, int(s["held"][seat])))
    return found


def unpack(packed: int) -> tuple[int, ...]:
    types = []
    while packed:
        types.append((packed & 15) - 1)
        packed >>= 4
    return tuple(sorted(types))


def world_of(s: State, viewer: int) -> World:
    """What lies where in `s`, as `slots_of` orders it."""
    return tuple(
        unpack(int(s["under"][k, seat]))
        if k < 8
        else tuple(t for t in range(12) for _ in range(int(s["hand"][seat, t])))
        for seat, k, _ in slots_of(s, viewer)
    )


def dealt_hands(s: State, viewer: int, world: World) -> list[list[int]]:
    """The hands at the deal, if `world` is what lies in the hidden places."""
    hands = [[0] * 12 for _ in range(3)]
    for k in range(8):
        for seat in range(3):
            entry = int(s["entry"][k, seat])
            if 0 <= entry < st.PLAYS:
                if entry == st.DOG_PAIR:
                    hands[seat][st.R_GOU] += 1
                    hands[seat][st.B_GOU] += 1
                else:
                    hands[seat][int(st.PLAY_TYPE[entry])] += int(st.PLAY_SIZE[entry])
    for (seat, _, _), cards in zip(slots_of(s, viewer), world, strict=True):
        for t in cards:
            hands[seat][t] += 1
    if viewer >= 0:
        for t in range(12):
            hands[viewer][t] += int(s["hand"][viewer, t])
        for k in range(8):
            for t in unpack(int(s["under"][k, viewer])):
                hands[viewer][t] += 1
    return hands


def replays(s: State, viewer: int, world: World, actions: list[int]) -> bool:
    """Whether the rules allow the whole history from the deal that `world` implies.

    Covers of hidden seats are replayed as `world` says; an unfinished cover of another
    seat is left out, since nobody knows of it.
    """
    places = zip(slots_of(s, viewer), world, strict=True)
    covers = {(seat, k): cards for (seat, k, _), cards in places if k < 8}
    hands = dealt_hands(s, viewer, world)
    c = GAME.blank()
    for option in GAME.rules.options:
        c[option.name] = s[option.name]
    rules._clear(c)
    c["hand"][:] = hands
    c["first"] = s["first"]
    c["first_seat"] = -1
    rules.start(c)
    if c["phase"] != st.BUCKLE_DECISION:
        return False
    queue = list(actions)
    while queue:
        seat, k = int(c["seat"]), int(c["closed"])
        action = queue.pop(0)
        if action >= st.UNDER and seat != viewer:
            if (seat, k) not in covers:
                return True  # an unfinished cover
            kind = int(c["kind"])
            del queue[: kind - 1]
            steps = [st.UNDER + t for t in covers[seat, k]]
        else:
            steps = [action]
        for step in steps:
            if not GAME.mask(c)[step]:
                return False
            GAME.rules.apply(c, step)
    return True


def all_worlds(s: State, viewer: int, actions: list[int]) -> dict[World, int]:
    """Every consistent world with its weight: the ways its cards, told apart, can lie so."""
    pool = Counter(t for cards in world_of(s, viewer) for t in cards)
    slots = slots_of(s, viewer)
    found: dict[World, int] = {}

    def fill(j: int, left: Counter[int], sofar: list[tuple[int, ...]], weight: int) -> None:
        if j == len(slots):
            if replays(s, viewer, tuple(sofar), actions):
                found[tuple(sofar)] = weight
            return
        types = sorted(t for t in left if left[t])
        for cards in combinations_with_replacement(types, slots[j][2]):
            need = Counter(cards)
            if any(left[t] < n for t, n in need.items()):
                continue
            ways = 1
            for t, n in need.items():
                ways *= comb(left[t], n)
            fill(j + 1, left - need, [*sofar, cards], weight * ways)

    fill(0, pool, [], 1)
    return found


def chi_square(seen: Counter[World], weights: dict[World, int], n: int) -> tuple[float, int]:
    total = sum(weights.values())
    return sum((seen[w] - n * x / total) ** 2 / (n * x / total) for w, x in weights.items()), len(weights) - 1


def small_positions(count: int, options: dict[str, Any] | None = None) -> list[tuple[State, list[int], int]]:
    """Positions with few, but several, hidden cards and at least one cover; viewer included."""
    found: list[tuple[State, list[int], int]] = []
    seed = 0
    while len(found) < count:
        for s, actions in walk(seed, options):
            for viewer in range(3):
                hidden = sum(n for _, _, n in slots_of(s, viewer))
                covers = sum(k < 8 for _, k, _ in slots_of(s, viewer))
                if hidden <= 8 and covers >= 2 and seed % 3 == viewer:
                    found.append((s, actions, viewer))
                    break
            else:
                continue
            break
        seed += 1
    return found


@pytest.mark.slow
@pytest.mark.parametrize("way", ["shuffling", "counting"])
@pytest.mark.parametrize("dog_pair", ["above_red_shi", "equal_red_shi"])
def test_worlds_are_uniform_over_all_that_replay(way: str, dog_pair: str) -> None:
    compile_rules([worlds.redraw_within], GAME.rules.State, "xianqi/worlds")
    most = 1 << 40 if way == "shuffling" else 0
    checked = 0
    for s, actions, viewer in small_positions(12, {"dog_pair": dog_pair}):
        weights = all_worlds(s, viewer, actions)
        assert world_of(s, viewer) in weights or int(s["picked"]) > 0
        n = 60 * len(weights)
        if n > 60_000:
            continue
        seen: Counter[World] = Counter()
        c = copy_state(s)
        seed_words(c["rng"], 11, 12, 13, 14)
        for _ in range(n):
            worlds.redraw_within(c, viewer, most)
            seen[world_of(c, viewer)] += 1
        assert set(seen) <= set(weights), "a world that cannot be"
        chi, freedom = chi_square(seen, weights, n)
        assert chi < freedom + 5 * (2 * freedom) ** 0.5 + 12, (chi, freedom)
        checked += 1
    assert checked >= 6


def test_every_drawn_world_replays() -> None:
    compile_rules([worlds.redraw_within], GAME.rules.State, "xianqi/worlds")
    for seed in range(30):
        for s, actions in walk(seed, {"black_chess": "redeal"})[::3]:
            for viewer in (-1, 0, 1, 2):
                for most in (0, 64) if viewer >= 0 else (64,):
                    c = copy_state(s)
                    seed_words(c["rng"], seed, most, viewer + 1, 5)
                    worlds.redraw_within(c, viewer, most)
                    assert replays(s, viewer, world_of(c, viewer), actions)


def test_a_seat_that_covered_a_single_holds_nothing_stronger() -> None:
    """A seat that covered against R_MA (5) cannot hold shi or xiang in any world."""
    hands = [
        {"R_SHI": 2, "B_SHI": 2, "R_MA": 2, "R_NIU": 2},
        {"R_XIANG": 1, "B_MA": 2, "R_CHE": 2, "B_CHE": 2, "R_GOU": 1},
        {"R_XIANG": 1, "B_XIANG": 2, "B_GOU": 1, "R_NIU": 1, "B_NIU": 3},
    ]
    s = GAME.new(layout={"hands": hands, "first": 0, "actions": [st.PLAYS - 25 + 2 + 2]})  # play R_MA single
    # seat 1 must beat with R_XIANG; seat 2 then cannot beat 7 and covers a black niu
    GAME.rules.apply(s, 2)
    GAME.rules.apply(s, st.UNDER + st.B_NIU)
    for k in range(50):
        c = GAME.redrawn(s, 1, (k, 2, 3, 4))
        assert c["hand"][2, st.R_SHI] == 0 and c["hand"][2, st.B_SHI] == 0
        assert c["hand"][0, st.R_SHI] == 2, "the shi that seat 2 cannot hold are seat 0's"


def test_an_unfinished_cover_is_told_to_no_one() -> None:
    for seed in range(40):
        for s, _ in walk(seed):
            if s["picked"] > 0:
                for viewer in (-1, 0, 1, 2):
                    c = GAME.redrawn(s, viewer, (seed, 2, 3, 4))
                    assert bool(c["picked"]) == (viewer == s["seat"])
                    assert np.array_equal(GAME.observation_of(c, viewer), GAME.observation_of(s, viewer))
