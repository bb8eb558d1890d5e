"""`Builder`: places pairs by beam search (`policy.py`) and allocates tiles by shape (`shapes.py`).

It knows no more than its seat: the pairs behind NEXT are drawn again for every world that it searches.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qipai.core import Game, Sight, compile_rules, new_states

from ..shapes import keep_mask
from ..state import ALLOC, DISCARD, KEEP, PLACEMENTS
from ..tiles import values
from .policy import FIELDS, KNOBS, think


@dataclass(frozen=True)
class Budget:
    """The search budget of a bot: worlds, pairs ahead, boards kept per pair; and its weights (policy.py)."""

    worlds: int
    depth: int
    width: int
    alpha: int = 90  # percent of what the board could fire
    two: int = 80  # percent, if that takes two tiles
    link: int = 12
    height: int = 4
    hold_cost: int = 2400
    hold_tile: int = 60
    spawn: int = 1500
    noise: int = 0
    full: int = 72  # with more tiles on the board, what it could fire counts less
    fade: int = 3  # percent per tile

    @property
    def knobs(self) -> NDArray[np.int64]:
        """The weights in the order of policy.py."""
        given = (
            self.alpha,
            self.two,
            self.link,
            self.height,
            self.hold_cost,
            self.hold_tile,
            self.spawn,
            self.noise,
            self.full,
            self.fade,
        )
        assert len(given) == KNOBS
        return np.array(given, np.int64)


UNIT = 1000  # points of one unit of a score

GREEDY = Budget(worlds=1, depth=1, width=1, alpha=0, hold_cost=0, hold_tile=0)
BUILDER = Budget(worlds=6, depth=6, width=30, link=25, spawn=6000, full=50)


class Builder:
    """Places by `think`, allocates by shape."""

    def __init__(self, game: Game, words: NDArray[np.uint32], budget: Budget = BUILDER) -> None:
        compile_rules([think], game.rules.State, "paipai_rensa/builder")
        self.budget = budget
        rows = max(PLACEMENTS, budget.width)
        self._words = words
        self._states = new_states(game.rules.State, 2)
        self._cur = np.zeros((rows, FIELDS), np.int64)
        self._nxt = np.zeros((rows, FIELDS), np.int64)
        self._suits = np.zeros(2 * budget.depth + 2, np.int64)
        self._h = np.zeros(8, np.int64)
        self._work = np.zeros((3, 8), np.int64)
        self._v = np.zeros(4, np.int64)
        self._best = np.zeros(PLACEMENTS, np.int64)
        self.totals = np.zeros(PLACEMENTS, np.int64)
        self._list = b""
        self._keep: tuple[bool, ...] = ()

    def act(self, sight: Sight) -> int:
        """Return the placement of highest value, or the answer for one tile."""
        if int(sight.state["phase"]) == ALLOC:
            return self._answer(sight)
        legal = np.flatnonzero(sight.mask)
        if len(legal) == 1:
            return int(legal[0])
        self._think(sight)
        return int(legal[np.argmax(self.totals[legal])])

    def scores(self, sight: Sight) -> NDArray[np.float64]:
        """Return the value of every action in thousands of points; of allocations, 1 for its answer."""
        found = np.zeros(sight.game.rules.actions)
        if int(sight.state["phase"]) == ALLOC:
            found[self._answer(sight)] = 1
        else:
            self._think(sight)
            found[:PLACEMENTS] = self.totals / (UNIT * self.budget.worlds)
        return found

    def _think(self, sight: Sight) -> None:
        """Fill in `totals`, the value of every placement."""
        b = self.budget
        self._states[0] = sight.state
        scratch = (self._cur, self._nxt, self._suits, self._h, self._work, self._v)
        think(
            self._states, b.worlds, b.depth, b.width, *scratch, b.knobs, self._best, self.totals, self._words
        )

    def _answer(self, sight: Sight) -> int:
        listed = sight.state["tiles"].tobytes()
        if listed != self._list:
            self._list, self._keep = listed, keep_mask(tuple(values(sight.state["tiles"])))
        keep = self._keep[int(sight.state["cursor"])]
        return KEEP if keep and sight.mask[KEEP] else DISCARD


def make_greedy(game: Game, words: NDArray[np.uint32]) -> Builder:
    """Return a bot that looks one ply ahead: it scores most now and keeps suits together."""
    return Builder(game, words, GREEDY)
