"""The agent that plays any legal action with equal chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Game, Sight, pick


class RandomAgent:
    """Uniform over the mask, from a generator of its own."""

    def __init__(self, game: Game, words: NDArray[np.uint32]) -> None:
        game.compile()
        self._words = words

    def act(self, sight: Sight) -> int:
        """Any legal action."""
        return int(pick(self._words, sight.mask, int(sight.mask.sum())))


SPEC = AgentSpec(name="random", level=0, make=RandomAgent)
