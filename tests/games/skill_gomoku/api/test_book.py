"""Rulebooks: card numbers, the limits of the record, and the states in which a position is laid out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from qipai.core import State
from qipai.core.errors import BadLayout
from qipai.games.skill_gomoku import GAME
from qipai.games.skill_gomoku.api.book import STANDARD, STATES, Rulebook
from qipai.games.skill_gomoku.layout import lay_out_by
from qipai.games.skill_gomoku.state import FREEZE, GENERATE, OPPONENT, PLACE, POLARITY, TAKE, Phase
from qipai.games.skill_gomoku.state import State as CompiledState
from qipai.games.skill_gomoku.view import drawn_of, piles_of, trace

from ..positions import PI, SG, TF, P, T

FIVE = ["11111" + "0" * 10, *["0" * 15] * 14]
# a layout for each state in which a position is laid out
WAITING: dict[str, dict[str, Any]] = {
    "maybeSkip": {"turn": {"state": "maybeSkip"}},
    "choose": {"turn": {"state": "choose", "drawn": [P, T]}},
    "selectTarget": {"turn": {"state": "selectTarget", "drawn": [P, T], "chosen": P}},
    "endTurn": {"turn": {"state": "endTurn"}, "board": FIVE, "winner": 1, "reason": "five"},
}
CHOSEN = {"drawn": [PI, T], "chosen": PI}


def laid_out(layout: dict[str, Any], book: Rulebook = STANDARD) -> State:
    s = GAME.blank({})
    lay_out_by(book, s, layout)
    return s


@pytest.mark.parametrize(
    ("card", "number"), [(P, PLACE), (T, TAKE), (PI, POLARITY), (TF, FREEZE), (SG, GENERATE)]
)
def test_a_card_has_the_number_that_the_rules_give_it(card: str, number: int) -> None:
    assert STANDARD.number(card) == number
    assert STANDARD.ids[number] == card


@pytest.mark.parametrize("name", STATES)
def test_a_position_is_laid_out_in_every_state_of_the_book(name: str) -> None:
    assert int(laid_out(WAITING[name])["phase"]) == Phase[name]


@pytest.mark.parametrize("name", sorted({phase.name for phase in Phase} - set(STATES)))
def test_a_passing_state_is_refused_unless_the_book_has_it(name: str) -> None:
    layout = {"turn": {"state": name, **({} if name == "drawTwo" else CHOSEN)}}
    with pytest.raises(BadLayout, match="a position must be in maybeSkip, choose, selectTarget, endTurn"):
        laid_out(layout)
    assert int(laid_out(layout, replace(STANDARD, states=(*STATES, name)))["phase"]) == Phase[name]


LIMITS: list[tuple[str, str, Any]] = [
    ("longest", "turn", lambda n: {"turn": {"number": n}}),
    ("most_skips", "skips", lambda n: {"status": {"skipNextTurns": {"2": n}}}),
    ("most_logged", "logged", lambda n: {"logged": n}),
]


@pytest.mark.parametrize(("limit", "field", "layout"), LIMITS)
def test_a_limit_is_laid_out_and_one_more_is_refused(limit: str, field: str, layout: Any) -> None:
    most = getattr(STANDARD, limit)
    assert most <= np.iinfo(CompiledState[field].base).max
    assert int(laid_out(layout(most))[field].max()) == most
    with pytest.raises(BadLayout, match=f"to {most}, not {most + 1}"):
        laid_out(layout(most + 1))
    assert int(laid_out(layout(most + 1), replace(STANDARD, **{limit: most + 1}))[field].max()) == most + 1


def test_a_position_at_its_limits_plays_on_without_an_overflow() -> None:
    most = STANDARD.most_skips
    turn = {"state": "selectTarget", "drawn": [TF, T], "chosen": TF}
    layout = {"turn": turn, "status": {"skipNextTurns": {"2": most}}, "logged": STANDARD.most_logged}
    s = laid_out(layout)
    events = list(trace(s, OPPONENT))
    assert s["skips"].tolist() == [0, most]  # one was added, one was spent
    logged = [e["seq"] for e in events if "seq" in e]
    assert logged == list(range(STANDARD.most_logged + 1, STANDARD.most_logged + 1 + len(logged)))


def test_documents_name_cards_by_the_ids_of_the_book() -> None:
    book = replace(STANDARD, ids=("Stone", T, PI, TF, SG))
    s = laid_out({"deck": {"drawPile": [T, "Stone"]}, "turn": {"state": "choose", "drawn": ["Stone"]}}, book)
    assert (piles_of(s, book), drawn_of(s, book)) == (([T, "Stone"], []), ["Stone"])
    assert piles_of(s)[0] == [T, P]
    with pytest.raises(BadLayout, match="there is no card 'Place'"):
        laid_out({"deck": {"drawPile": [P]}}, book)


def test_an_exchanged_function_is_the_one_that_plays() -> None:
    def advance(s: State) -> None:
        s["turn"] = 7
        STANDARD.advance(s)

    s = laid_out({"deck": {"drawPile": [T, P]}})
    list(trace(s, book=replace(STANDARD, advance=advance)))
    assert (int(s["turn"]), Phase(int(s["phase"]))) == (7, Phase.choose)
