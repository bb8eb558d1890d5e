"""The game in one file keeps the contract, and its rules are those of its three clauses."""

from __future__ import annotations

import pytest

from qipai import Match
from qipai.core.errors import BadLayout
from qipai.skeleton.small import GAME
from qipai.testing import check_game


@pytest.mark.slow
def test_the_small_game_keeps_the_contract() -> None:
    report = check_game(GAME, games=60, seed=3, parity_games=4)
    assert report.games == 60 and not report.failures


def test_the_higher_die_wins_the_difference() -> None:
    match = Match(GAME, layout={"dice": [6, 2]})
    match.act(0, 0)
    assert match.view(1)["dice"] == [None, 2] and match.view(-1)["dice"] == [None, None]
    match.act(1, 0)
    assert match.payoff == [4, -4] and match.view(-1)["dice"] == [6, 2]


def test_a_second_roll_shows_to_all_and_its_die_to_the_seat_alone() -> None:
    match = Match(GAME, layout={"dice": [1, 1]})
    match.act(0, 1)
    assert match.view(1)["again"] == [1, 0] and match.view(1)["dice"][0] is None
    assert match.view(0)["dice"][0] in range(1, 7)


@pytest.mark.parametrize("layout", [{}, {"dice": 3}, {"dice": [1]}, {"dice": [0, 1]}, {"dice": ["a", 1]}])
def test_an_impossible_deal_is_refused(layout: dict[str, object]) -> None:
    with pytest.raises(BadLayout):
        Match(GAME, layout=layout)
