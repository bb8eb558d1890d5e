"""`Agent`, the interface of everything that chooses actions, and the agents by name.

No agent is ever passed the true state: `sight` gives it a copy whose hidden part is redrawn from the
agent's own generator. Nothing in that copy depends on what the seat cannot know, the header included.
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
SHIPPED = "qipai.bots.net.agent:shipped_agent"  # function(game): the agent of its weights, or None

_added: dict[str, dict[str, AgentSpec]] = {}  # by digest of the observation: agents of this process


@dataclass(frozen=True)
class Sight:
    """What an agent is given: one world that fits all its seat has seen.

    Worlds that the seat cannot tell apart give it the same sight. So `ply` counts only what the seat knows of
    (`determinize` sees to that), scratch fields are empty, and the generator tells nothing of how the world
    was drawn.
    """

    game: Game
    seat: int
    state: State  # determinized; determinize it again for another world
    mask: NDArray[np.uint8]

    def view(self) -> dict[str, Any]:
        """The JSON view of the seat (the same from every world that fits)."""
        return self.game.rules.view(self.state, self.seat)

    def observation(self) -> NDArray[np.int8]:
        """The features of the seat."""
        return self.game.observation_of(self.state, self.seat)


class Agent(Protocol):
    """Chooses one legal action at a time."""

    def act(self, sight: Sight) -> int:
        """A legal action for `sight.seat`."""
        ...


@dataclass(frozen=True)
class AgentSpec:
    """An agent by name: how strong it is meant to be, and how to make one.

    What players read about it is in the game's messages: `bot.NAME` and `bot.NAME.about`.
    An agent that is not offered to people is a sparring partner: contests and environments
    know it by name, tables do not.
    """

    name: str
    level: int  # 0 random, then rising
    make: Callable[[Game, NDArray[np.uint32]], Agent]  # the game, and its own generator's words
    offered: bool = True  # to people, as a bot at a table


def agents_of(game: Game) -> dict[str, AgentSpec]:
    """Return the agents that play `game`, weakest first, sparring partners included."""
    generic = []
    for place in GENERIC:
        module, _, name = place.partition(":")
        generic.append(getattr(import_module(module), name))
    module, _, name = SHIPPED.partition(":")
    net = getattr(import_module(module), name)(game)
    generic += [*([net] if net is not None else []), *_added.get(game.observation_digest, {}).values()]
    found = sorted([*generic, *game.agents], key=lambda spec: spec.level)
    return {spec.name: spec for spec in found}


def add_agent(game: Game, spec: AgentSpec) -> None:
    """Add an agent to a game of this shape, for everyone in this process who asks `agents_of`."""
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
    """Return an agent, by name or as it is, with a generator of its own from `seed` and `lane`."""
    if isinstance(agent, str):
        specs = agents_of(game)
        if agent not in specs:
            raise UnknownAgent(f"{game.name} has no agent {agent!r}; known: {', '.join(specs)}")
        agent = specs[agent]
    return agent.make(game, agent_words(game, seed, lane))


def agent_words(game: Game, seed: int, lane: int) -> NDArray[np.uint32]:
    """Generator words for an agent; never those of a deal."""
    game.compile()
    words = np.zeros(4, np.uint32)
    seed_words(words, seed & 0xFFFFFFFF, (seed >> 32) & 0xFFFFFFFF, lane, 0xA6E27)
    return words


def sight(game: Game, s: State, seat: int, words: NDArray[np.uint32]) -> Sight:
    """Return what an agent at `seat` is given, drawn from the agent's generator `words`."""
    fresh = [int(next_word(words)) for _ in range(4)]
    world = game.redrawn(s, seat, fresh)
    for name in game.rules.scratch:
        world[name] = 0
    game.key(world, _one_way(fresh))
    return Sight(game, seat, world, game.mask(s))


def _one_way(words: Sequence[int]) -> tuple[int, ...]:
    """Return generator words from which nobody can find `words` again.

    A generator can be run backwards. With the one that drew a world an agent could undo the draw: a
    shuffled pile would tell how it truly lies.
    """
    return struct.unpack("<4I", sha256(struct.pack("<4I", *words)).digest()[:16])


def choose_move(game: Game, s: State, agent: Agent, words: NDArray[np.uint32]) -> list[int]:
    """A whole move of the seat to decide: one action, or all of a compound move.

    `s` is not changed. AgentFault when the agent answers with something illegal.
    """
    seat = int(s["seat"])
    copy = s
    actions: list[int] = []
    while True:
        seen = sight(game, copy, seat, words)
        mask = seen.mask.copy()  # the agent may write on its own
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
    """An agent in a match, by name or as it is, with the generator that its worlds are drawn from."""

    def __init__(self, game: Game | str, agent: str | AgentSpec, seed: int = 0, lane: int = 0) -> None:
        self.game = game if isinstance(game, Game) else get(game)
        self.name = agent if isinstance(agent, str) else agent.name
        self._agent = make_agent(self.game, agent, seed, 2 * lane)
        self._words = agent_words(self.game, seed, 2 * lane + 1)

    def move(self, s: State) -> list[int]:
        """A whole move for the seat that decides in `s`, which the agent itself never sees."""
        return choose_move(self.game, s, self._agent, self._words)
