"""Turns: one job at a time, and those who ask take turns, however many jobs one of them has."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ..refusals import TooFast


class Turns:
    """A queue per asker, served in rotation. `most` bounds all queues together, `each` one of them."""

    def __init__(self, most: int, each: int) -> None:
        self.most = most
        self.each = each
        self.count = 0  # jobs that wait or run
        self._busy = False
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, who: str) -> AsyncIterator[None]:
        """Wait for a turn of `who`. Raise `TooFast` if too many wait already."""
        if self.count >= self.most or len(self._waiting.get(who, ())) >= self.each:
            raise TooFast("too many requests at once; try again")
        self.count += 1
        try:
            await self._wait(who)
            try:
                yield
            finally:
                self._next()
        finally:
            self.count -= 1

    async def _wait(self, who: str) -> None:
        if not self._busy:
            self._busy = True
            return
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(who, deque()).append(called)
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():  # called and cancelled at the same time
                self._next()
            raise

    def _next(self) -> None:
        """Call the next asker in rotation."""
        while self._waiting:
            who, queue = self._waiting.popitem(last=False)
            called = queue.popleft()
            if queue:
                self._waiting[who] = queue  # at the end
            if not called.done():  # who was cancelled does not take a turn
                called.set_result(None)
                return
        self._busy = False
