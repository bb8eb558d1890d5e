"""Calls that may hang: made in a separate thread, and abandoned when nothing moves.

Compiled rules release the interpreter lock, so the waiting thread stays responsive, and Ctrl-C works. A
thread that hangs cannot be ended; it is left behind until the process ends.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

STILL = 60.0  # seconds without a sign of life
POLL = 0.5

Answer = tuple[Any, BaseException | None]


class Stuck(Exception):
    """A rule hangs."""


class Watch:
    """A thread that makes calls while another waits for it."""

    def __init__(self) -> None:
        self.lost = False  # a call never returned
        self._calls: SimpleQueue[Callable[[], Any] | None] | None = None
        self._answers: SimpleQueue[Answer] = SimpleQueue()

    def __call__(self, call: Callable[[], Any], name: Callable[[], str], pulse: Callable[[], int]) -> Any:
        """Return the result of `call`; raise `Stuck` with `name` if the `pulse` stands still."""
        if self._calls is None:
            self._calls = SimpleQueue()
            Thread(target=_serve, args=(self._calls, self._answers), daemon=True).start()
        self._calls.put(call)
        last, since = pulse(), time.monotonic()
        while True:
            try:
                answer, error = self._answers.get(timeout=min(POLL, STILL))
            except Empty:
                now = pulse()
                if now != last:
                    last, since = now, time.monotonic()
                elif time.monotonic() - since >= STILL:
                    self.lost = True
                    raise Stuck(f"{name()} has not come back for {STILL:g} s: a loop without end?") from None
                continue
            if error is not None:
                raise error
            return answer

    def close(self) -> None:
        """Release the thread, if it ever returns."""
        if self._calls is not None:
            self._calls.put(None)


def _serve(calls: SimpleQueue[Callable[[], Any] | None], answers: SimpleQueue[Answer]) -> None:
    while (call := calls.get()) is not None:
        try:
            answers.put((call(), None))
        except BaseException as error:
            answers.put((None, error))
