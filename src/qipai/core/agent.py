"""`Agent`, the interface of everything that chooses actions, and the agents by name.

The interface gives no agent the true state. `sight.state` is a copy whose hidden part is redrawn with the
agent's own generator. Nothing in that copy, its header included, depends on what the seat cannot know.

This is an interface, not a sandbox: a sight draws its world from a private copy of the position, and Python
code in the same process that looks for this copy can find it until the sight is closed. It cannot change the
game. An agent in a separate process, as bots of the server are, is sent the drawn world only.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from inspect import signature
from typing import Any, Protocol, cast

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
GUIDED = "qipai.bots.net.guided:guided_agents"  # function(game): the search with the shipped weights, if any

LEVELS = "qipai.bots.levels:level_agents"  # function(game): its levels
ENTRIES = "qipai.core.outside:entry_agents"  # function(game): the agents of other packages

EVERYWHERE = ""  # instead of a digest: agents added to every game that they play
_added: dict[str, dict[str, AgentSpec]] = {}  # agents added in this process, by digest of the observation


class Sight:
    """What an agent is given: one world that is consistent with everything its seat has seen.

    Worlds that the seat cannot tell apart give the same sight: `determinize` makes `ply` count only actions
    that the seat knows of, scratch fields are cleared, and the generator's words do not reveal how the world
    was drawn.

    `state` is drawn when it is first read, which costs more than most simple agents take to decide. The
    generator words for it are taken beforehand, so that reading it or not changes nothing later.
    """

    __slots__ = ("_draw", "_look", "_state", "game", "mask", "seat")

    def __init__(self, game: Game, seat: int, state: State, mask: NDArray[np.uint8]) -> None:
        self.game = game
        self.seat = seat
        self.mask = mask
        self._state: State | None = state
        self._look: Callable[[], State] | None = None  # what view and observation are made from
        self._draw: Callable[[], State] | None = None

    @classmethod
    def lazy(cls, game: Game, s: State, seat: int, words: Sequence[int], mask: NDArray[np.uint8]) -> Sight:
        """Return a sight of a copy of `s` whose world is drawn with `words` when it is read."""
        made = cls.__new__(cls)
        made.game, made.seat, made.mask = game, seat, mask
        copy = copy_state(s)
        made._state = None
        made._look = lambda: copy
        made._draw = lambda: _world(game, copy, seat, words)
        return made

    @property
    def state(self) -> State:
        """The world, determinized; call `determinize` on it for another one."""
        if self._state is None:
            if self._draw is None:
                raise AgentFault("a sight can only be read while the agent decides")
            self._state = self._draw()
            self._draw = None
        return self._state

    def close(self) -> None:
        """End the sight: a world that was not read cannot be read any more."""
        self._draw = self._look = None

    def view(self) -> dict[str, Any]:
        """Return the JSON view of the seat (identical in every consistent world)."""
        return self.game.rules.view(self._looked_at(), self.seat)

    def observation(self) -> NDArray[np.int8]:
        """Return the observation of the seat (identical in every consistent world)."""
        return self.game.observation_of(self._looked_at(), self.seat)

    def _looked_at(self) -> State:
        return self.state if self._look is None else self._look()


class Agent(Protocol):
    """A player that chooses one legal action at a time.

    An agent that decides from the observation alone, and remembers nothing from one decision to the next, may
    also have a method for many tables at once (`many_of`):

        act_many(observations, masks, seats) -> actions

    with int8 (n, length), uint8 (n, width), int8 (n,) and whole numbers (n,). With a fourth parameter it is
    also given `words`, uint32 (n, 4): one generator per row, which it advances as `act` would. One object
    then plays at all tables, and must choose what `act` chooses.
    """

    def act(self, sight: Sight) -> int:
        """Return a legal action for `sight.seat`."""
        ...


Rows = NDArray[np.int8]
Many = Callable[[Rows, NDArray[np.uint8], NDArray[np.int8], NDArray[np.uint32]], NDArray[Any]]


def many_of(agent: Agent) -> Many | None:
    """Return how an agent acts at many tables at once, or None if it cannot."""
    method = getattr(agent, "act_many", None)
    if not callable(method):
        return None
    if len(signature(method).parameters) >= 4:
        return cast(Many, method)
    return lambda observations, masks, seats, words: method(observations, masks, seats)


@dataclass(frozen=True)
class Compiled:
    """How an agent decides in compiled code, for contests at many tables: its attribute `compiled`.

    `choose(states, seat, mask, n, rng, work)` is a rule with states: "states" and work: "i8[:]". It returns
    what `act` returns: states[0] is a world as in `Sight.state`, except for its generator, which it must not
    use; further states are scratch. `mask` holds the `n` legal actions and is only read; `rng` is the agent's
    generator. An agent whose choice depends on anything else, such as earlier decisions, has no such rule.
    """

    choose: Any
    work: NDArray[np.int64]
    states: int = 1
    sees: bool = True  # False: it reads the mask only, and states[0] is not drawn


def compiled_of(agent: Agent) -> Compiled | None:
    """Return how an agent decides in compiled code, or None if it does not."""
    found = getattr(agent, "compiled", None)
    return found if isinstance(found, Compiled) else None


@dataclass(frozen=True)
class AgentSpec:
    """An agent by name: its place among others, and how to make one.

    The texts that players read about it are in the game's messages: `bot.NAME` and `bot.NAME.about`.
    An agent that is not offered to people is a sparring partner: contests and environments
    accept its name, tables do not.
    """

    name: str
    place: int  # in lists, weakest first: 0 random, then rising
    # arguments: the game, and generator words for the agent
    make: Callable[[Game, NDArray[np.uint32]], Agent]
    offered: bool = True  # to people, as a bot at a table
    plain: bool = False  # quick enough for people while the rules run as plain Python
    games: tuple[str, ...] = ()  # names of the games that it plays; empty: every game

    def plays(self, game: Game) -> bool:
        """Return whether the agent plays `game`."""
        return not self.games or game.name in self.games


def agents_of(game: Game) -> dict[str, AgentSpec]:
    """Return the agents that play `game`, weakest first, sparring partners included."""
    generic = [_found(place) for place in GENERIC]
    net = _found(SHIPPED)(game)
    generic += [net] if net is not None else []
    own = [*_found(LEVELS)(game), *_found(SEARCH)(game), *_found(GUIDED)(game), *game.agents]
    names = {spec.name for spec in [*generic, *own]}
    added = [*_added.get(game.observation_digest, {}).values(), *_added.get(EVERYWHERE, {}).values()]
    added, entries = (
        [spec for spec in found if spec.name not in names and spec.plays(game)]
        for found in (added, _found(ENTRIES)(game))
    )
    listed = sorted([*generic, *added, *own, *entries], key=lambda spec: spec.place)
    return {spec.name: spec for spec in listed}


def _found(place: str) -> Any:
    """Return what a place, "module:NAME", names; the layers above are imported when they are asked for."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def add_agent(game: Game | None, spec: AgentSpec) -> None:
    """Add an agent for this game, or for every game that it plays.

    Every caller of `agents_of` in this process then sees it, unless a game has its own agent of this name.
    """
    _added.setdefault(EVERYWHERE if game is None else game.observation_digest, {})[spec.name] = spec


