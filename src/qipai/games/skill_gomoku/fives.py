"""Skill Gomoku: lines of five or more on a board (§7)."""

from __future__ import annotations

from qipai.core import rule

from .state import EMPTY, FIVE, ROW_OF


@rule
def scan_colours(s):
    """Return the colours that have a line of five or more anywhere: 1 black, 2 white, 3 both."""
    size = int(s.board_size)
    found = 0
    for cell in range(size * size):
        if s.board[cell] != EMPTY and has_five_at(s.board[:], size, cell):
            found |= int(s.board[cell])
    return found


@rule(board="i1[:]")
def has_five_at(board, size, cell):
    """Return whether the stone on `cell` is in a line of five or more."""
    y = row_of(cell, size)
    x = cell - y * size
    right = size - 1 - x
    down = size - 1 - y
    if 1 + run(board, cell, 1, right) + run(board, cell, -1, x) >= FIVE:
        return True
    if 1 + run(board, cell, size, down) + run(board, cell, -size, y) >= FIVE:
        return True
    if 1 + run(board, cell, size + 1, min(right, down)) + run(board, cell, -size - 1, min(x, y)) >= FIVE:
        return True
    return 1 + run(board, cell, size - 1, min(x, down)) + run(board, cell, 1 - size, min(right, y)) >= FIVE


@rule(board="i1[:]")
def run(board, cell, step, room):
    """Return the number of stones of the same colour after `cell` in steps of `step`, at most `room`."""
    colour = board[cell]
    n = 0
    at = cell + step
    while n < room and board[at] == colour:
        n += 1
        at += step
    return n


@rule
def row_of(cell, size):
    """Return the row of a cell."""
    return (cell * ROW_OF[size]) >> 16
