"""Every world that fits what a seat of Xianqi has seen, by brute force, for tests of `determinize`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from math import comb, erfc, factorial, prod
from typing import Any

import numpy as np

from qipai.core import State, copy_state, get, pick, seed_words
from qipai.games.xianqi import rules
from qipai.games.xianqi import state as st

GAME = get("xianqi")
World = tuple[tuple[int, ...], ...]  # what lies in each slot, as sorted types
Slot = tuple[int, int, int]  # seat, round (8 for the hand), cards
Choice = Callable[[np.ndarray[Any, Any]], int]

EXPECTED = 5  # of a cell of a chi-square test, at least
ANY_POWER = 99


# --- positions ------------------------------------------------------------------------


def lowest(mask: np.ndarray[Any, Any]) -> int:
    """Return the lowest-numbered legal action."""
    return int(mask.argmax())


def at_random(seed: int) -> Choice:
    """Return any legal action, from a separate generator."""
    words = np.zeros(4, np.uint32)
    seed_words(words, seed, 9, 9, 9)
    return lambda mask: int(pick(words, mask, int(mask.sum())))


def walk(
    seed: int, options: dict[str, Any] | None = None, choose: Choice | None = None
) -> list[tuple[State, list[int]]]:
    """Return every decision of a game, by default random, with the actions before it."""
    s = GAME.new(options, words=(seed, 1, 2, 3))
    choose = choose or at_random(seed)
    found: list[tuple[State, list[int]]] = []
    actions: list[int] = []
    while s["seat"] >= 0:
        found.append((copy_state(s), list(actions)))
        actions.append(choose(GAME.mask(s)))
        GAME.rules.apply(s, actions[-1])
    return found


def slots_of(s: State, viewer: int) -> list[Slot]:
    """Return the hidden places: covers by round, then the hand, seat by seat."""
    found = []
    for seat in range(3):
        if seat == viewer:
            continue
        for k in range(rounds_of(s)):
            if s["entry"][k, seat] == st.COVER:
                found.append((seat, k, kind_of(s, k)))
        found.append((seat, 8, int(s["held"][seat])))
    return found


def rounds_of(s: State) -> int:
    """Return the number of rounds so far, including the running one."""
    return min(int(s["closed"]) + 1, 8)


def kind_of(s: State, k: int) -> int:
    """Return cards per seat in round `k`."""
    return int(s["kinds"][k]) if k < s["closed"] else int(s["kind"])


def unpack(packed: int) -> tuple[int, ...]:
    """Return the types of a cover, sorted."""
    types = []
    while packed:
        types.append((packed & 15) - 1)
        packed >>= 4
    return tuple(sorted(types))


def world_of(s: State, viewer: int) -> World:
    """Return what lies where in `s`, as `slots_of` orders it."""
    return tuple(
        unpack(int(s["under"][k, seat]))
        if k < 8
        else tuple(t for t in range(12) for _ in range(int(s["hand"][seat, t])))
        for seat, k, _ in slots_of(s, viewer)
    )


# --- which worlds can be ----------------------------------------------------------------


def dealt_hands(s: State, viewer: int, world: World) -> list[list[int]]:
    """Return the hands at the deal, if `world` is what lies in the hidden places."""
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
    """Return whether the rules allow the whole history from the deal that `world` implies.

    Covers of hidden seats are replayed as `world` says; an unfinished cover of another
    seat is left out, since nobody knows of it.
    """
    places = zip(slots_of(s, viewer), world, strict=True)
    covers = {(seat, k): cards for (seat, k, _), cards in places if k < 8}
    c = GAME.blank()
    for option in GAME.rules.options:
        c[option.name] = s[option.name]
    rules._clear(c)
    c["hand"][:] = dealt_hands(s, viewer, world)
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


def all_worlds(s: State, viewer: int, actions: list[int], most: int = 1 << 30) -> dict[World, int] | None:
    """Return every consistent world with its weight, the ways its cards, told apart, can lie so.

    None where more than `most` would have to be replayed. Cards that a seat would have had to play
    instead of a single cover are not tried; `replays` decides about the others.
    """
    slots, tops = slots_of(s, viewer), ceilings(s, viewer)
    order = sorted(range(len(slots)), key=lambda j: (tops[j], slots[j][2]))
    tried: dict[World, int] = {}
    sofar: list[tuple[int, ...]] = [()] * len(slots)

    def fill(at: int, left: list[int], weight: int) -> None:
        if at == len(order):
            tried[tuple(sofar)] = weight
            return
        j = order[at]
        for cards, ways in handfuls(left, slots[j][2], tops[j]):
            if len(tried) > most:
                return
            rest = list(left)
            for t in cards:
                rest[t] -= 1
            sofar[j] = cards
            fill(at + 1, rest, weight * ways)

    fill(0, hidden_cards(s, viewer), 1)
    if len(tried) > most:
        return None
    return {world: weight for world, weight in tried.items() if replays(s, viewer, world, actions)}


def hidden_cards(s: State, viewer: int) -> list[int]:
    """Return how many cards of each type are hidden from `viewer`: not shown and not its own."""
    left = st.COPIES - s["shown"]
    if viewer >= 0:
        left -= s["hand"][viewer]
        for packed in s["under"][:, viewer].tolist():
            for t in unpack(packed):
                left[t] -= 1
    found: list[int] = left.tolist()
    return found


def handfuls(left: list[int], size: int, top: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the ways to take `size` cards of at most `top` power, each with its number of ways."""
    types = [t for t in range(12) if left[t] and st.POWER[t] <= top]

    def take(i: int, size: int) -> Iterator[tuple[tuple[int, ...], int]]:
        if size == 0:
            yield (), 1
        elif i < len(types):
            t = types[i]
            for n in range(min(left[t], size) + 1):
                for rest, ways in take(i + 1, size - n):
                    yield (t,) * n + rest, ways * comb(left[t], n)

    return take(0, size)


