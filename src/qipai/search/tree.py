"""Information-set tree search, written once for every game.

One tree is grown over what the searching seat sees. Every simulation draws a world that fits what the seat
knows, walks down the tree by the actions that are legal in this world, adds one node, plays the rest out and
takes the payoffs of all seats back up. `legal`, `apply`, `observe`, `determinize`, `other` and `prior` are
slots for a game's functions.

Arrays, all allocated outside; a row each: `nodes` and `edges` hold whole numbers, `sums` the reals of an
edge, `table` finds a node by its key. An edge is an action at a node. `path` holds how many edges the
simulation took, then each edge and the seat that took it. `count` holds the numbers of the whole tree.

An index below 0 counts from the end, which compiled code tests at every access. It need not where an index is
known to be 0 or more: by a condition such as `edge >= 0`, or because it is a `uint64` (never calculate with
one: with an int64 it becomes a float).
"""

from __future__ import annotations

import math

import numpy as np

from qipai.core import Slot, draw, next_word, rule

from .playing import first_of, play_out, settle

# A game's functions, filled in for each copy of this module.
legal = Slot("legal(s, mask)")
apply = Slot("apply(s, action)")
observe = Slot("observe(s, seat, out)")
determinize = Slot("determinize(s, seat)")
other = Slot("other(s, mask, n, rng, work)")  # how other seats play where they are not searched
prior = Slot("prior(s, mask, n, work, weights)")

ROOT, WORLD = 0, 1  # states: the position, and the world of the simulation
# Of a node: who decides there, how it is reached, whether some legal action has no edge, its row in `table`.
FIRST, VISITS, PARENT, SEAT_AT, LEFT_OUT, SLOT, NODE_FIELDS = range(7)
NEXT, ACTION, TIMES, SEEN, EDGE_FIELDS = range(5)  # of an edge: taken, and legal when its node was visited
# Of an edge: payoffs of the seat that chooses, its prior, and what `select` needs of an edge that was taken n
# times: the mean payoff, 1 / sqrt(n) and prior / (n + 1). They change once per visit and are read more often.
SUM, SQUARES, PRIOR, MEAN, DOUBT, SHARE, SUM_FIELDS = range(7)
KEY, NODE, TABLE_FIELDS = range(3)
NODES, EDGES, DONE, FULL, DEEPEST, COUNTS = range(6)  # of the tree
TOTAL, TOTAL_SQUARES, WIDEST, TOTALS = range(4)  # payoffs of the searching seat over all simulations
SEAT, OTHERS, HORIZON, EXPAND, KNOBS = range(5)  # whole settings
EXPLORE, LEAN, WEIGHTS = range(3)  # real settings

LOG_BITS = 12
LOGS = np.array(
    [0.0] + [n.bit_length() - 1 + (n / (1 << n.bit_length() - 1) - 1) for n in range(1, 1 << LOG_BITS)]
)
ROOTS = np.sqrt(LOGS)

OVER, LEAF = 0, 1  # how a walk ends
NOTHING = -1
SETTLED = 16  # simulations before a deviation counts
WALK = 1 << 16  # actions of one walk at most, where rules would never end
PATH = 256  # edges of a path at most; below them nothing is remembered
PRIME = 0x100000001B3
KEY_MASK = (1 << 62) - 1


@rule(
    states="states", knobs="i8[:]", reals="f8[:]", obs="i1[:]", words="i8[:]", work="i8[:]", values="f8[:]",
    weights="f8[:]", nodes="i4[:,:]", edges="i4[:,:]", sums="f8[:,:]", table="i8[:,:]", path="i4[:]",
    count="i8[:]", totals="f8[:]",
)  # fmt: skip
def simulate(
    states, times, knobs, reals, rng, mask, obs, words, work, values, weights,
    nodes, edges, sums, table, path, count, totals,
):  # fmt: skip
    """Run `times` simulations from states[ROOT], a world that fits what the searching seat knows."""
    for _ in range(times):
        draw_world(states, knobs, rng)
        world = states[WORLD]
        if walk(world, knobs, reals, rng, mask, obs, words, work, weights,
                nodes, edges, sums, table, path, count, totals) == LEAF:  # fmt: skip
            play_out(world, mask, rng, work, values, knobs[HORIZON])
        else:
            settle(world, rng, work, values)
        back_up(knobs, values, edges, sums, path, count, totals)


@rule(states="states", knobs="i8[:]")
def draw_world(states, knobs, rng):
    """Fill states[WORLD] with a world that fits what the searching seat knows."""
    states[WORLD] = states[ROOT]
    world = states[WORLD]
    w0, w1, w2, w3 = next_word(rng), next_word(rng), next_word(rng), next_word(rng)  # all before a store
    world.rng[0] = w0
    world.rng[1] = w1
    world.rng[2] = w2
    world.rng[3] = w3
    determinize(world, knobs[SEAT])


# --- down ---------------------------------------------------------------------------------


