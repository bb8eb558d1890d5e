"""The compiled rules keep the platform's contract on every board size, and end as §6 and §7 say."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qipai.core import get
from qipai.games.skill_gomoku import GAME, game
from qipai.testing import check_game

from .positions import PI, P

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_the_game_keeps_the_contract_on_a_small_board() -> None:
    """The board of 15 is checked as the registered game, and 9 and 19 too in `make proof`."""
    size = 5
    sets: list[dict[str, Any]] = [
        {},
        {"five_policy": "draw", "drawn_public": True},
        {"deck": "source-early", "first_seat": 1, "place_top": False},
        {"max_turns": 9},
    ]
    options = [{**chosen, "board_size": size} for chosen in sets]
    one = game({"board_size": size})
    check_game(one, games=40, seed=size, options=options, parity_games=2)


def play_to_the_end(sizes: Iterable[int]) -> None:
    """Play a random game on a board of each size."""
    rng = np.random.default_rng(0)
    for size in sizes:
        options = {"board_size": size, "max_turns": 40}
        one = get("skill_gomoku", options)
        assert one.rules.actions == size * size + 3
        s = one.new(options, words=(size, 0, 0, 0))
        while s["seat"] >= 0:
            one.rules.apply(s, int(rng.choice(one.legal_actions(s))))
        assert int(s["winner"]) != 0


@pytest.mark.slow
def test_5_9_15_and_19_play_to_the_end() -> None:
    play_to_the_end((5, 9, 15, 19))


def test_every_size_plays_to_the_end_without_compilation() -> None:
    code = f"from {__name__} import play_to_the_end; play_to_the_end(range(5, 20))"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # compiling fifteen games would take minutes
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300, cwd=ROOT, env=environment)


def test_a_cap_is_a_cut() -> None:
    options = {"max_turns": 1}
    s = GAME.new(options, layout={"deck": {"drawPile": [P, PI]}})
    GAME.rules.apply(s, 0)
    assert (int(s["seat"]), int(s["cut"]), s["payoff"].tolist()) == (-1, 1, [0, 0])
    s = GAME.new({}, layout={"deck": {"drawPile": []}})
    assert (int(s["seat"]), int(s["cut"])) == (-1, 0)
