"""Agents that fail in every way, for tests in worker processes."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Compiled, Game, Sight, rule


class Faulty:
    """Plays the first legal action, after doing something."""

    def __init__(self, act: Callable[[], object]) -> None:
        self._act = act

    def act(self, sight: Sight) -> int:
        """Return the first legal action, if it comes to that."""
        self._act()
        return int(sight.mask.argmax())


class FaultyAtMany(Faulty):
    """The same at many tables, only if it holds the queen at one of them."""

    def __init__(self, answer: Callable[[int], Any]) -> None:
        super().__init__(lambda: None)
        self._answer = answer

    def act_many(
        self, observations: NDArray[np.int8], masks: NDArray[np.uint8], seats: NDArray[np.int8]
    ) -> Any:
        """Return the first legal actions, if it comes to that."""
        found = masks.argmax(axis=1)
        if (observations[:, 0] == 2).any():
            found = self._answer(len(masks))
        observations[:] = 0  # what it is given is its own
        return found


def spec(name: str, act: Callable[[], object]) -> AgentSpec:
    """Return an agent that does something before each action."""
    return AgentSpec(name, 0, lambda game, words: Faulty(act))


def many(name: str, answer: Callable[[int], Any]) -> AgentSpec:
    """Return an agent that answers something else when asked for many tables, given how many there are."""
    return AgentSpec(name, 0, lambda game, words: FaultyAtMany(answer))


def make(game: Game, words: NDArray[np.uint32]) -> Any:
    """Take too long to make an agent."""
    hang()


def hang() -> None:
    """Wait where no alarm arrives, as in compiled code."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    time.sleep(1000)


def loop() -> None:
    """Run in Python without an end."""
    while True:
        pass


def out_of_ideas() -> None:
    """Raise."""
    raise RuntimeError("out of ideas")


class Strange(BaseException):
    """An exception of no usual kind, whose text cannot be read."""

    def __str__(self) -> str:
        """Raise."""
        raise ValueError


def strange() -> None:
    """Raise a strange exception."""
    raise Strange


def through_python() -> None:
    """Print past `sys.stdout`."""
    assert sys.__stdout__ is not None
    sys.__stdout__.write("hello")


LEAVES = spec("leaves", lambda: sys.exit(3))
VANISHES = spec("vanishes", lambda: os._exit(7))
HANGS = spec("hangs", hang)
LOOPS = spec("loops", loop)
RAISES = spec("raises", out_of_ideas)
STRANGE = spec("strange", strange)
WRITES = spec("writes", lambda: os.write(1, b"hello"))
PRINTS = spec("prints", through_python)
SAYS = spec("says", lambda: print("hello"))
SLOW = AgentSpec("slow", 0, make)

MANY_RAISES = many("many raises", lambda n: out_of_ideas())
MANY_STRANGE = many("many strange", lambda n: strange())
MANY_LEAVES = many("many leaves", lambda n: sys.exit(3))
MANY_VANISHES = many("many vanishes", lambda n: os._exit(7))
MANY_HANGS = many("many hangs", lambda n: hang())
MANY_LOOPS = many("many loops", lambda n: loop())
MANY_SAYS = many("many says", lambda n: print("hello"))
MANY_WRITES = many("many writes", lambda n: os.write(1, b"hello"))
MANY_ILLEGAL = many("many illegal", lambda n: np.full(n, 7))
MANY_HALVES = many("many halves", lambda n: np.full(n, 0.5))
MANY_TOO_FEW = many("many too few", lambda n: np.zeros(n - 1, np.int64))


class Compilable:
    """Plays by a compiled rule only."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled

    def act(self, sight: Sight) -> int:
        """Return the first legal action."""
        return int(sight.mask.argmax())


@rule(states="states", work="i8[:]")
def illegal(states, seat, mask, n, rng, work):  # type: ignore[no-untyped-def]
    """Choose an illegal action at the second decision of a hand."""
    return 9 if states[0].ply > 0 else 0


@rule(states="states", work="i8[:]")
def endless(states, seat, mask, n, rng, work):  # type: ignore[no-untyped-def]
    """Run without an end at the second decision of a hand."""
    while states[0].ply > 0:
        work[0] += 1
    return 0


def compiled(name: str, choose: Any) -> AgentSpec:
    """Return an agent that plays by a rule."""
    return AgentSpec(name, 0, lambda game, words: Compilable(Compiled(choose, np.zeros(1, np.int64))))


COMPILED_ILLEGAL = compiled("compiled illegal", illegal)
COMPILED_HANGS = compiled("compiled hangs", endless)
