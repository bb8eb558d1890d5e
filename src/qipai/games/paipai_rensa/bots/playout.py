"""What the search asks of Paipai Rensa: a fast policy, placements worth a look, what a board promises.

Placements come from the beam search of `builder` (policy.py): its first ply is the policy, a few worlds of it
are the prior, and in one world it is the value of a position. Tiles are allocated by shape, as `builder` does
it, in compiled code: so many melds as there are, a pair, partial melds, then what has company.

`work` holds the arrays of the beam, then those of the shape.
"""

from __future__ import annotations

import numpy as np

from qipai.core import rule, seed_words

from ..planner import behind_next, plan
from ..rules import apply
from ..state import ALLOC, DISCARD, HAND_MAX, KEEP, MELDS, PLACE, PLACEMENTS
from ..tiles import KINDS, SUIT
from ..win import is_red_value, melds_in_suit
from .builder import BUILDER
from .policy import FIELDS, GAIN, KNOBS, LOWEST, ROOT, VALUE, grow, heights, read_planes, score_roots

WIDTH = 30  # boards kept per pair
DEPTH = 6  # pairs looked at
WORLDS = 3  # of the prior
NEAR = 1500.0  # points: a placement worth so much less than the best has half its weight

P = BUILDER.knobs
CUR = 0
NXT = CUR + WIDTH * FIELDS
SUITS = NXT + WIDTH * FIELDS
H = SUITS + 2 * DEPTH + 2
BOARDS = H + 8
V = BOARDS + 24
KNOB = V + 4
BEST = KNOB + KNOBS
TOTALS = BEST + PLACEMENTS
WORDS = TOTALS + PLACEMENTS  # uint32
LEFT = WORDS + 2  # by kind
WANT = LEFT + KINDS
WORK = WANT + KINDS


# --- placements -------------------------------------------------------------------------


@rule(work="i8[:]")
def beam(s, depth, width, work):
    """Search `depth` pairs of this world's supply; return how many boards are left, in `CUR`."""
    cur = work[CUR:NXT].reshape(WIDTH, FIELDS)
    nxt = work[NXT:SUITS].reshape(WIDTH, FIELDS)
    suits = work[SUITS:H]
    h = work[H:BOARDS]
    boards = work[BOARDS:V].reshape(3, 8)
    v = work[V:KNOB]
    p = work[KNOB:BEST]
    rng = work[WORDS:LEFT].view(np.uint32)
    for i in range(KNOBS):
        p[i] = P[i]
    pairs = 1 + (int(s.total) - int(s.at)) // 2
    plies = min(depth, pairs)
    first = int(s.at) - 2
    for i in range(2 * plies):
        suits[i] = SUIT[s.deck[first + i]]
    read_planes(s, cur[0])
    cur[0, GAIN] = 0
    cur[0, ROOT] = 0
    tiles = heights(cur[0], h)
    n = 1
    for ply in range(plies):
        last = 1 if ply + 1 == pairs else 0
        room = PLACEMENTS if ply == 0 and width > 1 else width
        pool = tiles + 2 * (ply + 1) + int(s.n_discards)
        n = grow(cur, nxt, n, room, ply, suits, 1 if ply == 0 else 0, pool, last, h, boards, v, p, rng)
        for i in range(n):
            for k in range(FIELDS):
                cur[i, k] = nxt[i, k]
    return n


@rule(work="i8[:]")
def playout(s, mask, n, rng, work):
    """Place a pair where one ply of `builder` puts it, and keep tiles by shape."""
    if s.phase == ALLOC:
        return keep_or_not(s, mask, work)
    found = beam(s, 1, 1, work)
    action = int(work[CUR + ROOT])
    if found > 0 and mask[action] != 0:
        return action
    action = 0
    while mask[action] == 0:
        action += 1
    return action


@rule(work="i8[:]", weights="f8[:]")
def prior(s, mask, n, work, weights):
    """Weigh placements by a few worlds of `builder`; in an allocation, only what the shape asks for."""
    for a in range(weights.shape[0]):
        weights[a] = 0.0
    if s.phase == ALLOC:
        weights[keep_or_not(s, mask, work)] = 1.0
        return
    cur = work[CUR:NXT].reshape(WIDTH, FIELDS)
    best = work[BEST:TOTALS]
    totals = work[TOTALS:WORDS]
    for a in range(PLACEMENTS):
        totals[a] = 0
    for world in range(WORLDS):
        score_roots(cur, beam(s, DEPTH, WIDTH, work), best, totals)
        if world + 1 < WORLDS:
            seed_words(s.rng[:], int(s.rng[0]), int(s.rng[1]), int(s.at), world)
            if behind_next(s) < s.total:
                plan(s, behind_next(s))
    highest = LOWEST * WORLDS
    for a in range(PLACEMENTS):
        if mask[a] != 0:
            highest = max(highest, totals[a])
    for a in range(PLACEMENTS):
        if mask[a] != 0:
            less = (highest - totals[a]) / (NEAR * WORLDS)
            weights[a] = 1.0 / (1.0 + less * less)


