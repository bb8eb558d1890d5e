"""How `sharp` evaluates a position: rows of five cells, counted incrementally, and a small network.

A row of five cells is called a window here. It belongs to a colour if it contains stones of that colour
only. All work is done in one array of integers (`ws`, described below) and one of weights (`net`).
Colours and seats are 0 and 1; after an inversion seat s owns colour s ^ ws[FLIP].
"""

from __future__ import annotations

import math

import numpy as np

from qipai.core import rule

from ..state import (
    ATTACKER_WINS,
    CARDS,
    CELLS,
    CHOOSE,
    EMPTY,
    NONE,
    SCATTERED,
)

# --- the workspace ----------------------------------------------------------------------

MAX_WINDOWS = 1020  # of 19 x 19
PER_CELL = 20  # maximum number of windows through one cell
DEEPEST = 4  # the root is one more
WIDEST = 40  # maximum candidates of a kind

WINDOWS = 0  # number of windows
ALL_CELLS = 1
NODES = 2  # leaves evaluated so far
BUDGET = 3
FLIP = 4
SKIPS = 5  # by seat
BOTH = 7  # value for the mover of fives of both colours at once: 2 a win, 1 a draw
FREE = 8  # empty cells
WIN_CELLS = 9  # by colour: cells that would complete a five
SAMPLES = 11  # samples of Spontaneous Generation inside the tree
FORKS = 14  # by colour: cells in two windows of three or more
PLACES = 12  # candidates inside the tree
TAKES = 13
COUNT = 16  # [colour * 6 + k]: windows with k stones of the colour alone
PILE = 30  # by card
WASTE = 35  # by card: the discards
DECK = 40  # by card: both together
PILED = 45  # cards in the pile
DRAWS = 46  # draws between the root and this node
BOARD = 64  # 0 empty, 1 + colour
COMPLETES = BOARD + CELLS  # [colour * CELLS + cell]: windows that the cell would complete
THREES = COMPLETES + 2 * CELLS  # [colour * CELLS + cell]: windows of three that the cell would make four
HELD = THREES + 2 * CELLS  # [colour * MAX_WINDOWS + window]: stones in it
IN_WINDOW = HELD + 2 * MAX_WINDOWS  # [window * 5 + i]: its cells
OF_CELL = IN_WINDOW + 5 * MAX_WINDOWS  # [cell * PER_CELL + i]: its windows
OF_CELLS = OF_CELL + PER_CELL * CELLS  # how many
PLACE_SCORE = OF_CELLS + CELLS
TAKE_SCORE = PLACE_SCORE + CELLS
KEPT = TAKE_SCORE + CELLS  # [depth * KEPT_EACH + i]: plays of a node
KEPT_EACH = 2 * WIDEST + 24
SCATTER = KEPT + KEPT_EACH * (DEEPEST + 1)  # [depth * 5 + i]: cells of a sample
WORK = SCATTER + SCATTERED * (DEEPEST + 1)

# --- the network: z = b + l.x + v.relu(W x + c), value = 1 / (1 + e^-z) -------------------

INPUTS = 26
HIDDEN = 24
X = 0  # inputs
LINEAR = X + INPUTS
BIAS = LINEAR + INPUTS
FIRST = BIAS + 1  # [unit * INPUTS + i]
FIRST_BIAS = FIRST + HIDDEN * INPUTS
SECOND = FIRST_BIAS + HIDDEN
CARD_VALUE = SECOND + HIDDEN  # [depth * CARDS + card]
ODDS = CARD_VALUE + CARDS * (DEEPEST + 1)  # [draws * CARDS + card]: probability that it is among the two
NET = ODDS + CARDS * (DEEPEST + 1)

# What a window adds to the cells it would help, by stones in it; chosen by hand.
OWN_WEIGHT = np.array([0, 2, 12, 60, 2000, 0], np.int64)
THEIR_WEIGHT = np.array([0, 1, 8, 45, 900, 0], np.int64)


