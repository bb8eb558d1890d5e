"""The agent `heuristic`: the original's "hard" bot (§15), compiled, with its two faults repaired.

It compares its own plays by a static score and does not look ahead: no replies, no odds. Repaired: Time
Freeze is aimed at the opponent, and if nothing can be planned a legal slot is chosen.
`b` is a board (0 empty, 1, 2), `to` holds candidate cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qipai.core import Compiled, Game, Sight, compile_rules, draw, rule, seed_words

from ..fives import run
from ..rules import playable
from ..state import (
    CELL,
    CELLS,
    CHOOSE,
    EMPTY,
    FIVE,
    GENERATE,
    LEFT,
    NONE,
    OPPONENT,
    PLACE,
    POLARITY,
    SCATTERED,
    TAKE,
)

MOST = 64  # maximum candidate cells
SAMPLES = 8  # of Spontaneous Generation, from the same streams each time
BOARD = (CELLS + 7) // 8  # words of scratch for a board
WIN = 1_000_000_000
SAVE = 600_000_000
NO_PLAN = -4_000_000_000_000
TAKE_TOO = 100_000  # a Take yields to a Place that saves as well
FIVES = 500_000_000
ONE, TWO = np.array([120, 500], np.int64), np.array([1_500, 5_000], np.int64)
THREE, FOUR = np.array([9_000, 25_000], np.int64), np.array([60_000, 120_000], np.int64)


@rule(states="states", work="i8[:]")
def choose(states, seat, mask, n, rng, work):
    """Choose as `HeuristicAgent.act` does; `work` has room for what `choose_play` needs."""
    cells = work[BOARD:].view(np.int16)
    words = work[BOARD + MOST :].view(np.uint32)
    return choose_play(states[0], work[:BOARD].view(np.int8), cells, words[:4])


@rule(b="i1[:]", to="i2[:]")
def choose_play(s, b, to, rng):
    """Return the action of the seat to move: a slot, or a target for the chosen card."""
    size = int(s.board_size)
    own = int(s.seat) + 1
    for i in range(size * size):
        b[i] = s.board[i]
    if s.phase != CHOOSE:
        return best_target(b, to, size, own, int(s.card), 0)[1]
    best = NO_PLAN - 1
    slot = LEFT
    placing = s.drawn[0] == PLACE or s.drawn[1] == PLACE
    for k in range(2):
        card = int(s.drawn[k])
        if card == NONE or not playable(s, card):
            continue
        value = card_value(b, to, rng, size, own, card, 1 if placing else 0)
        if value > best:
            best = value
            slot = k
    return slot


@rule(b="i1[:]", to="i2[:]")
def card_value(b, to, rng, size, own, card, placing):
    """Return the best value of a playable card."""
    if card in (PLACE, TAKE):
        return best_target(b, to, size, own, card, placing)[0]
    if card == POLARITY:
        return score(b, size, 3 - own)
    if card == GENERATE:
        return _scatter_value(b, to, rng, size, own)
    return NO_PLAN


@rule(b="i1[:]", to="i2[:]")
def best_target(b, to, size, own, card, placing):
    """Return value and action of the best target."""
    if card == PLACE:
        return _best_place(b, to, size, own)
    if card == TAKE:
        return _best_take(b, size, own, placing)
    return NO_PLAN, OPPONENT


@rule(b="i1[:]", to="i2[:]")
def _best_place(b, to, size, own):
    cells = size * size
    for cell in range(cells):
        if b[cell] == EMPTY and completes(b, size, cell, own):
            return WIN, CELL + cell
    before = score(b, size, own)
    best = NO_PLAN
    action = NONE
    n = 0
    for cell in range(cells):
        if b[cell] == EMPTY and completes(b, size, cell, 3 - own):
            b[cell] = own
            value = SAVE + score(b, size, own) - before - n
            b[cell] = EMPTY
            n += 1
            if value > best:
                best = value
                action = CELL + cell
    if n > 0:
        return best, action
    n = candidates(b, to, size)
    for i in range(n):
        cell = int(to[i])
        b[cell] = own
        value = score(b, size, own)
        b[cell] = EMPTY
        if value > best:
            best = value
            action = CELL + cell
    return best, action


@rule(b="i1[:]")
def _best_take(b, size, own, placing):
    before = score(b, size, own)
    best = NO_PLAN
    action = NONE
    for cell in range(size * size):
        if b[cell] != 3 - own:
            continue
        saves = _touches_win(b, size, cell)
        b[cell] = EMPTY
        value = score(b, size, own)
        b[cell] = 3 - own
        if saves:
            value = SAVE + value - before - (TAKE_TOO if placing else 0)
        if value > best:
            best = value
            action = CELL + cell
    return best, action


@rule(b="i1[:]", to="i2[:]")
def _scatter_value(b, to, rng, size, own):
    """Return the mean score over samples from the same eight streams."""
    total = 0
    for k in range(SAMPLES):
        seed_words(rng, k, 1, 2, 3)
        for i in range(SCATTERED):
            cell = draw(rng, size * size)
            while b[cell] != EMPTY:
                cell = draw(rng, size * size)
            to[i] = cell
            b[cell] = 1 + draw(rng, 2)
        total += score(b, size, own)
        for i in range(SCATTERED):
            b[to[i]] = EMPTY
    return total // SAMPLES


# --- the static score -----------------------------------------------------------------


@rule(b="i1[:]")
def score(b, size, own):
    """Return the score of runs and nearness to the centre, own minus the opponent's."""
    total = 0
    for y in range(size):
        for x in range(size):
            cell = y * size + x
            if b[cell] == EMPTY:
                continue
            value = 60 * max(0, 16 - abs(2 * x - size + 1) - abs(2 * y - size + 1))
            for d in range(4):
                value += _run_value(b, size, x, y, d)
            total += value if b[cell] == own else -value
    return total


