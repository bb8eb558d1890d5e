"""The reference game passes every check and is found by name, but not listed."""

from __future__ import annotations

import pytest

from qipai.core import get, names
from qipai.core.errors import BadLayout
from qipai.games.reference import kuhn
from qipai.testing import check_game

GAME = kuhn.GAME


def test_it_passes_every_check() -> None:
    assert check_game(GAME, games=20).failures == []


def test_it_is_found_by_name_and_not_listed() -> None:
    assert get(GAME.name) is GAME and GAME.name not in names()


def test_a_layout_of_equal_cards_is_refused() -> None:
    with pytest.raises(BadLayout):
        GAME.new(layout={"cards": [1, 1, 1]})


@pytest.mark.parametrize(
    "actions, payoff",
    [("pass pass", 1), ("pass bet pass", -1), ("pass bet bet", 2), ("bet pass", 1), ("bet bet", 2)],
)
def test_every_line_pays_the_king_as_it_should(actions: str, payoff: int) -> None:
    s = GAME.new(layout={"cards": [2, 0]})
    for text in actions.split():
        GAME.rules.apply(s, GAME.words.parse(text))
    assert s["payoff"].tolist() == [payoff, -payoff] and s["seat"] == -1