@rule(ws="i4[:]")
def lay_windows(ws, size):
    """Fill in the windows of a board of `size`, once."""
    n = 0
    for cell in range(size * size):
        ws[OF_CELLS + cell] = 0
    for d in range(4):
        dx = 0 if d == 1 else 1
        dy = 0 if d == 0 else (1 if d < 3 else -1)
        for y in range(size):
            for x in range(size):
                ex = x + 4 * dx
                ey = y + 4 * dy
                if ex >= size or ey >= size or ey < 0:
                    continue
                for i in range(5):
                    cell = (y + i * dy) * size + x + i * dx
                    ws[IN_WINDOW + n * 5 + i] = cell
                    ws[OF_CELL + cell * PER_CELL + ws[OF_CELLS + cell]] = n
                    ws[OF_CELLS + cell] += 1
                n += 1
    ws[WINDOWS] = n
    ws[ALL_CELLS] = size * size


@rule(ws="i4[:]")
def read_state(s, ws):
    """Read everything that the searching seat may know."""
    cells = ws[ALL_CELLS]
    for i in range(NODES, BOARD):
        if i not in (BUDGET, SAMPLES, PLACES, TAKES):
            ws[i] = 0
    for cell in range(cells):
        ws[BOARD + cell] = EMPTY
        ws[COMPLETES + cell] = 0
        ws[COMPLETES + CELLS + cell] = 0
        ws[THREES + cell] = 0
        ws[THREES + CELLS + cell] = 0
    for w in range(ws[WINDOWS]):
        ws[HELD + w] = 0
        ws[HELD + MAX_WINDOWS + w] = 0
    ws[FREE] = cells
    for cell in range(cells):
        if s.board[cell] != EMPTY:
            put(ws, cell, int(s.board[cell]) - 1)
    ws[SKIPS] = s.skips[0]
    ws[SKIPS + 1] = s.skips[1]
    ws[BOTH] = 2 if s.five_policy == ATTACKER_WINS else 1
    for i in range(s.piled):
        ws[PILE + s.pile[i]] += 1
    for i in range(s.discarded):
        ws[WASTE + s.discard[i]] += 1
    if s.phase == CHOOSE:  # both drawn cards will be there at the next draw
        ws[WASTE + s.drawn[0]] += 1
        if s.drawn[1] != NONE:
            ws[WASTE + s.drawn[1]] += 1
    else:
        ws[WASTE + s.card] += 1
    count_deck(ws)


@rule(ws="i4[:]")
def count_deck(ws):
    """Sum up what follows from the pile and the discards."""
    ws[PILED] = 0
    for card in range(CARDS):
        ws[PILED] += ws[PILE + card]
        ws[DECK + card] = ws[PILE + card] + ws[WASTE + card]


# --- stones -----------------------------------------------------------------------------


@rule(ws="i4[:]")
def put(ws, cell, colour):
    """Put a stone, and update all counts."""
    mine = HELD + colour * MAX_WINDOWS
    theirs = HELD + (1 - colour) * MAX_WINDOWS
    ws[BOARD + cell] = colour + 1
    ws[FREE] -= 1
    for i in range(ws[OF_CELLS + cell]):
        w = ws[OF_CELL + cell * PER_CELL + i]
        a = ws[mine + w]
        b = ws[theirs + w]
        ws[mine + w] = a + 1
        if b == 0:
            ws[COUNT + colour * 6 + a] -= 1
            ws[COUNT + colour * 6 + a + 1] += 1
            if a == 2:
                count_threes(ws, w, colour, 1, NONE)
            elif a == 3:
                count_threes(ws, w, colour, -1, cell)
                complete(ws, w, colour, 1)
            elif a == 4:
                count_complete(ws, cell, colour, -1)
        elif a == 0:
            ws[COUNT + (1 - colour) * 6 + b] -= 1
            if b == 3:
                count_threes(ws, w, 1 - colour, -1, cell)
            elif b == 4:
                count_complete(ws, cell, 1 - colour, -1)


@rule(ws="i4[:]")
def lift(ws, cell):
    """Remove a stone; undoes `put`."""
    colour = ws[BOARD + cell] - 1
    mine = HELD + colour * MAX_WINDOWS
    theirs = HELD + (1 - colour) * MAX_WINDOWS
    ws[BOARD + cell] = EMPTY
    ws[FREE] += 1
    for i in range(ws[OF_CELLS + cell]):
        w = ws[OF_CELL + cell * PER_CELL + i]
        a = ws[mine + w] - 1
        b = ws[theirs + w]
        if b == 0:
            if a == 2:
                count_threes(ws, w, colour, -1, NONE)
                count_three(ws, cell, colour, 1)  # its own stone stood there, so it was not one of them
            elif a == 3:  # its other empty cell was the one to complete it
                complete_other(ws, w, colour, cell)
                count_threes(ws, w, colour, 1, NONE)
            ws[COUNT + colour * 6 + a + 1] -= 1
            ws[COUNT + colour * 6 + a] += 1
            if a == 4:
                count_complete(ws, cell, colour, 1)
        elif a == 0:
            ws[COUNT + (1 - colour) * 6 + b] += 1
            if b == 3:
                count_threes(ws, w, 1 - colour, 1, NONE)
            elif b == 4:
                count_complete(ws, cell, 1 - colour, 1)
        ws[mine + w] = a