@rule(work="i8[:]", values="f8[:]")
def value(s, rng, work, values):
    """Add what the best line of the beam promises in this world to the payoff, after any allocation."""
    while s.phase == ALLOC:
        keep = 1 if s.kept < HAND_MAX else 0
        apply(s, KEEP if keep != 0 and shape_keeps(s, work) else DISCARD)
    values[0] = float(s.payoff[0])
    if s.phase == PLACE:
        n = beam(s, DEPTH - 1, WIDTH, work)
        best = LOWEST
        for i in range(n):
            best = max(best, work[CUR + i * FIELDS + VALUE])
        values[0] += float(best) if n > 0 else -20_000.0


# --- allocation -------------------------------------------------------------------------


@rule(work="i8[:]")
def keep_or_not(s, mask, work):
    """Return the answer for the tile at the cursor."""
    return KEEP if mask[KEEP] != 0 and shape_keeps(s, work) else DISCARD


@rule(work="i8[:]")
def shape_keeps(s, work):
    """Return whether the tile at the cursor is one of those that the best shape of the list keeps."""
    if s.n_tiles <= HAND_MAX:
        return True
    left = work[LEFT:WANT]
    want = work[WANT:WORK]
    for k in range(KINDS):
        left[k] = 0
        want[k] = 0
    for i in range(s.n_tiles):
        left[(int(s.tiles[i]) - 1) >> 2] += 1
    size = _take_melds(left, want)
    size += _take_parts(left, want, HAND_MAX - size)
    _take_company(left, want, HAND_MAX - size)
    value = int(s.tiles[s.cursor])
    kind = (value - 1) >> 2
    before = 0  # tiles of the kind that are kept before this one: reds, then those further left
    for i in range(s.n_tiles):
        other = int(s.tiles[i])
        if i != s.cursor and (other - 1) >> 2 == kind and not is_red_value(value):
            if i < s.cursor or is_red_value(other):
                before += 1
    return before < want[kind]


@rule(left="i8[:]", want="i8[:]")
def _take_melds(left, want):
    """Move as many melds as there are, at most four, then a pair; how many tiles."""
    melds = 0
    for k in range(27, KINDS):
        if left[k] >= 3 and melds < MELDS:
            melds += _move(left, want, k, k, k)
    for suit in range(3):
        first = 9 * suit
        most = melds_in_suit(_packed(left, first))
        while most > 0 and melds < MELDS:
            most -= 1
            melds += _take_meld(left, want, first, most)
    for k in range(KINDS):
        if left[k] >= 2:
            left[k] -= 2
            want[k] += 2
            return 3 * melds + 2
    return 3 * melds


@rule(left="i8[:]", want="i8[:]")
def _take_meld(left, want, first, rest):
    """Move a meld of a suit that leaves `rest` others possible."""
    for k in range(first, first + 9):
        if left[k] >= 3:
            left[k] -= 3
            if melds_in_suit(_packed(left, first)) >= rest:
                want[k] += 3
                return 1
            left[k] += 3
        if k < first + 7 and left[k] > 0 and left[k + 1] > 0 and left[k + 2] > 0:
            _move(left, want, k, k + 1, k + 2)
            if melds_in_suit(_packed(left, first)) >= rest:
                return 1
            _move(want, left, k, k + 1, k + 2)
    return 0


@rule(left="i8[:]", want="i8[:]")
def _move(left, want, a, b, c):
    left[a] -= 1
    left[b] -= 1
    left[c] -= 1
    want[a] += 1
    want[b] += 1
    want[c] += 1
    return 1


@rule(left="i8[:]")
def _packed(left, first):
    """Return the counts of a numbered suit, four bits each."""
    packed = 0
    for i in range(9):
        packed |= min(left[first + i], 4) << (4 * i)
    return packed


@rule(left="i8[:]", want="i8[:]")
def _take_parts(left, want, room):
    """Move partial melds while there is room: open runs, pairs, gaps, edges; how many tiles."""
    taken = 0
    for kind in range(4):
        for k in range(KINDS):
            at = k % 9
            step = 0 if kind == 1 else (2 if kind == 2 else 1)
            if step > 0 and (k >= 27 or at + step > 8):
                continue
            if (kind == 0 and (at == 0 or at == 7)) or (kind == 3 and 0 < at < 7):
                continue
            enough = left[k] >= 2 if step == 0 else left[k] > 0 and left[k + step] > 0
            if enough and taken + 2 <= room:
                left[k] -= 1
                left[k + step] -= 1
                want[k] += 1
                want[k + step] += 1
                taken += 2
    return taken


@rule(left="i8[:]", want="i8[:]")
def _take_company(left, want, room):
    """Move single tiles while there is room, those with the most of the list near them first."""
    for _ in range(room):
        best = -1
        most = -1
        for k in range(KINDS):
            if left[k] > 0:
                near = 2 * (left[k] + want[k])
                for j in range(max(k - 2, 9 * (k // 9)), min(k + 3, 9 * (k // 9) + 9)):
                    if k < 27 and j != k:
                        near += left[j] + want[j]
                if near > most:
                    best = k
                    most = near
        if best < 0:
            return
        left[best] -= 1
        want[best] += 1
