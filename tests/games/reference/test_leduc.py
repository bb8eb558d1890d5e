"""The reference game passes every check and is found by name, but not listed."""

from __future__ import annotations

import pytest

from qipai.core import get, names
from qipai.core.errors import BadLayout
from qipai.games.reference import leduc
from qipai.testing import check_game

GAME = leduc.GAME


def test_it_passes_every_check() -> None:
    assert check_game(GAME, games=20).failures == []


def test_it_is_found_by_name_and_not_listed() -> None:
    assert get(GAME.name) is GAME and GAME.name not in names()


def test_a_layout_of_equal_cards_is_refused() -> None:
    with pytest.raises(BadLayout):
        GAME.new(layout={"cards": [1, 1, 1]})


@pytest.mark.parametrize(
    "cards, actions, payoff",
    [
        ([4, 0, 2], "call call call call", 1),
        ([0, 4, 1], "call call call call", 1),  # a pair of jacks
        ([4, 5, 2], "raise call raise call", 0),  # equal kings
        ([4, 0, 2], "raise raise call raise raise call", 13),
        ([4, 0, 2], "raise fold", 1),
        ([4, 0, 2], "call raise fold", -1),
    ],
)
def test_every_line_pays_as_it_should(cards: list[int], actions: str, payoff: int) -> None:
    s = GAME.new(layout={"cards": cards})
    for text in actions.split():
        action = GAME.words.parse(text)
        assert action in GAME.legal_actions(s)
        GAME.rules.apply(s, action)
    assert s["payoff"].tolist() == [payoff, -payoff] and s["seat"] == -1


def test_no_third_raise_and_no_fold_without_a_bet() -> None:
    s = GAME.new(layout={"cards": [4, 0, 2]})
    assert GAME.legal_actions(s) == [1, 2]
    for text in ("raise", "raise"):
        GAME.rules.apply(s, GAME.words.parse(text))
    assert GAME.legal_actions(s) == [0, 1]