@rule(ws="i4[:]")
def complete(ws, w, colour, change):
    """Count the one empty cell of window `w`."""
    for i in range(5):
        cell = ws[IN_WINDOW + w * 5 + i]
        if ws[BOARD + cell] == EMPTY:
            count_complete(ws, cell, colour, change)


@rule(ws="i4[:]")
def complete_other(ws, w, colour, lifted):
    """Discount the empty cell of window `w` that is not `lifted`."""
    for i in range(5):
        cell = ws[IN_WINDOW + w * 5 + i]
        if cell != lifted and ws[BOARD + cell] == EMPTY:
            count_complete(ws, cell, colour, -1)


@rule(ws="i4[:]")
def count_threes(ws, w, colour, change, also):
    """Count the empty cells of window `w`, and the cell `also`, which was empty before."""
    for i in range(5):
        cell = ws[IN_WINDOW + w * 5 + i]
        if cell == also or ws[BOARD + cell] == EMPTY:
            count_three(ws, cell, colour, change)


@rule(ws="i4[:]")
def count_three(ws, cell, colour, change):
    """Count one window of three more or less that `cell` would make four."""
    at = THREES + colour * CELLS + cell
    before = ws[at]
    ws[at] = before + change
    if before == 1 and change == 1:
        ws[FORKS + colour] += 1
    elif before == 2 and change == -1:
        ws[FORKS + colour] -= 1


@rule(ws="i4[:]")
def count_complete(ws, cell, colour, change):
    """Count one window more or less that `cell` would complete."""
    at = COMPLETES + colour * CELLS + cell
    before = ws[at]
    ws[at] = before + change
    if before == 0:
        ws[WIN_CELLS + colour] += 1
    elif before + change == 0:
        ws[WIN_CELLS + colour] -= 1


# --- judging ----------------------------------------------------------------------------


@rule(ws="i4[:]")
def pile_left(ws):
    """Return the cards in the pile at the next draw: every draw on the way has taken two."""
    return ws[PILED] - 2 * ws[DRAWS]


@rule(ws="i4[:]")
def reshuffled(ws):
    """Return where the cards after a reshuffle are counted: the discards, later the whole deck."""
    return WASTE if ws[DRAWS] == 0 else DECK


@rule(ws="i4[:]")
def chance_of(ws, card):
    """Return the probability that a card of this kind is among the next two.

    Cards deep in the pile are as likely to be of a kind as those on top, so the pile's
    counts apply to every draw before the reshuffle.
    """
    left = pile_left(ws)
    if left >= 2:
        return 1.0 - _none_of_two(ws, PILE, card)
    if left <= 0:
        return 1.0 - _none_of_two(ws, reshuffled(ws), card)
    return 1.0 - _none_of_one(ws, PILE, card) * _none_of_one(ws, reshuffled(ws), card)


@rule(ws="i4[:]")
def _none_of_one(ws, at, card):
    n = 0
    for c in range(CARDS):
        n += ws[at + c]
    return (n - ws[at + card]) / float(n) if n > 0 else 1.0


@rule(ws="i4[:]")
def _none_of_two(ws, at, card):
    n = 0
    for c in range(CARDS):
        n += ws[at + c]
    k = ws[at + card]
    if n < 2:
        return 1.0 if k == 0 else 0.0
    return (n - k) * (n - k - 1) / (n * (n - 1.0))


