"""Boards as rows of cells: reading and writing them, the counts of a record, and lines (§7)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from qipai.games.skill_gomoku import winning_lines
from qipai.games.skill_gomoku.api.lines import (
    DIRECTIONS,
    cells_from_rows,
    put_cells,
    rows_from_cells,
    runs,
)
from qipai.games.skill_gomoku.extensions.wide import wide_record
from qipai.games.skill_gomoku.view import cells_of

BOARD = ["012", "200", "112"]


def test_a_board_is_read_row_by_row_and_written_back() -> None:
    cells = cells_from_rows(BOARD)
    assert cells[0] == [0, 1, 2]
    assert cells[1][0] == 2
    assert rows_from_cells(cells) == BOARD


def test_a_board_brings_its_counts_into_the_record() -> None:
    s = wide_record(3, 0)
    put_cells(s, cells_from_rows(["111", "111", "111"]))
    put_cells(s, cells_from_rows(BOARD))  # the counts are those of the second board
    assert cells_of(s) == cells_from_rows(BOARD)
    assert s["row_empty"][:3].tolist() == [1, 2, 0]
    assert (int(s["empties"]), s["stones"].tolist()) == (3, [3, 3])


def test_runs_come_by_their_first_cell_then_by_direction() -> None:
    found = [(player, line) for player, line in runs(cells_from_rows(["110", "010", "002"])) if len(line) > 1]
    assert found == [(1, [(0, 0), (1, 0)]), (1, [(0, 0), (1, 1)]), (1, [(1, 0), (1, 1)])]
    lone = [line for player, line in runs(cells_from_rows(["110", "010", "002"])) if player == 2]
    assert lone == [[(2, 2)]] * len(DIRECTIONS)  # a single stone is a run each way


LINES: dict[str, tuple[list[str], list[tuple[int, int, int, int, int, int]]]] = {
    # rows; player, length, first x and y, last x and y
    "no stone": (["0"], []),
    "four in a row": (["11110", "00000", "00000", "00000", "00000"], []),
    "a row": (["00000", "11111", "00000", "00000", "00000"], [(1, 5, 0, 1, 4, 1)]),
    "a column": (["00200"] * 5, [(2, 5, 2, 0, 2, 4)]),
    "falling": (["10000", "01000", "00100", "00010", "00001"], [(1, 5, 0, 0, 4, 4)]),
    "rising": (["00002", "00020", "00200", "02000", "20000"], [(2, 5, 0, 4, 4, 0)]),
    "an overline": (["222222", *["000000"] * 5], [(2, 6, 0, 0, 5, 0)]),
    "five, and four of the other colour beyond": (["111112222", *["0" * 9] * 8], [(1, 5, 0, 0, 4, 0)]),
    "both colours": (["11111", "00000", "22222", "00000", "00000"], [(1, 5, 0, 0, 4, 0), (2, 5, 0, 2, 4, 2)]),
    "one corner, three lines": (
        ["11111", "11000", "10100", "10010", "10001"],
        [(1, 5, 0, 0, 4, 0), (1, 5, 0, 0, 0, 4), (1, 5, 0, 0, 4, 4)],
    ),
    "round the edge": (["000111", "110000", *["000000"] * 4], []),
}


@pytest.mark.parametrize("name", LINES)
def test_7_1_lines_are_maximal_runs_of_five_or_more(name: str) -> None:
    rows, wanted = LINES[name]
    found = [
        (m["player"], m["length"], *m["line"][0].values(), *m["line"][-1].values())
        for m in winning_lines(cells_from_rows(rows))
    ]
    assert found == wanted


def windows(cells: list[list[int]], step: tuple[int, int]) -> set[tuple[int, int]]:
    """Return the cells of every five equal stones in one direction, found window by window."""
    size, covered = len(cells), set()
    for y in range(size):
        for x in range(size):
            five = [(x + i * step[0], y + i * step[1]) for i in range(5)]
            if all(0 <= a < size and 0 <= b < size for a, b in five):
                if len({cells[b][a] for a, b in five}) == 1 and cells[y][x] != 0:
                    covered |= set(five)
    return covered


def direction_of(line: list[dict[str, int]]) -> tuple[int, int]:
    return line[1]["x"] - line[0]["x"], line[1]["y"] - line[0]["y"]


@pytest.mark.parametrize("size", [5, 9, 25])
def test_lines_cover_what_a_search_of_every_five_cells_covers(size: int, boards: int = 20) -> None:
    rng = random.Random(size)
    lines: list[Any] = []
    for _ in range(boards):
        cells = [rng.choices([0, 1, 2], [2, 7, 3], k=size) for _ in range(size)]
        found = winning_lines(cells)
        lines += found
        for step in DIRECTIONS:
            covered = [(p["x"], p["y"]) for m in found if direction_of(m["line"]) == step for p in m["line"]]
            assert set(covered) == windows(cells, step)
            assert len(covered) == len(set(covered))  # maximal runs of one direction do not overlap
    assert lines
