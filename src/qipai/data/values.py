"""`Values`: what a search of fixed size thinks of every action, from what the deciding seat knows."""

from __future__ import annotations

import struct
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from qipai.core import Game, State
from qipai.search import Searcher


class Values:
    """Searches the decisions of one block; the same decision gets the same values wherever it is searched."""

    def __init__(self, game: Game, seed: int, block: int, simulations: int) -> None:
        self._game, self._place, self._simulations = game, f"{seed}/{block}", simulations
        self._searcher = Searcher(game)

    def of(self, state: State, game: int, ply: int) -> NDArray[np.float32]:
        """Return the mean payoff of every action in a decision, (actions,), NaN for one that was not tried.

        `game` is the number of the game in its block. The search is given a world that is drawn from what the
        seat knows, with generator words that no deal and no agent has.
        """
        words = struct.unpack("<8I", sha256(f"qipai/data/value/{self._place}/{game}/{ply}".encode()).digest())
        seat = int(state["seat"])
        world = self._game.redrawn(state, seat, words[:4])
        found = self._searcher.search(world, seat, self._simulations, words[4:])
        values = np.full(self._game.rules.actions, np.nan, np.float32)
        tried = found.visits > 0
        values[np.array(found.actions)[tried]] = found.means()[tried]
        return values
