"""qipai's games for RLlib: `QipaiMultiAgentEnv`, in which every seat is an agent, and a module with masks."""

from __future__ import annotations

from typing import Any

from qipai.core.errors import MissingExtra

from . import aec
from .seeds import checked_seed

try:
    import torch
    from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
    from ray.rllib.core.columns import Columns
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
except ModuleNotFoundError as error:
    raise MissingExtra(f"{error.name} is not installed: pip install 'qipai[toolbox]'") from error

LANES = 1_000_000  # seeds of one runner
ILLEGAL = -1e9  # instead of the logits of illegal actions


class QipaiMultiAgentEnv(MultiAgentEnv):  # type: ignore[misc]  # not installed where types are checked
    """All seats are agents (`seat_0`, ...); only the one that decides gets an observation and acts.

    `config` holds the arguments of `qipai.envs.aec`: `{"game": "xianqi"}`. A seat's reward arrives with
    every step, also when another one decides. Every environment of every runner gets its
    own seed, made from `seed`.
    """

    def __init__(self, config: Any = None) -> None:
        super().__init__()
        self.env = aec(**{**dict(config or {}), **_own_seed(config)})
        self.possible_agents = list(self.env.possible_agents)
        self.agents = list(self.possible_agents)
        self.observation_spaces = {a: self.env.observation_space(a) for a in self.possible_agents}
        self.action_spaces = {a: self.env.action_space(a) for a in self.possible_agents}

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal; return the observation of the seat that decides first."""
        self.env.reset(seed=seed)
        self.agents = list(self.possible_agents)
        return self._told(), {}

    def step(self, action_dict: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Make the decision of the one agent that was asked."""
        self.env.step(int(action_dict[self.env.agent_selection]))
        rewards = {agent: float(reward) for agent, reward in self.env.rewards.items()}
        over, cut = any(self.env.terminations.values()), any(self.env.truncations.values())
        ends = {"__all__": over}, {"__all__": cut}
        if over or cut:
            seen = {agent: self.env.observe(agent) for agent in self.possible_agents}
            self.agents = []
            for end, flag in zip(ends, (over, cut), strict=True):
                end.update(dict.fromkeys(self.possible_agents, flag))
            return seen, rewards, *ends, {}
        return self._told(), rewards, *ends, {}

    def _told(self) -> dict[str, Any]:
        agent = self.env.agent_selection
        return {agent: self.env.observe(agent)}


class MaskedModule(DefaultPPOTorchRLModule):  # type: ignore[misc]  # not installed where types are checked
    """RLlib's module for PPO, whose illegal actions have probability 0."""

    def __init__(self, *args: Any, observation_space: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, observation_space=observation_space["observation"], **kwargs)

    def _split(self, batch: dict[str, Any]) -> tuple[dict[str, Any], Any]:
        """Return the batch with plain observations, and the masks."""
        seen = batch[Columns.OBS]
        if not isinstance(seen, dict):
            return batch, None
        return {**batch, Columns.OBS: seen["observation"].float()}, seen["action_mask"]

    def _masked(self, out: dict[str, Any], mask: Any) -> dict[str, Any]:
        if mask is not None:
            logits = out[Columns.ACTION_DIST_INPUTS]
            # after the end no action is legal, and none is chosen
            allowed = (mask > 0) | ~(mask > 0).any(-1, keepdim=True)
            out[Columns.ACTION_DIST_INPUTS] = torch.where(allowed, logits, torch.full_like(logits, ILLEGAL))
        return out

    def _forward_inference(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        inner, mask = self._split(batch)
        return self._masked(super()._forward_inference(inner, **kwargs), mask)

    def _forward_exploration(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        inner, mask = self._split(batch)
        return self._masked(super()._forward_exploration(inner, **kwargs), mask)

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        inner, mask = self._split(batch)
        return self._masked(super()._forward_train(inner, **kwargs), mask)

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Any:
        """Return what the value head says of observations with masks."""
        return super().compute_values(self._split(batch)[0], embeddings)


def _own_seed(config: Any) -> dict[str, int]:
    """Return the seed of one environment; RLlib's context says which runner and which of its lanes it is."""
    seed, runner = (config or {}).get("seed"), getattr(config, "worker_index", None)
    if seed is None or runner is None:
        return {}
    lane = getattr(config, "vector_index", 0) or getattr(config, "qipai_lanes", 0)
    config.qipai_lanes = lane + 1  # a runner makes all its environments from one context
    return {"seed": (checked_seed(seed) + int(runner) * LANES + lane) % (1 << 64)}


def config(game: Any, **arguments: Any) -> Any:
    """Return RLlib's configuration of PPO in self-play: one masked module plays every seat.

    Arguments are those of `qipai.envs.aec`. Change it with RLlib's own methods before `build_algo()`.
    """
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec

    return (
        PPOConfig()
        .environment(QipaiMultiAgentEnv, env_config={"game": game, **arguments}, disable_env_checking=True)
        .multi_agent(policies={"shared"}, policy_mapping_fn=_shared)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule))
    )


def _shared(agent: str, *args: Any, **kwargs: Any) -> str:
    return "shared"
