"""`LearnerVectorEnv`: a game as a Gymnasium vector environment for one learner against opponents.

Imported only if Gymnasium is installed; `qipai.envs.vector` makes it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from qipai.core import Game
from qipai.core.errors import BadOption, MatchOver, short

from . import lanes
from .lanes import CUT, DONE, REWARD, SEAT
from .learner import Learners, Opponents
from .seeds import checked_seed

Features = NDArray[np.int8]
Masks = NDArray[np.bool_]
Info = dict[str, Any]
MODES = {
    AutoresetMode.NEXT_STEP: lanes.NEXT_STEP,
    AutoresetMode.SAME_STEP: lanes.SAME_STEP,
    AutoresetMode.DISABLED: lanes.DISABLED,
}


class LearnerVectorEnv(VectorEnv[Features, NDArray[np.int64], NDArray[Any]]):
    """`n` lanes; the learner decides in all of them at once.

    A step is one decision of the learner and everything until its next one. Its reward is
    the change of the learner's payoff over that time, including opponents' moves; what
    happened before the first decision counts towards the first step, so that the rewards of
    a game add up to its result.
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        opponents: Opponents = "random",
        seat: int | str = 0,
        options: Mapping[str, Any] | None = None,
        seed: int | None = None,
        device: str = "cpu",
        *,
        seats: int | None = None,
        autoreset: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
    ) -> None:
        mode = checked_mode(autoreset)
        self._seed = None if seed is None else checked_seed(seed)
        self.learners = Learners(game, n, opponents, seat, options, seats, MODES[mode], threads, device)
        self.game = self.learners.game
        self.num_envs = n
        self.metadata = {
            "name": f"{self.game.name}_v{self.game.rules.version}",
            "render_modes": [],
            "autoreset_mode": mode,
        }
        self.single_observation_space = Box(-128, 127, (self.game.observation_size,), np.int8)
        self.single_action_space = Discrete(self.game.rules.actions)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self._dealt = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, Info]:
        """Deal a new game in every lane: the first of `seed`, or without a seed the next ones.

        `options={"reset_mask": mask}` leaves lanes unchanged if their entry is false;
        the others begin as they would without it. No other option of Gymnasium
        is supported.
        """
        lanes = checked_lanes(options, self.num_envs)
        new_seed = self._seed if seed is None else checked_seed(seed)
        if seed is None and self._dealt:
            self.learners.deal(lanes)
        else:
            new_seed = secrets.randbits(64) if new_seed is None else new_seed
            self.learners.seed(new_seed, lanes)
            super().reset(seed=new_seed)
            self._dealt = True
        return self.learners.batch.obs.copy(), self._info(lanes)

    def step(self, actions: NDArray[np.int64]) -> tuple[Features, NDArray[np.float64], Masks, Masks, Info]:
        """Make a decision in every lane. Raise `IllegalAction`, and change nothing, if one is not legal.

        With NEXT_STEP, the action of a lane whose game has ended is ignored. With
        DISABLED there must be no such lane: `MatchOver` is raised, and nothing changes.
        """
        self.learners.step(actions)
        book = self.learners.book
        done, cut = book[:, DONE] != 0, book[:, CUT] != 0
        info = self._info(np.ones(self.num_envs, np.bool_))
        if done.any() and self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP:
            self._add_final(info, done)
        rewards = book[:, REWARD].astype(np.float64)
        return self.learners.batch.obs.copy(), rewards, done & ~cut, done & cut, info

    def action_masks(self) -> Masks:
        """Return which actions are legal in each lane, bool (n, actions)."""
        if not self._dealt:
            raise MatchOver("nothing is dealt: reset the environment first")
        masks: Masks = self.learners.batch.mask[:, : self.game.rules.actions].astype(np.bool_)
        return masks

    @property
    def seat(self) -> NDArray[np.int32]:
        """The learner's current seat in each lane."""
        return self.learners.book[:, SEAT].copy()

    def _info(self, told: Masks) -> Info:
        """Return the masks of every lane; `told` marks the lanes that Gymnasium expects them for."""
        return {"action_mask": self.action_masks(), "_action_mask": told.copy()}

    def _add_final(self, info: Info, done: Masks) -> None:
        """Add what Gymnasium expects about games that ended in a step that has already dealt the next."""
        final = np.full(self.num_envs, None, dtype=object)
        for lane in np.flatnonzero(done):
            final[lane] = self.learners.final[lane].copy()
        info["final_obs"], info["_final_obs"] = final, done.copy()
        nothing = np.zeros((self.num_envs, self.game.rules.actions), np.bool_)
        info["final_info"] = {"action_mask": nothing, "_action_mask": done.copy()}
        info["_final_info"] = done.copy()


def checked_mode(mode: Any) -> AutoresetMode:
    """Return a mode of Gymnasium, given as such or by name."""
    for known in MODES:
        names = (known.name.lower(), known.value.lower())
        if mode is known or (isinstance(mode, str) and mode.lower() in names):
            return known
    raise BadOption(f"autoreset must be NEXT_STEP, SAME_STEP or DISABLED, not {short(str(mode))}")


def checked_lanes(options: Any, n: int) -> Masks:
    """Return the lanes to reset; raise `BadOption` for options that Gymnasium rejects too."""
    given = {} if options is None else options
    if not isinstance(given, Mapping):
        raise BadOption(f"options must be a dict, not {short(given)}")
    for name in given:
        if name != "reset_mask":
            raise BadOption(f"reset has no option {short(name)}")
    if "reset_mask" not in given:
        return np.ones(n, np.bool_)
    mask = given["reset_mask"]
    if not isinstance(mask, np.ndarray):
        raise BadOption(f"reset_mask must be a NumPy array, not {short(mask)}")
    if mask.shape != (n,) or mask.dtype != np.bool_:
        raise BadOption(f"reset_mask must be bool ({n},), not {mask.dtype} {mask.shape}")
    if not mask.any():
        raise BadOption("reset_mask names no lane: at least one entry must be true")
    return mask