@rule(
    knobs="i8[:]", reals="f8[:]", obs="i1[:]", words="i8[:]", work="i8[:]", weights="f8[:]",
    nodes="i4[:,:]", edges="i4[:,:]", sums="f8[:,:]", table="i8[:,:]", path="i4[:]", count="i8[:]",
    totals="f8[:]",
)  # fmt: skip
def walk(
    s, knobs, reals, rng, mask, obs, words, work, weights, nodes, edges, sums, table, path, count, totals
):  # fmt: skip
    """Take `s` down the tree to a new node (LEAF) or to the end of the hand (OVER).

    `path` gets the number of edges on the way, then each edge and its seat.
    """
    node = 0
    length = 0
    came = NOTHING  # at the root; else how a node is reached: by an own edge, or by whatever another seat did
    spread = deviation(count, totals)
    end = OVER
    steps = 0
    while s.seat >= 0:
        n = legal(s, mask)
        steps += 1
        if n < 1 or steps > WALK:
            break
        if n == 1 and length > 0:
            apply(s, first_of(mask))
            continue
        if knobs[OTHERS] == 0 and s.seat != knobs[SEAT]:
            apply(s, other(s, mask, n, rng, work))
            continue
        if came != NOTHING:
            node = find(s, came, knobs, obs, words, nodes, table, count)
        if node < 0 or length == PATH:
            end = LEAF
            break
        nodes[node, VISITS] += 1
        if length > 0 and nodes[node, VISITS] <= knobs[EXPAND]:
            end = LEAF
            break
        edge = select(s, node, n, spread, reals, rng, mask, work, weights, nodes, edges, sums, count)
        if edge < 0:
            end = LEAF  # no room for the edges of this node
            break
        path[1 + 2 * length] = edge
        path[2 + 2 * length] = s.seat
        length += 1
        came = 2 * edge + 1 if s.seat == knobs[SEAT] else 2 * node
        apply(s, edges[edge, ACTION])
    path[0] = length
    if length > count[DEEPEST]:
        count[DEEPEST] = length
    return end


@rule(
    knobs="i8[:]", obs="i1[:]", words="i8[:]", nodes="i4[:,:]", table="i8[:,:]", count="i8[:]",
)  # fmt: skip
def find(s, came, knobs, obs, words, nodes, table, count):
    """Return the node of what the searching seat sees now, a new one if need be; NOTHING without room.

    What another seat did is known by what it changed for the searching seat alone, so that hidden actions
    share a node.
    """
    observe(s, knobs[SEAT], obs)
    key = (came * 8 + int(s.seat) + 1) & KEY_MASK
    for i in range(words.shape[0]):
        key = ((key ^ int(words[i])) * PRIME) & KEY_MASK
        key = key ^ (key >> 29)
    at = np.uint64(key & (table.shape[0] - 1))
    while table[at, NODE] != 0:
        if table[at, KEY] == key:
            return int(table[at, NODE])
        at = np.uint64((np.int64(at) + 1) & (table.shape[0] - 1))
    node = count[NODES]
    if node == nodes.shape[0]:
        count[FULL] = 1
        return NOTHING
    count[NODES] += 1
    table[at, KEY] = key
    table[at, NODE] = node
    nodes[node, FIRST] = NOTHING
    nodes[node, VISITS] = 0
    nodes[node, PARENT] = came
    nodes[node, SEAT_AT] = s.seat
    nodes[node, LEFT_OUT] = 0
    nodes[node, SLOT] = at
    return node


# --- which way ----------------------------------------------------------------------------


@rule(
    spread="f8", reals="f8[:]", work="i8[:]", weights="f8[:]", nodes="i4[:,:]", edges="i4[:,:]",
    sums="f8[:,:]", count="i8[:]",
)  # fmt: skip
def select(s, node, n, spread, reals, rng, mask, work, weights, nodes, edges, sums, count):
    """Return the edge to take at a node, of those that are legal in this world; NOTHING without room.

    An edge is worth its mean payoff, or that of its node before it was ever taken, plus what is still
    uncertain about it, plus what the prior says. Equal ones are drawn from.
    """
    taken = 0
    present = 0
    total = 0.0
    edge = int(nodes[node, FIRST])
    while edge >= 0:
        if mask[np.uint64(edges[edge, ACTION])] != 0:
            present += 1
            taken += edges[edge, TIMES]
            total += sums[edge, SUM]
        edge = int(edges[edge, NEXT])
    if present < n and (present == 0 or nodes[node, LEFT_OUT] == 0):
        if add_edges(s, node, n, mask, work, weights, nodes, edges, sums, count) == 0 and present == 0:
            return NOTHING
    first_guess = total / taken if taken > 0 else 0.0
    explore = spread * reals[EXPLORE]
    lean = spread * reals[LEAN] * math.sqrt(float(taken))
    best = NOTHING
    best_score = 0.0
    ties = 1
    seen_before = -1
    uncertain = 0.0
    edge = int(nodes[node, FIRST])
    while edge >= 0:
        if mask[np.uint64(edges[edge, ACTION])] != 0:
            seen = int(edges[edge, SEEN]) + 1
            edges[edge, SEEN] = seen
            if seen != seen_before:
                seen_before = seen
                uncertain = explore * root_of_log(seen)
            score = sums[edge, MEAN] if edges[edge, TIMES] > 0 else first_guess
            score += uncertain * sums[edge, DOUBT] + lean * sums[edge, SHARE]
            if best == NOTHING or score > best_score:
                best = edge
                best_score = score
                ties = 1
            elif score == best_score:
                ties += 1
                if draw(rng, ties) == 0:
                    best = edge
        edge = int(edges[edge, NEXT])
    return best


