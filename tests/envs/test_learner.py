"""Learners: opponents sit where they should, move like agents, and fail by name."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from qipai.core.errors import (
    AgentFault,
    BadGame,
    MatchOver,
)
from qipai.envs import vector

from .toy import LAPS, STUCK
from .twins import FIRST, WRONG, First, play


def test_opponents_sit_in_order_from_the_seat_after_the_learners() -> None:
    First.shown.clear()
    env = vector(LAPS, 1, ["random", FIRST], seat=1, seats=3, seed=3, space="box")
    env.reset()
    play(env, 8)
    assert set(First.shown) == {0}


def test_a_named_bot_beats_the_learner_that_a_random_one_does_not() -> None:
    means = []
    for opponents in ("random", "heuristic"):
        env = vector("xianqi", 60, opponents, seat="rotate", seed=8, space="box")
        env.reset()
        means.append(np.mean([reward.mean() for _, reward, *_ in play(env, 25)]))
    assert means[1] < means[0]


def test_an_agent_that_fails_is_named_and_the_environment_wants_a_reset() -> None:
    env = vector(LAPS, 2, WRONG, seed=1, space="box")
    env.reset()
    with pytest.raises(AgentFault, match="wrong failed in lane 0"):
        env.step(np.zeros(2, np.int64))
    with pytest.raises(MatchOver):
        env.step(np.zeros(2, np.int64))
    env.reset(seed=1)


def test_rules_that_leave_an_opponent_without_an_action_are_refused_by_name() -> None:
    env = vector(STUCK, 3, seats=2, seat=1, seed=1, space="box")
    env.reset()
    with pytest.raises(BadGame, match="stuck: lane 0: seat 0 has no legal action"):
        env.step(np.zeros(3, np.int64))


@pytest.mark.parametrize(
    ("n", "edges"),
    [(1, [0, 1]), (511, [0, 511]), (512, [0, 256, 512]), (770, [0, 256, 513, 770])],
)
def test_threads_share_the_lanes_if_each_has_enough(n: int, edges: list[int]) -> None:
    learners = vector(LAPS, n, seed=1, threads=3).learners
    learners._loops = {"asked": lambda lo, hi: (lo, hi)}
    assert learners._run("asked") == list(pairwise(edges))
