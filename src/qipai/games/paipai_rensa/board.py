"""The board: falling, groups of one suit, what a clear removes and in which order (README §5, §6).

Cell = row * 6 + column, row 0 on top; a cell holds tile id + 1, or 0. `s.loose` is the
set of columns in which something may float; `s.height` is correct for all others. `s.stable`
says that nothing but the top two tiles of the columns in `s.fresh` can belong to a group
of four, which avoids the full scan after most landings.
"""

from __future__ import annotations

from qipai.core import rule

from .state import CELLS, CLEAR_MIN, COLS, ROWS, SPAWN_COL

HALF = CELLS // 2  # cells in each word of a set of cells
WORD = (1 << HALF) - 1
INNER = WORD // (2**COLS - 1) * (2 ** (COLS - 1) - 1)  # cells with a neighbour on the right


@rule
def first_cell(s):
    """Return the first cell in reading order that may hold a tile."""
    if s.loose != 0:
        return 0
    tallest = 0
    for col in range(COLS):
        h = int(s.height[col])
        tallest = h if h > tallest else tallest
    return CELLS - COLS * tallest


@rule
def gravity(s):
    """Let tiles fall in the loose columns, in one pass (§6.1)."""
    loose = int(s.loose)
    for col in range(COLS):
        if (loose >> col) & 1:
            floor = CELLS - COLS + col
            put = floor
            for cell in range(floor, -1, -COLS):
                tile = s.board[cell]
                s.board[cell] = 0
                s.board[put] = tile
                put -= COLS if tile != 0 else 0
            s.height[col] = (floor - put) // COLS
    s.loose = 0


@rule
def settle(s):
    """Settle fully (§6.1); one pass is enough, because nothing floats outside the loose columns."""
    gravity(s)


@rule
def is_free(s, x, y, r):
    """Return whether both cells of the pair's state are on the board and empty (§5.1)."""
    rx = x + (1 if r == 1 else 0) - (1 if r == 3 else 0)
    ry = y + 1 + (1 if r == 2 else 0) - (1 if r == 0 else 0)
    if x < 0 or x >= COLS or rx < 0 or rx >= COLS or y + 1 >= ROWS or ry >= ROWS:
        return 0
    if s.board[(y + 1) * COLS + x] != 0 or s.board[ry * COLS + rx] != 0:
        return 0
    return 1


@rule
def reachable(s):
    """Return the reachable placements as a set of bits col * 4 + rot; the board must be settled (§15.3)."""
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
def landings(s, out):
    """Fill `out` (24,) with the row y at which a pair in each placement lands; -1 if blocked (§5.3)."""
    for i in range(4 * COLS):
        y = -1
        while is_free(s, i >> 2, y + 1, i & 3):
            y += 1
        out[i] = y


@rule
def spread(found):
    """Return the states one move away from every state of the set: left, right, and both turns."""
    left = found >> 4
    right = (found << 4) & 0xFFFFFF
    cw = ((found << 1) & 0xEEEEEE) | ((found >> 3) & 0x111111)
    ccw = ((found >> 1) & 0x777777) | ((found << 3) & 0x888888)
    return left | right | cw | ccw


@rule
def put_tile(s, col, row, tile):
    """Write a landing tile; a tile that it overwrites is lost (§5.6)."""
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
def suit_start(value):
    """Return the lowest stored value of the suit of `value`."""
    return 1 + 36 * ((value > 36) + (value > 72) + (value > 108))


@rule
def is_of(start, value):
    """Return whether a stored tile has the suit that starts at `start`; an empty cell has none."""
    return 1 if 0 <= value - start < 36 else 0


@rule
def touches_four(s, cell):
    """Return whether `cell` belongs to a group of four or more."""
    suit = suit_start(int(s.board[cell]))
    cells = cell  # up to three found cells, 7 bits each
    n = 1
    i = 0
    while i < n:
        at = (cells >> (7 * i)) & 127
        col = at % COLS
        for k in range(4):
            to = at + neighbour(k, col)
            if to < 0 or to >= CELLS or is_of(suit, int(s.board[to])) == 0:
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
    """Return the offset of the neighbour right, left, below or above; 0 across the side of the board."""
    if k == 0:
        return 1 if col < COLS - 1 else 0
    if k == 1:
        return -1 if col > 0 else 0
    return COLS if k == 2 else -COLS


