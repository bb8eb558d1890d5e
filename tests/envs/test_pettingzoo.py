"""PettingZoo's ids make games that are those of a batch; its own masked actions are legal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pettingzoo
import pytest

import qipai.envs  # noqa: F401  # registers the ids
from qipai.core import get, names
from qipai.sim import Batch


def made(name: str, seed: int) -> Any:
    """Return the environment of an id."""
    return pettingzoo.make("aec", f"qipai/{name}-v{get(name).rules.version}", seed=seed)


def check_parity(name: str, games: int, seed: int = 3) -> int:
    """Return how many decisions `games` games take: masks, rewards and ends are those of a batch."""
    env, dealt = made(name, seed), Batch(name, games, seed).state
    rng = np.random.default_rng(seed)
    decisions = 0
    for game in range(games):
        env.reset()
        batch = Batch(name, 1, redeal=False)
        batch.load(dealt[game])
        while not batch.done[0]:
            agent = env.agent_selection
            seen, _, terminated, truncated, _ = env.last()
            assert agent == f"seat_{batch.seat[0]}" and not terminated and not truncated
            mask = batch.mask[0, : env.action_space(agent).n]
            assert np.array_equal(seen["action_mask"], mask)
            assert np.array_equal(seen["observation"], batch.obs[0])
            action = int(rng.choice(np.flatnonzero(mask)))
            env.step(action)
            batch.step([action])
            assert [env.rewards[one] for one in env.possible_agents] == batch.reward[0].tolist()
            decisions += 1
        assert set(env.truncations.values()) == {bool(batch.cut[0])}
        assert set(env.terminations.values()) == {not batch.cut[0]}
    return decisions


@pytest.mark.parametrize("name", names())
def test_a_game_is_that_of_a_batch(name: str) -> None:
    assert check_parity(name, 2) >= 2


def check_legal(name: str, steps: int, seed: int = 1) -> int:
    """Return how many actions the spaces chose with the masks; an illegal one raises."""
    env, chosen = made(name, seed), 0
    for agent in env.possible_agents:
        env.action_space(agent).seed(seed)
    while chosen < steps:
        env.reset()
        for agent in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            env.step(None if over else env.action_space(agent).sample(seen["action_mask"]))
            chosen += not over
    return chosen


@pytest.mark.parametrize("name", names())
def test_masked_samples_are_legal(name: str) -> None:
    assert check_legal(name, 200) >= 200
