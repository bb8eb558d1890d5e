"""The heuristic, compiled: the cost of what every legal action leaves.

A hand is judged by plans: a small win on a 258 pair, a flush of one suit, all triplets,
all winds, all 258. A plan costs its missing tiles, less the value of a big pattern, plus
what it lacks before it may win at all (an open meld, doublings for the minimum). Only
the seat's own hand and visible tiles are read. How well a suit can serve a number of sets and a
pair is computed once and remembered (`memo`, one entry per suit, five counts per rank).
"""

from __future__ import annotations

import numpy as np

from qipai.core import rule

from ..claims import is_special
from ..score import fan_log, meld_bits, wall_left
from ..state import MELD_DECISION, PLAYER_DECISION
from ..tiles import (
    ACTIONS,
    CHOW,
    CONCEALED,
    COPIES,
    EXPOSED,
    HONOURS,
    KINDS,
    KONG_LAZY,
    KONG_RED,
    KONG_SKIN,
    MELDS,
    PASS,
    PONG,
    RED,
    SEATS,
    SUPPLEMENT,
    T_CHOW,
    T_CONCEALED,
    T_PONG,
    WIN,
)
from ..win import HAS_CHOW, NOT_258

MEMO = 5**9  # entries of `memo`
KNOWN = 1 << 60
FAR = 1 << 40

# Weights, in tenths of a missing tile
TILE = 200  # cost of a missing tile
BIG = 230  # value of a big pattern
CLOSED = 120  # cost of not being open yet
SHORT = 45  # cost of each doubling missing for the minimum
DRAW = 60  # value of an extra draw
CLAIM = 30  # a claim must gain at least this
LATE = 8  # with fewer tiles left and a hand that is far from winning, nothing is risked


# --- suits ------------------------------------------------------------------------------


@rule(hand="i1[:]", memo="i8[:]")
def suit_uses(hand, first, memo):
    """Return the tiles of a suit that serve s sets and a pair: 4 bits at 4 * (s + 5 * p).

    p: 0 no pair, 1 a 258 pair, 2 any pair; s: 0 to 4.
    """
    code = 0
    for i in range(9):
        code = 5 * code + int(hand[first + i])
    if memo[code] == 0:
        packed = KNOWN
        best = np.zeros((2, 90), np.int64)  # before and after a rank; see `_cell`
        for kind in range(2):  # 258 pairs, then any pair
            _serve(hand, first, kind, best)
            for sets in range(5):
                packed |= _shown(best[1, _cell(0, 0, sets, 0)]) << (4 * sets)
                packed |= _shown(best[1, _cell(0, 0, sets, 1)]) << (4 * (sets + 5 + 5 * kind))
        memo[code] = packed
    return memo[code]


@rule
def _shown(n):
    return max(n, 0)


@rule
def _cell(a, b, sets, pair):
    """Return the index for runs that began one and two ranks below, and sets and pairs so far."""
    return ((a * 3 + b) * 5 + sets) * 2 + pair


@rule(hand="i1[:]", best="i8[:,:]")
def _serve(hand, first, kind, best):
    """Compute the best use of nine ranks, rank by rank, in best[1]; negative if there is none."""
    best[:] = -100
    best[1, 0] = 0
    for rank in range(9):
        best[0] = best[1]
        best[1] = -100
        count = int(hand[first + rank])
        for a in range(3):
            for b in range(3):
                for sets in range(5):
                    for pair in range(2):
                        have = best[0, _cell(a, b, sets, pair)]
                        if have < 0:
                            continue
                        for runs in range(3 if rank < 7 else 1):
                            for more in range(4):  # bit 0 a triplet, bit 1 the pair
                                total = sets + runs + (more & 1)
                                wanted = a + b + runs + 3 * (more & 1) + (more & 2)
                                if total > 4 or wanted > COPIES:
                                    continue
                                if more & 2 and (pair == 1 or (kind == 0 and rank % 3 != 1)):
                                    continue
                                cell = _cell(runs, a, total, pair + (more >> 1))
                                best[1, cell] = max(best[1, cell], have + min(count, wanted))


@rule
def used(packed, sets, pair):
    """Return one entry of `suit_uses`."""
    return (packed >> (4 * (sets + 5 * pair))) & 15


