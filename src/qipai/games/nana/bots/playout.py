"""NANA's fast policy: a player who remembers every card that was shown and guesses the rest.

It reads only what the seat to move knows: its own hand, the cards that were ever shown, and the order of the
hands. `exact` counts true chances; here each end of a hand gets a rough one, a hundred times as fast.

`work` holds, by number: the copies that the seat cannot place, and those that it can ask for now.
"""

from __future__ import annotations

import numpy as np

from qipai.core import draw, rule

from ..rules import slot_of, win_reason
from ..state import ACTIONS, CENTRE_ACTION, CENTRE_SLOT, COPIES, HAND, NUMBERS, REASON_NONE, SEATS
from ..worlds import COLUMNS, ENDS, backward, forward, gather, table_size
from .policy import find_plans, is_dark, mark_candidates, weigh

REST = 0
WITHIN = NUMBERS + 2
HIDDEN = 2 * (NUMBERS + 2)  # places that the seat has never seen
ROUGH = HIDDEN + 1

# What `prior` counts with, behind that; the names are those of `policy.py` and `worlds.py`.
FILLS = 8000  # fill states that are counted at most
HANDS = ROUGH
KNOWN = HANDS + SEATS * COLUMNS
UNPLACED = KNOWN + SEATS * ENDS
VECTORS = UNPLACED + ENDS
BEST = VECTORS + 4 * SEATS
PLAN = BEST + ACTIONS * ENDS
AHEAD = PLAN + ACTIONS * ENDS
BEHIND = AHEAD + ENDS * FILLS
KEPT = BEHIND + ENDS * FILLS
GAIN = KEPT + 4  # 22 bytes
WORK = GAIN + ACTIONS
NEAR = 0.05  # a reveal worth so much less than the best has half its weight
SURE = 1 - 1e-9  # a counted chance of one

WINNING = 2.0  # a trio that wins, against one that does not
TELLS_OWN = -0.07  # showing a card, where the attempt fails
TELLS_CENTRE = -0.04
TELLS_OTHER = 0.06
TRIO, PAIR, SINGLE = 1.0, 0.25, 0.05  # what one more card of a number is worth, by how many are then missing


@rule(work="i8[:]")
def playout(s, mask, n, rng, work):
    """Choose the reveal that seems to be worth most; equal ones are drawn from."""
    remember(s, work)
    best = -1
    highest = 0.0
    ties = 1
    for a in range(ACTIONS):
        if mask[a] == 0:
            continue
        value = worth(s, a, work)
        if best < 0 or value > highest:
            best = a
            highest = value
            ties = 1
        elif value == highest:
            ties += 1
            if draw(rng, ties) == 0:
                best = a
    return best


@rule(work="i8[:]", weights="f8[:]")
def prior(s, mask, n, work, weights):
    """Weigh the reveals by their true chances, as `exact` does; by rough ones where those take too long.

    Of reveals that come to the same only one is left, and of those that win for certain only the first.
    """
    seat = int(s.current)
    hands = work[HANDS:KNOWN].reshape(SEATS, COLUMNS)
    known = work[KNOWN:UNPLACED].reshape(SEATS, ENDS)
    rest = work[UNPLACED:VECTORS]
    count = gather(s, seat, 0, hands, known, rest)
    size = table_size(hands, count)
    if size > FILLS:
        prefer_roughly(s, mask, work, weights)
        return
    k = work[VECTORS : VECTORS + SEATS]
    d = work[VECTORS + SEATS : VECTORS + 2 * SEATS]
    fix = work[VECTORS + 2 * SEATS : VECTORS + 3 * SEATS]
    ask = work[VECTORS + 3 * SEATS : BEST]
    best = work[BEST:PLAN].view(np.float64).reshape(ACTIONS, ENDS)
    plan = work[PLAN:AHEAD].reshape(ACTIONS, ENDS)
    behind = work[BEHIND:KEPT].view(np.float64).reshape(ENDS, FILLS)
    ahead = work[AHEAD:BEHIND].view(np.float64).reshape(ENDS, FILLS)
    kept = work[KEPT:GAIN].view(np.uint8)
    gain = work[GAIN:WORK].view(np.float64)
    backward(hands, count, known, rest, k, d, size, behind)
    forward(hands, count, known, rest, k, d, size, ahead)
    find_plans(s, seat, hands, count, known, rest, k, d, fix, ask, ahead, behind, best, plan)
    mark_candidates(s, mask, best, kept)
    chosen = weigh(s, mask, best, kept, gain)
    sure = certain_win(s, mask, best)
    for a in range(ACTIONS):
        weights[a] = 0.0
        if mask[a] != 0 and kept[a] != 0 and sure < 0:
            less = (gain[chosen] - gain[a]) / NEAR
            weights[a] = 1.0 / (1.0 + less * less)
    if sure >= 0:
        weights[sure] = 1.0


@rule(best="f8[:,:]")
def certain_win(s, mask, best):
    """Return the first reveal that leads to a winning trio for certain, -1 if there is none."""
    won = int(s.won[s.current])
    for a in range(ACTIONS):
        if mask[a] != 0:
            for n in range(1, NUMBERS + 1):
                if best[a, n] > SURE and win_reason(int(s.mode), won | (1 << n)) != REASON_NONE:
                    return a
    return -1


