"""The compiled rules keep the platform's contract on every board size, and end as §6 and §7 say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.core import get
from qipai.games.skill_gomoku import GAME, game
from qipai.testing import check_game

from .positions import PI, P


@pytest.mark.slow
@pytest.mark.parametrize("size", [5, 9, 15, 19])
def test_the_game_keeps_the_contract(size: int) -> None:
    sets: list[dict[str, Any]] = [
        {},
        {"five_policy": "draw", "drawn_public": True},
        {"deck": "source-early", "first_seat": 1, "place_top": False},
        {"max_turns": 9},
    ]
    options = [{**chosen, "board_size": size} for chosen in sets]
    one = game({"board_size": size})
    check_game(one, games=40 if size == 5 else 16, seed=size, options=options, parity_games=2)


def test_5_9_15_and_19_play_to_the_end() -> None:
    rng = np.random.default_rng(0)
    for size in range(5, 20):
        options = {"board_size": size, "max_turns": 40}
        one = get("skill_gomoku", options)
        assert one.rules.actions == size * size + 3
        s = one.new(options, words=(size, 0, 0, 0))
        while s["seat"] >= 0:
            one.rules.apply(s, int(rng.choice(one.legal_actions(s))))
        assert int(s["winner"]) != 0


def test_a_cap_is_a_cut() -> None:
    options = {"max_turns": 1}
    s = GAME.new(options, layout={"deck": {"drawPile": [P, PI]}})
    GAME.rules.apply(s, 0)
    assert (int(s["seat"]), int(s["cut"]), s["payoff"].tolist()) == (-1, 1, [0, 0])
    s = GAME.new({}, layout={"deck": {"drawPile": []}})
    assert (int(s["seat"]), int(s["cut"])) == (-1, 0)
