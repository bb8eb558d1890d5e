"""The automatic part of a table: dealing, bots, clocks, closing windows, and abandoned seats.

One worker at a time drives a table. No delay depends on what anyone holds: a bot's thinking time
and the duration of a window are drawn beforehand.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from typing import TYPE_CHECKING

from qipai.core import QipaiError, plain_bot
from qipai.match import Window

from ..logs import log
from ..refusals import Conflict
from ..store.ledger import Entry

if TYPE_CHECKING:
    from .table import Table

PACES = {"slow": 2.5, "normal": 1.0, "fast": 0.3}  # times `bot_pace`
IDLE = 1.0  # seconds between checks when nothing is due
_chance = random.SystemRandom()


class Driver:
    """Checks one table whenever it changes or something is due."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.hall = table.hall
        self.settings = table.hall.settings
        self._thinking: dict[tuple[int, int, int], asyncio.Task[list[int]]] = {}  # hand, ply, seat
        self._due: tuple[tuple[int, int], float] | None = None  # when a bot's move is due, by hand and ply
        self._hold: tuple[tuple[int, int, bool], float] | None = None  # when a window closes
        self._missed: tuple[int, int, int] | None = None  # hand, ply, seat of a decision that timed out
        self._rested: tuple[int, float] | None = None  # when a table of bots continues

    async def run(self) -> None:
        """Drive the table until it is put to sleep."""
        table = self.table
        while not table.asleep:
            table.kick.clear()
            wait = IDLE
            try:
                if self.hall.drives(table):
                    wait = await self._look()
            except Conflict:
                await self._catch_up()
                continue
            except QipaiError as error:
                log("driver/refused", logging.WARNING, table=table.id, code=error.code)
            except Exception as error:
                self.hall.metrics.errors += 1
                log("driver/fault", logging.ERROR, error, table=table.id)
            if wait > 0:
                await _sleep(table.kick, wait)
            else:
                await asyncio.sleep(0)

    def stop(self) -> None:
        """Cancel the bots that are thinking."""
        for task in self._thinking.values():
            task.cancel()

    async def _catch_up(self) -> None:
        async with self.table.lock:
            await self.table.catch_up()
            self.table.publish()

    async def _look(self) -> float:
        """Do what is due; return the seconds until the next check."""
        table = self.table
        waits = [IDLE, await self._seats_left()]
        if table.seating.status == "shuffling":
            waits.append(await self._shuffle())
        elif table.seating.status != "playing":
            waits.append(await self._deal())
        elif table.window is not None:
            waits.append(await self._window(table.window))
        else:
            waits.append(await self._turn())
        return min(waits)

    # --- dealing -----------------------------------------------------------------------

    async def _deal(self) -> float:
        table = self.table
        if not table.seating.all_ready or not self._rest_over():
            return IDLE
        self.hall.catalog.want(table.setup.game, table.setup.options)
        if self.settings.share_time > 0 and table.seating.people:
            return await self._begin_exchange()
        match = await asyncio.to_thread(table.next_match)
        async with table.lock:
            if table.seating.all_ready:
                await table.deal(match)
        return 0.0

    async def _begin_exchange(self) -> float:
        """Ask everyone for a share of the seed. A page that is still loading is waited for, but not long."""
        table, now = self.table, time.monotonic()
        for seat in table.seating.people:
            gone = table.presence.gone_since(seat, now) if table.seating.seats[seat].played else None
            if gone is not None and now - gone < self.settings.grace:
                return gone + self.settings.grace - now
        async with table.lock:
            if table.seating.all_ready:
                await table.begin_exchange()
        return 0.0

    async def _shuffle(self) -> float:
        """Deal when the exchange is complete; end a step without those who are too late."""
        table, exchange = self.table, self.table.exchange
        if exchange is None:  # its rows are about to be read
            return 0.05
        if exchange.phase == "complete":
            match = await asyncio.to_thread(table.next_match, exchange.shares())
            async with table.lock:
                if table.exchange is exchange:
                    await table.deal(match)
        elif (left := exchange.left(self.settings.share_time)) > 0:
            return left
        else:
            async with table.lock:
                if table.exchange is exchange and exchange.left(self.settings.share_time) <= 0:
                    await table.contribute(exchange.closing())
        return 0.0

    def _rest_over(self) -> bool:
        """Return whether the pause between hands of bots is over; without watchers they do not play."""
        table = self.table
        if table.seating.people:
            return True
        if table.watchers == 0 and not self.settings.drive_unwatched:
            return False
        if table.match is None:
            return True
        hand = table.seating.hand
        if self._rested is None or self._rested[0] != hand:
            self._rested = (hand, time.monotonic() + self.settings.rest)
        return time.monotonic() >= self._rested[1]

    # --- a decision --------------------------------------------------------------------

    async def _turn(self) -> float:
        table = self.table
        if table.match is None or table.match.over:
            return IDLE
        seat = table.match.seat
        place = (table.seating.hand, table.match.ply)
        if self._waits_for(seat, place):
            return await self._clock(seat)
        if not table.seating.people and table.watchers == 0 and not self.settings.drive_unwatched:
            return IDLE
        now = time.monotonic()
        if self._due is None or self._due[0] != place:
            self._due = (place, now + self._pace())
        task = self._think(seat, place)
        if now < self._due[1]:
            return self._due[1] - now
        if not task.done():  # do not reveal exactly how long it thinks
            self._due = (place, now + max(0.01, self._pace()))
            return self._due[1] - now
        async with table.lock:
            if (
                table.match is not None
                and (table.seating.hand, table.match.ply) == place
                and not self._waits_for(seat, place)
            ):
                self._thinking.pop((*place, seat), None)
                await table.move(seat, task.result())
        return 0.0

    def _pace(self) -> float:
        """Return the time for a bot's move at this table."""
        return _draw(self.settings.bot_pace) * PACES.get(self.table.setup.pace, 1.0)

    def _think(self, seat: int, place: tuple[int, int]) -> asyncio.Task[list[int]]:
        """Return the task of a bot's move for a seat, started once per position."""
        key = (*place, seat)
        if key not in self._thinking:
            for old in [k for k in self._thinking if k[:2] != place]:
                self._thinking.pop(old).cancel()
            table = self.table
            hand = table.hand
            assert hand is not None
            state = hand.match.state if hand.window is None else hand.window.asked[seat]
            agent = table.seating.seats[seat].agent or self.hall.stand_in(table.setup)
            if not table.compiled:
                agent = plain_bot(hand.match.game, agent)
            task = asyncio.ensure_future(self.hall.bots.move(hand.crew, seat, agent, state))
            task.add_done_callback(lambda done: table.wake())
            self._thinking[key] = task
        return self._thinking[key]

    def _waits_for(self, seat: int, place: tuple[int, int]) -> bool:
        """Return whether a person decides there. A person who returns keeps the seat, but gains no time."""
        return self.table.seating.seats[seat].played and self._missed != (*place, seat)

    async def _clock(self, seat: int) -> float:
        table = self.table
        total = table.time_for(seat)
        if total is None or table.deserted:
            return IDLE
        left = table.turn.since + total - time.monotonic()
        if left > 0:
            return left
        if table.match is not None:
            self._missed = (table.seating.hand, table.match.ply, seat)
        await self._away(seat)
        return 0.0

    async def _away(self, seat: int) -> None:
        table = self.table
        async with table.lock:
            if table.seating.seats[seat].played and not table.seating.idle:
                await table.enter(("away", {"seat": seat}))

    # --- windows -----------------------------------------------------------------------

    async def _window(self, window: Window) -> float:
        """Keep the window open for its time; bots answer meanwhile, sealed like everyone else."""
        table = self.table
        place = (table.seating.hand, window.ply)
        unhurried = table.turn.unhurried
        if self._hold is None or self._hold[0] != (*place, unhurried):
            self._hold = ((*place, unhurried), table.turn.since + self._hold_time())
        for seat in table.waiting_for():
            if not self._waits_for(seat, place):
                task = self._think(seat, place)
                if task.done():
                    window.answers.setdefault(seat, self._answer(task, window.decline[seat]))
        now = time.monotonic()
        if now < self._hold[1]:
            return self._hold[1] - now
        waiting = table.waiting_for()
        if table.turn.unhurried and waiting:  # nobody is there to notice
            seat = waiting[0]
            return await self._clock(seat) if self._waits_for(seat, place) else 0.05
        async with table.lock:
            held = self._hold[0] == (*place, table.turn.unhurried)  # or a watcher has arrived
            if held and table.window is not None and table.window.ply == window.ply:
                await table.close_window()
        return 0.0

    def _answer(self, task: asyncio.Task[list[int]], decline: int) -> int:
        """Return a bot's answer; a bot that failed declines, because the window must close."""
        fault = None if task.cancelled() else task.exception()
        if task.cancelled() or fault is not None:
            self.hall.metrics.errors += 1
            log("bot/fault", logging.ERROR, fault, table=self.table.id)
            return decline
        return task.result()[0]

    def _hold_time(self) -> float:
        if self.table.turn.unhurried:
            return _draw(self.settings.alone_hold)
        claim = self.table.setup.claim
        return _draw((claim, claim + self.settings.claim_spread))

    # --- seats left alone ----------------------------------------------------------------

    async def _seats_left(self) -> float:
        """Let a bot play for a person whose socket is gone; between hands, free the seat."""
        table, now = self.table, time.monotonic()
        playing = not table.seating.idle
        wait = IDLE
        if playing and table.deserted:
            return wait  # the first to come back finds the hand as it was
        for seat in table.seating.people:
            gone = table.presence.gone_since(seat, now)
            if gone is None or (playing and table.seating.seats[seat].away):
                continue
            others = bool(table.presence.connected)
            limit = self.settings.grace if playing else self.settings.unseat
            if now - gone < limit:
                wait = min(wait, gone + limit - now)
            elif playing:
                await self._away(seat)
            elif others:
                entry: Entry = ("stand", {"seat": seat})
                async with table.lock:
                    if table.seating.idle and seat not in table.presence.connected:
                        await table.enter(entry)
        return wait


def _draw(span: tuple[float, float]) -> float:
    """Return a random time within a span, from the system's secure source, so that it reveals nothing."""
    return _chance.uniform(*span)


async def _sleep(kick: asyncio.Event, seconds: float) -> None:
    """Wait for a change, or until the time is over. (A timer costs less than `asyncio.timeout`.)"""
    timer = asyncio.get_running_loop().call_later(seconds, kick.set)
    try:
        await kick.wait()
    finally:
        timer.cancel()
