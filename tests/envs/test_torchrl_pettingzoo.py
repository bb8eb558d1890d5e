"""TorchRL's own `PettingZooWrapper` runs our AEC environment; its games are those of a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torchrl.envs import PettingZooWrapper

from qipai.core import names
from qipai.core.errors import IllegalAction
from qipai.envs import aec
from qipai.sim import Batch

# TorchRL warns that it is tested with PettingZoo 1.24; these tests run the version that is installed.
pytestmark = pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested:UserWarning")


def wrapped(name: str, seed: int = 3) -> PettingZooWrapper:
    """Return the environment as TorchRL wraps it; every seat is a group, whose action spec has its mask."""
    return PettingZooWrapper(aec(name, seed=seed), use_mask=True, categorical_actions=True)


def check_parity(name: str, games: int, seed: int = 3) -> int:
    """Return how many decisions `games` games take: masks, rewards and ends are those of a batch."""
    env = wrapped(name, seed)
    torch.manual_seed(seed)
    decisions = 0
    for _ in range(games):
        data, batch = env.reset(), Batch(name, 1, redeal=False)
        batch.load(env._env._state)
        while not batch.done[0]:
            agent = f"seat_{batch.seat[0]}"
            assert [seat for seat in env.possible_agents if data[seat, "mask"].any()] == [agent]
            mask = batch.mask[0, : env._env.game.rules.actions].astype(bool)
            assert np.array_equal(data[agent, "action_mask"][0].numpy(), mask)
            seen = data[agent, "observation", "observation"][0].numpy()
            assert np.array_equal(seen, batch.obs[0])
            told = env.rand_step(data)
            batch.step([int(told[agent, "action"][0])])
            data = told["next"]
            rewards = [data[seat, "reward"].item() for seat in env.possible_agents]
            assert rewards == batch.reward[0].tolist()
            assert bool(data["done"].all()) == bool(batch.done[0])
            assert bool(data["truncated"].all()) == bool(batch.cut[0])
            decisions += 1
    return decisions


def check_legal(name: str, steps: int) -> int:
    """Return how many actions TorchRL chose, one seat at a time; an illegal one raises."""
    env = wrapped(name)
    torch.manual_seed(1)
    made = 0
    while made < steps:
        data: Any = env.rollout(min(steps - made, 1000), break_when_any_done=False)
        acted = torch.stack([data[seat, "mask"] for seat in env.possible_agents])
        assert (acted.sum(0) == 1).all(), "not one seat decides"
        for seat in env.possible_agents:
            legal = data[seat, "action_mask"].gather(-1, data[seat, "action"].unsqueeze(-1)).squeeze(-1)
            assert legal[data[seat, "mask"]].all()
        made += int(acted.sum())
    return made


@pytest.mark.parametrize("name", names())
def test_a_game_is_that_of_a_batch(name: str) -> None:
    assert check_parity(name, 1) >= 1


@pytest.mark.parametrize("name", names())
def test_random_actions_are_legal(name: str) -> None:
    assert check_legal(name, 200) >= 200


def test_an_illegal_action_raises() -> None:
    env = wrapped("xianqi")
    data = env.reset()
    for seat in env.possible_agents:
        data[seat, "action"] = (~data[seat, "action_mask"]).int().argmax(-1)
    with pytest.raises(IllegalAction):
        env.step(data)
