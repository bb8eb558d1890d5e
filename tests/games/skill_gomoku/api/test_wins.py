"""§22 checks 57-66: lines, overlines, both colours at once; and new stones next to the whole scan."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.games.skill_gomoku import GAME, game, scan_wins
from qipai.games.skill_gomoku.api.lines import cells_from_rows
from qipai.games.skill_gomoku.view import cells_of
from tests.naive.skill_gomoku import colours_with_five

from ..positions import ENGINES, PI, SG, TF, P, T, cell, choose, load, state

engines = pytest.mark.parametrize("engine", ENGINES)


def line(size: int, colour: int, *points: tuple[int, int]) -> list[list[int]]:
    cells = [[0] * size for _ in range(size)]
    for x, y in points:
        cells[y][x] = colour
    return cells


@pytest.mark.parametrize(
    ("cells", "winner"),
    [
        (line(10, 1, *[(x, 3) for x in range(2, 7)]), 1),
        (line(7, 2, *[(0, y) for y in range(1, 6)]), 2),
        (line(15, 1, *[(i, i) for i in range(1, 6)]), 1),
        (line(15, 2, *[(6 - i, i) for i in range(1, 6)]), 2),
    ],
)
def test_57_five_in_every_direction(cells: list[list[int]], winner: int) -> None:
    found = scan_wins(cells, 1)
    assert (found["winner"], found["reason"], len(found["lines"])) == (winner, "five", 1)


def test_58_four_is_nothing_and_an_overline_wins() -> None:
    assert scan_wins(line(15, 1, *[(x, 3) for x in range(4)]), 1)["winner"] is None
    for length in (6, 9):
        found = scan_wins(line(15, 1, *[(x, 3) for x in range(length)]), 2)
        assert (found["winner"], [m["length"] for m in found["lines"]]) == (1, [length])


def test_59_a_gap_is_no_line_until_it_is_filled() -> None:
    points = [(x, 3) for x in (0, 1, 2, 3, 5)]
    assert scan_wins(line(15, 1, *points), 1)["winner"] is None
    assert scan_wins(line(15, 1, *points, (4, 3)), 1)["lines"][0]["length"] == 6


def test_60_a_line_does_not_wrap_round_the_edge() -> None:
    cells = line(15, 1, (13, 3), (14, 3), (0, 4), (1, 4), (2, 4))
    assert scan_wins(cells, 1)["winner"] is None


BOTH = ["11111", "22222", "00000", "00000", "00000"]


def test_61_both_colours_at_once() -> None:
    cells = cells_from_rows(BOTH)
    for attacker in (1, 2):
        found = scan_wins(cells, attacker)
        assert (found["winner"], found["reason"]) == (attacker, "simultaneousFive")
    found = scan_wins(cells, 1, "draw")
    assert (found["winner"], found["reason"]) == ("draw", "simultaneousFive")


@engines
@pytest.mark.parametrize(("policy", "winner"), [("attacker", 2), ("draw", "draw")])
def test_62_both_colours_by_an_inversion(engine: str, policy: str, winner: int | str) -> None:
    match = load(engine, state([P, PI], rows=BOTH, player=2, simultaneousFivePolicy=policy))
    choose(match, 0)
    assert (match.dump()["winner"], match.dump()["reason"]) == (winner, "simultaneousFive")


def test_63_generation_may_win_for_the_other_player() -> None:
    from qipai.games.skill_gomoku import TurnMachine

    rows = ["22220", "11211", "21020", "12211", "02010"]
    match = TurnMachine.load(state([P, SG], rows=rows, rng=1), pinned=True)
    choose(match, 0)
    ops = next(e for e in match.dump()["log"] if e["tag"] == "resolve")["data"]["ops"]
    found = [(op["point"]["x"], op["point"]["y"], op["player"]) for op in ops]
    assert found == [(2, 4, 1), (2, 2, 2), (4, 4, 2), (4, 2, 1), (4, 0, 2)]
    assert (match.dump()["winner"], match.dump()["reason"]) == (2, "five")


@engines
def test_63_and_so_it_may_with_the_core_generator(engine: str) -> None:
    rows = ["22220", "11211", "21020", "12211", "02010"]
    winners = set()
    for rng in range(30):
        match = load(engine, state([P, SG], rows=rows, rng=rng))
        choose(match, 0)
        winners.add(match.dump()["winner"])
    assert 2 in winners


def test_64_two_crossing_fives_are_two_lines() -> None:
    points = [(x, 4) for x in range(2, 7)] + [(4, y) for y in range(2, 7)]
    found = scan_wins(line(15, 1, *points), 2)
    assert (found["winner"], found["reason"], len(found["lines"])) == (1, "five", 2)
    assert [m["line"][0] for m in found["lines"]] == [{"x": 4, "y": 2}, {"x": 2, "y": 4}]


@engines
def test_65_a_five_that_was_laid_out_counts_for_its_owner(engine: str) -> None:
    white = [(x, 0) for x in range(5)]
    match = load(engine, state([T, P], white=white))
    choose(match, 0)
    cell(match, 9, 9)
    assert (match.dump()["winner"], match.dump()["reason"]) == (2, "five")


@engines
def test_66_the_middle_of_a_line_wins(engine: str) -> None:
    match = load(engine, state([T, P], black=[(1, 1), (2, 1), (4, 1), (5, 1)]))
    choose(match, 0)
    cell(match, 3, 1)
    assert match.dump()["winner"] == 1
    assert match.dump()["winningLines"][0]["length"] == 5


@engines
def test_time_freeze_checks_for_a_win_too(engine: str) -> None:
    match = load(engine, state([T, TF], white=[(x, 0) for x in range(5)]))
    choose(match, 0)
    match.send({"type": "SELECT_TARGET", "target": {"kind": "player", "player": 2}})
    assert match.dump()["winner"] == 2


def test_the_incremental_check_agrees_with_the_whole_scan_in_play(games: int = 8) -> None:
    rng = np.random.default_rng(4)
    small = game({"board_size": 5})
    for g in range(games):
        one, options = (GAME, {}) if g == 0 else (small, {"board_size": 5})
        s = one.new(options, words=(4, g, 0, 1))
        while s["seat"] >= 0:
            one.rules.apply(s, int(rng.choice(one.legal_actions(s))))
            found = colours_with_five(cells_of(s))
            assert (found != 0) == (int(s["reason"]) in (1, 2))
