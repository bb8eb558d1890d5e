"""The six levels of a game, `level1` to `level6`: what they play is described in its `Levels`.

`make levels` measures them; the page "Levels" of the documentation has the results.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qipai.core import Agent, AgentSpec, Game, bots_of, strongest
from qipai.core.errors import UnknownAgent

from .net.agent import shipped_agent

PREFIX = "level"
COUNT = 6
PLACE = 1  # in lists they come after random play, before the agents that they are made of


@dataclass(frozen=True)
class Making:
    """Makes the agents of a level, which is a description of an agent."""

    text: str

    def __call__(self, game: Game, words: NDArray[np.uint32]) -> Agent:
        """Return a new agent."""
        from .find import find_agent

        return find_agent(game, self.text).make(game, words)


def level_agents(game: Game) -> tuple[AgentSpec, ...]:
    """Return the levels of a game, weakest first; none if it has no levels, or no net in this shape."""
    if shipped_agent(game) is None:
        return ()
    return tuple(
        AgentSpec(f"{PREFIX}{number}", PLACE, Making(text), plain=_is_light(game, text))
        for number, text in enumerate(game.levels.agents, 1)
    )


def _is_light(game: Game, text: str) -> bool:
    """Return whether a level is quick enough without compiled code: it plays by a light net."""
    net = shipped_agent(game)
    return net is not None and net.plain and text.partition("~")[0] == net.name


def level_name(game: Game, number: int) -> str:
    """Return the name of the agent of a level; raise `UnknownAgent` if the game has no such level."""
    count = len(game.levels.agents)
    if not count:
        raise UnknownAgent(f"{game.name} has no levels")
    if not 1 <= number <= count:
        raise UnknownAgent(f"{game.name} has the levels 1 to {count}, not {number}")
    return f"{PREFIX}{number}"


def stand_in(game: Game, number: int) -> str | None:
    """Return the bot that plays for a level in a shape of the game that has none, or None."""
    others = [name for name in bots_of(game) if name != "random" and level_of(name) is None]
    return others[(number - 1) * len(others) // COUNT] if others else None


def level_of(name: str) -> int | None:
    """Return the number of the level that an agent is, or None."""
    digits = name.removeprefix(PREFIX)
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) == 1 else 0
    return number if name.startswith(PREFIX) and 1 <= number <= COUNT else None


def playing(game: Game, agent: str) -> str:
    """Return `agent`, or another if it cannot play this game (any more): of its level, or the strongest."""
    if agent in bots_of(game):
        return agent
    level = level_of(agent)
    return (stand_in(game, level) if level else None) or strongest(game)
