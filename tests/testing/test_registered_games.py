"""Every registered game keeps the contract: 1 % of the stated games, the rest in `make proof`."""

from __future__ import annotations

import pytest

from qipai.core import get, names
from qipai.testing import check_game

GAMES = {"xianqi": 1000}  # of 100,000; the other games state their own counts
SOME = 300


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_a_registered_game_keeps_the_contract(name: str) -> None:
    game = get(name)
    games = GAMES.get(name, SOME)
    report = check_game(game, games=games, seed=1, parity_games=6)
    assert report.games == games
    assert report.edges == {(int(a), int(b)) for a, b in game.rules.edges}
