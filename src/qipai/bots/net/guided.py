"""The agent `search+net`: the net's favourites, played out with the net in every seat.

Every seat of a playout acts by what it sees itself, so that no plan relies on an open world. The net's own
choice is the favourite: another action is taken only if it earns more beyond doubt (`search/flat.py`).
Actions that the net finds unlikely are not tried.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Game, Guided, Search, Sight, next_word
from qipai.core.compiling import rules_digest
from qipai.core.variant import Variant
from qipai.search import Policies, Searcher, guide
from qipai.search.agent import count_of

from .agent import Shipped, shipped_agent, weights_path
from .infer import load_net
from .packed import fits, packed
from .weights import read_header

NAME = "search+net"
COUNTED = NAME + "@"  # search+net@500: 500 simulations
RULES = ("choose", "weigh", "judge")


class GuidedAgent:
    """Plays the net's choice, or what is better beyond doubt."""

    def __init__(self, game: Game, words: NDArray[np.uint32], settings: Guided) -> None:
        self._words = words
        self._settings = settings
        path = weights_path(game)
        assert path is not None
        self._searcher = Searcher(
            game,
            flat_settings(settings),
            policies=policies_of(path, game, settings.unit, settings.heat, settings.floor),
        )

    def act(self, sight: Sight) -> int:
        """Return the best action; the only one without a search."""
        legal = np.flatnonzero(sight.mask)
        if len(legal) == 1:
            return int(legal[0])
        words = [int(next_word(self._words)) for _ in range(4)]
        found = self._searcher.search(sight.state, sight.seat, self._settings.simulations, words)
        return found.best


def flat_settings(settings: Guided) -> Search:
    """Return the settings of the search for those of the agent."""
    return Search(
        simulations=settings.simulations,
        flat=True,
        width=settings.width,
        doubt=settings.doubt,
        caution=settings.caution,
        cut=settings.cut,
    )


@lru_cache(maxsize=16)
def policies_of(path: Path, game: Game, unit: float, heat: float, floor: float) -> Policies:
    """Return the net of a file as policies of the search."""
    rules = _rules(game)
    return Policies(
        playout=rules["choose"],
        prior=rules["weigh"],
        value=rules["judge"],
        tables=packed(load_net(path, game), unit, heat, floor),
    )


@lru_cache(maxsize=64)
def _rules(game: Game) -> dict[str, Any]:
    """Return the rules of `guide.py` with the observation of a game in them."""
    game.compile()
    tag = f"{game.name}-{game.rules.actions}-{rules_digest([game.rules.observe])}"
    make = Variant("compiled", tag=tag, names={guide.__name__: {"observe": game.rules.observe}})
    return {name: make(getattr(guide, name)) for name in RULES}


@dataclass(frozen=True)
class Making:
    """Makes agents of given settings; equal for equal settings."""

    settings: Guided

    def __call__(self, game: Game, words: NDArray[np.uint32]) -> GuidedAgent:
        """Return an agent with its own generator."""
        return GuidedAgent(game, words, self.settings)

    def weights_digest(self, game: Game) -> str:
        """Return the digest of the weights."""
        path = weights_path(game)
        assert path is not None
        return Shipped(path).weights_digest(game)


def guided_agents(game: Game) -> tuple[AgentSpec, ...]:
    """Return the agent `search+net` where the game says that it is its strongest, and its net is there."""
    return (
        (spec_of(game, NAME, game.search.guided, True),) if game.search.guided.offered and plays(game) else ()
    )


def guided_agent(game: Game, name: str) -> AgentSpec | None:
    """Return `search+net` or `search+net@N`; None for another name, or where no net fits.

    Raise `BadCount` for a number out of range.
    """
    if not (name == NAME or name.startswith(COUNTED)) or not plays(game):
        return None
    settings = game.search.guided
    if name != NAME:
        settings = replace(settings, simulations=count_of(name, COUNTED))
    return spec_of(game, name, settings, False)


def spec_of(game: Game, name: str, settings: Guided, offered: bool) -> AgentSpec:
    """Return an agent of given settings."""
    return AgentSpec(name, settings.place, Making(settings), offered=offered)


def plays(game: Game) -> bool:
    """Return whether a game ships a net that can be packed."""
    path = weights_path(game)
    return shipped_agent(game) is not None and path is not None and fits(read_header(path)["net"])
