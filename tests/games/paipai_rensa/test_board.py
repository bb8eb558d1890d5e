"""The board: pair control and placements (AC-23 to AC-30), clearing and chains (AC-31 to AC-37)."""

from __future__ import annotations

import random

import pytest

from qipai.core.errors import IllegalAction
from qipai.games.paipai_rensa import board as grid
from qipai.games.paipai_rensa.api import Board, PaipaiGame, find_groups, resolve
from qipai.games.paipai_rensa.state import CELLS, CHAIN, COLS, PLACE
from qipai.games.paipai_rensa.tiles import code_of, codes, values
from tests.naive import paipai_rensa as naive

from .positions import EMPTY, bottom, heights_board

PAIR = {"pair": "m1 p1", "deck": "s1 zE s2 zS"}


def falling(heights: tuple[int, ...] = (0, 0, 0, 0, 0, 0)) -> PaipaiGame:
    game = PaipaiGame(1)
    board = heights_board(heights)
    used = " ".join(board).split()
    left = [code for code in ("m1", "p1", "zE", "s1", "p2", "m2", "s2", "zS") if used.count(code) < 3]
    game.load({"board": board, "pair": left[:2], "deck": left[2:4]})
    return game


def test_ac23_the_first_tile_of_the_pair_is_the_axis() -> None:
    game = PaipaiGame(1)
    game.act("START")
    assert game.cells() == ((2, 1), (2, 0))
    assert game.falling == {"axis": "m6", "rotor": "p9", "x": 2, "y": 0, "r": 0}


@pytest.mark.parametrize(
    ("turn", "rotors"),
    [("ROTATE_CW", [(3, 1), (2, 2), (1, 1), (2, 0)]), ("ROTATE_CCW", [(1, 1), (2, 2), (3, 1), (2, 0)])],
)
def test_ac24_four_turns_come_back(turn: str, rotors: list[tuple[int, int]]) -> None:
    game = falling()
    seen = []
    for _ in range(4):
        game.act(turn)
        seen.append(game.cells()[1])
    assert seen == rotors and game.cells()[0] == (2, 1)


def test_ac25_no_kicks_at_the_walls() -> None:
    for move, column, refused, taken in (
        ("RIGHT", 5, "ROTATE_CW", "ROTATE_CCW"),
        ("LEFT", 0, "ROTATE_CCW", "ROTATE_CW"),
    ):
        game = falling()
        for _ in range(6):
            game.act(move)
        assert game.x == column
        assert not game.act(refused) and (game.x, game.r) == (column, 0)
        assert game.act(taken) and game.x == column


def test_ac26_ten_ticks_to_the_floor_and_the_eleventh_lands() -> None:
    game = falling()
    for _ in range(10):
        game.act("TICK")
    assert (game.cells()[0], game.state, game.phase) == ((2, 11), "play", PLACE)
    game.act("TICK")
    assert (game.state, game.phase) == ("play", CHAIN)


COUNTS = {
    (0, 0, 0, 0, 0, 0): 22,
    (0, 0, 9, 0, 0, 0): 22,
    (9, 9, 9, 9, 9, 9): 22,
    (12, 0, 0, 0, 0, 0): 18,
    (0, 12, 0, 0, 0, 0): 14,
    (0, 0, 12, 0, 0, 0): 17,
    (0, 0, 0, 11, 0, 0): 10,
    (12, 12, 12, 12, 12, 12): 1,
}


@pytest.mark.parametrize(("heights", "count"), COUNTS.items())
def test_ac27_legal_placements_by_heights(heights: tuple[int, ...], count: int) -> None:
    found = falling(heights).placements()
    assert len(found) == count and 8 in found and not {3, 21} & set(found)
    if count == 22 and not any(heights):
        assert found == [i for i in range(24) if i not in (3, 21)]