@rule(ws="i4[:]", net="f8[:]")
def judge(ws, net, seat):
    """Return the probability, by the network, that the seat about to draw wins."""
    ws[NODES] += 1
    own = seat ^ ws[FLIP]
    set_inputs(ws, net, own)
    z = net[BIAS]
    for i in range(INPUTS):
        z += net[LINEAR + i] * net[X + i]
    for j in range(HIDDEN):
        h = net[FIRST_BIAS + j]
        row = net[FIRST + j * INPUTS : FIRST + (j + 1) * INPUTS]
        for i in range(INPUTS):
            h += row[i] * net[X + i]
        if h > 0:
            z += net[SECOND + j] * h
    value = 1.0 / (1.0 + math.exp(-z))
    if ws[WIN_CELLS + own] > 0:
        sure = net[X + 12]
        value = sure + (1.0 - sure) * value
    return value


@rule(ws="i4[:]", net="f8[:]")
def set_inputs(ws, net, own):
    """Set the network's inputs for the colour about to draw."""
    for card in range(CARDS):
        net[X + 12 + card] = net[ODDS + CARDS * ws[DRAWS] + card]
    for side in range(2):
        colour = own if side == 0 else 1 - own
        at = X + 4 * side
        net[at] = ws[COUNT + colour * 6 + 1] / 64.0
        net[at + 1] = ws[COUNT + colour * 6 + 2] / 16.0
        net[at + 2] = ws[COUNT + colour * 6 + 3] / 4.0
        net[at + 3] = ws[COUNT + colour * 6 + 4] / 2.0
        cells = ws[WIN_CELLS + colour]
        net[X + 8 + 2 * side] = 1.0 if cells > 0 else 0.0
        net[X + 9 + 2 * side] = 1.0 if cells > 1 else 0.0
        net[X + 18 + side] = net[X + 12] if cells > 0 else 0.0
        net[X + 22 + side] = min(cells, 6) / 3.0
        net[X + 24 + side] = min(ws[FORKS + colour], 6) / 3.0
    net[X + 17] = ws[FREE] / float(ws[ALL_CELLS])
    lead = net[X + 1] + net[X + 2] + net[X + 3] - net[X + 5] - net[X + 6] - net[X + 7]
    net[X + 20] = lead * net[X + 14]
    net[X + 21] = net[X + 14] * (net[X + 8] - net[X + 10])


@rule(ws="i4[:]", net="f8[:]")
def deal_odds(ws, net):
    """Compute the odds of every draw that the tree can reach."""
    for draws in range(DEEPEST + 1):
        ws[DRAWS] = draws
        for card in range(CARDS):
            net[ODDS + CARDS * draws + card] = chance_of(ws, card)
    ws[DRAWS] = 0


# --- candidates -------------------------------------------------------------------------


@rule(ws="i4[:]")
def score_cells(ws, own, fewest):
    """Score empty cells to place on and stones to take, from windows with `fewest` stones on."""
    cells = ws[ALL_CELLS]
    places = ws[PLACE_SCORE : PLACE_SCORE + cells]
    takes = ws[TAKE_SCORE : TAKE_SCORE + cells]
    for i in range(cells):
        places[i] = 0
        takes[i] = 0
    mine = ws[HELD + own * MAX_WINDOWS : HELD + own * MAX_WINDOWS + ws[WINDOWS]]
    theirs = ws[HELD + (1 - own) * MAX_WINDOWS : HELD + (1 - own) * MAX_WINDOWS + ws[WINDOWS]]
    for w in range(ws[WINDOWS]):
        a = mine[w]
        b = theirs[w]
        if a + b < fewest or (a > 0 and b > 0):
            continue
        at = IN_WINDOW + w * 5
        if a > 0:
            gain = OWN_WEIGHT[a]
            for i in range(5):
                places[ws[at + i]] += gain
        else:
            gain = THEIR_WEIGHT[b]
            for i in range(5):
                places[ws[at + i]] += gain
                takes[ws[at + i]] += gain


@rule(ws="i4[:]")
def keep_best(ws, score, wanted, to, most):
    """Write the `most` best-scored cells that hold `wanted`, best first, to ws[to...]; return how many."""
    n = 0
    cells = ws[ALL_CELLS]
    for cell in range(cells):
        value = ws[score + cell]
        if value == 0 or ws[BOARD + cell] != wanted:
            continue
        if n == most and value <= ws[score + ws[to + n - 1]]:
            continue
        i = n if n < most else n - 1
        while i > 0 and ws[score + ws[to + i - 1]] < value:
            ws[to + i] = ws[to + i - 1]
            i -= 1
        ws[to + i] = cell
        if n < most:
            n += 1
    return n
