"""The heuristic agent: chooses the legal action that leaves the cheapest plan (see policy.py).

It opens early, keeps a 258 pair, kongs Red and skins away, values laizi and kongs by what
they bring, turns to big patterns when they are near, counts visible tiles and avoids feeding.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qipai.core import Compiled, Game, Sight, compile_rules

from ..tiles import ACTIONS
from .policy import MEMO, choose, weigh

_memo: list[NDArray[np.int64]] = []  # one per process: its contents are true of any hand


class Heuristic:
    """Plays the legal action of least cost, the first of equal ones."""

    def __init__(self, game: Game, words: NDArray[np.uint32]) -> None:
        compile_rules([weigh], game.rules.State, "wuhan_mahjong/heuristic")
        if not _memo:
            _memo.append(np.zeros(MEMO, np.int64))
        self._costs = np.zeros(ACTIONS, np.int64)
        self.compiled = Compiled(choose, _memo[0])

    def act(self, sight: Sight) -> int:
        """Return the legal action with the least cost."""
        actions = np.flatnonzero(sight.mask)
        if len(actions) == 1:
            return int(actions[0])
        weigh(sight.state, sight.seat, sight.mask, _memo[0], self._costs)
        return int(actions[np.argmin(self._costs[actions])])
