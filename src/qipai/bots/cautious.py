"""A sparring partner that never explores.

If an action that it has played before is legal, it plays such an action; it tries something new only
when it has to.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Game, Sight, pick


class Cautious:
    """Plays a random legal action among those it has played before; if there is none, any legal one."""

    def __init__(self, game: Game, words: NDArray[np.uint32]) -> None:
        game.compile()
        self._words = words
        self._played = np.zeros(game.width, np.uint8)

    def act(self, sight: Sight) -> int:
        """Return an action that it has played before, if one is legal."""
        usual = sight.mask & self._played
        mask = usual if usual.any() else sight.mask
        action = int(pick(self._words, mask, int(mask.sum())))
        self._played[action] = 1
        return action


SPEC = AgentSpec(name="cautious", place=0, make=Cautious, offered=False)
