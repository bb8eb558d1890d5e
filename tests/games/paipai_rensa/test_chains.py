"""Clearing, chains and score: AC-31 to AC-37, and BUG-2025-03's settle."""

from __future__ import annotations

import random

import pytest

from qipai.games.paipai_rensa import board as grid
from qipai.games.paipai_rensa.api import Board, find_groups, resolve
from qipai.games.paipai_rensa.board import CELLS, COLS
from qipai.games.paipai_rensa.tiles import codes, values
from tests.naive import paipai_rensa as naive

from .tables import EMPTY, bottom

CASES: list[tuple[str, list[str], list[int], int, str, list[str]]] = [
    (
        "AC-31",
        bottom(
            ".. zE .. .. .. ..",
            ".. s1 .. .. .. ..",
            ".. s2 .. .. .. ..",
            "zS s3 p9 .. .. ..",
            "zP s4 zF p1 p2 p3",
        ),
        [4, 4, 4],
        2400,
        "s1 s2 s3 s4 zS zP zE zF p9 p1 p2 p3",
        bottom(),
    ),
    (
        "AC-32",
        bottom(
            ".. .. s9 .. .. ..",
            ".. .. zE .. .. ..",
            "s1 .. zS .. .. ..",
            "s2 .. zW .. .. ..",
            "s3 m1 zN p1 .. ..",
        ),
        [4],
        400,
        "zE zS zW zN",
        bottom("s1 .. .. .. .. ..", "s2 .. .. .. .. ..", "s3 m1 s9 p1 .. .."),
    ),
    (
        "AC-33",
        bottom(
            ".. s1 s3 .. .. ..",
            ".. p4 s8 p2 zP ..",
            ".. zP p9 m2 m5 ..",
            "s4 p4 p6 s8 s6 m8",
            "s1 p1 p7 m5 m2 zF",
        ),
        [5, 4, 5],
        2800,
        "p9 p6 p7 p1 p4 s3 s8 s8 s6 m2 m5 m2 m5 m8",
        bottom(".. s1 .. .. .. ..", "s4 p4 .. .. .. ..", "s1 zP .. p2 zP zF"),
    ),
]


@pytest.mark.parametrize(
    ("name", "board", "steps", "score", "collected", "rest"), CASES, ids=[c[0] for c in CASES]
)
def test_chains_step_by_step(
    name: str, board: list[str], steps: list[int], score: int, collected: str, rest: list[str]
) -> None:
    found = resolve(board)
    assert found["step_counts"] == steps and found["chain"] == len(steps) and found["score"] == score
    assert " ".join(codes(found["collected"])) == collected
    assert found["board"].text().splitlines() == rest


@pytest.mark.parametrize(
    "board",
    [
        bottom("m1 m2 m3 .. .. .."),
        bottom("m1 p2 .. .. .. ..", "p1 m2 p3 .. .. ..", "s1 s2 m3 p4 .. ..", "zE zS p5 m4 .. .."),
        bottom("m1 m2 .. .. m3 m4"),
        bottom("m1 .. .. .. .. m4", "m2 p1 s1 zE s2 m3"),
    ],
    ids=["three", "diagonal", "apart", "no wrap"],
)
def test_ac34_nothing_clears(board: list[str]) -> None:
    assert find_groups(board) == [] and resolve(board)["chain"] == 0


def test_ac35_honours_are_one_suit_and_reds_count_for_theirs() -> None:
    assert resolve(bottom("zE zS .. .. .. ..", "zP zC .. .. .. .."))["score"] == 400
    assert resolve(bottom("m0 m1 m9 m5 .. .."))["step_counts"] == [4]


def test_ac36_two_groups_in_one_tick_are_one_step() -> None:
    found = resolve(bottom("m1 m2 m3 m4 .. ..", "p1 p2 p3 p4 .. .."))
    assert (found["step_counts"], found["score"]) == ([8], 800)


STEPS = {  # (step, tiles): a board whose chain ends so, and the points of that step
    (1, 4): (bottom("m1 m2 m3 m4 .. .."), 400),
    (2, 5): (
        bottom(
            "p9 .. .. .. .. ..",
            "p1 .. .. .. .. ..",
            *(f"m{n} .. .. .. .. .." for n in (1, 2, 3)),
            "m4 p2 p3 p4 .. ..",
        ),
        1000,
    ),
    (3, 4): (CASES[0][1], 1200),
    (4, 7): (
        bottom(
            "m9 .. .. .. .. p7",
            "s4 .. zF .. .. m8",
            "m1 .. m5 zC m3 s3",
            "zF s4 s8 zC m6 s2",
            "p2 zN zS s9 zE p3",
            "s7 s5 p4 p3 m4 p1",
            "s6 zS p4 p8 s2 m9",
            "s2 zS s1 m1 m7 s8",
        ),
        2800,
    ),
}


@pytest.mark.parametrize(("step", "n"), STEPS)
def test_ac37_points_of_a_step(step: int, n: int) -> None:
    board, points = STEPS[step, n]
    found = resolve(board)
    assert len(found["step_counts"]) == step and found["step_counts"][-1] == n
    before = sum(100 * k * m for k, m in enumerate(found["step_counts"][:-1], 1))
    assert found["score"] - before == points


def test_a_board_given_to_the_api_is_not_changed() -> None:
    board = Board(CASES[0][1])
    before = board.text()
    resolve(board)
    find_groups(board)
    assert board.text() == before and EMPTY in before


def random_cells(rng: random.Random) -> list[int | None]:
    """A board with gaps, of one to four suits."""
    suits = rng.sample(range(4), rng.randint(1, 4))
    tiles = [t for t in range(136) if min(t // 36, 3) in suits]
    rng.shuffle(tiles)
    share = rng.random()
    return [tiles.pop() if tiles and rng.random() < share else None for _ in range(CELLS)]


def test_groups_and_their_order_are_those_of_the_twin() -> None:
    rng = random.Random(6)
    cleared = 0
    for _ in range(1500):
        cells = random_cells(rng)
        s = Board(cells).state()
        n = int(grid.clear(s, 0))
        rows = [cells[i : i + COLS] for i in range(0, CELLS, COLS)]
        assert values(s["tiles"][:n]) == naive.remove_groups(rows), cells
        assert Board.of(s).cells == [t for row in rows for t in row]
        cleared += n
    assert cleared > 10_000
