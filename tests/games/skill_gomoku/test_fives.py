"""Lines of five: the compiled scan next to the naive one."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.games.skill_gomoku import game, scan_wins
from qipai.games.skill_gomoku.fives import has_five_at, run, scan_colours
from qipai.games.skill_gomoku.state import ROW_OF
from qipai.games.skill_gomoku.view import cells_of
from tests.naive.skill_gomoku import colours_with_five


@pytest.mark.parametrize("size", [5, 6, 9, 15, 19])
def test_the_compiled_scan_agrees_with_the_naive_one(size: int, boards: int = 40) -> None:
    rng = np.random.default_rng(size)
    one = game({"board_size": size})
    s = one.new({"board_size": size})
    for _ in range(boards):
        filled = rng.choice([0, 1, 2], size * size, p=[0.2, 0.45, 0.35]).astype(np.int8)
        s["board"][: size * size] = filled
        cells = cells_of(s)
        assert scan_colours(s) == colours_with_five(cells)
        owners = {m["player"] for m in scan_wins(cells, 1)["lines"]}
        assert sum(owners) == colours_with_five(cells)


def test_60_a_line_does_not_wrap_round_the_edge() -> None:
    board = np.zeros(225, np.int8)
    board[[3 * 15 + 13, 3 * 15 + 14, 4 * 15, 4 * 15 + 1, 4 * 15 + 2]] = 1
    assert not any(has_five_at(board, 15, c) for c in np.flatnonzero(board))


def test_a_run_ends_at_another_colour_and_at_the_edge() -> None:
    board = np.array([1, 1, 1, 2, 1], np.int8)
    assert [run(board, 0, 1, 4), run(board, 0, 1, 1), run(board, 4, -1, 4)] == [2, 1, 0]


def test_rows_are_found_without_a_division() -> None:
    for size in range(1, 20):
        for c in range(size * size):
            assert c * int(ROW_OF[size]) >> 16 == c // size
