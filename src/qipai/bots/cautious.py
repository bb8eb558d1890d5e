"""The sparring partner that never explores.

While an action that it has played before is legal, it plays such a one; it tries something new only
when it has to.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Game, Sight, pick


class Cautious:
    """Any legal action that it has played before, all equally likely; else any legal one."""

    def __init__(self, game: Game, words: NDArray[np.uint32]) -> None:
        game.compile()
        self._words = words
        self._played = np.zeros(game.width, np.uint8)

    def act(self, sight: Sight) -> int:
        """Return an action that it has played before, where one is legal."""
        usual = sight.mask & self._played
        mask = usual if usual.any() else sight.mask
        action = int(pick(self._words, mask, int(mask.sum())))
        self._played[action] = 1
        return action


SPEC = AgentSpec(name="cautious", level=0, make=Cautious, offered=False)