def bots_of(game: Game) -> dict[str, AgentSpec]:
    """Return the agents that people may play `game` with, weakest first."""
    return {name: spec for name, spec in agents_of(game).items() if spec.offered}


def plain_bot(game: Game, agent: str) -> str:
    """Return the bot that plays for `agent` on plain rules: itself, or the nearest one in the list.

    That is the one of the nearest place; the last, which is the strongest, of equal ones.
    """
    bots = bots_of(game)
    if agent in bots and bots[agent].plain:
        return agent
    place = bots[agent].place if agent in bots else 0
    able = [spec for spec in bots.values() if spec.plain]
    able.reverse()
    return min(able, key=lambda spec: (abs(spec.place - place), -spec.place)).name if able else agent


def sparring_of(game: Game) -> dict[str, AgentSpec]:
    """Return the sparring partners for `game`: agents for contests that play unlike its bots."""
    return {name: spec for name, spec in agents_of(game).items() if not spec.offered}


def strongest(game: Game) -> str:
    """Return the name of the bot with the highest place, the last of equal ones."""
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
    """Return what an agent at `seat` may see, drawn with the agent's generator `words`.

    Four words are taken at once; the world is drawn with them, from a copy of `s`, when it is read.
    """
    fresh = [int(next_word(words)) for _ in range(4)]
    return Sight.lazy(game, s, seat, fresh, game.mask(s))


def _world(game: Game, s: State, seat: int, fresh: Sequence[int]) -> State:
    """Return a world that `seat` cannot tell apart from `s`, drawn with the words `fresh`."""
    world = game.redrawn(s, seat, fresh)
    for name in game.rules.scratch:
        world[name] = 0
    game.key(world, _one_way(fresh))
    return world


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
        actions.append(choose_action(game, copy, agent, words))
        copy = copy_state(copy)
        game.rules.apply(copy, actions[-1])
        if game.ends_move(copy, seat):
            return actions


def choose_action(game: Game, s: State, agent: Agent, words: NDArray[np.uint32]) -> int:
    """Return one action for the seat to move. Leaves `s` unchanged; raises like `choose_move`."""
    seat = int(s["seat"])
    seen = sight(game, s, seat, words)
    mask = seen.mask.copy()  # a copy that the agent may overwrite
    action = agent.act(seen)
    seen.close()
    if not isinstance(action, int | np.integer) or not 0 <= action < game.rules.actions:
        raise AgentFault(f"the agent of seat {seat} answered {action!r}")
    if not mask[action]:
        raise AgentFault(f"the agent of seat {seat} chose {game.words.say(int(action))}, which is not legal")
    return int(action)


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
