"""TorchRL rolls out and collects on our lanes, which are those of a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torchrl.envs import check_env_specs

from qipai.core import names
from qipai.core.errors import IllegalAction
from qipai.envs.torchrl import make
from tests.envs.replay import FIRST, lanes


def check_parity(name: str, games: int, n: int = 4, seed: int = 3, make: Any = make) -> int:
    """Return how many decisions `games` games take: masks, rewards and ends are those of a batch."""
    env, twins = make(name, n, FIRST, seed=seed), lanes(name, n, seed)
    torch.manual_seed(seed)
    data = env.reset()
    ended = decisions = 0
    while ended < games:
        for k, lane in enumerate(twins):
            assert np.array_equal(data["action_mask"][k].numpy(), lane.mask)
            assert np.array_equal(data["observation"][k].numpy(), lane.obs)
        stepped, data = env.step_and_maybe_reset(data.set("action", env.action_spec.rand()))
        for k, lane in enumerate(twins):
            reward, done, cut = lane.step(int(stepped["action"][k]))
            told = stepped["next"][k]
            assert (reward, done) == (told["reward"].item(), told["done"].item())
            assert not done or told["truncated"].item() == cut
        ended += int(stepped["next", "done"].sum())
        decisions += n
    return decisions


@pytest.mark.parametrize("name", names())
def test_lanes_are_those_of_a_batch(name: str) -> None:
    assert check_parity(name, 2) >= 2


def check_legal(name: str, steps: int, n: int = 20, make: Any = make) -> int:
    """Return how many actions TorchRL chose; an illegal one raises."""
    env, made = make(name, n, seed=1), 0
    torch.manual_seed(1)
    while made < steps:
        length = min(-(-(steps - made) // n), 100)
        data = env.rollout(length, break_when_any_done=False)
        assert data["action_mask"].gather(-1, data["action"].unsqueeze(-1)).all()
        made += data["action"].numel()
    return made


@pytest.mark.parametrize("name", names())
def test_specs_hold_and_random_actions_are_legal(name: str) -> None:
    check_env_specs(make(name, 4, seed=1))
    assert check_legal(name, 200) >= 200


def test_an_illegal_action_raises() -> None:
    env = make("xianqi", 3, seed=1)
    data = env.reset()
    with pytest.raises(IllegalAction):
        env.step(data.set("action", data["action_mask"].int().argmin(-1)))


def test_a_seed_brings_the_same_games() -> None:
    env = make("xianqi", 3)
    env.set_seed(5)
    first = env.reset()["observation"]
    env.set_seed(5)
    assert torch.equal(env.reset()["observation"], first)
