"""Xianqi's heuristic agent: counts cards and values every choice in expected chips.

Every legal action, including buckle and reveal, is played out in worlds that are consistent with what the
seat has seen. The action that earns the most chips is chosen.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qipai.core import Compiled, Game, Sight, compile_rules, new_states

from ..state import ACTIONS
from .policy import choose, weigh

WORLDS = 32  # playouts of each action


class Heuristic:
    """Plays for the most chips over sampled worlds."""

    def __init__(self, game: Game, words: NDArray[np.uint32], worlds: int = WORLDS) -> None:
        compile_rules([weigh], game.rules.State, "xianqi/heuristic")
        self._words = words
        self._worlds = worlds
        self._states = new_states(game.rules.State, 3)
        self._mask = np.zeros(game.width, np.uint8)
        self._totals = np.zeros(ACTIONS, np.int64)
        work = np.zeros(ACTIONS + 1 + game.width // 8, np.int64)
        work[ACTIONS] = worlds
        self.compiled = Compiled(choose, work, states=len(self._states))

    def act(self, sight: Sight) -> int:
        """Return the legal action that earns the most chips, the first of equal ones."""
        actions = np.flatnonzero(sight.mask)
        if len(actions) == 1:
            return int(actions[0])
        self._states[0] = sight.state
        weigh(self._states, sight.seat, self._worlds, self._words, self._mask, self._totals)
        return int(actions[np.argmax(self._totals[actions])])
