"""Every registered game keeps the contract: 1 % of the stated games, the rest in `make proof`."""

from __future__ import annotations

import pytest

from qipai.core import get, names
from qipai.testing import check_game

GAMES = 1000


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_a_registered_game_keeps_the_contract(name: str) -> None:
    game = get(name)
    report = check_game(game, games=GAMES, seed=1, parity_games=10)
    assert report.games == GAMES
    assert report.edges == {(int(a), int(b)) for a, b in game.edges}
