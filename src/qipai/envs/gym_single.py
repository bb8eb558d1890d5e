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
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray

from qipai.core import Game, QipaiError, get, names
from qipai.core.errors import BadOption, IllegalAction, MatchOver, short
from qipai.match.jsonable import is_int

from .lanes import CUT, DISABLED, DONE, REWARD, SEAT
from .learner import Learners, Opponents
from .seeds import checked_seed

Observation = dict[str, NDArray[np.int8]]
Info = dict[str, Any]
ILLEGAL = ("raise", "random")
RENDER_MODES = ("ansi", "human")


class LearnerEnv(Env[Observation, np.int64]):
    """One lane; a step is one decision of the learner and everything until its next one."""

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str,
        opponent: Opponents = "random",
        seat: int | str = 0,
        options: Mapping[str, Any] | None = None,
        seed: int | None = None,
        *,
        seats: int | None = None,
        illegal: str = "raise",
        render_mode: str | None = None,
        lang: str = "en",
    ) -> None:
        if illegal not in ILLEGAL:
            raise BadOption(f"illegal must be one of {', '.join(ILLEGAL)}, not {short(illegal)}")
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise BadOption(f"render_mode must be one of {', '.join(RENDER_MODES)}, not {short(render_mode)}")
        self._seed = None if seed is None else checked_seed(seed)
        self.learners = Learners(game, 1, opponent, seat, options, seats, DISABLED)
        self.game = self.learners.game
        if not isinstance(lang, str) or lang not in self.game.languages:
            raise BadOption(f"lang must be one of {', '.join(self.game.languages)}, not {short(lang)}")
        self._illegal = illegal
        self.render_mode = render_mode
        self._lang = lang
        self._dealt = False
        features = Box(-128, 127, (self.game.observation_size,), np.int8)
        masks = Box(0, 1, (self.game.rules.actions,), np.int8)
        self.observation_space: Dict[Any] = Dict(  # type: ignore[assignment]  # Dict names no value type
            {"observation": features, "action_mask": masks}
        )
        self.action_space = Discrete(self.game.rules.actions)

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

        If it is illegal, raise `IllegalAction` and change nothing; with illegal="random", play a random legal
        action instead and set `info["replaced"]`.
        """
        self._check_dealt()
        if self.learners.ended()[0]:
            raise MatchOver("the game has ended: reset the environment")
        number, replaced = self._readable(action)
        self.learners.step(np.array([number], np.int32))
        row = self.learners.book[0]
        done, cut = bool(row[DONE]), bool(row[CUT])
        observation, info = self._told()
        if self._illegal == "random":
            info["replaced"] = replaced
        return observation, float(row[REWARD]), done and not cut, done and cut, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal; none if the game has ended."""
        self._check_dealt()
        return self._mask().astype(np.bool_)

    def render(self) -> str | None:
        """Return what the learner's seat sees as text ("ansi"), or print it ("human")."""
        if self.render_mode is None:
            logger.warn("render() does nothing without a render_mode: 'ansi' or 'human'")
            return None
        self._check_dealt()
        seat = int(self.learners.book[0, SEAT])
        drawn = self.game.drawing(self.learners.batch.state[0], seat, self._lang)
        if self.render_mode == "ansi":
            return drawn
        print(drawn, flush=True)
        return None

    def _check_dealt(self) -> None:
        if not self._dealt:
            raise MatchOver("nothing is dealt: reset the environment first")

    def _told(self) -> tuple[Observation, Info]:
        if self.render_mode == "human":
            self.render()
        features = self.learners.batch.obs[0].copy()
        return {"observation": features, "action_mask": self._mask()}, {"action_mask": self._mask()}

    def _mask(self) -> NDArray[np.int8]:
        mask: NDArray[np.int8] = self.learners.batch.mask[0, : self.game.rules.actions].astype(np.int8)
        return mask

    def _readable(self, action: Any) -> tuple[int, bool]:
        """Return the action as a number, and whether it replaces an illegal one."""
        if isinstance(action, np.ndarray) and action.shape == ():
            action = action[()]
        whole = is_int(action)
        mask = self._mask()
        if whole and 0 <= action < self.game.rules.actions and mask[action]:
            return int(action), False
        if not whole or self._illegal == "raise":
            raise IllegalAction(f"action {short(action)} is not legal here")
        return int(self.np_random.choice(np.flatnonzero(mask))), True


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