@rule(hand="i1[:]")
def honour_use(hand, sets):
    """Return the honour tiles that serve `sets` triplets: the fullest kinds."""
    total = 0
    for size in range(3, 0, -1):
        for t in range(HONOURS, KINDS):
            if sets > 0 and min(int(hand[t]), 3) == size:
                total += size
                sets -= 1
    return total


# --- plans ------------------------------------------------------------------------------


@rule(hand="i1[:]", memo="i8[:]")
def small_use(hand, need, memo):
    """Return the most tiles that serve `need` sets and a 258 pair."""
    u0 = suit_uses(hand, 0, memo)
    u1 = suit_uses(hand, 9, memo)
    u2 = suit_uses(hand, 18, memo)
    best = 0
    for h in range(need + 1):
        honours = honour_use(hand, h)
        for a in range(need - h + 1):
            for b in range(need - h - a + 1):
                x = need - h - a - b
                plain = used(u0, a, 0) + used(u1, b, 0) + used(u2, x, 0)
                gain = max(
                    used(u0, a, 1) - used(u0, a, 0),
                    max(used(u1, b, 1) - used(u1, b, 0), used(u2, x, 1) - used(u2, x, 0)),
                )
                best = max(best, honours + plain + gain)
    return best


@rule(hand="i1[:]")
def triplet_use(hand, need):
    """Return the most tiles that serve `need` triplets and a pair."""
    total = 0
    left = need
    pairs = 0
    singles = 0
    for t in range(KINDS):
        if hand[t] >= 3 and left > 0:
            total += 3
            left -= 1
        elif hand[t] >= 2:
            pairs += 1
        elif hand[t] == 1:
            singles += 1
    for _ in range(left):
        if pairs > 1:
            pairs -= 1
            total += 2
        elif singles > 0:
            singles -= 1
            total += 1
    return total + (2 if pairs > 0 else (1 if singles > 0 else 0))


@rule(hand="i1[:]", memo="i8[:]")
def plan_cost(hand, need, melds, fans, opens, laizi, small, big, goal, memo):
    """Return the cheapest plan of a hand of ordinary tiles and laizi that still needs `need` sets.

    `melds`: see win.py; `fans`: log of the fan product; `goal`: log of the product that the
    minimum requires of a hard win on a discard.
    """
    held = int(hand[laizi])
    size = 3 * need + 2
    closed = CLOSED if opens == 0 else 0
    subs = min(held, small)
    hand[laizi] = held - subs
    missing = size - small_use(hand, need, memo) - subs
    short = max(goal + (1 if subs > 0 else 0) - fans, 0)
    best = TILE * missing + SHORT * short + closed
    subs = min(held, big)
    hand[laizi] = held - subs
    for g in range(3):
        if (melds & 15) & ~(1 << g) == 0:
            missing = size - used(suit_uses(hand, 9 * g, memo), need, 2) - subs
            best = min(best, TILE * missing - BIG + closed)
    if melds & HAS_CHOW == 0:
        missing = size - triplet_use(hand, need) - subs
        best = min(best, TILE * missing - BIG + closed)
    if melds & 7 == 0:
        best = min(best, TILE * (size - _honours(hand) - subs) - BIG + closed)
    if melds & NOT_258 == 0:
        best = min(best, TILE * (size - _jiang(hand) - subs) - BIG + closed)
    hand[laizi] = held
    return best


@rule(hand="i1[:]")
def _honours(hand):
    n = 0
    for t in range(HONOURS, KINDS):
        n += int(hand[t])
    return n


@rule(hand="i1[:]")
def _jiang(hand):
    n = 0
    for t in range(1, HONOURS, 3):
        n += int(hand[t])
    return n


# --- what an action leaves --------------------------------------------------------------


@rule
def goal_log(s, seat):
    """Return the fan product (as a log) with which a hard win on a discard meets the minimum."""
    goal = -1 if seat == s.dealer else 0
    goal -= 1  # hard
    least = 1
    while least < s.min_win:
        least *= 2
        goal += 1
    return goal


@rule(hand="i1[:]", memo="i8[:]")
def cost_of(s, seat, hand, melds, bits, fans, opens, memo):
    """Return `plan_cost` for the current table."""
    return plan_cost(
        hand,
        MELDS - melds,
        bits,
        fans,
        opens,
        int(s.laizi),
        int(s.small_laizi),
        int(s.big_laizi),
        goal_log(s, seat),
        memo,
    )


