"""`LearnerVectorEnv`: a game as a Gymnasium vector environment for one learner against opponents.

Imported only where Gymnasium is installed; `qipai.envs.vector` makes it.
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
from qipai.core.errors import BadOption, BadSeed, short

from .lanes import CUT, DONE, REWARD, SEAT
from .learner import Learners, Opponents

Features = NDArray[np.int8]
Masks = NDArray[np.bool_]
Info = dict[str, Any]
MODES = {"next_step": AutoresetMode.NEXT_STEP, "same_step": AutoresetMode.SAME_STEP}


class LearnerVectorEnv(VectorEnv[Features, NDArray[np.int64], NDArray[Any]]):
    """`n` tables; the learner decides at all of them at once.

    A step is one decision of the learner and everything until its next one. Its reward is
    the change of the learner's payoff over that time, opponents' moves included; what
    happened before the first decision counts to the first step, so that the rewards of
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
        same = mode is AutoresetMode.SAME_STEP
        self.learners = Learners(game, n, opponents, seat, options, seats, same, threads, device)
        self.game = self.learners.game
        self.num_envs = n
        self.metadata = {
            "name": f"{self.game.name}_v{self.game.version}",
            "render_modes": [],
            "autoreset_mode": mode,
        }
        self.single_observation_space = Box(-128, 127, (self.game.observation_size,), np.int8)
        self.single_action_space = Discrete(self.game.actions)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self._dealt = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, Info]:
        """New games at all tables: of `seed`, or without one the next of those under way.

        `options` are Gymnasium's; none has a meaning here.
        """
        if options:
            raise BadOption(f"reset knows no option {short(next(iter(options)))}")
        new_seed = self._seed if seed is None else checked_seed(seed)
        if seed is None and self._dealt:
            self.learners.deal()
        else:
            new_seed = secrets.randbits(64) if new_seed is None else new_seed
            super().reset(seed=new_seed)
            self.learners.seed(new_seed)
            self._dealt = True
        return self.learners.batch.obs.copy(), self._info()

    def step(self, actions: NDArray[np.int64]) -> tuple[Features, NDArray[np.float64], Masks, Masks, Info]:
        """A decision at every table. IllegalAction, and nothing changed, if one is not legal.

        With NEXT_STEP the action at a table whose game has ended is not looked at.
        """
        self.learners.step(actions)
        book = self.learners.book
        done, cut = book[:, DONE] != 0, book[:, CUT] != 0
        info = self._info()
        if done.any() and self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP:
            self._add_final(info, done)
        rewards = book[:, REWARD].astype(np.float64)
        return self.learners.batch.obs.copy(), rewards, done & ~cut, done & cut, info

    def action_masks(self) -> Masks:
        """Which actions are legal at each table, (n, actions)."""
        masks: Masks = self.learners.batch.mask[:, : self.game.actions].astype(np.bool_)
        return masks

    @property
    def seat(self) -> NDArray[np.int32]:
        """The learner's seat at each table, now."""
        return self.learners.book[:, SEAT].copy()

    def _info(self) -> Info:
        return {"action_mask": self.action_masks(), "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _add_final(self, info: Info, done: Masks) -> None:
        """What Gymnasium tells of games that ended in a step that has dealt the next already."""
        final = np.full(self.num_envs, None, dtype=object)
        for lane in np.flatnonzero(done):
            final[lane] = self.learners.final[lane].copy()
        info["final_obs"], info["_final_obs"] = final, done.copy()
        nothing = np.zeros((self.num_envs, self.game.actions), np.bool_)
        info["final_info"] = {"action_mask": nothing, "_action_mask": done.copy()}
        info["_final_info"] = done.copy()


def checked_mode(mode: Any) -> AutoresetMode:
    """NEXT_STEP or SAME_STEP, by Gymnasium's names."""
    for name, known in MODES.items():
        if mode is known or (isinstance(mode, str) and mode.lower() in (name, known.value.lower())):
            return known
    raise BadOption(f"autoreset is NEXT_STEP or SAME_STEP, not {short(str(mode))}")


def checked_seed(seed: Any) -> int:
    """A seed, or BadSeed."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 1 << 64:
        raise BadSeed("an environment's seed is a whole number from 0 to 2^64 - 1")
    return int(seed)
