"""qipai's games for TorchRL: `make` returns a batched environment whose action spec follows the mask."""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.core.errors import MissingExtra

from . import vector

try:
    import torch
    from tensordict import TensorDict, TensorDictBase
    from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
    from torchrl.envs import EnvBase
except ModuleNotFoundError as error:
    raise MissingExtra(f"{error.name} is not installed: pip install 'qipai[toolbox]'") from error

ENDS = ("done", "terminated", "truncated")


def make(game: Any, n: int, opponents: Any = "random", **arguments: Any) -> QipaiEnv:
    """Return an environment of `n` lanes; arguments are those of `qipai.envs.vector`."""
    return QipaiEnv(game, n, opponents, **arguments)


class QipaiEnv(EnvBase):  # type: ignore[misc]  # not installed where types are checked
    """`n` lanes in which one seat learns: `observation` int8, `action_mask` bool, `action` a number.

    A lane whose game ended is reset by TorchRL, through `_reset`; lanes that are not reset stay as they are.
    Until then its mask is all ones: TorchRL's specs and `MaskedCategorical` fail without any legal action.
    """

    batch_locked = True

    def __init__(self, game: Any, n: int, opponents: Any = "random", **arguments: Any) -> None:
        self.env = vector(game, n, opponents, **{**arguments, "space": "box", "autoreset": "DISABLED"})
        super().__init__(device="cpu", batch_size=torch.Size([n]))
        box: Any = self.env.single_observation_space
        low, high = (torch.as_tensor(end).expand(n, *box.shape).clone() for end in (box.low, box.high))
        actions = self.env.game.rules.actions
        shape = torch.Size([n])
        self.observation_spec = Composite(
            observation=Bounded(low=low, high=high, dtype=torch.int8, device="cpu"),
            action_mask=Binary(n=actions, shape=torch.Size([n, actions]), dtype=torch.bool),
            shape=shape,
        )
        self.action_spec = Categorical(actions, shape=shape, dtype=torch.int64)
        one = torch.Size([n, 1])
        ends = {name: Categorical(2, shape=one, dtype=torch.bool) for name in ENDS}
        self.done_spec = Composite(**ends, shape=shape)
        self.reward_spec = Unbounded(shape=one, dtype=torch.float32)
        self._spent: int | None = None

    def _told(self, seen: Any, masks: Any) -> dict[str, Any]:
        """Return observation and mask as tensors, and let the action spec follow the mask."""
        mask = torch.from_numpy(masks | ~masks.any(-1, keepdims=True))
        self.full_action_spec["action"].update_mask(mask)
        return {"observation": torch.from_numpy(seen), "action_mask": mask}

    def _reset(self, tensordict: TensorDictBase | None = None, **arguments: Any) -> TensorDictBase:
        chosen = None if tensordict is None else tensordict.get("_reset", None)
        options = None
        if chosen is not None and not bool(chosen.all()):
            options = {"reset_mask": chosen.reshape(-1).numpy().astype(np.bool_)}
        seed, self._spent = self._spent, None
        seen, info = self.env.reset(seed=seed, options=options)
        over = self.env.learners.ended()
        told = {**self._told(seen, info["action_mask"]), **_ends(over, np.zeros_like(over))}
        return TensorDict(told, batch_size=self.batch_size)

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        seen, reward, terminated, truncated, info = self.env.step(tensordict["action"].numpy())
        told = self._told(seen, info["action_mask"])
        earned = torch.from_numpy(reward.astype(np.float32)).unsqueeze(-1)
        return TensorDict(
            {**told, "reward": earned, **_ends(terminated, truncated)}, batch_size=self.batch_size
        )

    def _set_seed(self, seed: int | None) -> None:
        """Use the seed at the next reset."""
        self._spent = seed


def _ends(terminated: Any, truncated: Any) -> dict[str, Any]:
    """Return how games ended, as tensors (n, 1)."""
    values = (terminated | truncated, terminated.copy(), truncated.copy())
    return {name: torch.from_numpy(value).unsqueeze(-1) for name, value in zip(ENDS, values, strict=True)}