@rule(hand="i1[:]")
def useful_hand(s, seat, hand):
    """Write the seat's tiles, without those that can only be konged away, to `hand`."""
    for t in range(KINDS):
        hand[t] = s.hand[seat, t]
    hand[RED] = 0
    hand[s.skin0] = 0
    hand[s.skin1] = 0


@rule(counts="i1[:]")
def unseen_tiles(s, seat, counts):
    """Count how many of each kind the seat has not seen."""
    for t in range(KINDS):
        n = COPIES - int(s.hand[seat, t])
        for k in range(SEATS):
            n -= int(s.river[k, t])
        counts[t] = n
    counts[s.indicator] -= 1
    for k in range(SEATS):
        counts[RED] -= s.laid[k, 0]
        counts[s.laizi] -= s.laid[k, 1]
        for i in range(s.melds[k]):
            t = int(s.meld_tile[k, i])
            kind = s.meld_type[k, i]
            if kind == T_CHOW:
                for j in range(3):
                    counts[t + j] -= 1
            elif kind != T_CONCEALED or k == seat:
                counts[t] -= 3 if kind == T_PONG else COPIES


@rule(counts="i1[:]")
def danger(s, seat, t, counts):
    """Return how likely a discard helps another seat: live tiles, and seats with a suit laid open."""
    risk = 3 * max(int(counts[t]), 0)
    if t < HONOURS:
        risk += 2 if t % 9 == 0 or t % 9 == 8 else 4
    for k in range(SEATS):
        if k == seat or s.melds[k] < 2:
            continue
        bits = meld_bits(s, k)
        risk += 2 * int(s.melds[k])
        if (bits & 15) == 1 << (t // 9) and s.melds[k] >= 3:
            risk += 15  # a flush may be near, and the third open meld makes its feeder pay for all
    return risk


@rule(hand="i1[:]", counts="i1[:]", memo="i8[:]", costs="i8[:]")
def discard_costs(s, seat, hand, melds, bits, fans, opens, counts, ahead, memo, costs):
    """Write the costs of the discards of `hand` to costs[0..33]; return the least.

    Where several leave equally cheap plans, `ahead` counts the tiles that would make each cheaper still;
    without it, which is ten times as fast, a tile goes the sooner the fewer neighbours it has.
    """
    best = FAR
    for t in range(KINDS):
        costs[t] = FAR
        if hand[t] > 0 and not is_special(s, t):
            hand[t] -= 1
            costs[t] = cost_of(s, seat, hand, melds, bits, fans, opens, memo)
            hand[t] += 1
            best = min(best, costs[t])
    if best == FAR:
        return cost_of(s, seat, hand, melds, bits, fans, opens, memo)
    for t in range(KINDS):
        if costs[t] == best and ahead == 0:
            costs[t] += danger(s, seat, t, counts) + 6 * _company(hand, t)
        elif costs[t] == best:
            hand[t] -= 1
            for u in range(KINDS):
                live = int(counts[u])
                if live > 0 and u != RED and u != s.skin0 and u != s.skin1 and hand[u] < COPIES:
                    hand[u] += 1
                    if cost_of(s, seat, hand, melds, bits, fans, opens, memo) < best:
                        costs[t] -= 2 * live
                    hand[u] -= 1
            hand[t] += 1
            costs[t] += danger(s, seat, t, counts)
    return best


@rule(hand="i1[:]")
def _company(hand, t):
    """Return how many tiles of a hand lie near a kind, itself included; the nearest count twice."""
    n = 2 * int(hand[t])
    if t < HONOURS:
        at = t % 9
        for step in range(1, 3):
            if at >= step:
                n += (3 - step) * int(hand[t - step])
            if at + step < 9:
                n += (3 - step) * int(hand[t + step])
    return n


@rule(states="states", work="i8[:]")
def choose(states, seat, mask, n, rng, work):
    """Choose as `Heuristic.act` does: the legal action of least cost, the first of equal ones.

    `work` is the memo.
    """
    costs = np.zeros(ACTIONS, np.int64)
    if n > 1:
        weigh(states[0], seat, mask, work, costs)
    best = -1
    for a in range(ACTIONS):
        if mask[a] != 0 and (best < 0 or costs[a] < costs[best]):
            best = a
    return best


@rule(memo="i8[:]", costs="i8[:]")
def weigh(s, seat, mask, memo, costs):
    """Fill `costs` (ACTIONS,) for the legal actions of `seat`: the least is best."""
    hand = np.zeros(KINDS, np.int8)
    counts = np.zeros(KINDS, np.int8)
    scratch = np.zeros(KINDS, np.int64)
    weigh_with(s, seat, mask, hand, counts, 1, scratch, memo, costs)


@rule(hand="i1[:]", counts="i1[:]", scratch="i8[:]", memo="i8[:]", costs="i8[:]")
def weigh_with(s, seat, mask, hand, counts, ahead, scratch, memo, costs):
    """Do what `weigh` does, with arrays of KINDS entries to work in; `ahead` as in `discard_costs`."""
    useful_hand(s, seat, hand)
    unseen_tiles(s, seat, counts)
    for a in range(PASS + 1):
        costs[a] = FAR
    if s.phase == PLAYER_DECISION or s.phase == MELD_DECISION:
        _weigh_turn(s, seat, mask, hand, counts, ahead, memo, costs)
    else:
        _weigh_claims(s, seat, mask, hand, counts, ahead, scratch, memo, costs)
    if mask[WIN] != 0:
        costs[WIN] = -FAR


@rule(hand="i1[:]", counts="i1[:]", memo="i8[:]", costs="i8[:]")
def _weigh_turn(s, seat, mask, hand, counts, ahead, memo, costs):
    melds = int(s.melds[seat])
    bits = meld_bits(s, seat)
    fans = fan_log(s, seat)
    opens = int(s.opens[seat])
    best = discard_costs(s, seat, hand, melds, bits, fans, opens, counts, ahead, memo, costs)
    late = wall_left(s) < LATE and best > 2 * TILE
    if mask[KONG_RED] != 0:
        costs[KONG_RED] = FAR // 2 if late else -FAR // 2
    for k in range(2):
        if mask[KONG_SKIN + k] != 0:
            costs[KONG_SKIN + k] = FAR // 2 if late else -FAR // 2
    if mask[KONG_LAZY] != 0:
        hand[s.laizi] -= 1
        after = cost_of(s, seat, hand, melds, bits, fans + 2, opens, memo)
        hand[s.laizi] += 1
        costs[KONG_LAZY] = after - DRAW if not late else FAR // 2
    for t in range(KINDS):
        if mask[CONCEALED + t] != 0:
            hand[t] -= COPIES
            kong_bits = bits | (1 << (t // 9)) | (0 if t < HONOURS and t % 3 == 1 else NOT_258)
            after = cost_of(s, seat, hand, melds + 1, kong_bits, fans + 2, opens, memo)
            hand[t] += COPIES
            costs[CONCEALED + t] = after - DRAW
        if mask[SUPPLEMENT + t] != 0:
            hand[t] -= 1
            after = cost_of(s, seat, hand, melds, bits, fans + 1, opens, memo)
            hand[t] += 1
            costs[SUPPLEMENT + t] = after - DRAW


@rule(hand="i1[:]", counts="i1[:]", scratch="i8[:]", memo="i8[:]", costs="i8[:]")
def _weigh_claims(s, seat, mask, hand, counts, ahead, scratch, memo, costs):
    melds = int(s.melds[seat])
    bits = meld_bits(s, seat)
    fans = fan_log(s, seat)
    opens = int(s.opens[seat])
    t = int(s.tile)
    now = cost_of(s, seat, hand, melds, bits, fans, opens, memo)
    group = 1 << (t // 9)
    plain = NOT_258 if t >= HONOURS or t % 3 != 1 else 0
    for k in range(3):
        if mask[CHOW + k] != 0:
            low = t - k
            for i in range(low, low + 3):
                if i != t:
                    hand[i] -= 1
            laid = bits | group | HAS_CHOW | NOT_258
            costs[CHOW + k] = CLAIM + discard_costs(
                s, seat, hand, melds + 1, laid, fans + 1, opens + 1, counts, ahead, memo, scratch
            )
            for i in range(low, low + 3):
                if i != t:
                    hand[i] += 1
    if mask[PONG] != 0:
        hand[t] -= 2
        costs[PONG] = CLAIM + discard_costs(
            s, seat, hand, melds + 1, bits | group | plain, fans + 1, opens + 1, counts, ahead, memo, scratch
        )
        hand[t] += 2
    if mask[EXPOSED] != 0:
        hand[t] -= 3
        costs[EXPOSED] = cost_of(s, seat, hand, melds + 1, bits | group | plain, fans + 2, opens + 1, memo)
        costs[EXPOSED] += CLAIM - DRAW
        hand[t] += 3
    costs[PASS] = now