def test_ac28_a_flat_pair_lands_whole_and_its_loose_half_drops_in_the_first_tick() -> None:
    game = PaipaiGame(1)
    board = [EMPTY] * 9 + ["m1 .. .. .. .. ..", "p1 .. .. .. .. ..", "s1 .. .. .. .. .."]
    game.load({"board": board, "pair": "zE m5"})
    for move in game.path(0, 1):
        game.act(move)
    while game.falling:
        game.act("TICK")
    assert [game.board.at(c, 8) for c in (0, 1)] == [108, 17]
    game.act("TICK")
    assert game.board.at(1, 11) == 17 and game.board.at(1, 8) is None


@pytest.mark.parametrize(("height", "lost"), [(11, 1), (12, 2)])
def test_ac29_a_blocked_spawn_crushes_what_is_there(height: int, lost: int) -> None:
    game = falling((0, 0, height, 0, 0, 0))
    under = [game.board.at(2, row) for row in (1, 0)]
    assert not game.act("ROTATE_CW") and not game.act("ROTATE_CCW")
    copy = game.copy()
    assert copy.act("LEFT") and copy.cells() == ((1, 1), (1, 0))
    game.act("TICK")
    assert game.lost == [code_of(t) for t in under if t is not None][:lost] and len(game.lost) == lost
    assert sum(game.board.at(2, row) is not None for row in range(12)) == 12
    game.act("TICK")
    assert game.state == "play" and game.falling


def random_board(rng: random.Random) -> tuple[list[int | None], list[int]]:
    """Return a settled board without groups, and a pair, of different tiles."""
    tiles = rng.sample(range(136), 136)
    top = rng.choice([3, 6, 9, 12])
    grid = naive.empty()
    for c in range(6):
        for r in range(rng.randint(0, top)):
            grid[11 - r][c] = tiles.pop()
    while naive.remove_groups(grid):
        grid = naive.fall(grid)
    return [t for row in grid for t in row], [tiles.pop(), tiles.pop()]


def place_equals_fine(game: PaipaiGame) -> int:
    """AC-30: for every legal placement, PLACE and walking there with TICKs give the same game."""
    grid = [game.board.cells[6 * r : 6 * r + 6] for r in range(12)]
    assert game.placements() == naive.placements(grid)
    for action in game.placements():
        one, other = game.copy(), game.copy()
        one.place(action >> 2, action & 3)
        for move in other.path(action >> 2, action & 3):
            assert other.act(move)
        while other.falling and other.record["at"] == game.record["at"]:
            other.act("TICK")
            if not other.falling:
                break
        while other.state == "play" and other.falling is None:
            other.act("TICK")
        assert one.hash() == other.hash(), action
    return len(game.placements())


def test_ac30_place_equals_the_fine_sequence_on_the_empty_board() -> None:
    assert place_equals_fine(falling()) == 22


def boards_with_place(count: int, seed: int) -> int:
    rng = random.Random(seed)
    total = 0
    for _ in range(count):
        cells, pair = random_board(rng)
        game = PaipaiGame(1)
        rest = [t for t in range(136) if t not in cells and t not in pair]
        game.load({"board": cells, "pair": pair, "deck": rest[:4]})
        total += place_equals_fine(game)
    return total


@pytest.mark.slow
@pytest.mark.parametrize("count", [10, pytest.param(100, marks=pytest.mark.slow)])
def test_ac30_place_equals_the_fine_sequence_on_random_boards(count: int) -> None:
    assert boards_with_place(count, 4) > 10 * count


def test_a_placement_that_cannot_be_reached_is_refused() -> None:
    game = falling((0, 12, 0, 0, 0, 0))
    before = game.hash()
    for col, rot in ((0, 0), (0, 3), (5, 1), (9, 0), (2, 7), (-1, 0)):
        with pytest.raises(IllegalAction):
            game.place(col, rot)
    assert game.hash() == before
    assert isinstance(game.board, Board)


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


def random_cells(rng: random.Random) -> list[int | None]:
    """Return a board with gaps, of one to four suits."""
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
