"""The agents of the search: `search`, the named ones `search@quick` to `search@deepest`, and `search@N`."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Game, Search, Sight, next_word
from qipai.core.errors import BadCount

from .searcher import MOST, Searcher

NAME = "search"
COUNTED = NAME + "@"  # search@500: 500 simulations; search@deep: a named search
# Searches of a game that names none: times the simulations of `search`. Each step takes four times as long.
NAMED = (("quick", 1, 4), ("normal", 1, 1), ("deep", 4, 1), ("deepest", 16, 1))


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
    """Return the agent of the search for a game; the named ones are found and not listed."""
    return (AgentSpec(NAME, game.search.place, Making(game.search)),)


def named_of(settings: Search) -> dict[str, int]:
    """Return the named searches and their simulations; a game may have its own (`Search.named`)."""
    if settings.named:
        return dict(settings.named)
    return {name: min(max(1, settings.simulations * up // down), MOST) for name, up, down in NAMED}


def named_agents(game: Game) -> dict[str, AgentSpec]:
    """Return the agents `search@quick` and so on, by name. People may play them."""
    return {
        COUNTED + name: AgentSpec(
            COUNTED + name, game.search.place, Making(replace(game.search, simulations=count))
        )
        for name, count in named_of(game.search).items()
    }


def counted_agent(game: Game, name: str) -> AgentSpec | None:
    """Return `search@N` or a named search, `search@deep`; None for another name. `BadCount`: a bad number."""
    if name in (found := named_agents(game)):
        return found[name]
    if not name.startswith(COUNTED):
        return None
    settings = replace(game.search, simulations=count_of(name, COUNTED))
    return AgentSpec(name, game.search.place, Making(settings), offered=False)


def count_of(name: str, prefix: str) -> int:
    """Return the number of simulations at the end of a name; raise `BadCount` if it is out of range."""
    digits = name.removeprefix(prefix)
    whole = digits.isascii() and digits.isdigit() and len(digits) <= len(str(MOST))
    if not (whole and 1 <= int(digits) <= MOST):
        raise BadCount(f"{prefix}N takes a whole number from 1 to {MOST} of simulations")
    return int(digits)