@rule(b="i1[:]")
def _run_value(b, size, x, y, d):
    """Return the value of the run that starts on a stone in direction `d`; 0 if it starts earlier."""
    dx = 0 if d == 1 else 1
    dy = 0 if d == 0 else (1 if d < 3 else -1)
    colour = b[y * size + x]
    ends = 0
    bx = x - dx
    by = y - dy
    if _inside(bx, by, size):
        if b[by * size + bx] == colour:
            return 0
        ends += b[by * size + bx] == EMPTY
    n = 1
    ex = x + dx
    ey = y + dy
    while _inside(ex, ey, size) and b[ey * size + ex] == colour:
        n += 1
        ex += dx
        ey += dy
    if _inside(ex, ey, size):
        ends += b[ey * size + ex] == EMPTY
    return _line_value(n, ends)


@rule
def _inside(x, y, size):
    return x >= 0 and y >= 0 and x < size and y < size


@rule
def _line_value(n, ends):
    if n >= FIVE:
        return FIVES + 5_000 * n
    if n == 1:
        return int(ONE[1 if ends > 0 else 0])
    both = 1 if ends == 2 else 0
    if n == 2:
        return int(TWO[both])
    return int(THREE[both]) if n == 3 else int(FOUR[both])


# --- cells ----------------------------------------------------------------------------


@rule(b="i1[:]")
def completes(b, size, cell, colour):
    """Return whether a stone of `colour` on the empty `cell` makes five or more."""
    b[cell] = colour
    y = cell // size
    x = cell - y * size
    right = size - 1 - x
    down = size - 1 - y
    found = run(b, cell, 1, right) + run(b, cell, -1, x) >= FIVE - 1
    found = found or run(b, cell, size, down) + run(b, cell, -size, y) >= FIVE - 1
    found = found or (
        run(b, cell, size + 1, min(right, down)) + run(b, cell, -size - 1, min(x, y)) >= FIVE - 1
    )
    found = found or (
        run(b, cell, size - 1, min(x, down)) + run(b, cell, 1 - size, min(right, y)) >= FIVE - 1
    )
    b[cell] = EMPTY
    return found


@rule(b="i1[:]")
def _touches_win(b, size, cell):
    """Return whether an unbroken run from the stone on `cell` leads to a cell that completes a five."""
    colour = int(b[cell])
    y = cell // size
    x = cell - y * size
    for d in range(8):
        dx = 1 if d < 3 else (0 if d < 5 else -1)
        dy = d - 1 if d < 3 else (1 if d == 3 else -1 if d == 4 else d - 6)
        ex = x + dx
        ey = y + dy
        while _inside(ex, ey, size) and b[ey * size + ex] == colour:
            ex += dx
            ey += dy
        if _inside(ex, ey, size) and b[ey * size + ex] == EMPTY:
            if completes(b, size, ey * size + ex, colour):
                return True
    return False


@rule(b="i1[:]", to="i2[:]")
def candidates(b, to, size):
    """Find empty cells within two steps of a stone, nearest to the centre first; or the centre itself."""
    n = 0
    for cell in range(size * size):
        if b[cell] == EMPTY and _near_stone(b, size, cell):
            far = _distance(size, cell)
            if n == MOST and far >= _distance(size, int(to[n - 1])):
                continue
            i = n if n < MOST else n - 1
            while i > 0 and _distance(size, int(to[i - 1])) > far:
                to[i] = to[i - 1]
                i -= 1
            to[i] = cell
            if n < MOST:
                n += 1
    if n == 0:
        to[0] = (size // 2) * size + size // 2
        n = 1
    return n


@rule
def _distance(size, cell):
    y = cell // size
    return abs(2 * (cell - y * size) - size + 1) + abs(2 * y - size + 1)


@rule(b="i1[:]")
def _near_stone(b, size, cell):
    y = cell // size
    x = cell - y * size
    for ny in range(max(0, y - 2), min(size, y + 3)):
        for nx in range(max(0, x - 2), min(size, x + 3)):
            if b[ny * size + nx] != EMPTY:
                return True
    return False


# --- the agent ------------------------------------------------------------------------


class HeuristicAgent:
    """Plays the card and target with the best static score (§15)."""

    def __init__(self, game: Game, words: NDArray[np.uint32]) -> None:
        game.compile()
        compile_rules([choose_play], game.rules.State, "skill_gomoku/heuristic")
        self._board = np.zeros(CELLS, np.int8)
        self._cells = np.zeros(MOST, np.int16)
        self._words = np.zeros(4, np.uint32)
        self.compiled = Compiled(choose, np.zeros(BOARD + MOST + 2, np.int64))

    def act(self, sight: Sight) -> int:
        """Return a slot, or a target."""
        return int(choose_play(sight.state, self._board, self._cells, self._words))
