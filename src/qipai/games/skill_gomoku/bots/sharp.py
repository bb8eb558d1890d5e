"""The agent `sharp`: searches some turns ahead with the odds of the remaining cards.

Like every agent it receives a determinized state. Of the cards it only uses public information: how many
of each kind are unseen. Its random numbers are its own.
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from qipai.core import Game, Sight, State, compile_rules

from ..state import OPPONENT, SELECT_TARGET
from . import evaluation, search
from .weights import load_weights

PLAYS = 2 * evaluation.WIDEST + 4


class SharpAgent:
    """Expectimax over the remaining cards (search.py), within a budget of evaluated positions."""

    def __init__(
        self,
        game: Game,
        words: NDArray[np.uint32],
        *,
        budget: int = 100_000,
        depth: int = 3,
        width: int = 12,
        samples: int = 48,
        inner: tuple[int, int, int] = (8, 5, 4),
        weights: NDArray[np.float64] | None = None,
    ) -> None:
        game.compile()
        compile_rules([evaluation.lay_windows, search.search], game.rules.State, "skill_gomoku/sharp")
        self._own = words.copy()
        self._ws = np.zeros(evaluation.WORK, np.int32)
        self._net = load_weights() if weights is None else weights.copy()
        self._plan = np.zeros(PLAYS, np.int32)
        self._values = np.zeros(PLAYS)
        self._settings = (depth, width, samples)
        self._ws[evaluation.BUDGET] = budget
        self._ws[evaluation.PLACES], self._ws[evaluation.TAKES], self._ws[evaluation.SAMPLES] = inner
        self._size = 0
        self._planned: tuple[bytes, int, int] | None = None  # after the choice: position, slot and target

    @staticmethod
    def weights_digest(game: Game) -> str:
        """Return the digest of the shipped weights."""
        return hashlib.sha256(load_weights().tobytes()).hexdigest()

    def act(self, sight: Sight) -> int:
        """Return the slot of the best play, and then the target found with it."""
        s = sight.state
        if s["phase"] == SELECT_TARGET and self._planned is not None:
            position, chosen, target = self._planned
            self._planned = None
            if position == _position(s) and chosen == int(s["slot"]) and sight.mask[target]:
                return target
        best = self.plays(s)[0][0]
        slot, target = divmod(best, 1000)
        if s["phase"] == SELECT_TARGET:
            return target
        self._planned = (_position(s), slot, target) if target >= OPPONENT else None
        return slot

    def plays(self, s: State) -> list[tuple[int, float]]:
        """Return every play searched (slot * 1000 + target action) with its value, best first."""
        if self._size != int(s["board_size"]):
            self._size = int(s["board_size"])
            evaluation.lay_windows(self._ws, self._size)
        words = self._own.copy()  # the same position always gets the same random numbers
        n = int(search.search(s, self._ws, self._net, words, self._plan, self._values, *self._settings))
        return [(int(p), float(v)) for p, v in zip(self._plan[:n], self._values[:n], strict=True)]


def _position(s: State) -> bytes:
    """Return what is the same when choosing a card and when aiming it."""
    return bytes(s["board"].tobytes()) + int(s["turn"]).to_bytes(8, "little")
