"""Shapes in a list of tiles: a complete hand, the best melds, which fourteen to keep, waits.

The rules decide who wins (`win.py`); this module finds which tiles make the melds, as views, bots and the
named API show them. It is plain Python, because a list is allocated a few times per game. Only kinds and
reds matter, so tiles that look the same are interchangeable.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

from . import win
from .layout import ready
from .state import HAND_MAX, MELDS
from .tiles import KINDS, is_red, key_of, kind_of

Step = tuple[int, ...]  # the kinds of a meld or a pair
Ways = dict[tuple[int, int], tuple[int, list[Step]]]  # (melds, pairs): most reds, and how
Groups = tuple[tuple[int, ...], ...]  # melds, then the pair: tiles, or places in a list
RED_KINDS = (4, 13, 22)
RUN_STARTS = tuple(k for k in range(27) if k % 9 < 7)


def count_kinds(tiles: Iterable[int]) -> list[int]:
    """Return how many tiles of each kind there are."""
    counts = [0] * KINDS
    for t in tiles:
        counts[kind_of(t)] += 1
    return counts


def change(counts: list[int], step: Iterable[int], by: int) -> None:
    """Add `by` to the count of every kind of a step."""
    for kind in step:
        counts[kind] += by


def places_of(steps: Iterable[Step], tiles: Sequence[int]) -> Groups:
    """Return the places in the list of each meld, then of the pair; a red five goes first."""
    left: dict[int, list[int]] = {}
    for i in sorted(range(len(tiles)), key=lambda i: not is_red(tiles[i])):
        left.setdefault(kind_of(tiles[i]), []).append(i)
    groups = [tuple(left[k].pop(0) for k in step) for step in steps]
    return tuple(sorted(groups, key=lambda group: len(group) == 2))


def meld_keys(kinds: Sequence[int]) -> dict[str, Any]:
    """Return a meld in the form of §9.4."""
    return {"type": "triplet" if kinds[0] == kinds[1] else "sequence", "keys": [key_of(k) for k in kinds]}


# --- a complete hand ------------------------------------------------------------------


def split_hand(tiles: Sequence[int]) -> list[list[int]] | None:
    """Return fourteen tiles as four melds and a pair, in the canonical way of §8, or None."""
    steps = _canonical(count_kinds(tiles), MELDS, False) if len(tiles) == HAND_MAX else None
    return None if steps is None else [[tiles[i] for i in group] for group in places_of(steps, tiles)]


def _canonical(counts: list[int], melds: int, paired: bool) -> list[Step] | None:
    """Find the first way: lowest kind first; triplet, then run, then pair."""
    k = next((i for i in range(KINDS) if counts[i]), KINDS)
    if k == KINDS:
        return []
    steps: list[Step] = []
    if counts[k] >= 3 and melds:
        steps.append((k, k, k))
    if k < 27 and k % 9 < 7 and counts[k + 1] and counts[k + 2] and melds:
        steps.append((k, k + 1, k + 2))
    if counts[k] >= 2 and not paired:
        steps.append((k, k))
    for step in steps:
        change(counts, step, -1)
        rest = _canonical(counts, melds - (len(step) == 3), paired or len(step) == 2)
        change(counts, step, 1)
        if rest is not None:
            return [step, *rest]
    return None


def is_feasible(counts: list[int], melds: int, pair: bool) -> bool:
    """Return whether the counts contain this many melds, and a pair if one is wanted; exact."""
    ready()
    most = [_most_melds(counts, suit) for suit in range(4)]
    if sum(most) < melds:
        return False
    if not pair:
        return True
    for k in range(KINDS):
        if counts[k] >= 2:
            suit = min(k // 9, 3)
            counts[k] -= 2
            left = sum(most) - most[suit] + _most_melds(counts, suit)
            counts[k] += 2
            if left >= melds:
                return True
    return False


def _most_melds(counts: list[int], suit: int) -> int:
    if suit == 3:
        return sum(n >= 3 for n in counts[27:])
    return int(win.melds_in_suit(sum(n << 4 * i for i, n in enumerate(counts[9 * suit : 9 * suit + 9]))))


@lru_cache(1024)
def waits(tiles: tuple[int, ...]) -> tuple[int, ...]:
    """Return the kinds of which one more tile would complete a hand out of these."""
    if len(tiles) < HAND_MAX - 1:
        return ()
    counts = count_kinds(tiles)
    found = []
    for k in range(KINDS):
        if counts[k] < 4:
            counts[k] += 1
            if is_feasible(counts, MELDS, True):
                found.append(k)
            counts[k] -= 1
    return tuple(found)


# --- the best of a list ---------------------------------------------------------------


@lru_cache(1024)
def best_steps(tiles: tuple[int, ...]) -> tuple[Step, ...]:
    """Return as many melds as the list holds (at most four), then a pair, then most reds."""
    counts, reds = count_kinds(tiles), _red_kinds(tiles)
    table: Ways = {(0, 0): (0, [])}
    for suit in range(4):
        table = _joined(table, suit_ways(counts, suit, reds))
    return tuple(table[max(table, key=lambda key: (10 * key[0] + 3 * key[1], table[key][0]))][1])


def best_groups(tiles: tuple[int, ...]) -> Groups:
    """Return the places in the list of its best melds, then of its pair."""
    return places_of(best_steps(tiles), tiles)


@lru_cache(1024)
def keep_mask(tiles: tuple[int, ...]) -> tuple[bool, ...]:
    """Return for each tile whether to keep it: a complete hand, else the best shape of at most 14."""
    chosen = best_shape(best_steps(tiles), count_kinds(tiles), _red_kinds(tiles))
    want = [0] * KINDS
    change(want, chosen, 1)
    mask = [False] * len(tiles)
    for i in sorted(range(len(tiles)), key=lambda i: not is_red(tiles[i])):
        k = kind_of(tiles[i])
        if want[k]:
            want[k] -= 1
            mask[i] = True
    return tuple(mask)


def _red_kinds(tiles: Iterable[int]) -> set[int]:
    return {kind_of(t) for t in tiles if is_red(t)}


def suit_ways(counts: list[int], suit: int, reds: set[int]) -> Ways:
    """Return what melds and pair one suit can give, with the most reds for each number of them."""
    first, size = 9 * suit, 7 if suit == 3 else 9
    count = [*counts[first : first + size], 0, 0]
    red = RED_KINDS[suit] - first if suit < 3 and RED_KINDS[suit] in reds else -1

    @cache
    def go(i: int, here: int, there: int, melds: int, pairs: int, used: int) -> Ways:
        """Return the ways from number `i` on; `here` and `there` remain of it and of the next one."""
        if i == size:
            return {(melds, pairs): (used, [])}
        found: Ways = {}
        for parts in options_at(first + i, here, suit < 3 and i < 7, melds, pairs):
            runs = sum(step[0] != step[-1] for step in parts)
            if runs > there or runs > count[i + 2]:
                continue
            more = sum(len(step) == 3 for step in parts)
            touched = any(red + first in step for step in parts)
            rest = go(
                i + 1,
                there - runs,
                count[i + 2] - runs,
                melds + more,
                pairs + len(parts) - more,
                used | touched,
            )
            for key, (most, steps) in rest.items():
                if key not in found or most > found[key][0]:
                    found[key] = most, parts + steps
        return found

    return go(0, count[0], count[1], 0, 0, 0)


def options_at(k: int, n: int, runs: bool, melds: int, pairs: int) -> list[list[Step]]:
    """Return what may begin at a kind of which `n` are left: a triplet, runs, a pair, together or none."""
    found: list[list[Step]] = []
    for triplets in range(2 if n >= 3 else 1):
        for q in range(3 if runs else 1):
            for p in range(1 if pairs else 2):
                if 3 * triplets + q + 2 * p <= n and melds + triplets + q <= MELDS:
                    parts: list[Step] = [(k, k, k)] * triplets
                    parts += [(k, k + 1, k + 2)] * q
                    parts += [(k, k)] * p
                    found.append(parts)
    return found


def _joined(one: Ways, other: Ways) -> Ways:
    found: Ways = {}
    for (m, p), (reds, steps) in one.items():
        for (m2, p2), (reds2, steps2) in other.items():
            key = m + m2, p + p2
            if key[0] <= MELDS and key[1] <= 1 and (key not in found or reds + reds2 > found[key][0]):
                found[key] = reds + reds2, steps + steps2
    return found


def best_shape(steps: Iterable[Step], counts: list[int], reds: set[int]) -> list[int]:
    """Return the kinds to keep: melds and a pair first, then partial melds, then the best of the rest."""
    kept = [k for step in steps for k in step]
    left = list(counts)
    change(left, kept, -1)
    for step in _partials():
        if len(kept) + len(step) <= HAND_MAX and all(left[k] >= step.count(k) for k in step):
            kept += step
            change(left, step, -1)
    rest = [k for k in range(KINDS) for _ in range(left[k])]
    rest.sort(key=lambda k: -_company(counts, k) - 10 * (k in reds))
    return kept + rest[: HAND_MAX - len(kept)]


def _partials() -> list[Step]:
    """Return pairs of kinds that want a third: open runs, pairs, gaps, edges."""
    runs = [(k, k + 1) for k in range(27) if k % 9 < 8]
    open_runs = [r for r in runs if 0 < r[0] % 9 < 7]
    gaps = [(k, k + 2) for k in range(27) if k % 9 < 7]
    pairs = [(k, k) for k in range(KINDS)]
    edges = [r for r in runs if r not in open_runs]
    return [*open_runs, *pairs, *gaps, *edges]


def _company(counts: list[int], k: int) -> int:
    """Return how much of the list lies near a kind."""
    near = 2 * (counts[k] - 1)
    if k < 27:
        near += sum(counts[j] for j in (k - 2, k - 1, k + 1, k + 2) if 0 <= j < 27 and j // 9 == k // 9)
    return near


# --- the CPU's progress ---------------------------------------------------------------


def cpu_steps(tiles: Iterable[int]) -> tuple[list[Step], Step | None]:
    """Return the preview of the CPU's hand (§16): at most four melds, triplets before runs, and a pair."""
    counts = count_kinds(tiles)
    steps: list[Step] = []
    for k in range(KINDS):
        if counts[k] >= 3 and len(steps) < MELDS:
            steps.append((k, k, k))
            counts[k] -= 3
    for k in RUN_STARTS:
        while len(steps) < MELDS and counts[k] and counts[k + 1] and counts[k + 2]:
            steps.append((k, k + 1, k + 2))
            change(counts, steps[-1], -1)
    return steps, next(((k, k) for k in range(KINDS) if counts[k] >= 2), None)
