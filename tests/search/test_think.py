"""`think`: ranked actions, figures and the line in words."""

from __future__ import annotations

import json

import pytest

from qipai.core import NOBODY, copy_state, get, same
from qipai.core.errors import BadCount, MatchOver, NotYourTurn
from qipai.search import think

GAME = get("leduc_poker")


def test_the_best_action_stands_first_with_its_figures() -> None:
    s = GAME.new(layout={"cards": [4, 0, 2]})
    before = copy_state(s)
    thought = think(GAME, s, 0, 3000)
    assert same(s, before)
    assert thought.choices[0].text == "raise" and thought.best == thought.choices[0].action
    assert sum(choice.visits for choice in thought.choices) == 3000 == thought.simulations
    assert thought.line[0] == (0, "raise")
    shown = thought.text()
    assert "raise" in shown and "*" in shown and "line: seat 0 raise" in shown


def test_json_has_no_number_that_is_not_one() -> None:
    thought = think(GAME, GAME.new(), 0, 1)
    data = json.loads(json.dumps(thought.to_json(), allow_nan=False))
    assert {row["mean"] is None for row in data["choices"]} == {True, False}


def test_twins_are_thought_of_alike() -> None:
    twins = [GAME.new(layout={"cards": cards}) for cards in ([4, 0, 2], [4, 3, 1])]
    one, other = (think(GAME, s, 0, 500) for s in twins)
    assert one == other


@pytest.mark.parametrize("cards, best", [([0, 4, 2], "raise"), ([4, 0, 2], "fold")])
def test_a_seat_other_than_the_first_is_thought_for(cards: list[int], best: str) -> None:
    s = GAME.new(layout={"cards": cards})
    GAME.rules.apply(s, GAME.words.parse("raise"))
    thought = think(GAME, s, 1, 3000)
    assert thought.seat == 1 and thought.choices[0].text == best and thought.line[0] == (1, best)
    with pytest.raises(NotYourTurn, match="seat 1 does"):
        think(GAME, s, 0, 3000)


def test_one_legal_action_is_the_only_choice() -> None:
    game = get("xianqi")
    s = game.new(words=(1, 2, 3, 4))
    while len(game.legal_actions(s)) > 1:
        game.rules.apply(s, game.legal_actions(s)[0])
    thought = think(game, s, int(s["seat"]), 10)
    assert [choice.action for choice in thought.choices] == game.legal_actions(s) == [thought.best]


def test_without_a_budget_it_thinks_as_long_as_the_agent_does() -> None:
    assert think(GAME, GAME.new(), 0).simulations == GAME.search.simulations
    assert think(GAME, GAME.new(), 0, milliseconds=5).simulations > 0


def test_refusals_have_names() -> None:
    s = GAME.new()
    with pytest.raises(BadCount):
        think(GAME, s, 0, 0)
    s["seat"] = NOBODY
    with pytest.raises(MatchOver):
        think(GAME, s, 0, 10)
