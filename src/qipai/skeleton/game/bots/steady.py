"""Skeleton: a plain bot that beats random play."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qipai.core import Game, Sight

from ..state import CARDS, HAND, PRIZE, PUTTING
from ..view import cards_in


class Steady:
    """Puts its lowest cards away and bids high for high prizes."""

    def __init__(self, game: Game, words: NDArray[np.uint32]) -> None:
        """Ignore `words`, which seed a generator for bots that need chance."""

    def act(self, sight: Sight) -> int:
        """Return a legal card. `sight.state` is a possible world: only what the seat sees in it is true."""
        s = sight.state
        legal = [int(a) for a in np.flatnonzero(sight.mask)]
        if s["phase"] == PUTTING:
            return legal[0]
        hand = cards_in(s, HAND + sight.seat)
        prize = cards_in(s, PRIZE)[0]
        return hand[prize * len(hand) // CARDS]
