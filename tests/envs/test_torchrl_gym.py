"""TorchRL's own `GymWrapper` runs our vector environment; its lanes are those of a batch."""

from __future__ import annotations

from typing import Any

import pytest
from torchrl.envs import GymEnv, GymWrapper, TransformedEnv, check_env_specs
from torchrl.envs.transforms import ActionMask

from qipai.core import get, names
from qipai.envs import vector
from tests.envs import test_torchrl


def wrapped(name: str, n: int, opponents: Any = "random", seed: int = 1) -> TransformedEnv:
    """Return the vector environment as TorchRL wraps it; its action spec follows the mask."""
    env = vector(name, n, opponents, seed=seed, autoreset="DISABLED")
    return TransformedEnv(GymWrapper(env, categorical_action_encoding=True), ActionMask())


def check_parity(name: str, games: int) -> int:
    """Return how many decisions `games` games take: masks, rewards and ends are those of a batch."""
    return test_torchrl.check_parity(name, games, make=wrapped)


def check_legal(name: str, steps: int, n: int = 20) -> int:
    """Return how many actions TorchRL chose; an illegal one raises."""
    return test_torchrl.check_legal(name, steps, n, make=wrapped)


@pytest.mark.parametrize("name", names())
def test_lanes_are_those_of_a_batch(name: str) -> None:
    assert check_parity(name, 2) >= 2


@pytest.mark.parametrize("name", names())
def test_random_actions_are_legal(name: str) -> None:
    assert check_legal(name, 200) >= 200


def test_specs_hold() -> None:
    check_env_specs(wrapped("xianqi", 4))


@pytest.mark.parametrize("name", names())
def test_an_id_makes_one_lane(name: str) -> None:
    id_ = f"qipai/{name}-v{get(name).rules.version}"
    env = TransformedEnv(GymEnv(id_, categorical_action_encoding=True), ActionMask())
    data = env.rollout(30, break_when_any_done=False)
    assert data["action_mask"].gather(-1, data["action"].unsqueeze(-1)).all()


def test_next_step_is_refused_by_torchrl() -> None:
    """The page tells readers to use DISABLED, which TorchRL prefers."""
    with pytest.raises(RuntimeError, match="DISABLED"):
        GymWrapper(vector("xianqi", 2, seed=1))
