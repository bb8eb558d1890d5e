"""How the bots share out a list of tiles: a won hand with most reds, else the best shape.

Plain Python: an allocation comes a few times a game. Only kinds and reds matter here, so
equal tiles are told apart by nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from .tiles import KINDS, is_red, kind_of
from .win import HAND_MAX, MELDS

Step = tuple[int, ...]  # kinds of a meld or a pair
Ways = dict[tuple[int, int], tuple[int, list[Step]]]  # (melds, pairs): most reds, and how
RED_KINDS = (4, 13, 22)


def keep_mask(tiles: Sequence[int]) -> list[bool]:
    """For each tile of the list, whether to keep it; at most 14."""
    counts = [0] * KINDS
    reds = {kind_of(t) for t in tiles if is_red(t)}
    for t in tiles:
        counts[kind_of(t)] += 1
    steps = best_win(counts, reds)
    chosen = [k for step in steps for k in step] if steps else best_shape(counts, reds)
    return _mark(tiles, chosen)


def best_win(counts: list[int], reds: set[int]) -> list[Step] | None:
    """Four melds and a pair out of the counts, with most reds; None when there are none."""
    if sum(counts) < HAND_MAX:
        return None
    table: Ways = {(0, 0): (0, [])}
    for suit in range(4):
        table = _joined(table, suit_ways(counts, suit, reds))
    found = table.get((MELDS, 1))
    return None if found is None else found[1]


def suit_ways(counts: list[int], suit: int, reds: set[int]) -> Ways:
    """What melds and pair one suit can give, with the most reds for each number of them."""
    first, size = 9 * suit, 7 if suit == 3 else 9
    left = counts[first : first + size]
    found: Ways = {}
    red = RED_KINDS[suit] - first if suit < 3 and RED_KINDS[suit] in reds else -1

    def go(i: int, melds: int, pairs: int, used: int, steps: list[Step]) -> None:
        if i == size:
            if (melds, pairs) not in found or used > found[melds, pairs][0]:
                found[melds, pairs] = used, list(steps)
            return
        for parts in options_at(first + i, left[i], suit < 3 and i < 7, melds, pairs):
            need = [0] * size
            for step in parts:
                for k in step:
                    need[k - first] += 1
            if any(n > left[j] for j, n in enumerate(need)):
                continue
            for j, n in enumerate(need):
                left[j] -= n
            more = sum(len(step) == 3 for step in parts)
            touched = 1 if red >= 0 and need[red] and used == 0 else 0
            go(i + 1, melds + more, pairs + len(parts) - more, used + touched, steps + parts)
            for j, n in enumerate(need):
                left[j] += n

    go(0, 0, 0, 0, [])
    return found


def options_at(k: int, n: int, runs: bool, melds: int, pairs: int) -> list[list[Step]]:
    """What may begin at a kind of which `n` are left: a triplet, runs, a pair, together or none."""
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


def best_shape(counts: list[int], reds: set[int]) -> list[int]:
    """Kinds to keep without a win: melds first, a pair, partial melds, then the best of the rest."""
    table: Ways = {(0, 0): (0, [])}
    for suit in range(4):
        table = _joined(table, suit_ways(counts, suit, reds))
    _, steps = table[max(table, key=lambda key: (10 * key[0] + 3 * key[1], table[key][0]))]
    kept = [k for step in steps for k in step]
    left = list(counts)
    for k in kept:
        left[k] -= 1
    for step in _partials(left):
        if len(kept) + len(step) <= HAND_MAX and all(left[k] >= step.count(k) for k in step):
            kept += step
            for k in step:
                left[k] -= 1
    rest = [k for k in range(KINDS) for _ in range(left[k])]
    rest.sort(key=lambda k: -_company(counts, k) - 10 * (k in reds))
    return kept + rest[: HAND_MAX - len(kept)]


def _partials(left: list[int]) -> list[Step]:
    """Two tiles that want a third: open runs, pairs, gaps, edges."""
    runs = [(k, k + 1) for k in range(27) if k % 9 < 8]
    open_runs = [r for r in runs if 0 < r[0] % 9 < 7]
    gaps = [(k, k + 2) for k in range(27) if k % 9 < 7]
    pairs = [(k, k) for k in range(KINDS)]
    edges = [r for r in runs if r not in open_runs]
    return [*open_runs, *pairs, *gaps, *edges]


def _company(counts: list[int], k: int) -> int:
    """How much the list has beside a kind."""
    near = 2 * (counts[k] - 1)
    if k < 27:
        near += sum(counts[j] for j in (k - 2, k - 1, k + 1, k + 2) if 0 <= j < 27 and j // 9 == k // 9)
    return near


def _mark(tiles: Sequence[int], chosen: list[int]) -> list[bool]:
    """Which tiles of the list serve the chosen kinds, a red five first."""
    want = [0] * KINDS
    for k in chosen:
        want[k] += 1
    mask = [False] * len(tiles)
    for i in sorted(range(len(tiles)), key=lambda i: not is_red(tiles[i])):
        k = kind_of(tiles[i])
        if want[k]:
            want[k] -= 1
            mask[i] = True
    return mask
