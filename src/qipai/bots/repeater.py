"""A sparring partner that always repeats the same choices.

It ranks all actions at random once per game and always plays the legal one that ranks highest. If
the same actions are legal, it makes the same choice, whatever has happened.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Game, Sight, next_word


class Repeater:
    """Plays the first legal action in an order that is drawn once."""

    def __init__(self, game: Game, words: NDArray[np.uint32]) -> None:
        game.compile()
        self._rank = np.array([int(next_word(words)) for _ in range(game.rules.actions)])

    def act(self, sight: Sight) -> int:
        """Return the legal action that ranks highest."""
        legal = np.flatnonzero(sight.mask)
        return int(legal[self._rank[legal].argmin()])


SPEC = AgentSpec(name="repeater", place=0, make=Repeater, offered=False)
