"""Boards in documents: rows of cells, and the lines of five on them.

`cells[y][x]` is 0 empty, 1 black, 2 white.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from qipai.core import State

from ..state import EMPTY, FIVE, SEATS

Cells = list[list[int]]
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def cells_from_rows(rows: Sequence[str]) -> Cells:
    """Return cells from one string per row."""
    return [[int(c) for c in row] for row in rows]


def rows_from_cells(cells: Cells) -> list[str]:
    """Return cells as one string per row."""
    return ["".join(str(c) for c in row) for row in cells]


def put_cells(s: State, cells: Cells) -> None:
    """Set the board of a state, and everything that is counted from it."""
    size = len(cells)
    grid = np.array(cells, np.int8)
    s["board"][: size * size] = grid.ravel()
    s["row_empty"][:size] = (grid == EMPTY).sum(axis=1)
    s["empties"] = (grid == EMPTY).sum()
    for seat in range(SEATS):
        s["stones"][seat] = (grid == seat + 1).sum()


def runs(cells: Cells) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Yield all maximal runs (player, cells) by start cell, row by row, then by direction (§7)."""
    size = len(cells)
    for y in range(size):
        for x in range(size):
            if cells[y][x] == 0:
                continue
            for dx, dy in DIRECTIONS:
                if _at(cells, x - dx, y - dy) == cells[y][x]:
                    continue  # not the start of the run
                line = [(x, y)]
                while _at(cells, line[-1][0] + dx, line[-1][1] + dy) == cells[y][x]:
                    line.append((line[-1][0] + dx, line[-1][1] + dy))
                yield cells[y][x], line


def _at(cells: Cells, x: int, y: int) -> int:
    return cells[y][x] if 0 <= y < len(cells) and 0 <= x < len(cells) else -1


def winning_lines(cells: Cells) -> list[dict[str, Any]]:
    """Return all maximal runs of five or more, as §7 reports them."""
    return [
        {"player": player, "length": len(line), "line": [{"x": x, "y": y} for x, y in line]}
        for player, line in runs(cells)
        if len(line) >= FIVE
    ]
