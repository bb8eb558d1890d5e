"""`LearnerEnv`: a game as a Gymnasium environment for one learner against opponents.

Imported only if Gymnasium is installed; `qipai.envs.single` makes it. It is lane 0 of
the vector environment with the same seed.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import Env, logger, register, registry
from numpy.typing import NDArray

from qipai.core import Game, QipaiError, get, names
from qipai.core.errors import BadOption, IllegalAction, MatchOver, short
from qipai.match.jsonable import is_int

from .convention import FPS, RENDER_MODES, Convention
from .lanes import CUT, DISABLED, DONE, REWARD, SEAT
from .learner import Learners, Opponents
from .seeds import checked_seed

Observation = Any  # as `Convention` says: a dict of arrays, or one array
Info = dict[str, Any]


class LearnerEnv(Env[Any, Any]):
    """One lane; a step is one decision of the learner and everything until its next one.

    A pickled environment, or a deep copy, continues from the same point.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": FPS}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str,
        opponents: Opponents = "random",
        seat: int | str = 0,
        options: Mapping[str, Any] | None = None,
        seed: int | None = None,
        *,
        seats: int | None = None,
        **convention: Any,
    ) -> None:
        self._seed = None if seed is None else checked_seed(seed)
        self.learners = Learners(game, 1, opponents, seat, options, seats, DISABLED)
        self.game = self.learners.game
        self.convention = Convention(self.game, **convention)
        self.render_mode = self.convention.render_mode
        self._dealt = False
        self.observation_space = self.convention.observation_space
        self.action_space = self.convention.action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Start a new game: the first of `seed`, or without a seed the next one."""
        if options is not None and (not isinstance(options, Mapping) or options):
            raise BadOption(f"reset has no option {short(options)}")
        new_seed = self._seed if seed is None else checked_seed(seed)
        if seed is None and self._dealt:
            self.learners.deal()
        else:
            new_seed = secrets.randbits(64) if new_seed is None else new_seed
            super().reset(seed=new_seed)
            self.learners.seed(new_seed)
            self._dealt = True
        return self._told()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        """Make a decision.

        If it is illegal, raise `IllegalAction` and change nothing. With illegal="random", play a random legal
        action instead and set `info["replaced"]`. With illegal="terminate", end the game with
        `illegal_reward` and set `info["illegal"]`.
        """
        self._check_dealt()
        if self.learners.ended()[0]:
            raise MatchOver("the game has ended: reset the environment")
        number, legal = self._readable(action)
        forfeits = np.array([not legal and self.convention.illegal == "terminate"])
        self.learners.step(np.array([number], np.int32), forfeits)
        row = self.learners.book[0]
        done, cut = bool(row[DONE]), bool(row[CUT])
        reward = float(row[REWARD]) * self.convention.reward_scale
        if forfeits[0]:
            reward = float(self.convention.illegal_reward)
        observation, info = self._told()
        if self.convention.illegal == "random":
            info["replaced"] = not legal
        elif self.convention.illegal == "terminate":
            info["illegal"] = not legal
        return observation, reward, done and not cut, done and cut, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal; none if the game has ended."""
        self._check_dealt()
        return self._mask().astype(np.bool_)

    def render(self) -> Any:
        """Return what the learner's seat sees: text ("ansi") or an image ("rgb_array"); "human" prints it."""
        if self.render_mode is None:
            logger.warn(f"render() does nothing without a render_mode: {', '.join(RENDER_MODES)}")
            return None
        self._check_dealt()
        drawn = self.convention.drawn(self.learners.batch.state[0], int(self.learners.book[0, SEAT]))
        if self.render_mode != "human":
            return drawn
        print(drawn, flush=True)
        return None

    def _check_dealt(self) -> None:
        if not self._dealt:
            raise MatchOver("nothing is dealt: reset the environment first")

    def _told(self) -> tuple[Observation, Info]:
        if self.render_mode == "human":
            self.render()
        mask = self._mask()
        return self.convention.told(self.learners.batch.obs[0], mask), {"action_mask": mask}

    def _mask(self) -> NDArray[np.int8]:
        mask: NDArray[np.int8] = self.learners.batch.mask[0, : self.game.rules.actions].astype(np.int8)
        return mask

    def _readable(self, action: Any) -> tuple[int, bool]:
        """Return the action as a number, another one where it is illegal, and whether it is legal."""
        if isinstance(action, np.ndarray) and action.shape == ():
            action = action[()]
        whole = is_int(action)
        mask = self._mask()
        if whole and 0 <= action < self.game.rules.actions and mask[action]:
            return int(action), True
        if not whole or self.convention.illegal == "raise":
            raise IllegalAction(f"action {short(action)} is not legal here")
        return int(self.np_random.choice(np.flatnonzero(mask))), False


def register_games() -> list[str]:
    """Add every game to Gymnasium's registry as `qipai/NAME-vVERSION`, and return the ids."""
    ids = []
    for name in names():
        try:
            id_ = f"qipai/{name}-v{get(name).rules.version}"
        except QipaiError:  # a broken package must not disable the others
            continue
        ids.append(id_)
        if id_ not in registry:
            register(
                id_,
                entry_point="qipai.envs:single",
                vector_entry_point="qipai.envs:vector_of",
                kwargs={"game": name},
            )
    return ids
