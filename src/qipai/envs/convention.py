"""`Convention`: what all environments share: spaces, rewards, illegal actions, rendering.

Imported only if Gymnasium is installed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import numpy as np
from gymnasium import Space
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray

from qipai.core import Game, State
from qipai.core.errors import BadOption, short

from .features import FORMS, Form
from .picture import picture

ILLEGAL = ("raise", "random", "terminate")
SPACES = ("dict", "box")
RENDER_MODES = ("ansi", "human", "rgb_array")
FPS = 1


class BadArgument(BadOption, TypeError):
    """A keyword that an environment does not accept; a `TypeError` too, which other libraries expect."""


@dataclass(frozen=True)
class Convention:
    """The keywords that every environment accepts, checked."""

    game: Game
    space: str = "dict"
    features: str = "raw"
    illegal: str = "raise"
    illegal_reward: float = -1.0
    reward_scale: float = 1.0
    render_mode: str | None = None
    lang: str = "en"
    form: Form = field(init=False, compare=False)  # made from `features`

    def __post_init__(self) -> None:
        _one_of("space", self.space, SPACES)
        _one_of("features", self.features, FORMS)
        _one_of("illegal", self.illegal, ILLEGAL)
        if self.render_mode is not None:
            _one_of("render_mode", self.render_mode, RENDER_MODES)
        _one_of("lang", self.lang, self.game.languages)
        for name in ("reward_scale", "illegal_reward"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
                raise BadArgument(f"{name} must be a number, not {short(value)}")
        object.__setattr__(self, "form", Form.of(self.game, self.features))

    @property
    def action_space(self) -> Discrete:
        """The game's own actions."""
        return Discrete(self.game.rules.actions)

    @property
    def mask_space(self) -> Box:
        """One entry per action: 1 if it is legal."""
        return Box(0, 1, (self.game.rules.actions,), np.int8)

    @property
    def observation_space(self) -> Space[Any]:
        """The observation with its mask, or with `space="box"` the observation alone."""
        box = Box(self.form.low, self.form.high, dtype=np.int8)
        return box if self.space == "box" else Dict({"observation": box, "action_mask": self.mask_space})

    def told(self, observation: NDArray[np.int8], mask: NDArray[Any]) -> Any:
        """Return an observation, or a row of them, as an element of the space; nothing is shared."""
        seen = self.form.encode(observation)
        if self.space == "box":
            return seen
        return {"observation": seen, "action_mask": mask.astype(np.int8)}

    def drawn(self, s: State, seat: int) -> str | NDArray[np.uint8]:
        """Return what `seat` sees, as text or as a picture."""
        text = self.game.drawing(s, seat, self.lang)
        return picture(text) if self.render_mode == "rgb_array" else text


def _one_of(name: str, value: Any, known: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in known:
        raise BadArgument(f"{name} must be one of {', '.join(known)}, not {short(value)}")