@rule(
    work="i8[:]", weights="f8[:]", nodes="i4[:,:]", edges="i4[:,:]", sums="f8[:,:]", count="i8[:]",
)  # fmt: skip
def add_edges(s, node, n, mask, work, weights, nodes, edges, sums, count):
    """Add an edge for each legal action that has none, unless its prior is 0; return 0 without room."""
    if count[EDGES] + n > edges.shape[0]:
        count[FULL] = 1
        return 0
    prior(s, mask, n, work, weights)
    edge = int(nodes[node, FIRST])
    whole = 0.0
    for a in range(weights.shape[0]):
        if mask[a] == 0:
            weights[a] = 0.0
        whole += weights[a]
    if whole <= 0.0:
        for a in range(weights.shape[0]):
            weights[a] = float(mask[a])
        whole = float(n)
    left_out = 0
    for a in range(weights.shape[0]):
        if mask[a] != 0 and weights[a] == 0.0:
            left_out = 1
    while edge >= 0:
        if mask[np.uint64(edges[edge, ACTION])] != 0:
            weights[edges[edge, ACTION]] = 0.0  # there already
        edge = int(edges[edge, NEXT])
    for a in range(weights.shape[0]):
        if weights[a] > 0.0:
            edge = count[EDGES]
            count[EDGES] += 1
            edges[edge, NEXT] = nodes[node, FIRST]
            edges[edge, ACTION] = a
            edges[edge, TIMES] = 0
            edges[edge, SEEN] = 0
            sums[edge, SUM] = 0.0
            sums[edge, SQUARES] = 0.0
            sums[edge, PRIOR] = weights[a] / whole
            sums[edge, MEAN] = 0.0
            sums[edge, DOUBT] = 1.0
            sums[edge, SHARE] = weights[a] / whole
            nodes[node, FIRST] = edge
    nodes[node, LEFT_OUT] = left_out
    return 1


@rule
def log_of(n):
    """Return the logarithm to base 2 of n >= 1, exact at powers of two and a straight line between them.

    Only shifts and a table of exact divisions: a library's logarithm differs between machines in its last
    digit.
    """
    bits = 0
    while n >= LOGS.shape[0]:
        n >>= LOG_BITS
        bits += LOG_BITS
    return bits + LOGS[n]


@rule
def root_of_log(n):
    """Return the square root of `log_of`."""
    return ROOTS[n] if n < ROOTS.shape[0] else math.sqrt(log_of(n))


@rule(count="i8[:]", totals="f8[:]")
def deviation(count, totals):
    """Return the unit of uncertainty: the largest standard deviation of the payoffs so far.

    That of all simulations would vanish while one action is taken again and again, and with it all doubt.
    """
    n = count[DONE]
    if n >= 2 and (n < SETTLED or n % SETTLED == 0):
        mean = totals[TOTAL] / n
        variance = totals[TOTAL_SQUARES] / n - mean * mean
        if variance > totals[WIDEST] * totals[WIDEST] and (n >= SETTLED or totals[WIDEST] == 0.0):
            totals[WIDEST] = math.sqrt(variance)
    return totals[WIDEST] if totals[WIDEST] > 0.0 else 1.0


# --- up -----------------------------------------------------------------------------------


@rule(
    knobs="i8[:]", values="f8[:]", edges="i4[:,:]", sums="f8[:,:]", path="i4[:]", count="i8[:]",
    totals="f8[:]",
)  # fmt: skip
def back_up(knobs, values, edges, sums, path, count, totals):
    """Add the payoffs of one simulation to every edge of its path."""
    for i in range(path[0]):
        edge = np.uint64(path[1 + 2 * i])
        payoff = values[np.uint64(path[2 + 2 * i])]
        times = edges[edge, TIMES] + 1
        total = sums[edge, SUM] + payoff
        edges[edge, TIMES] = times
        sums[edge, SUM] = total
        sums[edge, SQUARES] += payoff * payoff
        sums[edge, MEAN] = total / times
        sums[edge, DOUBT] = 1.0 / math.sqrt(float(times))
        sums[edge, SHARE] = sums[edge, PRIOR] / (times + 1)
    own = values[knobs[SEAT]]
    totals[TOTAL] += own
    totals[TOTAL_SQUARES] += own * own
    count[DONE] += 1
