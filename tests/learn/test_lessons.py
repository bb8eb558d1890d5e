"""Recording what an agent does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from qipai.cluster import open_pool
from qipai.core import NOBODY, get, make_agent
from qipai.core.agent import agent_words, sight
from qipai.core.errors import UnknownAgent
from qipai.learn.lessons import collect, play_games


def test_lessons_are_the_agents_legal_answers_and_its_results() -> None:
    found = collect("xianqi", "heuristic", 200, seed=3, explore=0.2)
    rows = np.arange(len(found.action))
    assert len(rows) >= 200
    assert (found.mask[rows, found.action] == 1).all()
    again = collect("xianqi", "heuristic", 200, seed=3, explore=0.2)
    assert all((getattr(found, n) == getattr(again, n)).all() for n in ("obs", "mask", "action", "result"))
    assert set(found.game) >= {0, 1, 2}


def test_other_processes_collect_the_same_lessons() -> None:
    here = collect("xianqi", "random", 150, seed=3)
    with open_pool(2) as pool:
        there = collect("xianqi", "random", 150, seed=3, pool=pool)
    assert all((getattr(here, n) == getattr(there, n)).all() for n in ("obs", "action", "result", "game"))


def test_results_are_what_the_seat_is_still_paid() -> None:
    found = play_games("xianqi", {}, None, "random", 1, range(3), 0.0)
    game = get("xianqi")
    assert len(found.result) == len(found.action)
    assert found.obs.shape == (len(found.action), game.observation_size)
    assert (found.result != 0).any()


def test_a_second_agent_moves_and_the_first_one_still_answers() -> None:
    games = range(3)
    found = play_games("xianqi", {}, None, "heuristic", 1, games, 0.0, "random")
    game = get("xianqi")
    followed = {True: 0, False: 0}
    row = 0
    for number in games:
        s = game.new(words=np.random.default_rng((1, number)).integers(0, 1 << 32, 4).tolist())
        moves = _moves(number)
        while (seat := int(s["seat"])) != NOBODY:
            assert (found.obs[row] == game.observation_of(s, seat)).all()
            action = moves(s, seat)
            made = int(found.action[row]) if action is None else action
            followed[action is None] += 1
            game.rules.apply(s, made)
            row += 1
    assert row == len(found.action)
    assert min(followed.values()) > 10


def _moves(number: int) -> Callable[[Any, int], int | None]:
    """Return what a seat of `random` chooses, and None for the other seats."""
    game = get("xianqi")
    count = game.rules.seats[0]
    at = {k: 2 * (number * count + k) for k in range(count) if (k + number) % 2}
    players = {k: make_agent(game, "random", 2, index) for k, index in at.items()}
    words = {k: agent_words(game, 2, index + 1) for k, index in at.items()}

    def choose(s: Any, seat: int) -> int | None:
        return int(players[seat].act(sight(game, s, seat, words[seat]))) if seat in at else None

    return choose


def test_an_unknown_agent_is_refused() -> None:
    with pytest.raises(UnknownAgent):
        collect("xianqi", "nobody", 10)
