"""Agents on probation: what they print or how long they think is a fault, named like any other.

A contest with agents from outside must survive them. `guarded` wraps every agent of a contest: writing to
standard output and thinking longer than a limit raise `AgentFault` where the agent is asked, so that the
contest names agent, deal, seat and ply. The limit uses the alarm of the operating system, which works in the
main thread of a process only and does not stop compiled code. Elsewhere another thread or the pool of workers
looks at how long an agent is asked (`watch.py`).

In a worker of a pool what is written to the descriptor of standard output, past Python's `sys.stdout`, is a
fault as well (`caught_output`).
"""

from __future__ import annotations

import io
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from qipai.cluster import is_worker
from qipai.core import Agent, AgentSpec, Compiled, Game, Sight
from qipai.core.agent import Many, compiled_of, many_of
from qipai.core.errors import AgentFault

from .play import MAKING, Contest

SECONDS = 60.0  # that one decision may take
PRINTED = "it printed to standard output"

_thread = threading.local()  # `deciding`: whether an agent decides in this thread
_caught = False  # whether descriptor 1 is a file of ours


class Silent(io.TextIOBase):
    """A standard output that an agent cannot write to while it decides; others can."""

    def __init__(self, other: TextIO) -> None:
        self.other = other

    def write(self, text: str) -> int:
        """Raise `AgentFault` if an agent decides in this thread and writes something."""
        if not getattr(_thread, "deciding", False):
            return self.other.write(text)
        if text:
            raise AgentFault(PRINTED)
        return 0

    def flush(self) -> None:
        """Flush the other output."""
        self.other.flush()


@contextmanager
def silenced() -> Iterator[None]:
    """Make `sys.stdout` `Silent` in the body; threads that guard agents must be in it."""
    if isinstance(sys.stdout, Silent):
        yield
        return
    before = sys.stdout
    sys.stdout = Silent(before)
    try:
        yield
    finally:
        sys.stdout = before


@contextmanager
def deciding() -> Iterator[None]:
    """Treat what this thread prints in the body as printed by an agent."""
    with silenced():
        _thread.deciding = True
        try:
            yield
            if _caught and _was_written():
                raise AgentFault(PRINTED)
        finally:
            _thread.deciding = False


@contextmanager
def caught_output() -> Iterator[None]:
    """Notice in the body what agents write to descriptor 1; only in a worker, which prints nothing."""
    global _caught
    if not is_worker() or _caught:
        yield
        return
    _flush()
    kept = os.dup(1)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        _caught = True
        try:
            yield
        finally:
            _caught = False
            _flush()
            os.dup2(kept, 1)
            os.close(kept)


def _flush() -> None:
    if sys.__stdout__ is not None:
        sys.__stdout__.flush()


def _was_written() -> bool:
    """Return whether something was written to descriptor 1, and forget it."""
    _flush()
    if not os.fstat(1).st_size:
        return False
    os.ftruncate(1, 0)
    os.lseek(1, 0, os.SEEK_SET)
    return True


@dataclass
class Guarded:
    """An agent that may not print and has a limited time for each decision."""

    agent: Agent
    seconds: float

    def act(self, sight: Sight) -> int:
        """Return the agent's action; raise `AgentFault` if it prints or takes too long."""
        with deciding(), limited(self.seconds):
            return self.agent.act(sight)

    @property
    def compiled(self) -> Compiled | None:
        """How the agent decides in compiled code, which cannot print."""
        return compiled_of(self.agent)

    @property
    def act_many(self) -> Many | None:
        """How the agent acts at many tables, guarded as well; one answer for all takes `seconds` at most."""
        many = many_of(self.agent)
        if many is None:
            return None

        def act(observations: Any, masks: Any, seats: Any, words: Any) -> NDArray[Any]:
            with deciding(), limited(self.seconds):
                return many(observations, masks, seats, words)

        return act


@dataclass(frozen=True)
class Make:
    """Makes guarded agents."""

    spec: AgentSpec
    seconds: float

    def __call__(self, game: Game, words: NDArray[np.uint32]) -> Guarded:
        """Return a guarded agent."""
        with deciding(), limited(MAKING * self.seconds):
            return Guarded(self.spec.make(game, words), self.seconds)


def guarded(contest: Contest, seconds: float = SECONDS) -> Contest:
    """Return the contest with all its agents guarded; results are the same."""
    specs = tuple(replace(spec, make=Make(spec, seconds)) for spec in contest.agents)
    return replace(contest, agents=specs, limit=seconds)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `AgentFault` in the body if it takes longer than `seconds`; no limit outside the main thread."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise AgentFault(f"it did not answer within {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
