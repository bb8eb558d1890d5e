"""qipai's games for Stable-Baselines3: `QipaiVecEnv`, the fast vector environment as an SB3 `VecEnv`.

from sb3_contrib import MaskablePPO
model = MaskablePPO("MlpPolicy", QipaiVecEnv("xianqi", 64, opponents="heuristic"))
model.learn(100_000)
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core.errors import MissingExtra

from . import vector
from .lanes import SEAT

try:
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as error:
    raise MissingExtra("Stable-Baselines3 is not installed: pip install 'qipai[toolbox]'") from error

Indices = int | Sequence[int] | None


class QipaiVecEnv(VecEnv):  # type: ignore[misc]  # not installed where types are checked
    """`n` lanes in which one seat learns; `env` is the Gymnasium vector environment behind it.

    Arguments are those of `qipai.envs.vector`, with observations as plain arrays unless `space="dict"`. Masks
    are those that `MaskablePPO` asks for. The info of a lane whose game ended has SB3's
    `terminal_observation`, `TimeLimit.truncated` and `episode`.
    """

    def __init__(self, game: Any, n: int, opponents: Any = "random", **arguments: Any) -> None:
        arguments = {"space": "box", **arguments, "autoreset": "SAME_STEP"}
        self.env = vector(game, n, opponents, **arguments)
        self._actions: Any = None
        self._returns = np.zeros(n)
        self._lengths = np.zeros(n, np.int64)
        self._started = time.time()
        super().__init__(n, self.env.single_observation_space, self.env.single_action_space)

    def reset(self) -> Any:
        """Deal in every lane: the first games of the seed given before, else the next ones."""
        given = self._seeds if any(seed is not None for seed in self._seeds) else None
        seen, info = self.env.reset(seed=None if given is None else [int(s or 0) for s in given])
        self.reset_infos = [{"action_mask": mask} for mask in info["action_mask"]]
        self._returns[:] = 0
        self._lengths[:] = 0
        self._reset_seeds()
        self._reset_options()
        return seen

    def step_async(self, actions: NDArray[Any]) -> None:
        """Store the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Make a decision in every lane; a game that ended is followed by the next one."""
        seen, reward, terminated, truncated, info = self.env.step(self._actions)
        done = terminated | truncated
        self._returns += reward
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for lane in np.flatnonzero(done).tolist():
            infos[lane] = {
                "terminal_observation": info["final_obs"][lane],
                "TimeLimit.truncated": bool(truncated[lane]),
                "episode": {
                    "r": float(self._returns[lane]),
                    "l": int(self._lengths[lane]),
                    "t": time.time() - self._started,
                },
            }
        self._returns[done] = 0
        self._lengths[done] = 0
        return seen, reward.astype(np.float32), done, infos

    def close(self) -> None:
        """Close the environment."""
        self.env.close()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal in each lane, bool (n, actions)."""
        return self.env.action_masks()

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Return one picture per lane."""
        drawn = self.env.render()
        return [None] * self.num_envs if drawn is None else list(drawn)

    # --- what SB3 asks of each lane ---------------------------------------------------

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return an attribute of the environment, once per lane; `seat` is the lane's own."""
        if attr_name == "seat":
            return [int(self.env.learners.book[lane, SEAT]) for lane in self._lanes(indices)]
        value = self.action_masks if attr_name == "action_masks" else getattr(self.env, attr_name)
        return [value for _ in self._lanes(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Raise `AttributeError`: lanes share one environment."""
        raise AttributeError(f"{attr_name} cannot be set: all lanes are one environment")

    def env_method(self, method_name: str, *args: Any, indices: Indices = None, **kwargs: Any) -> list[Any]:
        """Return `action_masks` or `render` of each lane; nothing else can be asked of one."""
        lanes = self._lanes(indices)
        if method_name == "action_masks":
            masks = self.action_masks()
            return [masks[lane] for lane in lanes]
        if method_name == "render":
            drawn = self.env.render() or [None] * self.num_envs
            return [drawn[lane] for lane in lanes]
        raise AttributeError(f"{method_name} cannot be called in one lane: all lanes are one environment")

    def env_is_wrapped(self, wrapper_class: Any, indices: Indices = None) -> list[bool]:
        """Return False for each lane, except for `Monitor`, whose figures are in the infos already."""
        found = getattr(wrapper_class, "__name__", "") == "Monitor"
        return [found for _ in self._lanes(indices)]

    def _lanes(self, indices: Indices) -> list[int]:
        return [int(lane) for lane in self._get_indices(indices)]
