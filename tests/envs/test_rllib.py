"""RLlib plays every seat with masks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import ray

from qipai.core import names
from qipai.core.errors import IllegalAction
from qipai.envs.rllib import QipaiMultiAgentEnv, config
from qipai.sim import Batch
from tests.conftest import LOOPBACK


def check_parity(name: str, games: int, seed: int = 3) -> int:
    """Return how many decisions `games` games take: masks, rewards and ends are those of a batch."""
    env = QipaiMultiAgentEnv({"game": name, "seed": seed})
    rng = np.random.default_rng(seed)
    decisions = 0
    for game in range(games):
        seen, _ = env.reset()
        batch = Batch(name, 1, redeal=False)
        batch.load(env.env._state)
        if game == 0:
            assert (Batch(name, 1, seed).obs == batch.obs).all()
        while not batch.done[0]:
            (agent,) = seen
            assert agent == f"seat_{batch.seat[0]}"
            mask = batch.mask[0, : env.env.game.rules.actions]
            assert np.array_equal(seen[agent]["action_mask"], mask)
            assert np.array_equal(seen[agent]["observation"], batch.obs[0])
            action = int(rng.choice(np.flatnonzero(mask)))
            seen, rewards, terminated, truncated, _ = env.step({agent: action})
            batch.step([action])
            assert list(rewards.values()) == batch.reward[0].tolist()
            assert (terminated["__all__"] or truncated["__all__"]) == bool(batch.done[0])
            assert truncated["__all__"] == bool(batch.cut[0])
            decisions += 1
    return decisions


@pytest.mark.parametrize("name", names())
def test_a_game_is_that_of_a_batch(name: str) -> None:
    assert check_parity(name, 2) >= 2


def check_legal(name: str, steps: int) -> int:
    """Return how many actions RLlib's PPO chose while it learned; an illegal one raises."""
    if not ray.is_initialized():  # the proof has no cluster; RLlib would start one that listens everywhere
        ray.init("local", num_cpus=1, include_dashboard=False, log_to_driver=False, _node_ip_address=LOOPBACK)
    size = min(steps, 2000)
    settings: dict[str, Any] = {"train_batch_size": size, "minibatch_size": size // 2, "num_epochs": 1}
    algorithm = config(name).env_runners(num_env_runners=0).training(**settings).build_algo()
    try:
        made = 0
        while made < steps:
            made = int(algorithm.train()["env_runners"]["num_env_steps_sampled_lifetime"])
    finally:
        algorithm.stop()
    return made


# Ray and Gymnasium warn about their own deprecations while an algorithm is built. Ours remain errors.
@pytest.mark.filterwarnings("ignore", "error:::qipai")
@pytest.mark.parametrize("name", names())
def test_ppo_learns_in_self_play(name: str, ray_address: str) -> None:
    assert check_legal(name, 200) >= 200


def test_an_illegal_action_raises() -> None:
    env = QipaiMultiAgentEnv({"game": "xianqi", "seed": 1})
    ((agent, seen),) = env.reset()[0].items()
    with pytest.raises(IllegalAction):
        env.step({agent: int(seen["action_mask"].argmin())})
