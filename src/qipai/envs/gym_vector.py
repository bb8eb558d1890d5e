"""`LearnerVectorEnv`: a game as a Gymnasium vector environment for one learner against opponents.

Imported only if Gymnasium is installed; `qipai.envs.vector` makes it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import logger
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from qipai.core import Game
from qipai.core.errors import BadOption, BadSeed, MatchOver, short

from . import lanes
from .convention import FPS, RENDER_MODES, BadArgument, Convention
from .lanes import CUT, DONE, REWARD, SEAT
from .learner import Learners, Opponents
from .seeds import checked_seed

Masks = NDArray[np.bool_]
Info = dict[str, Any]
MODES = {
    AutoresetMode.NEXT_STEP: lanes.NEXT_STEP,
    AutoresetMode.SAME_STEP: lanes.SAME_STEP,
    AutoresetMode.DISABLED: lanes.DISABLED,
}


class LearnerVectorEnv(VectorEnv[Any, Any, Any]):
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
        **convention: Any,
    ) -> None:
        mode = checked_mode(autoreset)
        self._seed = None if seed is None else checked_seed(seed)
        self.learners = Learners(game, n, opponents, seat, options, seats, MODES[mode], threads, device)
        self.game = self.learners.game
        self.convention = Convention(self.game, **convention)
        self.render_mode = self.convention.render_mode
        if self.render_mode == "human":
            raise BadArgument("render_mode of many lanes must be ansi or rgb_array, not 'human'")
        self.num_envs = n
        self.autoreset_mode = mode
        self.metadata = {
            "name": f"{self.game.name}_v{self.game.rules.version}",
            "render_modes": [mode for mode in RENDER_MODES if mode != "human"],
            "render_fps": FPS,
            "autoreset_mode": mode,
        }
        self.single_observation_space = self.convention.observation_space
        self.single_action_space = self.convention.action_space
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self._dealt = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, Info]:
        """Deal a new game in every lane: the first of `seed`, or without a seed the next ones.

        With a list of seeds, lane k gets the games of `single` with seed[k]; None goes on with its next game.
        `options={"reset_mask": mask}` leaves lanes unchanged if their entry is false;
        the others begin as they would without it. No other option of Gymnasium
        is supported.
        """
        lanes = checked_lanes(options, self.num_envs)
        if isinstance(seed, list | tuple | np.ndarray):
            self._reset_each(seed, lanes)
            return self._told(), self._info(lanes)
        new_seed = self._seed if seed is None else checked_seed(seed)
        if seed is None and self._dealt:
            self.learners.deal(lanes)
        else:
            new_seed = secrets.randbits(64) if new_seed is None else new_seed
            self.learners.seed(new_seed, lanes)
            super().reset(seed=new_seed)
            self._dealt = True
        return self._told(), self._info(lanes)

    def _reset_each(self, seeds: Sequence[Any] | NDArray[Any], lanes: Masks) -> None:
        if len(seeds) != self.num_envs:
            raise BadSeed(f"a list of seeds has one for each of the {self.num_envs} lanes, not {len(seeds)}")
        checked = [None if seed is None else checked_seed(seed) for seed in seeds]
        self.learners.seed_each(checked, lanes)
        if checked[0] is not None:
            super().reset(seed=checked[0])
        self._dealt = True

    def step(self, actions: Any) -> tuple[Any, NDArray[np.float64], Masks, Masks, Info]:
        """Make a decision in every lane. Raise `IllegalAction`, and change nothing, if one is not legal.

        With illegal="random", a random legal action is played where one is not legal, and `info["replaced"]`
        is true there. With illegal="terminate", the game ends there with `illegal_reward`, and
        `info["illegal"]` is true.
        With NEXT_STEP, the action of a lane whose game has ended is ignored. With
        DISABLED there must be no such lane: `MatchOver` is raised, and nothing changes.
        """
        bad = None
        if self.convention.illegal != "raise":
            actions, bad = self.learners.illegal(actions)
        if bad is not None and self.convention.illegal == "random":
            for lane in np.flatnonzero(bad):
                actions[lane] = self.np_random.choice(np.flatnonzero(self.learners.batch.mask[lane]))
        self.learners.step(actions, bad if self.convention.illegal == "terminate" else None)
        book = self.learners.book
        done, cut = book[:, DONE] != 0, book[:, CUT] != 0
        info = self._info(np.ones(self.num_envs, np.bool_))
        if done.any() and self.autoreset_mode is AutoresetMode.SAME_STEP:
            self._add_final(info, done)
        rewards = book[:, REWARD] * np.float64(self.convention.reward_scale)
        if bad is not None:
            name = "replaced" if self.convention.illegal == "random" else "illegal"
            info[name], info[f"_{name}"] = bad, np.ones(self.num_envs, np.bool_)
            if name == "illegal":
                rewards[bad] = self.convention.illegal_reward
        return self._told(), rewards, done & ~cut, done & cut, info

    def action_masks(self) -> Masks:
        """Return which actions are legal in each lane, bool (n, actions)."""
        if not self._dealt:
            raise MatchOver("nothing is dealt: reset the environment first")
        masks: Masks = self.learners.batch.mask[:, : self.game.rules.actions].astype(np.bool_)
        return masks

    def render(self) -> tuple[Any, ...] | None:
        """Return what the learner sees in each lane: texts ("ansi") or images ("rgb_array")."""
        if self.render_mode is None:
            logger.warn("render() does nothing without a render_mode: ansi or rgb_array")
            return None
        if not self._dealt:
            raise MatchOver("nothing is dealt: reset the environment first")
        states, seats = self.learners.batch.state, self.learners.book[:, SEAT].tolist()
        return tuple(self.convention.drawn(states[lane], seat) for lane, seat in enumerate(seats))

    @property
    def seat(self) -> NDArray[np.int32]:
        """The learner's current seat in each lane."""
        return self.learners.book[:, SEAT].copy()

    def _told(self) -> Any:
        batch = self.learners.batch
        return self.convention.told(batch.obs, batch.mask[:, : self.game.rules.actions])

    def _info(self, told: Masks) -> Info:
        """Return the masks of every lane; `told` marks the lanes that Gymnasium expects them for."""
        return {"action_mask": self.action_masks(), "_action_mask": told.copy()}

    def _add_final(self, info: Info, done: Masks) -> None:
        """Add what Gymnasium expects about games that ended in a step that has already dealt the next."""
        final = np.full(self.num_envs, None, dtype=object)
        none = np.zeros(self.game.rules.actions, np.int8)
        for lane in np.flatnonzero(done):
            final[lane] = self.convention.told(self.learners.final[lane], none)
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
