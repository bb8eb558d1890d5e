"""Stable-Baselines3 learns on our lanes, which are those of a batch."""

from __future__ import annotations

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import VecMonitor

from qipai.core import get, names
from qipai.core.errors import IllegalAction
from qipai.envs.sb3 import QipaiVecEnv
from tests.envs.replay import FIRST, lanes


def check_parity(name: str, games: int, n: int = 4, seed: int = 3) -> int:
    """Return how many decisions `games` games take: masks, rewards and ends are those of a batch."""
    env, twins = QipaiVecEnv(name, n, FIRST, seed=seed), lanes(name, n, seed)
    rng = np.random.default_rng(seed)
    seen = env.reset()
    ended = decisions = 0
    while ended < games:
        masks = env.action_masks()
        assert all(np.array_equal(masks[k], lane.mask) for k, lane in enumerate(twins))
        assert all(np.array_equal(seen[k], lane.obs) for k, lane in enumerate(twins))
        actions = np.argmax(rng.random(masks.shape) * masks, axis=1)
        seen, rewards, dones, infos = env.step(actions)
        for k, lane in enumerate(twins):
            reward, done, cut = lane.step(int(actions[k]))
            assert (reward, done) == (rewards[k], dones[k])
            assert not done or infos[k]["TimeLimit.truncated"] == cut
        ended += int(dones.sum())
        decisions += n
    return decisions


@pytest.mark.parametrize("name", names())
def test_lanes_are_those_of_a_batch(name: str) -> None:
    assert check_parity(name, 2) >= 2


def check_legal(name: str, steps: int, n: int = 10) -> int:
    """Return how many actions MaskablePPO chose while it learned; an illegal one raises."""
    env = QipaiVecEnv(name, n, seed=1)
    model = MaskablePPO("MlpPolicy", env, n_steps=10, batch_size=50, n_epochs=1, seed=1, device="cpu")
    model.learn(steps)
    return int(model.num_timesteps)


@pytest.mark.parametrize("name", names())
def test_maskable_ppo_learns_in_three_lines(name: str) -> None:
    assert check_legal(name, 200) >= 200


def test_an_illegal_action_raises() -> None:
    env = QipaiVecEnv("xianqi", 3, seed=1)
    env.reset()
    with pytest.raises(IllegalAction):
        env.step(env.action_masks().argmin(axis=1))


def test_masks_are_what_sb3_asks_for() -> None:
    env = QipaiVecEnv("xianqi", 3, seed=1)
    env.reset()
    assert is_masking_supported(env)
    assert np.array_equal(get_action_masks(env), env.env.action_masks())
    assert env.get_attr("seat") == [0, 0, 0] and env.get_attr("game", [1]) == [get("xianqi")]
    with pytest.raises(AttributeError):
        env.set_attr("seat", 1)
    with pytest.raises(AttributeError):
        env.env_method("step", 0)


# SB3 warns that figures are there already, which is what is compared.
@pytest.mark.filterwarnings("ignore:The environment is already wrapped:UserWarning")
def test_an_episode_is_reported_as_a_monitor_would() -> None:
    env = QipaiVecEnv("xianqi", 2, seed=1)
    twin = VecMonitor(QipaiVecEnv("xianqi", 2, seed=1))
    env.reset(), twin.reset()
    found = []
    for _ in range(60):
        actions = env.action_masks().argmax(1)
        _, _, dones, infos = env.step(actions)
        *_, others = twin.step(actions)
        for lane in np.flatnonzero(dones):
            assert infos[lane]["terminal_observation"].shape == env.observation_space.shape
            found.append(infos[lane]["episode"]["r"])
            assert others[lane]["episode"]["r"] == found[-1]
            assert others[lane]["episode"]["l"] == infos[lane]["episode"]["l"]
    assert found


def test_a_seed_brings_the_same_games() -> None:
    one, other = QipaiVecEnv("xianqi", 3), QipaiVecEnv("xianqi", 3)
    one.seed(5), other.seed(5)
    first = one.reset()
    assert np.array_equal(first, other.reset())
    assert not np.array_equal(one.reset(), first)


def test_an_id_makes_sb3s_own_vector_environment() -> None:
    env = make_vec_env("qipai/xianqi-v1", 2)
    assert env.reset()["action_mask"].shape == (2, 40)


def test_pictures_are_tiled() -> None:
    env = QipaiVecEnv("xianqi", 2, seed=1, render_mode="rgb_array")
    env.reset()
    drawn = env.render()
    assert drawn is not None and drawn.ndim == 3
