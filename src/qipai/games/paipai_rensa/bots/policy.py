"""Builder's search: a beam search over the pair, NEXT and sampled pairs beyond, on suit bitboards.

A board is eight words, two per suit: columns 0-2 and 3-5, sixteen bits per column, the floor
in bit 0. Only suits matter for chains. Values are points: what was fired in the search,
less what a HOLD gives the CPU, plus what the board could fire with one or two more tiles.
"""

from __future__ import annotations

from qipai.core import draw, next_word, rule, seed_words

from ..board import spread
from ..planner import behind_next, plan
from ..state import ALL_PLACEMENTS, COLS, PLACEMENTS, ROWS, SCORE_PER_TILE
from ..tiles import SUIT

MASK = (1 << 48) - 1
LANE = 0xFFFF
WORDS = 8
GAIN, ROOT, VALUE, FIELDS = 8, 9, 10, 11  # fields of a node, after its board
LOWEST = -(1 << 40)

# Weights, in this order in the array `p`
ALPHA, TWO, LINK, HEIGHT, HOLD_COST, HOLD_TILE, SPAWN, NOISE, FULL, FADE, KNOBS = range(11)


# --- bitboards ------------------------------------------------------------------------


@rule
def around_low(lo, hi):
    """Return the low word of all neighbours of a set of cells."""
    return (lo << 1) | (lo >> 1) | ((lo << 16) & MASK) | (lo >> 16) | ((hi & LANE) << 32)


@rule
def around_high(lo, hi):
    """Return the high word of all neighbours of a set of cells."""
    return (hi << 1) | (hi >> 1) | ((hi << 16) & MASK) | (hi >> 16) | (lo >> 32)


@rule(b="i8[:]", v="i8[:]")
def mark(b, suit, v):
    """Write the cells of a suit in groups of four or more to v; return 1 if there are any.

    Such a group has a cell with three neighbours, or two adjacent cells with two each; and
    every cell of it is one of those or adjacent to one.
    """
    lo = int(b[2 * suit])
    hi = int(b[2 * suit + 1])
    up0 = (lo << 1) & lo
    up1 = (hi << 1) & hi
    down0 = (lo >> 1) & lo
    down1 = (hi >> 1) & hi
    left0 = ((lo << 16) & MASK) & lo
    left1 = (((hi << 16) & MASK) | (lo >> 32)) & hi
    right0 = ((lo >> 16) | ((hi & LANE) << 32)) & lo
    right1 = (hi >> 16) & hi
    two0 = (up0 & down0) | (left0 & right0) | ((up0 | down0) & (left0 | right0))
    two1 = (up1 & down1) | (left1 & right1) | ((up1 | down1) & (left1 | right1))
    if two0 | two1 == 0:
        return 0
    seed0 = (up0 & down0 & (left0 | right0)) | (left0 & right0 & (up0 | down0))
    seed1 = (up1 & down1 & (left1 | right1)) | (left1 & right1 & (up1 | down1))
    seed0 |= two0 & around_low(two0, two1)
    seed1 |= two1 & around_high(two0, two1)
    if seed0 | seed1 == 0:
        return 0
    v[0] = (seed0 | around_low(seed0, seed1)) & lo
    v[1] = (seed1 | around_high(seed0, seed1)) & hi
    return 1


@rule(b="i8[:]")
def fall_out(b, word, gone):
    """Remove the cells `gone` from one word of every suit; what is above falls. Return how many."""
    n = 0
    while gone:
        low = gone & -gone
        lane = LANE
        while lane < low:
            lane <<= 16
        above = lane & ~(2 * low - 1)
        keep = ~(above | low)
        for suit in range(4):
            x = int(b[2 * suit + word])
            b[2 * suit + word] = (x & keep) | ((x & above) >> 1)
        gone = (gone & keep) | ((gone & above) >> 1)
        n += 1
    return n


@rule(b="i8[:]", v="i8[:]")
def resolve_planes(b, v):
    """Clear and fall until nothing clears; return the score. v[2] gets the steps and v[3] the tiles."""
    chain = 0
    score = 0
    total = 0
    while True:
        gone0 = 0
        gone1 = 0
        for suit in range(4):
            if mark(b, suit, v):
                gone0 |= int(v[0])
                gone1 |= int(v[1])
        if gone0 | gone1 == 0:
            break
        n = fall_out(b, 0, gone0) + fall_out(b, 1, gone1)
        chain += 1
        total += n
        score += n * SCORE_PER_TILE * chain
    v[2] = chain
    v[3] = total
    return score


