"""The agent that plays every legal action with equal probability."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Game, Sight, pick


class RandomAgent:
    """Uniform over the mask, with its own generator."""

    def __init__(self, game: Game, words: NDArray[np.uint32]) -> None:
        game.compile()
        self._words = words

    def act(self, sight: Sight) -> int:
        """Return a random legal action."""
        return int(pick(self._words, sight.mask, int(sight.mask.sum())))


SPEC = AgentSpec(name="random", level=0, make=RandomAgent)
