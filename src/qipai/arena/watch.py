"""Agents that never answer: whom a thread asks, and since when, read by another thread.

An agent that hangs in compiled code cannot be interrupted, so the thread that waits for it cannot tell. A
contest is therefore played in separate threads. Each says whom it asks (`asking`), and the caller ends the
contest with the name of an agent that exceeds its time (`watched`). In a worker of a pool the pool looks
itself (`qipai.cluster.doing`); there the thread that plays is the main one, which the alarm of the operating
system can interrupt (`guard.limited`).

A compiled loop asks an agent for many decisions in one call. It says where it is by a function, and its time
begins again whenever the answer of this function changes.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from time import monotonic, sleep
from typing import Any, TypeVar

from qipai.cluster import doing, is_worker
from qipai.core.errors import AgentFault

Task = TypeVar("Task")
Result = TypeVar("Result")
Where = str | Callable[[], str]

POLL = 0.1  # seconds between two looks
GRACE = 1.5  # multiple of its limit after which the process of an agent is ended


@dataclass
class Asked:
    """An agent that is asked: where, how long it may take, and since when it is asked there."""

    where: Where
    seconds: float
    text: str
    since: float

    def look(self) -> bool:
        """Return whether the place has changed since the last look."""
        text = self.where if isinstance(self.where, str) else self.where()
        if text == self.text:
            return False
        self.text, self.since = text, monotonic()
        return True


_asked: dict[int, Asked] = {}  # by thread
_ended: set[int] = set()  # threads whose contest has ended without them
_lock = threading.Lock()  # of the board of a worker, which two threads write to
_making = threading.Lock()  # of making agents
_reports = False  # whether a thread of this worker reports the places of compiled loops


@contextmanager
def asking(where: Where, seconds: float, grace: float = GRACE) -> Iterator[None]:
    """Report in the body that an agent is asked, and may take `seconds`; 0 reports nothing."""
    if seconds <= 0:
        yield
        return
    thread = threading.get_ident()
    if thread in _ended:
        raise AgentFault("the contest has ended")
    text = where if isinstance(where, str) else where()
    with _lock:
        _asked[thread] = Asked(where, seconds, text, monotonic())
        doing(text, grace * seconds)
    if not isinstance(where, str) and is_worker():
        _start_reports()
    try:
        yield
    finally:
        with _lock:
            _asked.pop(thread, None)
            doing("")


@contextmanager
def making() -> Iterator[None]:
    """Let no other thread make an agent in the body: that may compile, which one thread may do at a time."""
    with _making:
        yield


def _start_reports() -> None:
    """Start the thread that tells the pool where a compiled loop is."""
    global _reports
    if not _reports:
        _reports = True
        threading.Thread(target=_report, daemon=True).start()


def _report() -> None:
    while True:
        sleep(POLL)
        with _lock:
            for one in _asked.values():
                if one.look():
                    doing(one.text, GRACE * one.seconds)


# --- threads that are watched ---------------------------------------------------------


def fenced(function: Callable[..., Result], *task: Any) -> Result:
    """Return `function(*task)`; outside the workers of a pool in a thread that is watched."""
    if is_worker():
        return function(*task)
    return watched(lambda: lambda one: function(*one), [task], 1)[0]


def watched(
    player: Callable[[], Callable[[Task], Result]],
    tasks: Sequence[Task],
    threads: int,
    heard: Callable[[Result], None] = lambda result: None,
) -> list[Result]:
    """Return the results of all tasks in their order; each of `threads` threads calls `player` once.

    An exception of a task is raised as soon as it occurs, and `AgentFault` if an agent takes too long. A
    thread that hangs in compiled code stays behind then, and does not keep the process from ending.
    """
    waiting: SimpleQueue[tuple[int, Task]] = SimpleQueue()
    for pair in enumerate(tasks):
        waiting.put(pair)
    done: SimpleQueue[tuple[int, Any, BaseException | None]] = SimpleQueue()
    stopped = threading.Event()

    def work() -> None:
        number = -1
        try:
            play = player()
            while not stopped.is_set():
                number, task = waiting.get_nowait()
                done.put((number, play(task), None))
        except Empty:
            return
        except BaseException as error:
            done.put((number, None, error))
        finally:
            _ended.discard(threading.get_ident())

    crew = [threading.Thread(target=work, daemon=True) for _ in range(max(1, min(threads, len(tasks))))]
    for thread in crew:
        thread.start()
    found: dict[int, Result] = {}
    try:
        while len(found) < len(tasks):
            try:
                number, result, error = done.get(timeout=POLL)
            except Empty:
                _end_overdue(crew)
                continue
            if error is not None:
                raise error
            found[number] = result
            heard(result)
    finally:
        stopped.set()
    return [found[number] for number in range(len(tasks))]


def _end_overdue(crew: Sequence[threading.Thread]) -> None:
    """Raise `AgentFault` if one of the threads waits too long for an agent."""
    for thread in crew:
        one = _asked.get(thread.ident or 0)
        if one is None or one.look() or monotonic() - one.since <= one.seconds:
            continue
        _interrupt(thread)
        raise AgentFault(f"{one.text}: it did not answer within {one.seconds:g} seconds")


def _interrupt(thread: threading.Thread) -> None:
    """Raise `AgentFault` in a thread, which ends it unless it is in compiled code; others may go on."""
    global _making
    _ended.add(thread.ident or 0)
    _making = threading.Lock()  # the thread may hold the other one until it ends
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread.ident or 0), ctypes.py_object(AgentFault)
    )
