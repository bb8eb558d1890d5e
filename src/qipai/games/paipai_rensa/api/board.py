"""The board by itself: `Board`, and what settling, clearing and chains do to it.

Boards are `Board` objects or board text (README §2.2). Malformed input raises `BadText`, and arguments are
never changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from qipai.core import State
from qipai.core.errors import BadText

from .. import board as grid
from .. import rules
from ..layout import blank, read_board
from ..state import ALL_COLUMNS, CHAIN, CLEAR_MIN, COLS, ROWS
from ..tiles import TILES, Box, code_of, suit_of, values


class Board:
    """72 cells, each a tile id or None; row 0 on top. Nothing in it moves by itself."""

    def __init__(self, cells: Any = None) -> None:
        self._cells: list[int] = list(cells._cells) if isinstance(cells, Board) else read_board(cells, Box())

    @classmethod
    def of(cls, s: State) -> Board:
        """Return the board of a state."""
        made = cls()
        made._cells = [int(v) for v in s["board"].tolist()]
        return made

    @property
    def cells(self) -> list[int | None]:
        """The cells row by row."""
        return [v - 1 if v else None for v in self._cells]

    @property
    def tiles(self) -> list[int]:
        """The tiles in reading order (the CPU's pool)."""
        return [v - 1 for v in self._cells if v]

    def at(self, col: int, row: int) -> int | None:
        """Return the tile in a cell."""
        return self.cells[COLS * row + col]

    def text(self) -> str:
        """Return the board as text (§2.2)."""
        cells = [code_of(v - 1) if v else ".." for v in self._cells]
        return "\n".join(" ".join(cells[COLS * r : COLS * r + COLS]) for r in range(ROWS))

    def state(self) -> State:
        """Return a state with this board, resolving."""
        s = blank()
        s["board"][:] = self._cells
        s["loose"] = ALL_COLUMNS
        s["stable"] = 0
        s["phase"] = CHAIN
        return s

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self._cells == other._cells

    def __hash__(self) -> int:
        return hash(tuple(self._cells))

    def __repr__(self) -> str:
        return f"Board({self.text()!r})"


def settle(board: Any) -> Board:
    """Return the board after a full settle (§6.1)."""
    s = Board(board).state()
    grid.settle(s)
    return Board.of(s)


def find_groups(board: Any) -> list[list[tuple[int, int]]]:
    """Return the groups that would clear now, without gravity (§6.2): cells (column, row) as removed."""
    given = Board(board)
    s = given.state()
    n = int(grid.clear(s, 0))
    where = {t: (i % COLS, i // COLS) for i, t in enumerate(given.cells) if t is not None}
    removed = [where[t] for t in values(s["tiles"][:n])]
    groups: list[list[tuple[int, int]]] = []
    for cell in removed:
        tile = given.at(*cell)
        assert tile is not None
        joined = (
            groups and suit_of(tile) == suit_of(_tile(given, groups[-1][0])) and _touches(cell, groups[-1])
        )
        if joined:
            groups[-1].append(cell)
        else:
            groups.append([cell])
    assert all(len(g) >= CLEAR_MIN for g in groups)
    return groups


def _tile(board: Board, cell: tuple[int, int]) -> int:
    tile = board.at(*cell)
    assert tile is not None
    return tile


def _touches(cell: tuple[int, int], group: list[tuple[int, int]]) -> bool:
    return any(abs(cell[0] - x) + abs(cell[1] - y) == 1 for x, y in group)


def resolve(board: Any) -> dict[str, Any]:
    """Run chain ticks until nothing clears; return what happened (§6.3)."""
    return resolve_state(Board(board).state())


def resolve_state(s: State) -> dict[str, Any]:
    """Run the ticks of a resolving state up to the allocation or the next pair."""
    before = int(s["score"])
    steps: list[int] = []
    while int(s["phase"]) == CHAIN:
        n = int(s["n_tiles"])
        chain = int(s["chain"])
        collected = values(s["tiles"])
        rules.advance(s)
        if int(s["phase"]) == CHAIN:
            steps.append(int(s["n_tiles"]) - n)
            chain, collected = int(s["chain"]), values(s["tiles"])
    return {
        "board": Board.of(s),
        "chain": chain,
        "step_counts": steps,
        "score": int(s["score"]) - before,
        "collected": collected,
    }


def remove_tiles(board: Any, tiles: Iterable[int]) -> Board:
    """Return the board without exactly these tiles (ids); gaps stay, nothing falls (BUG-2025-02)."""
    made = Board(board)
    gone = set()
    for t in tiles:
        if not isinstance(t, int | np.integer) or isinstance(t, bool) or not 0 <= t < TILES:
            raise BadText("tiles are removed by id")
        gone.add(int(t) + 1)
    made._cells = [0 if v in gone else v for v in made._cells]
    return made
