"""A sparring partner that plays like a beginner: it only sees immediate payoffs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Game, Sight, copy_state, pick


class Beginner:
    """Plays the action with the highest payoff directly after it, in the world that it is given.

    It takes an obvious win, avoids a move that loses immediately, and chooses at random among equal
    actions.
    """

    def __init__(self, game: Game, words: NDArray[np.uint32]) -> None:
        game.compile()
        self._words = words

    def act(self, sight: Sight) -> int:
        """Return an action with the highest payoff one step ahead."""
        legal = np.flatnonzero(sight.mask)
        if len(legal) == 1:
            return int(legal[0])
        payoffs = np.array([self._payoff_after(sight, int(action)) for action in legal])
        best = np.zeros_like(sight.mask)
        best[legal[payoffs == payoffs.max()]] = 1
        return int(pick(self._words, best, int(best.sum())))

    @staticmethod
    def _payoff_after(sight: Sight, action: int) -> int:
        world = copy_state(sight.state)
        sight.game.rules.apply(world, action)
        return int(world["payoff"][sight.seat])


SPEC = AgentSpec(name="beginner", place=0, make=Beginner, offered=False)