def ceilings(s: State, viewer: int) -> list[int]:
    """Return the highest possible power in each slot: a cover of one card rules out better ones."""
    best: dict[tuple[int, int], int] = {}
    for k in range(rounds_of(s)):
        who, top = int(s["first"]) if k == 0 else int(s["winners"][k - 1]), -1
        for _ in range(3):
            entry = int(s["entry"][k, who])
            if 0 <= entry < st.PLAYS:
                top = int(rules.play_power(s, entry))
            elif entry == st.COVER and kind_of(s, k) == 1:
                best[who, k] = top
            who = (who + 1) % 3
    return [
        min([top for (who, k), top in best.items() if who == seat and k <= at], default=ANY_POWER)
        for seat, at, _ in slots_of(s, viewer)
    ]


def blind_chance(s: State, viewer: int, worlds: dict[World, int]) -> float:
    """Return the chance that a blind shuffle of the hidden cards fits."""
    sizes = [n for _, _, n in slots_of(s, viewer)]
    return sum(worlds.values()) * prod(map(factorial, sizes)) / factorial(sum(sizes))


# --- frequencies ------------------------------------------------------------------------


def redrawn_worlds(s: State, viewer: int, n: int, seed: int = 11) -> Counter[World]:
    """Return how often each world comes in `n` redraws, each made from the one before."""
    GAME.compile()
    c = copy_state(s)
    seed_words(c["rng"], seed, 12, 13, 14)
    determinize, hand, under = GAME.rules.determinize, c["hand"], c["under"]
    seen: Counter[bytes] = Counter()
    example = {}
    for _ in range(n):
        determinize(c, viewer)
        key = hand.tobytes() + under.tobytes()
        seen[key] += 1
        if seen[key] == 1:
            example[key] = world_of(c, viewer)
    found: Counter[World] = Counter()
    for key, count in seen.items():
        found[example[key]] += count
    return found


def fit(seen: Counter[World], weights: dict[World, int]) -> float:
    """Return the chance of a worse fit by chi-square (Wilson and Hilferty); rare worlds are pooled."""
    n, total = seen.total(), sum(weights.values())
    cells, rest = [], [0.0, 0.0]
    for world, weight in weights.items():
        cell = (seen[world], n * weight / total)
        if cell[1] >= EXPECTED:
            cells.append(cell)
        else:
            rest = [rest[0] + cell[0], rest[1] + cell[1]]
    if rest[1] > 0:
        cells.append((int(rest[0]), rest[1]))
    freedom = len(cells) - 1
    if freedom == 0:
        return 1.0
    chi = sum((count - expected) ** 2 / expected for count, expected in cells)
    z = ((chi / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / (2 / (9 * freedom)) ** 0.5
    return erfc(z / 2**0.5) / 2
