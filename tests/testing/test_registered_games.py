"""Every registered game keeps the contract: 1 % of the stated games, the rest in `make proof`."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core import get, names
from qipai.testing import check_game

GAMES = {"xianqi": 1000}  # of 100,000; the other games state their own counts
SOME = 120
OPTIONS: dict[str, list[dict[str, Any]]] = {  # others: the defaults, and each other value of an option
    "nana": [
        {"max_turns": 25},
        {"max_turns": 25, "mode": "simple"},
        {"max_turns": 25, "mode": "spicy", "first": -1},
        {"max_turns": 25, "after_success": "pass"},
    ],
    "paipai_rensa": [
        {},
        {"cpu_clear_policy": "all", "next_pairs": 2},
        {"bias_streak_hard_cap": "off", "bias_window_pairs": 1},
        {"bias_enabled": "off"},
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_a_registered_game_keeps_the_contract(name: str) -> None:
    game = get(name)
    games = GAMES.get(name, SOME)
    report = check_game(game, games=games, seed=1, options=OPTIONS.get(name), parity_games=4)
    assert report.games == games
    assert report.edges == {(int(a), int(b)) for a, b in game.rules.edges}
