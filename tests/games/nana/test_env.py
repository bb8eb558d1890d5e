"""NANA as a PettingZoo environment: the published suites, for small and large tables."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

pettingzoo_test = pytest.importorskip("pettingzoo.test")

from qipai.envs import aec  # noqa: E402  after the check that the extra is there

OPTIONS = {"max_turns": 20}


def make(seats: int, **more: Any) -> Any:
    return aec("nana", OPTIONS, seats, **more)


@pytest.mark.parametrize("seats", [2, 4, 6])
@pytest.mark.filterwarnings("ignore", "error:::qipai")
def test_the_suites_pass(seats: int) -> None:
    pettingzoo_test.api_test(make(seats), num_cycles=200)
    pettingzoo_test.seed_test(lambda: make(seats), num_cycles=50)
    pettingzoo_test.render_test(lambda render_mode=None: make(seats, render_mode=render_mode))


def test_max_cycles_truncates_before_an_agent_decides_more_often() -> None:
    env = make(3, max_cycles=4)
    env.reset(seed=1)
    decided = dict.fromkeys(env.agents, 0)
    cut = False
    for agent in env.agent_iter(1000):
        observation, _, ended, truncated, _ = env.last()
        cut = cut or truncated
        if ended or truncated:
            env.step(None)
            continue
        decided[agent] += 1
        env.step(int(observation["action_mask"].argmax()))
    assert cut
    assert max(decided.values()) <= 4


def test_a_seat_may_decide_several_times_in_a_row_and_rewards_sum_to_zero() -> None:
    env = make(3, seed=5)
    env.reset(seed=5)
    agents = []
    total = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter(2000):
        observation, reward, ended, cut, _ = env.last()
        total[agent] += reward
        agents.append(agent)
        env.step(None if ended or cut else int(observation["action_mask"].argmax()))
    assert any(a == b for a, b in pairwise(agents))
    assert sum(total.values()) == 0
