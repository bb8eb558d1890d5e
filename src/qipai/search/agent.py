"""The agents of the search: `search`, its levels, and `search@N` for N simulations."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Game, Search, Sight, next_word
from qipai.core.errors import BadCount

from .searcher import MOST, Searcher

NAME = "search"
COUNTED = NAME + "@"  # search@500: 500 simulations


class SearchAgent:
    """Plays the action that a search of a fixed number of simulations likes best."""

    def __init__(self, game: Game, words: NDArray[np.uint32], settings: Search) -> None:
        self._words = words
        self._searcher = Searcher(game, settings)
        self._simulations = settings.simulations

    def act(self, sight: Sight) -> int:
        """Return the best action; the only one without a search."""
        legal = np.flatnonzero(sight.mask)
        if len(legal) == 1:
            return int(legal[0])
        words = [int(next_word(self._words)) for _ in range(4)]
        return self._searcher.search(sight.state, sight.seat, self._simulations, words).best


@dataclass(frozen=True)
class Making:
    """Makes agents of given settings; equal for equal settings."""

    settings: Search

    def __call__(self, game: Game, words: NDArray[np.uint32]) -> SearchAgent:
        """Return an agent with its own generator."""
        return SearchAgent(game, words, self.settings)


def search_agents(game: Game) -> tuple[AgentSpec, ...]:
    """Return the agents of the search for a game: `search`, and its levels for contests."""
    settings = game.search
    own = AgentSpec(NAME, settings.level, Making(settings))
    levels = (
        AgentSpec(
            f"{NAME}-{name}", settings.level, Making(replace(settings, simulations=count)), offered=False
        )
        for name, count in settings.levels
    )
    return (own, *levels)


def counted_agent(game: Game, name: str) -> AgentSpec | None:
    """Return the agent `search@N`; None for any other name, `BadCount` for a number out of range."""
    if not name.startswith(COUNTED):
        return None
    digits = name.removeprefix(COUNTED)
    if not (
        digits.isascii() and digits.isdigit() and len(digits) <= len(str(MOST)) and 1 <= int(digits) <= MOST
    ):
        raise BadCount(f"{COUNTED}N takes a whole number from 1 to {MOST} of simulations")
    return AgentSpec(
        name, game.search.level, Making(replace(game.search, simulations=int(digits))), offered=False
    )
