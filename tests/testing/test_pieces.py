"""A card that is made or lost is found in every game, at the action that did it."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.testing import Property
from qipai.testing.pieces import pieces_of, plain_value
from tests.toys_check import faults, hush
from tests.toys_check.faults import broken

from .breaking import breaks, make_run


def test_a_card_that_is_made_in_one_game_of_26_is_found_where_it_is_made() -> None:
    game = broken(apply=faults.apply_duplicates)
    failure = breaks(game, Property.PIECES, "[3, 3, 3, 3] at first, [3, 3, 3, 4] now", games=200, seed=2)
    assert failure.case is not None
    assert (
        failure.case.number >= make_run(game, games=200).walks
    )  # no game that is looked at action by action
    assert failure.case.ply == 1
    assert pieces_of(game, failure.case.replay(game)) == [3, 3, 3, 4]


def test_a_card_that_is_dealt_twice_in_one_deal_of_26_is_found() -> None:
    game = broken(deal=faults.deal_duplicates)
    failure = breaks(game, Property.PIECES, "[3, 3, 3, 4] are dealt here", games=200)
    assert failure.case is not None
    assert pieces_of(game, failure.case.replay(game)) == [3, 3, 3, 4]


@pytest.mark.parametrize(("odd", "found"), [(20, False), (1, True), (0, False)])
def test_deals_may_differ_in_their_pieces_but_not_once_in_a_while(odd: int, found: bool) -> None:
    """A game may make up a deck for each deal; a rare one is a fault of the deal."""
    run = make_run(broken(pieces=lambda s: int(s["cap"])), games=40)
    for number in range(40):
        s = run.game.blank({"cap": 4 if number < odd else 5}, 3)
        run.pieces.look(run, s, s, run.case(number))
    assert (run.pieces.failure() is not None) == found


def test_pieces_that_raise_are_a_failure_and_other_properties_are_still_checked() -> None:
    def raises(s: Any) -> Any:
        raise KeyError("stock")

    game = broken(pieces=raises, parse=faults.parse_off)
    failure = breaks(game, Property.PIECES, "pieces raised KeyError", only=[Property.PIECES, Property.TEXT])
    assert failure.case is not None


@pytest.mark.parametrize("value", [3, [1, 2], {"a": 1}])
def test_plain_values_stay_as_they_are(value: Any) -> None:
    assert plain_value(value) == value
    assert plain_value(hush.GAME.new(seats=3)["payoff"]) == [0, 0, 0]
