"""qipai's games for Tianshou: observations have `obs` and `mask`, which its policies read."""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.core.errors import MissingExtra

from . import single
from .seeds import checked_seed

try:
    import gymnasium
    from gymnasium.spaces import Box, Dict
    from tianshou.env import DummyVectorEnv
except ModuleNotFoundError as error:
    raise MissingExtra(f"{error.name} is not installed: pip install 'qipai[toolbox]'") from error


class MaskedEnv(gymnasium.Wrapper):
    """One lane of `single`, with the names that Tianshou's discrete policies look for."""

    def __init__(self, game: Any, opponents: Any = "random", **arguments: Any) -> None:
        super().__init__(single(game, opponents, **{**arguments, "space": "dict"}))
        inner: Any = self.env.observation_space
        kind: Any = np.bool_
        mask = Box(0, 1, inner["action_mask"].shape, kind)
        self.observation_space: Any = Dict({"obs": inner["observation"], "mask": mask})

    def reset(self, **arguments: Any) -> tuple[Any, dict[str, Any]]:
        """Start a new game."""
        seen, info = self.env.reset(**arguments)
        return _named(seen), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Make a decision."""
        seen, *rest = self.env.step(action)
        return _named(seen), *rest  # type: ignore[return-value]


def make(game: Any, n: int, opponents: Any = "random", **arguments: Any) -> DummyVectorEnv:
    """Return `n` environments for a collector; arguments are those of `qipai.envs.single`.

    Environment k has the seed `seed` + k.
    """
    seed = arguments.pop("seed", None)
    seeds = [None if seed is None else checked_seed(checked_seed(seed) + k) for k in range(n)]
    return DummyVectorEnv([lambda s=s: MaskedEnv(game, opponents, seed=s, **arguments) for s in seeds])


def _named(seen: Any) -> dict[str, Any]:
    return {"obs": seen["observation"], "mask": seen["action_mask"].astype(bool)}