@rule(work="i8[:]", weights="f8[:]")
def prefer_roughly(s, mask, work, weights):
    """Weigh the reveals by what they seem to be worth; a second dark centre card is as good as the first."""
    remember(s, work)
    dark = 0
    for a in range(ACTIONS):
        weights[a] = 0.0
        if mask[a] == 0:
            continue
        slot = slot_of(s, a)
        if a >= CENTRE_ACTION and is_dark(s, slot, -1):
            if dark:
                continue
            dark = 1
        if a < CENTRE_ACTION and a & 1 and slot == slot_of(s, a - 1):
            continue  # the only card of a hand, which its head names
        weights[a] = 0.05 + max(worth(s, a, work), 0.0)


@rule(work="i8[:]")
def remember(s, work):
    """Fill `work` with what the seat to move knows of each number."""
    for n in range(ROUGH):
        work[n] = 0
    for n in range(1, NUMBERS + 1):
        work[REST + n] = COPIES if (int(s.numbers) >> n) & 1 else 0
    for k in range(s.seats):
        for i in range(s.dealt[k]):
            if k != s.current and s.dark_low[k] <= i < s.dark_high[k]:
                work[HIDDEN] += 1
            else:
                work[REST + s.card[k * HAND + i]] -= 1
        _count_ends(s, k, work)
    down = int(s.lying) & ~int(s.turned)
    for i in range(s.centre):
        if (int(s.shown) >> i) & 1:
            n = int(s.card[CENTRE_SLOT + i])
            work[REST + n] -= 1
            work[WITHIN + n] += (down >> i) & 1
        else:
            work[HIDDEN] += 1


@rule(work="i8[:]")
def _count_ends(s, k, work):
    """Count the known cards that hand `k` would give up one after the other, from either end."""
    low = int(s.head[k])
    high = int(s.tail[k])
    i = low
    while i < high and _knows(s, k, i) and s.card[k * HAND + i] == s.card[k * HAND + low]:
        i += 1
    if i > low:
        work[WITHIN + s.card[k * HAND + low]] += i - low
    j = high
    while j > i and _knows(s, k, j - 1) and s.card[k * HAND + j - 1] == s.card[k * HAND + high - 1]:
        j -= 1
    if j < high:
        work[WITHIN + s.card[k * HAND + high - 1]] += high - j


@rule
def _knows(s, k, i):
    """Return whether the seat to move knows card `i` of hand `k`."""
    return k == s.current or not s.dark_low[k] <= i < s.dark_high[k]


@rule(work="i8[:]")
def worth(s, a, work):
    """Return what a reveal seems to be worth: the number it may show, and what it tells the others."""
    slot = slot_of(s, a)
    hidden = is_dark(s, slot, int(s.current))
    target = int(s.card[s.chain[0]]) if s.links > 0 else 0
    value = 0.0
    if not hidden:
        n = int(s.card[slot])
        if target == 0:
            value = _prospect(s, n, int(work[WITHIN + n]), work)
        elif n == target:
            value = 1.0
    elif target > 0:
        value = chance(s, a, slot, target, work)
    else:
        for n in range(1, NUMBERS + 1):
            if work[REST + n] > 0:
                value += chance(s, a, slot, n, work) * _prospect(s, n, int(work[WITHIN + n]) + 1, work)
    if is_dark(s, slot, -1):
        if a >= CENTRE_ACTION:
            value += TELLS_CENTRE
        else:
            value += TELLS_OWN if a < 2 else TELLS_OTHER
    return value


@rule(work="i8[:]")
def _prospect(s, n, within, work):
    """Return what a first card `n` is worth when `within` copies, itself included, can be asked for."""
    value = SINGLE
    if within >= COPIES:
        value = TRIO
    elif within == COPIES - 1 and work[REST + n] > 0:
        value = PAIR
    elif work[REST + n] == 0:
        value = 0.0
    wins = win_reason(int(s.mode), int(s.won[s.current]) | (1 << n)) != REASON_NONE
    return value * WINNING if wins else value


@rule(work="i8[:]")
def chance(s, a, slot, n, work):
    """Return roughly how likely a hidden card is an `n`: nothing may lie between a hand's end and `n`."""
    if work[REST + n] < 1 or work[HIDDEN] < 1:
        return 0.0
    hidden = float(work[HIDDEN])
    if slot >= CENTRE_SLOT:
        return work[REST + n] / hidden
    k = slot // HAND
    low = int(s.dark_low[k])
    high = int(s.dark_high[k])
    floor = int(s.card[k * HAND + low - 1]) if low > 0 else 1
    ceiling = int(s.card[k * HAND + high]) if high < s.dealt[k] else NUMBERS
    if n < floor or n > ceiling:
        return 0.0
    room = 0
    for v in range(floor, ceiling + 1):
        room += work[REST + v]
    if room < 1:
        return 0.0
    miss = 1.0 - min(1.0, float(high - low) / room) * 0.9  # that a given copy lies elsewhere
    step = 1 if a & 1 == 0 else -1
    v = floor if a & 1 == 0 else ceiling
    left = 1.0
    while v != n:
        for _ in range(work[REST + v]):
            left *= miss
        v += step
    found = 1.0
    for _ in range(work[REST + n]):
        found *= miss
    return left * (1.0 - found)
