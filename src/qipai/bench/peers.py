"""Games of other libraries as contenders: random play, as fast as each library's Python interface allows.

A contender plays random legal actions on one core and starts a new game when one ends.
Time is the processor time of its process, over all threads, so that other load on
the machine changes little.
Each library is used in the way that is fastest for it: OpenSpiel plays whole games between its
own random bots in C++, Pgx runs 1024 games in one compiled JAX loop with the cheapest
random choice we know. RLCard and PettingZoo always make an observation at every decision;
they are compared with our figures with observations.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from time import process_time
from typing import Any

BATCH = 1024  # games side by side, if a library supports it: ours and Pgx
CARDS = ("xianqi", "nana")
TILES = ("wuhan_mahjong",)
BOARD = ("skill_gomoku",)
FALLING = ("paipai_rensa",)

# play for this many seconds of processor time: (decisions, seconds)
Play = Callable[[float], tuple[int, float]]


@dataclass(frozen=True)
class Contender:
    """A game of some library, and how to play it."""

    library: str
    game: str
    observed: bool  # with an observation at every decision
    like: tuple[str, ...] = ()  # our comparable games
    made_by: str = ""  # a name in this module: Contender -> Play

    @property
    def name(self) -> str:
        """Library, game, and whether it makes observations."""
        return f"{self.library} {self.game}{' +obs' if self.observed else ''}"

    def load(self) -> Play:
        """Return the function that plays; raise ImportError (or the library's error) if it cannot."""
        play: Play = MAKERS[self.made_by](self)
        return play


@dataclass(frozen=True)
class Library:
    """A library that may be installed."""

    title: str
    module: str  # its presence shows that the library is installed
    games: tuple[tuple[str, tuple[str, ...]], ...]  # each with our comparable games
    ways: tuple[bool, ...]  # without observations, with observations
    made_by: str


LIBRARIES = (
    Library(
        "OpenSpiel",
        "pyspiel",
        (
            ("leduc_poker", CARDS),
            ("hearts", CARDS),
            ("dou_dizhu", CARDS),
            ("skat", CARDS),
            ("gin_rummy", CARDS + TILES),
            ("gomoku", BOARD),
            ("go(board_size=9)", BOARD),
            ("connect_four", BOARD),
            ("2048", FALLING),
        ),
        (False,),
        "openspiel",
    ),
    Library(
        "Pgx",
        "pgx",
        (
            ("leduc_holdem", CARDS),
            ("sparrow_mahjong", CARDS + TILES),
            ("connect_four", BOARD),
            ("go_9x9", BOARD),
            ("hex", BOARD),
            ("2048", FALLING),
        ),
        (False, True),
        "pgx",
    ),
    Library(
        "RLCard",
        "rlcard",
        (("leduc-holdem", CARDS), ("doudizhu", CARDS), ("uno", CARDS), ("mahjong", TILES)),
        (True,),
        "rlcard",
    ),
    Library(
        "PettingZoo",
        "pettingzoo.classic",
        (
            ("leduc_holdem_v4", CARDS),
            ("texas_holdem_v4", CARDS),
            ("connect_four_v3", BOARD),
            ("go_v5", BOARD),
        ),
        (True,),
        "pettingzoo",
    ),
)


def contenders(ours: list[str], libraries: list[Library]) -> list[Contender]:
    """Return our games and everything comparable with one of them."""
    found = [Contender("qipai", g, seen, (), "qipai") for g in ours for seen in (False, True)]
    for library in libraries:
        for game, like in library.games:
            if set(like) & set(ours):
                for seen in library.ways:
                    found.append(Contender(library.title, game, seen, like, library.made_by))
    return found


# --- how each library plays -----------------------------------------------------------


def _qipai(contender: Contender) -> Play:
    from qipai.sim import Batch

    batch = Batch(contender.game, BATCH, threads=1)

    def play(seconds: float) -> tuple[int, float]:
        started, decisions, steps = process_time(), 0, 8
        while (took := process_time() - started) < seconds:
            decisions += batch.rollout(steps, observe=contender.observed).decisions
            steps = min(2 * steps, 64)
        return decisions, took

    return play


def _openspiel(contender: Contender) -> Play:
    spiel = import_module("pyspiel")
    game = spiel.load_game(contender.game)
    bots = [spiel.make_uniform_random_bot(p, p + 1) for p in range(game.num_players())]

    def play(seconds: float) -> tuple[int, float]:
        took, decisions = 0.0, 0
        while took < seconds:
            started = process_time()
            state = game.new_initial_state()
            spiel.evaluate_bots(state, bots, random.getrandbits(30))
            took += process_time() - started
            # not chance moves; not timed
            decisions += sum(1 for move in state.full_history() if move.player >= 0)
        return decisions, took

    return play


def _pgx(contender: Contender) -> Play:
    import os

    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    jax, pgx = import_module("jax"), import_module("pgx")
    np = import_module("jax.numpy")
    again = import_module("pgx.experimental").auto_reset
    env = pgx.make(contender.game)
    init, step = jax.vmap(env.init), jax.vmap(again(env.step, env.init))
    nothing = np.zeros((BATCH, 0))

    def one(_: int, carry: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        state, key, total = carry
        key, chance, choice = jax.random.split(key, 3)
        order = np.cumsum(state.legal_action_mask, axis=1)
        wanted = np.floor(jax.random.uniform(choice, (BATCH,)) * order[:, -1])
        action = np.argmax(order > wanted[:, None], axis=1)
        state = step(state, action, jax.random.split(chance, BATCH))
        total = total + state.rewards.sum()
        # XLA does not compute an observation that is not part of the result.
        return state if contender.observed else state.replace(observation=nothing), key, total

    run = jax.jit(lambda steps, carry: jax.lax.fori_loop(0, steps, one, carry))
    state = jax.jit(init)(jax.random.split(jax.random.PRNGKey(0), BATCH))
    carry = (state if contender.observed else state.replace(observation=nothing), jax.random.PRNGKey(1), 0.0)
    carry = jax.block_until_ready(run(1, carry))

    def play(seconds: float) -> tuple[int, float]:
        nonlocal carry
        started, decisions, steps = process_time(), 0, 1
        while (took := process_time() - started) < seconds:
            carry = jax.block_until_ready(run(steps, carry))
            decisions += steps * BATCH
            steps = min(2 * steps, 64)
        return decisions, took

    return play


def _rlcard(contender: Contender) -> Play:
    env = import_module("rlcard").make(contender.game)

    def play(seconds: float) -> tuple[int, float]:
        started, decisions = process_time(), 0
        while (took := process_time() - started) < seconds:
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(random.choice(list(state["legal_actions"])))
                decisions += 1
        return decisions, took

    return play


def _pettingzoo(contender: Contender) -> Play:
    module = import_module(f"pettingzoo.classic.{contender.game}")
    env = module.env(board_size=9) if contender.game.startswith("go_") else module.env()
    env.reset(seed=0)

    def play(seconds: float) -> tuple[int, float]:
        started, decisions = process_time(), 0
        while (took := process_time() - started) < seconds:
            env.reset()
            for agent in env.agent_iter():
                seen, _, ended, cut, _ = env.last()
                if ended or cut:
                    env.step(None)
                    continue
                env.step(env.action_space(agent).sample(seen["action_mask"]))
                decisions += 1
        return decisions, took

    return play


MAKERS: dict[str, Callable[[Contender], Play]] = {
    "qipai": _qipai,
    "openspiel": _openspiel,
    "pgx": _pgx,
    "rlcard": _rlcard,
    "pettingzoo": _pettingzoo,
}
