"""TorchRL rolls out and collects on our lanes, which are those of a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.envs import SerialEnv, TransformedEnv, check_env_specs
from torchrl.envs.transforms import Compose, DTypeCastTransform, InitTracker
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

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


def floats(name: str, n: int, seed: int = 1) -> TransformedEnv:
    """Return lanes whose observations are numbers that layers take."""
    cast = DTypeCastTransform(torch.int8, torch.float32, in_keys=["observation"])
    return TransformedEnv(make(name, n, seed=seed), Compose(cast, InitTracker()))


def actor(env: Any) -> ProbabilisticActor:
    """Return a small policy that reads the mask."""
    size, actions = env.observation_spec["observation"].shape[-1], env.action_spec.n
    return ProbabilisticActor(
        TensorDictModule(nn.Linear(size, actions), ["observation"], ["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )


# TorchRL warns about classes of its own while its collectors are imported.
@pytest.mark.filterwarnings("ignore:Creating .*WeightUpdater.*:DeprecationWarning")
@pytest.mark.parametrize("name", names())
def test_ppo_learns_with_masks(name: str) -> None:
    from torchrl.collectors import Collector

    env = floats(name, 8)
    policy = actor(env)
    size = env.observation_spec["observation"].shape[-1]
    critic = ValueOperator(nn.Linear(size, 1), in_keys=["observation"])
    loss, advantage = ClipPPOLoss(policy, critic), GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    optimizer = torch.optim.Adam(loss.parameters())
    before = [p.clone() for p in policy.parameters()]
    collector = Collector(env, policy, frames_per_batch=400, total_frames=800)
    for data in collector:
        assert data["action_mask"].gather(-1, data["action"].unsqueeze(-1)).all()
        advantage(data)
        found = loss(data.reshape(-1))
        optimizer.zero_grad()
        sum(value for key, value in found.items() if key.startswith("loss_")).backward()
        optimizer.step()
    collector.shutdown()
    assert any(not torch.equal(p, q) for p, q in zip(before, policy.parameters(), strict=True))
    assert all(p.isfinite().all() for p in policy.parameters())


def test_a_policy_with_masks_plays_in_several_environments() -> None:
    """`SerialEnv` hides a spec that follows the mask, so that its own random actions are illegal."""
    policy = actor(floats("xianqi", 3))
    data = SerialEnv(2, lambda: floats("xianqi", 3)).rollout(60, policy, break_when_any_done=False)
    assert data["action_mask"].gather(-1, data["action"].unsqueeze(-1)).all()
    over = data["next", "done"].squeeze(-1)
    assert over.any() and data["next", "action_mask"][over].all()
    assert policy(data["next"].clone())["action_log_prob"].isfinite().all()  # also where no action is legal


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