@rule(b="i8[:]", h="i8[:]")
def heights(b, h):
    """Compute the six heights of a settled board; return the number of tiles."""
    n = 0
    for word in range(2):
        occupied = int(b[word]) | int(b[2 + word]) | int(b[4 + word]) | int(b[6 + word])
        for lane in range(3):
            k = 0
            while (occupied >> (16 * lane + k)) & 1:
                k += 1
            h[3 * word + lane] = k
            n += k
    return n


@rule(b="i8[:]")
def put(b, col, row, suit):
    """Set a cell."""
    word = 1 if col > 2 else 0
    b[2 * suit + word] = int(b[2 * suit + word]) | (1 << (16 * (col - 3 * word) + row))


@rule(b="i8[:]")
def read_planes(s, b):
    """Convert the board of a state to bitboards."""
    for i in range(WORDS):
        b[i] = 0
    for cell in range(COLS * ROWS):
        if s.board[cell] != 0:
            put(b, cell % COLS, ROWS - 1 - cell // COLS, int(SUIT[s.board[cell]]))


@rule(h="i8[:]")
def open_placements(h):
    """Return the placements reachable over columns of these heights, as bits; see board.reachable."""
    high = 0
    for x in range(COLS):
        if h[x] > ROWS - 3:
            high = 1
    if high == 0:
        return ALL_PLACEMENTS
    free = 0
    for x in range(COLS):
        if h[x] <= ROWS - 2:
            free |= 1 << (4 * x)
            if x > 0 and h[x - 1] <= ROWS - 2:
                free |= (8 << (4 * x)) | (2 << (4 * x - 4))
            if h[x] <= ROWS - 3:
                free |= 4 << (4 * x)
    found = 1 << 8
    grown = spread(found) & free | found
    while grown != found:
        found = grown
        grown = spread(found) & free | found
    return found & free  # placements that overwrite tiles are not considered


@rule(b="i8[:]", h="i8[:]")
def drop_pair(b, h, action, axis, rotor):
    """Put a pair on the board (the placement is free)."""
    x = action >> 2
    r = action & 3
    if r == 0:
        put(b, x, int(h[x]), axis)
        put(b, x, int(h[x]) + 1, rotor)
    elif r == 2:
        put(b, x, int(h[x]), rotor)
        put(b, x, int(h[x]) + 1, axis)
    else:
        put(b, x, int(h[x]), axis)
        put(b, x + 2 - r, int(h[x + 2 - r]), rotor)


# --- evaluation -----------------------------------------------------------------------


@rule(b="i8[:]", h="i8[:]", t="i8[:]", v="i8[:]", p="i8[:]")
def potential(b, h, t, v, p):
    """Return the best score that one more tile could fire, or two of a suit (at a discount).

    Only columns that a pair can still reach count: a high wall next to the spawn cuts others off.
    """
    best = 0
    left = 2
    while left >= 0 and h[left] <= ROWS - 2:
        left -= 1
    right = 2
    while right < COLS and h[right] <= ROWS - 2:
        right += 1
    for col in range(left + 1, right):
        for suit in range(4):
            for more in range(1, 3):
                if h[col] + more > ROWS - 1:
                    break
                for i in range(WORDS):
                    t[i] = b[i]
                for k in range(more):
                    put(t, col, int(h[col]) + k, suit)
                if mark(t, suit, v):
                    score = resolve_planes(t, v)
                    if more == 2:
                        score = score * int(p[TWO]) // 100
                    if score > best:
                        best = score
                    break  # a second tile adds nothing
    return best


@rule(b="i8[:]")
def links(b):
    """Return the number of neighbouring pairs of one suit."""
    n = 0
    for suit in range(4):
        lo = int(b[2 * suit])
        hi = int(b[2 * suit + 1])
        n += ones((lo << 1) & lo) + ones((hi << 1) & hi)
        n += ones((lo >> 16) & lo) + ones((hi >> 16) & hi) + ones((lo >> 32) & hi & LANE)
    return n


@rule
def ones(x):
    """Return how many bits are set."""
    n = 0
    while x:
        x &= x - 1
        n += 1
    return n


@rule(b="i8[:]", h="i8[:]", t="i8[:]", v="i8[:]", p="i8[:]")
def worth(b, h, t, v, p, last):
    """Return the value of a board: only its order if the supply is used up (`last`)."""
    n = heights(b, h)
    value = int(p[LINK]) * links(b)
    for col in range(COLS):
        gap = 6 * int(h[col]) - n
        value -= int(p[HEIGHT]) * gap * gap // 36
    if h[2] > ROWS - 3:
        value -= int(p[SPAWN]) * (int(h[2]) - ROWS + 3)
    if last == 0:
        alpha = int(p[ALPHA])
        if n > p[FULL]:  # a chain on a full board may never be fired
            alpha -= int(p[FADE]) * (n - int(p[FULL]))
        value += alpha * potential(b, h, t, v, p) // 100
    return value


@rule(p="i8[:]")
def hold_cost(cleared, pool, p):
    """Return what a HOLD is expected to give the CPU, less what the cleared tiles give the hand."""
    cost = int(p[HOLD_COST]) * (pool - 18) // 18
    if cost < 0:
        cost = 0
    if cost > p[HOLD_COST]:
        cost = int(p[HOLD_COST])
    return cost - int(p[HOLD_TILE]) * cleared


# --- the search -----------------------------------------------------------------------


@rule(cur="i8[:,:]", nxt="i8[:,:]", suits="i8[:]", h="i8[:]", work="i8[:,:]", v="i8[:]", p="i8[:]")
def grow(cur, nxt, n, width, at, suits, depth_root, pool, last, h, work, v, p, rng):
    """Expand all placements of pair `at` on the `n` boards of cur; put the best `width` into nxt."""
    made = 0
    lowest = 0
    axis = int(suits[2 * at])
    rotor = int(suits[2 * at + 1])
    t = work[0]
    b = work[1]
    g = work[2]
    for i in range(n):
        heights(cur[i], h)
        open_bits = open_placements(h)
        for k in range(COLS):
            g[k] = h[k]
        for action in range(PLACEMENTS):
            if (open_bits >> action) & 1 == 0 or (axis == rotor and action & 2):
                continue
            for k in range(WORDS):
                b[k] = cur[i, k]
            drop_pair(b, g, action, axis, rotor)
            gain = int(cur[i, GAIN])
            fired = 0
            if mark(b, axis, v) or mark(b, rotor, v):
                fired = resolve_planes(b, v)
                gain += fired - hold_cost(int(v[3]), pool, p)
            value = gain + worth(b, h, t, v, p, last)
            if p[NOISE] > 0:
                value += draw(rng, int(p[NOISE]))
            if made == width:
                if value <= nxt[lowest, VALUE]:
                    continue
                at_row = lowest
            else:
                at_row = made
                made += 1
            row = nxt[at_row]
            for k in range(WORDS):
                row[k] = b[k]
            row[GAIN] = gain
            row[ROOT] = action if depth_root else cur[i, ROOT]
            row[VALUE] = value
            if made == width:
                lowest = 0
                for k in range(1, made):
                    if nxt[k, VALUE] < nxt[lowest, VALUE]:
                        lowest = k
    return made


@rule(
    states="states",
    cur="i8[:,:]",
    nxt="i8[:,:]",
    suits="i8[:]",
    h="i8[:]",
    work="i8[:,:]",
    v="i8[:]",
    p="i8[:]",
    best="i8[:]",
    totals="i8[:]",
)
def think(states, worlds, depth, width, cur, nxt, suits, h, work, v, p, best, totals, rng):
    """Add the value of each placement in states[0], over `worlds` redrawn supplies, to totals."""
    for a in range(PLACEMENTS):
        totals[a] = 0
    s = states[0]
    pairs = 1 + (int(s.total) - int(s.at)) // 2
    plies = depth if depth < pairs else pairs
    for _ in range(worlds):
        states[1] = states[0]
        world = states[1]
        seed_words(world.rng[:], next_word(rng), next_word(rng), next_word(rng), next_word(rng))
        if plies > 1 + world.next_pairs:
            plan(world, behind_next(world))
        first = int(world.at) - 2
        for i in range(2 * plies):
            suits[i] = SUIT[world.deck[first + i]]
        read_planes(s, cur[0])
        cur[0, GAIN] = 0
        cur[0, ROOT] = 0
        tiles = heights(cur[0], h)
        n = 1
        for ply in range(plies):
            last = 1 if ply + 1 == pairs else 0
            room = PLACEMENTS if ply == 0 else width
            pool = tiles + 2 * (ply + 1) + int(s.n_discards)
            n = grow(cur, nxt, n, room, ply, suits, 1 if ply == 0 else 0, pool, last, h, work, v, p, rng)
            for i in range(n):
                for k in range(FIELDS):
                    cur[i, k] = nxt[i, k]
        score_roots(cur, n, best, totals)


@rule(cur="i8[:,:]", best="i8[:]", totals="i8[:]")
def score_roots(cur, n, best, totals):
    """Add each root's best leaf; a root without one counts slightly less than the worst leaf."""
    worst = 1 << 40
    for a in range(PLACEMENTS):
        best[a] = LOWEST
    for i in range(n):
        a = int(cur[i, ROOT])
        if cur[i, VALUE] > best[a]:
            best[a] = cur[i, VALUE]
        if cur[i, VALUE] < worst:
            worst = int(cur[i, VALUE])
    for a in range(PLACEMENTS):
        totals[a] += int(best[a]) if best[a] > LOWEST else worst - 100
