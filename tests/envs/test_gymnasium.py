"""Gymnasium's ids make lanes that are those of a batch; its own masked actions are legal."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import qipai.envs  # noqa: F401  # registers the ids
from qipai.core import get, names
from tests.envs.replay import FIRST, lanes


def id_of(name: str) -> str:
    """Return the id of a game."""
    return f"qipai/{name}-v{get(name).rules.version}"


def check_parity(name: str, games: int, seed: int = 3) -> int:
    """Return how many decisions `games` games take: masks, rewards and ends are those of a batch.

    Half of them are those of `make`, the others of `make_vec`.
    """
    one, lane = gymnasium.make(id_of(name), opponents=FIRST, seed=seed), lanes(name, 1, seed)[0]
    rng = np.random.default_rng(seed)
    ended = decisions = 0
    while ended < games // 2:
        (seen, _), over = one.reset(), False
        while not over:
            assert np.array_equal(seen["action_mask"], lane.mask) and np.array_equal(
                seen["observation"], lane.obs
            )
            action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
            seen, reward, terminated, truncated, _ = one.step(action)
            over = terminated or truncated
            assert (reward, over, truncated) == lane.step(action)
            decisions += 1
        ended += 1
    many: Any = gymnasium.make_vec(id_of(name), 4, opponents=FIRST, seed=seed, autoreset="SAME_STEP")
    twins = lanes(name, 4, seed)
    seen, _ = many.reset()
    while ended < games:
        masks = seen["action_mask"]
        assert all(np.array_equal(masks[k], twin.mask) for k, twin in enumerate(twins))
        assert all(np.array_equal(seen["observation"][k], twin.obs) for k, twin in enumerate(twins))
        actions = np.argmax(rng.random(masks.shape) * masks, axis=1)
        seen, rewards, terminated, truncated, _ = many.step(actions)
        done = terminated | truncated
        for k, twin in enumerate(twins):
            assert (rewards[k], done[k], truncated[k]) == twin.step(int(actions[k]))
        ended += int(done.sum())
        decisions += 4
    return decisions


@pytest.mark.parametrize("name", names())
def test_lanes_are_those_of_a_batch(name: str) -> None:
    assert check_parity(name, 2) >= 2


def check_legal(name: str, steps: int, n: int = 10) -> int:
    """Return how many actions the spaces chose with the masks; an illegal one raises."""
    env: Any = gymnasium.make_vec(id_of(name), n, seed=1)
    env.action_space.seed(1)
    _, info = env.reset()
    for _ in range(-(-steps // n)):
        *_, info = env.step(env.action_space.sample(tuple(info["action_mask"].astype(np.int8))))
    return n * -(-steps // n)


@pytest.mark.parametrize("name", names())
def test_masked_samples_are_legal(name: str) -> None:
    assert check_legal(name, 200) >= 200
