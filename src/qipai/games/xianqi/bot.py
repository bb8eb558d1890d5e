"""Xianqi's heuristic agent: counts cards, and weighs every choice in expected chips.

Every legal action, buckle and reveal among them, is played out in worlds drawn from all
that fit what its seat has seen; the one with most chips is taken.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Game, Sight, compile_rules, new_states

from .policy import weigh
from .rules import ACTIONS

WORLDS = 32  # playouts of each action


class Heuristic:
    """Most expected chips over sampled worlds."""

    def __init__(self, game: Game, words: NDArray[np.uint32], worlds: int = WORLDS) -> None:
        compile_rules([weigh], game.rules.State, "xianqi/heuristic")
        self._words = words
        self._worlds = worlds
        self._states = new_states(game.rules.State, 3)
        self._mask = np.zeros(game.width, np.uint8)
        self._totals = np.zeros(ACTIONS, np.int64)

    def act(self, sight: Sight) -> int:
        """The legal action with most chips; the first of equals."""
        actions = np.flatnonzero(sight.mask)
        if len(actions) == 1:
            return int(actions[0])
        self._states[0] = sight.state
        weigh(self._states, sight.seat, self._worlds, self._words, self._mask, self._totals)
        return int(actions[np.argmax(self._totals[actions])])


AGENTS = (
    AgentSpec(
        name="heuristic",
        level=1,
        make=Heuristic,
        about={
            "en": "counts cards; buckles, reveals and plays by expected chips",
            "zh": "会记牌，按期望筹码决定扣、掀与出牌",
        },
    ),
)
