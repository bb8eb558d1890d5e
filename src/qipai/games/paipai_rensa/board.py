"""The board: falling, groups of one suit, what a clear removes and in which order (README §5, §6).

Cell = row * 6 + column, row 0 on top; a cell holds tile id + 1, or 0. `s.loose` is the
set of columns in which something may float; `s.height` is right for all others. `s.stable`
says that nothing but the top two tiles of the columns in `s.fresh` can belong to a group
of four, which spares the full scan after most landings.
"""

from __future__ import annotations

from qipai.core import rule

from .tiles import SUIT

COLS = 6
ROWS = 12
CELLS = COLS * ROWS
CLEAR_MIN = 4  # tiles of one suit that clear
ALL_COLUMNS = (1 << COLS) - 1
SPAWN_COL = 2
HALF = CELLS // 2  # cells in each word of a set of cells


@rule
def gravity(s):
    """§6.1 one pass over the loose columns; 1 when something moved."""
    loose = int(s.loose)
    moved = 0
    for col in range(COLS):
        if (loose >> col) & 1:
            floor = CELLS - COLS + col
            put = floor
            cell = floor
            while cell >= 0:
                tile = s.board[cell]
                if tile != 0:
                    if put != cell:
                        s.board[put] = tile
                        s.board[cell] = 0
                        moved = 1
                    put -= COLS
                cell -= COLS
            s.height[col] = (floor - put) // COLS
    s.loose = 0
    return moved


@rule
def settle(s):
    """§6.1 full settle: passes until nothing moves."""
    while gravity(s):
        s.loose = ALL_COLUMNS


@rule
def is_free(s, x, y, r):
    """§5.1 whether both cells of the pair's state lie on the board and are empty."""
    rx = x + (1 if r == 1 else 0) - (1 if r == 3 else 0)
    ry = y + 1 + (1 if r == 2 else 0) - (1 if r == 0 else 0)
    if x < 0 or x >= COLS or rx < 0 or rx >= COLS or y + 1 >= ROWS or ry >= ROWS:
        return 0
    if s.board[(y + 1) * COLS + x] != 0 or s.board[ry * COLS + rx] != 0:
        return 0
    return 1


@rule
def reachable(s):
    """§15.3 the placements that can be walked to, as a set of bits col * 4 + rot. The board is settled."""
    free = 0
    for x in range(COLS):
        h = int(s.height[x])
        if h <= ROWS - 2:
            free |= 1 << (4 * x)
            if x > 0 and s.height[x - 1] <= ROWS - 2:
                free |= (8 << (4 * x)) | (2 << (4 * x - 4))
            if h <= ROWS - 3:
                free |= 4 << (4 * x)
    found = 1 << (4 * SPAWN_COL)
    grown = spread(found) & free | found
    while grown != found:
        found = grown
        grown = spread(found) & free | found
    return found


@rule
def spread(found):
    """One move from every state of the set: left, right, and both turns."""
    left = found >> 4
    right = (found << 4) & 0xFFFFFF
    cw = ((found << 1) & 0xEEEEEE) | ((found >> 3) & 0x111111)
    ccw = ((found >> 1) & 0x777777) | ((found << 3) & 0x888888)
    return left | right | cw | ccw


@rule
def put_tile(s, col, row, tile):
    """Write a landing tile; what it overwrites is lost for good. §5.6"""
    cell = row * COLS + col
    if s.board[cell] != 0:
        s.lost[s.n_lost] = s.board[cell]
        s.n_lost += 1
    s.board[cell] = tile
    if (int(s.loose) >> col) & 1 == 0 and row == ROWS - 1 - int(s.height[col]):
        s.height[col] += 1
    else:
        s.loose = int(s.loose) | (1 << col)


@rule
def touches_four(s, cell):
    """Whether `cell` belongs to a group of four or more."""
    suit = int(SUIT[s.board[cell]])
    cells = cell  # up to three found cells, 7 bits each
    n = 1
    i = 0
    while i < n:
        at = (cells >> (7 * i)) & 127
        col = at % COLS
        for k in range(4):
            to = at + neighbour(k, col)
            if to == at or to < 0 or to >= CELLS or SUIT[s.board[to]] != suit:
                continue
            if to == cell or (n > 1 and to == (cells >> 7) & 127) or (n > 2 and to == cells >> 14):
                continue
            if n == CLEAR_MIN - 1:
                return 1
            cells |= to << (7 * n)
            n += 1
        i += 1
    return 0


@rule
def neighbour(k, col):
    """Where the neighbour right, left, below or above lies; 0 across the side of the board."""
    if k == 0:
        return 1 if col < COLS - 1 else 0
    if k == 1:
        return -1 if col > 0 else 0
    return COLS if k == 2 else -COLS


@rule
def may_clear(s):
    """Whether the full scan can find anything (1 when that is not known)."""
    if s.stable == 0:
        return 1
    fresh = int(s.fresh)
    for col in range(COLS):
        if (fresh >> col) & 1:
            top = (ROWS - int(s.height[col])) * COLS + col
            if touches_four(s, top):
                return 1
            if fresh == 1 << col and touches_four(s, top + COLS):  # an upright pair
                return 1
    return 0


@rule
def clear(s, n_list):
    """§6.2 remove every group of four or more; removed tiles go to s.tiles from `n_list` on.

    Returns how many. The order is normative: groups by their first cell in reading order,
    within a group the latest pushed cell first, neighbours pushed right, left, down, up.
    """
    low = 0  # cells pushed, as bits: rows 0-5, rows 6-11
    high = 0
    removed = 0
    for first in range(CELLS):
        if s.board[first] == 0 or is_in(low, high, first):
            continue
        suit = int(SUIT[s.board[first]])
        s.work[0] = first  # the stack grows from the left, what was popped from the right
        stacked = 1
        popped = 0
        if first < HALF:
            low |= 1 << first
        else:
            high |= 1 << (first - HALF)
        while stacked > 0:
            stacked -= 1
            at = int(s.work[stacked])
            popped += 1
            s.work[CELLS - popped] = at
            col = at % COLS
            for k in range(4):
                to = at + neighbour(k, col)
                if to < 0 or to >= CELLS or SUIT[s.board[to]] != suit or is_in(low, high, to):
                    continue
                if to < HALF:
                    low |= 1 << to
                else:
                    high |= 1 << (to - HALF)
                s.work[stacked] = to
                stacked += 1
        if popped >= CLEAR_MIN:
            for i in range(popped):
                at = int(s.work[CELLS - 1 - i])
                s.tiles[n_list + removed] = s.board[at]
                s.board[at] = 0
                s.loose = int(s.loose) | (1 << (at % COLS))
                removed += 1
    return removed


@rule
def is_in(low, high, cell):
    """Whether a cell is in a set of cells."""
    if cell < HALF:
        return (low >> cell) & 1
    return (high >> (cell - HALF)) & 1
