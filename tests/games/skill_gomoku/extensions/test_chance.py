"""Chance from outside the record: the rules follow the generator handed in, and leave the state's alone."""

from __future__ import annotations

from qipai.games.skill_gomoku import Context, base_registry
from qipai.games.skill_gomoku.reference import Sfc32

from ..positions import SG, state


def test_the_generator_handed_in_is_the_one_that_moves() -> None:
    rng, twin = Sfc32((1, 2, 3, 4)), Sfc32((1, 2, 3, 4))
    cells = state(size=7, black=[(3, 3)])["board"]["cells"]
    ops = base_registry().require(SG).effect(Context(cells, 1), None, rng)
    empties = [(x, y) for y in range(7) for x in range(7) if cells[y][x] == 0]
    assert [((op["point"]["x"], op["point"]["y"]), op["player"]) for op in ops] == twin.scatter(empties, 5)
    assert rng.words == twin.words
