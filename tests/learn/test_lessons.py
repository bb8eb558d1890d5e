"""Recording what an agent does."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.cluster import open_pool
from qipai.core import get
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


def test_an_unknown_agent_is_refused() -> None:
    with pytest.raises(UnknownAgent):
        collect("xianqi", "nobody", 10)