@rule
def may_clear(s):
    """Return whether the full scan can find anything (1 if unknown)."""
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
    """Remove every group of four or more (§6.2); removed tiles go to s.tiles from `n_list` on.

    Returns how many. The order is normative: groups by their first cell in reading order,
    within a group the latest pushed cell first, neighbours pushed right, left, down, up.
    """
    low, high = clearing(s)  # cells that clear and have not been pushed
    removed = 0
    first = 0
    while low | high:
        if is_in(low, high, first) == 0:
            first += 1
            continue
        suit = suit_start(int(s.board[first]))
        s.work[0] = first
        stacked = 1
        low, high = without(low, high, first)
        while stacked > 0:
            stacked -= 1
            at = int(s.work[stacked])
            col = at % COLS
            for k in range(4):
                to = at + neighbour(k, col)
                if to < 0 or to >= CELLS or is_in(low, high, to) == 0:
                    continue
                if is_of(suit, int(s.board[to])) == 0:
                    continue
                low, high = without(low, high, to)
                s.work[stacked] = to
                stacked += 1
            s.tiles[n_list + removed] = s.board[at]
            s.board[at] = 0
            s.loose = int(s.loose) | (1 << col)
            removed += 1
    return removed


# A set of cells is two words of HALF bits, rows 0-5 and rows 6-11.


@rule
def is_in(low, high, cell):
    """Return whether a cell is in a set of cells."""
    if cell < HALF:
        return (low >> cell) & 1
    return (high >> (cell - HALF)) & 1


@rule
def without(low, high, cell):
    """Return a set of cells without one that is in it."""
    if cell < HALF:
        return low ^ (1 << cell), high
    return low, high ^ (1 << (cell - HALF))


@rule
def clearing(s):
    """Return the cells of all groups of four or more.

    Every cell is linked with its neighbours of the same suit. A group has four cells or more
    if one of them has three links, or two that are linked have two each; such cells and
    those linked with them are the whole group.
    """
    o, a, b = 0, 0, 0  # occupied, and the two bits of the suit; rows 0-5
    if first_cell(s) < HALF:
        o, a, b = suit_planes(s.board[:HALF])
    p, c, d = suit_planes(s.board[HALF:])  # rows 6-11
    right0 = linked(o, a, b, o >> 1, a >> 1, b >> 1) & INNER
    right1 = linked(p, c, d, p >> 1, c >> 1, d >> 1) & INNER
    down0 = linked(o, a, b, risen(o, p), risen(a, c), risen(b, d))
    down1 = linked(p, c, d, p >> COLS, c >> COLS, d >> COLS)
    left0, left1 = right0 << 1, right1 << 1
    up0, up1 = down0 << COLS & WORD, sunk(down0, down1)
    two0 = at_least_two(right0, left0, down0, up0)
    two1 = at_least_two(right1, left1, down1, up1)
    core0 = two0 & (right0 & two0 >> 1 | left0 & two0 << 1 | down0 & risen(two0, two1) | up0 & two0 << COLS)
    core1 = two1 & (right1 & two1 >> 1 | left1 & two1 << 1 | down1 & two1 >> COLS | up1 & sunk(two0, two1))
    core0 |= at_least_three(right0, left0, down0, up0)
    core1 |= at_least_three(right1, left1, down1, up1)
    if core0 | core1 == 0:
        return 0, 0
    beside0 = (core0 & right0) << 1 | (core0 & left0) >> 1
    beside1 = (core1 & right1) << 1 | (core1 & left1) >> 1
    below0, below1 = (core0 & down0) << COLS & WORD, sunk(core0 & down0, core1 & down1)
    above0, above1 = risen(core0 & up0, core1 & up1), (core1 & up1) >> COLS
    return core0 | beside0 | below0 | above0, core1 | beside1 | below1 | above1


@rule(cells="u1[:]")
def suit_planes(cells):
    """Return, for half the board as bits, which cells are occupied, and the two bits of each tile's suit."""
    occupied = 0
    one = 0
    two = 0
    for i in range(HALF):
        value = int(cells[i])
        occupied |= (value > 0) << i
        one |= ((value > 36) ^ (value > 72) ^ (value > 108)) << i
        two |= (value > 72) << i
    return occupied, one, two


@rule
def linked(occupied, one, two, occupied2, one2, two2):
    """Return which cells hold a tile of the same suit as their neighbour, whose bits are in their place."""
    return occupied & occupied2 & ~(one ^ one2) & ~(two ^ two2)


@rule
def risen(low, high):
    """Return the upper word of a set moved one row up."""
    return low >> COLS | (high << (HALF - COLS)) & WORD


@rule
def sunk(low, high):
    """Return the lower word of a set moved one row down."""
    return (high << COLS) & WORD | low >> (HALF - COLS)


@rule
def at_least_two(right, left, down, up):
    """Return which cells are in two of the four sets."""
    return right & left | down & up | (right | left) & (down | up)


@rule
def at_least_three(right, left, down, up):
    """Return which cells are in three of the four sets."""
    return right & left & (down | up) | down & up & (right | left)
