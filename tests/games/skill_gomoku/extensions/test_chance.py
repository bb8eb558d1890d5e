"""Chance from outside the record: the rules follow the generator handed in, and leave the state's alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest

from qipai.core import State
from qipai.games.skill_gomoku import Context, base_registry, rules
from qipai.games.skill_gomoku.api.lines import rows_from_cells
from qipai.games.skill_gomoku.extensions.chance import chance_from
from qipai.games.skill_gomoku.extensions.wide import piles, plain, position
from qipai.games.skill_gomoku.reference import Generator, Mulberry32, Sfc32
from qipai.games.skill_gomoku.state import GENERATE, RESOLVE
from qipai.games.skill_gomoku.view import cells_of

from ..positions import SG, state

T = TypeVar("T")
Point = tuple[int, int]


class Last:
    """Chance without any: lists are reversed, and stones go to the last cells, in alternating colours."""

    def below(self, n: int) -> int:
        return n - 1

    def shuffle(self, items: Sequence[T]) -> list[T]:
        return list(items)[::-1]

    def scatter(self, empties: Sequence[Point], n: int) -> list[tuple[Point, int]]:
        return [(cell, 1 + i % 2) for i, cell in enumerate(list(empties)[::-1][:n])]

    def to_json(self) -> dict[str, Any]:
        return {}


MAKERS: list[Callable[[], Generator]] = [Last, lambda: Mulberry32(131604589), lambda: Sfc32((1, 2, 3, 4))]
makers = pytest.mark.parametrize("make", MAKERS, ids=["last", "mulberry32", "sfc32"])


def empties_of(cells: list[list[int]]) -> list[Point]:
    return [(x, y) for y, row in enumerate(cells) for x, c in enumerate(row) if c == 0]


def generated(s: State, generator: Generator) -> list[tuple[Point, int]]:
    """Apply Spontaneous Generation once; return the cells that were filled, and their colours."""
    before = empties_of(cells_of(s))
    s["card"], s["phase"] = GENERATE, RESOLVE
    plain(chance_from(generator))(rules.apply_card)(s)
    after = cells_of(s)
    return [((x, y), after[y][x]) for x, y in before if after[y][x] != 0]


@makers
@pytest.mark.parametrize(
    "rows", [["0" * 7] * 7, ["0120120", "0" * 7, "2222111", *["0" * 7] * 4], ["00000", *["12211"] * 4]]
)
def test_stones_go_where_the_generator_scatters_them(make: Callable[[], Generator], rows: list[str]) -> None:
    s = position(state(rows=rows)["board"]["cells"], 1)
    wanted = make().scatter(empties_of(cells_of(s)), 5)
    assert sorted(generated(s, make())) == sorted(wanted)


def test_a_second_generation_asks_again_about_what_is_left() -> None:
    s = position(state(size=5)["board"]["cells"], 1)
    apply_card = plain(chance_from(Last()))(rules.apply_card)
    for filled in (["12121"], ["12121", "12121"]):
        s["card"], s["phase"], s["changes"] = GENERATE, RESOLVE, 0
        apply_card(s)
        assert rows_from_cells(cells_of(s)) == ["00000"] * (5 - len(filled)) + filled


@makers
def test_discards_become_the_pile_in_the_order_of_the_generator(make: Callable[[], Generator]) -> None:
    s = piles([], [0, 1, 2, 3, 4, 0, 1])
    draw_card = plain(chance_from(make()))(rules.draw_card)
    drawn = [int(draw_card(s)) for _ in range(7)]
    assert drawn == make().shuffle([0, 1, 2, 3, 4, 0, 1])[::-1]
    assert (int(s["piled"]), int(s["discarded"])) == (0, 0)


def test_the_words_of_the_state_do_not_move() -> None:
    s = piles([], [0, 1, 2, 3])
    s["rng"] = (9, 8, 7, 6)
    plain(chance_from(Last()))(rules.draw_card)(s)
    assert s["rng"].tolist() == [9, 8, 7, 6]
    rules_alone = piles([], [0, 1, 2, 3])
    rules_alone["rng"] = (9, 8, 7, 6)
    plain()(rules.draw_card)(rules_alone)
    assert rules_alone["rng"].tolist() != [9, 8, 7, 6]


def test_the_generator_handed_in_is_the_one_that_moves() -> None:
    rng, twin = Sfc32((1, 2, 3, 4)), Sfc32((1, 2, 3, 4))
    cells = state(size=7, black=[(3, 3)])["board"]["cells"]
    ops = base_registry().require(SG).effect(Context(cells, 1), None, rng)
    found = [((op["point"]["x"], op["point"]["y"]), op["player"]) for op in ops]
    assert found == twin.scatter(empties_of(cells), 5)
    assert rng.words == twin.words
