"""Wuhan mahjong's heuristic agent: the legal action that leaves the cheapest plan (see policy.py).

It opens early, keeps a 258 pair, konges Red and skins away, weighs laizi and kongs by what
they bring, turns to big patterns when they are near, counts what is visible and avoids feeding.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Game, Sight, compile_rules

from .policy import MEMO, weigh
from .tiles import ACTIONS

_memo: list[NDArray[np.int64]] = []  # one for the process: it holds what is true of any hand


class Heuristic:
    """Least cost; ties by the agent's own generator never arise, the first is taken."""

    def __init__(self, game: Game, words: NDArray[np.uint32]) -> None:
        compile_rules([weigh], game.rules.State, "wuhan_mahjong/heuristic")
        if not _memo:
            _memo.append(np.zeros(MEMO, np.int64))
        self._costs = np.zeros(ACTIONS, np.int64)

    def act(self, sight: Sight) -> int:
        """The legal action with the least cost."""
        actions = np.flatnonzero(sight.mask)
        if len(actions) == 1:
            return int(actions[0])
        weigh(sight.state, sight.seat, sight.mask, _memo[0], self._costs)
        return int(actions[np.argmin(self._costs[actions])])


AGENTS = (
    AgentSpec(
        name="heuristic",
        level=1,
        make=Heuristic,
        about={
            "en": "opens, keeps 258 eyes, plans for small and big wins, avoids feeding",
            "zh": "早开口、留将眼、顾大小胡、防点炮",
        },
    ),
)
