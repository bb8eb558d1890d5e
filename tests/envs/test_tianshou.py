"""Tianshou learns from our environments with their masks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.utils.net.common import Net

from qipai.core import names
from qipai.core.errors import IllegalAction
from qipai.envs.tianshou import MaskedEnv, make
from tests.envs.replay import FIRST, lanes


def check_parity(name: str, games: int, seed: int = 3) -> int:
    """Return how many decisions `games` games take: masks, rewards and ends are those of a batch."""
    env, twin = MaskedEnv(name, FIRST, seed=seed), lanes(name, 1, seed)[0]
    rng = np.random.default_rng(seed)
    seen, _ = env.reset()
    ended = decisions = 0
    while ended < games:
        assert np.array_equal(seen["mask"], twin.mask) and np.array_equal(seen["obs"], twin.obs)
        action = int(rng.choice(np.flatnonzero(seen["mask"])))
        seen, reward, terminated, truncated, _ = env.step(action)
        assert (reward, terminated or truncated, truncated) == twin.step(action)
        decisions += 1
        if terminated or truncated:
            ended += 1
            seen, _ = env.reset()
    return decisions


@pytest.mark.parametrize("name", names())
def test_a_lane_is_that_of_a_batch(name: str) -> None:
    assert check_parity(name, 1) >= 1


def dqn(name: str) -> DQN:
    """Return a small DQN for a game; three in ten actions are random."""
    env: Any = MaskedEnv(name)
    net = Net(
        state_shape=env.observation_space["obs"].shape, action_shape=env.action_space.n, hidden_sizes=[16]
    )
    policy = DiscreteQLearningPolicy(
        model=net, action_space=env.action_space, eps_training=0.3, eps_inference=0.0
    )
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3))


def check_legal(name: str, steps: int, n: int = 4) -> int:
    """Return how many actions DQN chose while it learned; an illegal one raises."""
    algorithm, buffer = dqn(name), VectorReplayBuffer(500, n)
    collector = Collector(algorithm, make(name, n, seed=1), buffer, exploration_noise=True)
    collector.reset()
    made = 0
    while made < steps:
        with policy_training(algorithm):
            made += collector.collect(n_step=200).n_collected_steps
            batch, _ = buffer.sample(64)
            assert batch.obs.mask[np.arange(64), batch.act.astype(int)].all()
            algorithm.update(buffer, 64)
    return made


@pytest.mark.parametrize("name", names())
def test_dqn_learns_with_masks(name: str) -> None:
    assert check_legal(name, 200) >= 200


def test_an_illegal_action_raises() -> None:
    env = MaskedEnv("xianqi", seed=1)
    seen, _ = env.reset()
    with pytest.raises(IllegalAction):
        env.step(int(seen["mask"].argmin()))


def policy_training(algorithm: DQN) -> Any:
    from tianshou.utils.torch_utils import policy_within_training_step

    return policy_within_training_step(algorithm.policy)


def test_every_environment_has_its_own_seed() -> None:
    seen, _ = make("xianqi", 3, seed=1).reset()
    rows = {one["obs"].tobytes() for one in seen}
    assert len(rows) == 3
