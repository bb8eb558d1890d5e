"""§22 checks 17-27: unplayable cards, small decks, the turn limit."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.games.skill_gomoku import TurnMachine
from qipai.games.skill_gomoku.reference import Mulberry32

from ..positions import (
    ENGINES,
    F4,
    F5,
    PI,
    SG,
    F,
    P,
    T,
    at,
    cell,
    choose,
    code,
    discards,
    drawn,
    load,
    player,
    state,
    tags,
)

engines = pytest.mark.parametrize("engine", ENGINES)


def resolve_entry(match: Any) -> dict[str, Any]:
    found: dict[str, Any] = next(e for e in match.dump()["log"] if e["tag"] == "resolve")["data"]
    return found


@engines
def test_17_an_unplayable_card_is_refused_while_the_other_can_be_played(engine: str) -> None:
    match = load(engine, state([T, P]))
    assert code(choose(match, 1)) == "CardNotPlayable"
    assert match.legal_actions() == [0]


@engines
def test_18_two_takes_without_a_stone_fizzle(engine: str) -> None:
    match = load(engine, state([PI, PI, T, T]))
    before = match.dump()["rng"]
    assert match.legal_actions() == [0, 1]
    choose(match, 0)
    assert discards(match) == [T, T]
    assert tags(match, 1) == ["drawTwo", "choose", "resolve", "checkWin"]
    assert resolve_entry(match) == {"card": T, "ops": [], "fizzled": True}
    assert player(match) == 2
    assert match.dump()["rng"] == before


@engines
def test_19_generation_needs_five_empty_cells(engine: str) -> None:
    match = load(engine, state([PI, SG], rows=F4))
    assert code(choose(match, 0)) == "InsufficientEmpties"
    assert match.legal_actions() == [1]


@engines
def test_20_two_generations_on_four_empty_cells_fizzle(engine: str) -> None:
    match = load(engine, state([PI, PI, SG, SG], rows=F4))
    before = match.dump()["board"]
    choose(match, 1)
    assert resolve_entry(match)["fizzled"]
    assert match.dump()["board"] == before


@engines
def test_21_generation_fills_exactly_five_empty_cells(engine: str) -> None:
    match = load(engine, state([T, SG], rows=F5))
    choose(match, 0)
    assert all(c for row in match.dump()["board"]["cells"] for c in row)
    assert len(resolve_entry(match)["ops"]) == 5


def spent(doc: Any, *indices: int) -> int:
    """Return how many numbers of the original's generator these choices draw."""
    match = TurnMachine.load(doc, pinned=True)
    for index in indices:
        assert choose(match, index)["ok"]
    rng = Mulberry32(doc["rng"]["state"])
    while rng.state != match.dump()["rng"]["state"]:
        rng.u32()
        assert rng.used < 1000
    return rng.used


def test_18_21_24_numbers_of_the_original_generator() -> None:
    assert spent(state([PI, PI, T, T], rng=77), 0) == 0
    assert spent(state([PI, PI, T, SG], rows=F5, maxTurns=1), 0) == 9
    assert spent(state([], discard=[P])) == 0
    assert spent(state([PI, PI], discard=[T, T, T])) == 0  # check 37


@engines
def test_22_on_a_full_board_only_taking_goes_on(engine: str) -> None:
    match = load(engine, state([PI, PI, T, P], rows=F))
    assert code(choose(match, 0)) == "InsufficientEmpties"
    assert match.legal_actions() == [1]
    choose(match, 1)
    assert code(cell(match, 0, 0)) == "InvalidTarget"
    assert cell(match, 2, 0)["ok"]
    assert at(match, 2, 0) == 0
    assert match.dump()["winner"] is None


@engines
def test_23_a_full_board_is_no_draw(engine: str) -> None:
    match = load(engine, state([PI, PI, SG, P], rows=F))
    assert match.legal_actions() == [0, 1]
    choose(match, 1)
    assert resolve_entry(match)["fizzled"]
    assert match.dump()["winner"] is None


@engines
def test_24_one_card_is_drawn_where_there_is_one(engine: str) -> None:
    match = load(engine, state([], discard=[P]))
    assert drawn(match) == [P]
    assert code(choose(match, 1)) == "CardNotDrawn"
    assert choose(match, 0)["ok"]
    assert discards(match) == []
    cell(match, 0, 0)
    assert at(match, 0, 0) == 1
    assert drawn(match) == [P]  # of the next turn: the pile was thrown away and drawn again
    last = load(engine, state([], discard=[P], maxTurns=1))
    choose(last, 0)
    cell(last, 0, 0)
    assert discards(last) == [P]


@engines
def test_24_a_single_reshuffled_card_uses_no_chance(engine: str) -> None:
    doc = state([], discard=[P])
    untouched = load(engine, state([P])).dump()["rng"]
    assert load(engine, doc).dump()["rng"] == untouched


@engines
def test_25_without_any_card_the_game_is_drawn(engine: str) -> None:
    match = load(engine, state([]))
    doc = match.dump()
    assert (doc["winner"], doc["reason"], tags(match), player(match)) == ("draw", "noCards", ["drawTwo"], 2)


@engines
def test_26_the_turn_limit_is_a_draw(engine: str) -> None:
    match = load(engine, state([P, PI], maxTurns=1))
    choose(match, 0)
    assert (match.dump()["winner"], match.dump()["reason"]) == ("draw", "turnLimit")
    assert discards(match) == [P, PI]  # as in check 6: the turn's own values


@engines
def test_27_a_win_beats_the_turn_limit(engine: str) -> None:
    match = load(engine, state([T, P], black=[(3, 7), (4, 7), (5, 7), (6, 7)], maxTurns=1))
    choose(match, 0)
    cell(match, 7, 7)
    assert (match.dump()["winner"], match.dump()["reason"]) == (1, "five")
