"""`Agent`, the interface of everything that chooses actions, and the agents by name.

No agent is ever passed the true state. `sight` gives it a copy whose hidden part is redrawn with the
agent's own generator. Nothing in that copy, its header included, depends on what the seat cannot know.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .errors import AgentFault, UnknownAgent
from .game import Game
from .registry import get
from .rng import next_word, seed_words
from .state import State, copy_state

GENERIC = (  # agents that play every game
    "qipai.bots.random:SPEC",
    "qipai.bots.repeater:SPEC",
    "qipai.bots.cautious:SPEC",
    "qipai.bots.beginner:SPEC",
)
# function(game): the agent that plays its shipped weights, or None
SHIPPED = "qipai.bots.net.agent:shipped_agent"

SEARCH = "qipai.search.agent:search_agents"  # function(game): the agents of the search

_added: dict[str, dict[str, AgentSpec]] = {}  # agents added in this process, by digest of the observation


@dataclass(frozen=True)
class Sight:
    """What an agent is given: one world that is consistent with everything its seat has seen.

    Worlds that the seat cannot tell apart give the same sight: `determinize` makes `ply` count only actions
    that the seat knows of, scratch fields are cleared, and the generator's words do not reveal how the world
    was drawn.
    """

    game: Game
    seat: int
    state: State  # determinized; call `determinize` on it for another world
    mask: NDArray[np.uint8]

    def view(self) -> dict[str, Any]:
        """Return the JSON view of the seat (identical in every consistent world)."""
        return self.game.rules.view(self.state, self.seat)

    def observation(self) -> NDArray[np.int8]:
        """Return the observation of the seat."""
        return self.game.observation_of(self.state, self.seat)


class Agent(Protocol):
    """A player that chooses one legal action at a time."""

    def act(self, sight: Sight) -> int:
        """Return a legal action for `sight.seat`."""
        ...


@dataclass(frozen=True)
class AgentSpec:
    """An agent by name: its intended strength, and how to make one.

    The texts that players read about it are in the game's messages: `bot.NAME` and `bot.NAME.about`.
    An agent that is not offered to people is a sparring partner: contests and environments
    accept its name, tables do not.
    """

    name: str
    level: int  # 0 random, then rising
    # arguments: the game, and generator words for the agent
    make: Callable[[Game, NDArray[np.uint32]], Agent]
    offered: bool = True  # to people, as a bot at a table


def agents_of(game: Game) -> dict[str, AgentSpec]:
    """Return the agents that play `game`, weakest first, sparring partners included."""
    generic = [_found(place) for place in GENERIC]
    net = _found(SHIPPED)(game)
    generic += [*([net] if net is not None else []), *_added.get(game.observation_digest, {}).values()]
    generic += _found(SEARCH)(game)
    found = sorted([*generic, *game.agents], key=lambda spec: spec.level)
    return {spec.name: spec for spec in found}


def _found(place: str) -> Any:
    """Return what a place, "module:NAME", names; the layers above are imported when they are asked for."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def add_agent(game: Game, spec: AgentSpec) -> None:
    """Add an agent for this game; every caller of `agents_of` in this process then sees it."""
    _added.setdefault(game.observation_digest, {})[spec.name] = spec


def bots_of(game: Game) -> dict[str, AgentSpec]:
    """Return the agents that people may play `game` with, weakest first."""
    return {name: spec for name, spec in agents_of(game).items() if spec.offered}


def sparring_of(game: Game) -> dict[str, AgentSpec]:
    """Return the sparring partners for `game`: agents for contests that play unlike its bots."""
    return {name: spec for name, spec in agents_of(game).items() if not spec.offered}


def strongest(game: Game) -> str:
    """Return the name of the bot with the highest level."""
    return list(bots_of(game))[-1]


def make_agent(game: Game, agent: str | AgentSpec, seed: int = 0, lane: int = 0) -> Agent:
    """Return an agent with a generator seeded from `seed` and `lane`; `agent` is a name or an object."""
    if isinstance(agent, str):
        specs = agents_of(game)
        if agent not in specs:
            raise UnknownAgent(f"{game.name} has no agent {agent!r}; known: {', '.join(specs)}")
        agent = specs[agent]
    return agent.make(game, agent_words(game, seed, lane))


def agent_words(game: Game, seed: int, lane: int) -> NDArray[np.uint32]:
    """Return generator words for an agent; they never coincide with those of a deal."""
    game.compile()
    words = np.zeros(4, np.uint32)
    seed_words(words, seed & 0xFFFFFFFF, (seed >> 32) & 0xFFFFFFFF, lane, 0xA6E27)
    return words


def sight(game: Game, s: State, seat: int, words: NDArray[np.uint32]) -> Sight:
    """Return what an agent at `seat` may see, drawn with the agent's generator `words`."""
    fresh = [int(next_word(words)) for _ in range(4)]
    world = game.redrawn(s, seat, fresh)
    for name in game.rules.scratch:
        world[name] = 0
    game.key(world, _one_way(fresh))
    return Sight(game, seat, world, game.mask(s))


def _one_way(words: Sequence[int]) -> tuple[int, ...]:
    """Return generator words from which nobody can find `words` again.

    A generator can be run backwards. With the one that drew a world, an agent could undo the draw and see the
    true order of a shuffled pile.
    """
    return struct.unpack("<4I", sha256(struct.pack("<4I", *words)).digest()[:16])


def choose_move(game: Game, s: State, agent: Agent, words: NDArray[np.uint32]) -> list[int]:
    """Return a whole move for the seat to move: one action, or all actions of a compound move.

    Leaves `s` unchanged. Raises `AgentFault` if the agent answers with something illegal.
    """
    seat = int(s["seat"])
    copy = s
    actions: list[int] = []
    while True:
        seen = sight(game, copy, seat, words)
        mask = seen.mask.copy()  # a copy that the agent may overwrite
        action = agent.act(seen)
        if not isinstance(action, int | np.integer) or not 0 <= action < game.rules.actions:
            raise AgentFault(f"the agent of seat {seat} answered {action!r}")
        if not mask[action]:
            raise AgentFault(
                f"the agent of seat {seat} chose {game.words.say(int(action))}, which is not legal"
            )
        actions.append(int(action))
        copy = copy_state(copy)
        game.rules.apply(copy, int(action))
        if game.ends_move(copy, seat):
            return actions


class Player:
    """An agent in a match, given by name or as an object, with the generator that draws its worlds."""

    def __init__(self, game: Game | str, agent: str | AgentSpec, seed: int = 0, lane: int = 0) -> None:
        self.game = game if isinstance(game, Game) else get(game)
        self.name = agent if isinstance(agent, str) else agent.name
        self._agent = make_agent(self.game, agent, seed, 2 * lane)
        self._words = agent_words(self.game, seed, 2 * lane + 1)

    def move(self, s: State) -> list[int]:
        """Return a whole move for the seat to move in `s`; the agent itself never sees `s`."""
        return choose_move(self.game, s, self._agent, self._words)
