"""The hall: all tables of one worker, the lobby's list, and which worker drives which table."""

from __future__ import annotations

import asyncio
import gc
import logging
import math
import re
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING

from qipai.bots.levels import playing
from qipai.core import Game, get
from qipai.match.series import Goal

from .catalog import Catalog
from .cluster.news import make_news
from .health import Health
from .http.gate import Gate
from .http.limits import Buckets
from .lobby import Board, Notice
from .logs import log
from .metrics import Metrics
from .refusals import BadMessage, Banned, HallFull, TooFast, UnknownTable
from .settings import Settings
from .signing import Signer
from .store import ledger, prune
from .store.guests import Guest, Guests, clean_name, likeness
from .store.ledger import Entry, Setup
from .store.store import Store
from .table import requests
from .table.bots import Bots
from .table.driver import Driver
from .table.seating import seated_bots
from .table.table import Table
from .wire import MyTable, NewTable, TableInfo

if TYPE_CHECKING:
    from .http.sockets import Socket

AGAIN, ENDED, BANNED = 1012, 4401, 4410  # close codes: reconnect with the new cookie, signed out, banned
TABLE_ID = re.compile(r"[a-z0-9]{10}")
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # without letters that are easily misread
SWEEP = 20.0  # seconds between checks for abandoned tables
RESTART = 1.0  # seconds before a task that failed starts again
BANS = 5.0  # seconds between checks for banned guests
PRUNE_FIRST, PRUNE, PRUNE_PAUSE = 60.0, 3600.0, 0.2  # seconds before, between and within rounds of pruning
NAMED = 12  # of a guest's own tables in the lobby
LOBBY_PAUSE = 0.4  # seconds between two updates of the lobby


class Hall:
    """The state of one worker process. Create it in its event loop; call `start` first and `stop` last."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.worker = secrets.token_hex(6)
        self.store = Store(settings.url, settings.full_sync)
        self.guests = Guests(self.store)
        self.signer = Signer(self.store, settings.key_file)
        self.metrics = Metrics()
        self.gate = Gate(settings)
        self.health = Health(self)
        self.bots = Bots(settings.threads, settings.bot_processes, settings.bot_time, settings.bots)
        self.loop = asyncio.get_running_loop()
        self.catalog = Catalog(lambda: self.loop.call_soon_threadsafe(self._compiled))
        self.news = make_news(self)
        self.tables: dict[str, Table] = {}
        self.lobby: set[Socket] = set()
        self._board = Board()
        self.sockets = 0  # open sockets in total
        self.addresses: Counter[str] = Counter()  # open sockets by client address
        self.guests_here: Counter[str] = Counter()  # open sockets by guest
        self._drivers: dict[str, tuple[Driver, asyncio.Task[None]]] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._bot_names = {likeness(name) for name in self.catalog.bot_names() | seated_bots()}
        self._stand_ins: dict[Game, str] = {}
        self._touched: dict[str, tuple[str | None, float]] = {}  # table: as it was last marked, and when
        self._holders: dict[str, str] = {}  # table: the address that opened or woke it
        self._newcomers = _per_minute(settings.guests_per_minute)  # by address, as those with "address" below
        self._asked_address = Buckets(settings.requests_per_address, 20 * settings.requests_per_address)
        self._sent_address = Buckets(settings.messages_per_address, 4 * settings.messages_per_address)
        self._opened = _per_minute(settings.tables_per_minute)
        self._opened_address = _per_minute(settings.tables_per_address_minute)
        self._named = _per_minute(settings.names_per_minute)
        self._named_address = _per_minute(settings.names_per_address_minute)
        self._said = Buckets(settings.chat_rate, settings.chat_burst)
        self._said_address = Buckets(10 * settings.chat_rate, 10 * settings.chat_burst)
        self._reported = _per_minute(settings.reports_per_minute)
        self._reported_address = _per_minute(10 * settings.reports_per_minute)
        self._bans: dict[str, float] = {}  # guest: until when
        self.swept = time.monotonic()  # when the last round of the sweeper ended
        self._stir = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Compile games, listen to the other workers, and resume the tables that were being played."""
        self.catalog.start()
        await self.news.start()
        self._tasks = [
            asyncio.create_task(self._keep_up("lobby/fault", self._send_lobbies)),
            asyncio.create_task(self._keep_up("wake/fault", self._wake_all)),
            asyncio.create_task(self._keep_up("sweep/fault", self._sweep)),
            asyncio.create_task(self._keep_up("bans/fault", self._read_bans)),
            asyncio.create_task(self._keep_up("prune/fault", self._prune)),
        ]

    async def stop(self) -> None:
        """Release everything; all data is in the database."""
        self.catalog.stop()
        await self.news.stop()
        for table in list(self.tables.values()):
            self._forget(table)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.bots.close()
        await asyncio.to_thread(self.store.close)

    # --- tables --------------------------------------------------------------------------

    async def open(self, guest: Guest, wish: NewTable, address: str = "") -> Table:
        """Open a table; its guest takes the first free seat, and bots take the last ones."""
        if not self._opened.take(guest.id) or not self._opened_address.take(address):
            raise TooFast("you are opening tables too quickly")
        setup = self._setup(wish)
        entries: list[Entry] = []
        for number, agent in enumerate(wish.bots[: setup.seats]):
            self.catalog.check_agent(setup.game, agent)
            bot = playing(get(setup.game, setup.options), agent)
            entries.append(("bot", {"seat": setup.seats - 1 - number, "agent": bot}))
        if len(wish.bots) < setup.seats:
            entries.append(("sit", {"seat": 0, "guest": guest.id, "name": guest.name}))
        if len(wish.bots) == setup.seats - 1:
            entries.append(("ready", {"seat": 0, "ready": True}))
        self.catalog.want(setup.game, setup.options)
        self._make_room(address)
        await self.guests.keep(guest)
        await self.store.write(lambda c: ledger.add_table(c, setup, entries))
        self.metrics.opened += 1
        log("table/opened", table=setup.id, game=setup.game, bots=len(wish.bots))
        return await self.find(setup.id, address)

    def _setup(self, wish: NewTable) -> Setup:
        game = get(wish.game, wish.options)
        low, high = game.rules.seats
        count = wish.seats if wish.seats is not None else min(max(low, len(wish.bots) + 1), high)
        blank = game.blank(wish.options, count)
        return Setup(
            id="".join(secrets.choice(LETTERS) for _ in range(10)),
            game=game.name,
            seats=int(blank["seats"]),
            options=game.options_of(blank),
            clock=wish.clock,
            claim=wish.claim,
            private=wish.private,
            aid=wish.aid,
            goal=Goal(wish.goal, wish.count),
            pace=wish.pace,
            created=time.time(),
        )

    async def find(self, table: str, address: str = "") -> Table:
        """Return the table of this name, waking it if it sleeps. Raise `UnknownTable` if there is none."""
        if table in self.tables:
            return self.tables[table]
        if TABLE_ID.fullmatch(table) is None:
            raise UnknownTable("there is no such table")
        try:
            async with self._loading.setdefault(table, asyncio.Lock()):
                if table not in self.tables:
                    found = await Table.load(self, table)
                    if found is None:
                        raise UnknownTable("there is no such table")
                    self._make_room(address)  # only now: no table sleeps for one that does not exist
                    self._hold(found)
                    self._holders[table] = address
                return self.tables[table]
        finally:
            self._loading.pop(table, None)

    async def tables_of(self, guest: Guest, named: Iterable[str], address: str = "") -> list[MyTable]:
        """Return the unfinished tables where a guest sits: all that are awake, and of `named` also others.

        A browser remembers where it sat. Rows tell whether that is so; only then does a table wake.
        """
        found = [table for table in self.tables.values() if table.unfinished_for(guest)]
        for name in list(dict.fromkeys(named))[:NAMED]:
            if name in self.tables or TABLE_ID.fullmatch(name) is None:
                continue
            if await self.store.read(lambda c, name=name: ledger.sits(c, name, guest.id)):  # type: ignore[misc]
                table = await self.find(name, address)
                if table.unfinished_for(guest):
                    found.append(table)
        found.sort(key=lambda table: table.setup.created, reverse=True)
        mine = []
        for table in found[:NAMED]:
            seat = table.viewer(guest)
            mine.append(MyTable(table=table.info(), seat=seat, asked=bool(table.showing.legal(seat))))
        return mine

    def _hold(self, table: Table) -> None:
        self.tables[table.id] = table
        driver = Driver(table)
        self._drivers[table.id] = (driver, asyncio.create_task(driver.run()))
        self.news.held(table)
        self.changed(table)

    def _make_room(self, address: str) -> None:
        """Put the longest abandoned table to sleep, if the hall or the share of the address is full."""
        held = [self.tables[name] for name, holder in self._holders.items() if address and holder == address]
        if len(held) >= self.settings.tables_per_address:
            self._forget_quietest(held, "too many tables are open from your address; try again later")
        elif len(self.tables) >= self.settings.tables:
            self._forget_quietest(self.tables.values(), "the hall is full; try again later")

    def _forget_quietest(self, tables: Iterable[Table], otherwise: str) -> None:
        quiet = [table for table in tables if not table.presence.sockets]
        if not quiet:
            raise HallFull(otherwise)
        self._forget(min(quiet, key=lambda table: table.presence.quiet_since))

    def let_go(self, table: Table) -> None:
        """Leave a table to the worker to which its people are connected."""
        self._forget(table)

    def _forget(self, table: Table) -> None:
        """Put a table to sleep; its rows stay."""
        table.put_to_sleep()
        self.tables.pop(table.id, None)
        self._holders.pop(table.id, None)
        self._touched.pop(table.id, None)
        driver, task = self._drivers.pop(table.id)
        driver.stop()
        task.cancel()

    async def rename(self, guest: Guest, name: str, address: str = "") -> None:
        """Rename a guest, also at their tables."""
        self._check_name_rate(guest, address)
        if likeness(clean_name(name)) in self._bot_names:
            raise BadMessage("a bot has this name")
        await self.guests.rename(guest, name, self.worker)
        await self._rename_seats(guest)

    async def renamed(self, guest_id: str) -> None:
        """Apply what changed about a guest through another worker."""
        for guest in self.guests.known(guest_id):
            if await self.guests.read_again(guest):
                await self._rename_seats(guest)
            else:
                self._close_all(guest_id, AGAIN)

    # --- sessions ------------------------------------------------------------------------

    async def renew(self, guest: Guest, address: str = "") -> str:
        """Return a new token for a guest; everyone who has a copy of the old one is signed out."""
        self._check_name_rate(guest, address)
        token = await self.guests.renew(guest, self.worker)
        self._close_all(guest.id, AGAIN)
        return token

    async def sign_out(self, guest: Guest) -> None:
        """End a guest's token, and close their sockets."""
        await self.guests.end(guest, self.worker)
        self._close_all(guest.id, ENDED)

    def check_ban(self, guest: Guest) -> None:
        """Raise `Banned` if the operator has banned the guest."""
        if self._bans.get(guest.id, 0.0) > time.time():
            raise Banned("you are banned from this server for a time")

    async def _read_bans(self) -> None:
        """Follow what `qipai admin` writes."""
        while True:
            bans = await self.store.read(ledger.read_bans)
            for guest_id in bans.keys() - self._bans.keys():
                for guest in self.guests.known(guest_id):
                    self.guests.forget(guest)  # it may have been deleted as well
                self._close_all(guest_id, BANNED)
            self._bans = bans
            await asyncio.sleep(BANS)

    def _close_all(self, guest_id: str, code: int) -> None:
        """Close all sockets of a guest at this worker."""
        tables = [socket for table in self.tables.values() for socket in table.presence.sockets]
        for socket in [*tables, *self.lobby]:
            if socket.guest.id == guest_id:
                socket.close(code)

    async def _rename_seats(self, guest: Guest) -> None:
        for table in list(self.tables.values()):
            if table.seating.seat_of(guest.id) is not None:
                await requests.rename(table, guest)

    def _check_name_rate(self, guest: Guest, address: str) -> None:
        if not self._named.take(guest.id) or not self._named_address.take(address):
            raise TooFast("you are changing your name too often")

    def check_report(self, guest: Guest, address: str) -> None:
        """Raise `TooFast` if a guest or an address reports or blocks too much."""
        if not self._reported.take(guest.id) or not self._reported_address.take(address):
            raise TooFast("you are reporting too quickly")

    def check_talk(self, guest: Guest, address: str) -> None:
        """Raise `TooFast` if a guest or an address chats too much, across all of their sockets."""
        if not self._said.take(guest.id) or not self._said_address.take(address):
            raise TooFast("you are sending messages too quickly")

    def check_request(self, address: str) -> None:
        """Raise `TooFast` if an address sends too many requests, whatever its cookies."""
        if not self._asked_address.take(address):
            raise TooFast("too many requests from your address")

    def may_send(self, address: str) -> bool:
        """Return whether an address may send one more message, over all of its sockets."""
        return self._sent_address.take(address)

    def check_newcomer(self, address: str) -> None:
        """Raise `TooFast` if too many new guests come from one address."""
        if not self._newcomers.take(address):
            raise TooFast("too many new guests from this address")

    def drives(self, table: Table) -> bool:
        """Return whether this worker drives the table's bots and clocks."""
        return self.news.drives(table)

    def stand_in(self, setup: Setup) -> str:
        """Return the agent that plays for an absent person."""
        game = get(setup.game, setup.options)
        if game not in self._stand_ins:
            self._stand_ins[game] = playing(game, self.settings.stand_in)
        return self._stand_ins[game]

    # --- the lobby -----------------------------------------------------------------------

    def changed(self, table: Table) -> None:
        """Update the lobby after a change to a table."""
        self._stir.set()
        self.news.changed(table)

    def stir(self) -> None:
        """Send the lobby again."""
        self._stir.set()

    def _compiled(self) -> None:
        self._stir.set()
        if self.settings.tidy and self.catalog.complete:
            gc.collect()  # otherwise a full collection would scan all compiled code in the middle of a game
            gc.freeze()
        for table in self.tables.values():
            if table.hand is None:
                table.stir()

    def whole_lobby(self) -> Notice:
        """Return the whole lobby. It is what the other visitors know, so that changes fit to it."""
        if not self.lobby:
            self._update_lobby()
        return self._board.whole

    def _update_lobby(self) -> Notice | None:
        """Update the lobby; return what changed."""
        shown: list[tuple[float, Table | TableInfo]] = [(t.created, t) for t in self.news.listed.values()]
        for table in self.tables.values():
            if not table.setup.private and (table.seating.people or table.watchers):
                shown.append((table.setup.created, table))
        shown.sort(key=lambda pair: pair[0], reverse=True)
        first = [found for _, found in shown[: self.settings.listed]]
        newest = [found.info() if isinstance(found, Table) else found for found in first]
        return self._board.change(self.catalog.infos(), newest, len(self.guests_here))

    async def _send_lobbies(self) -> None:
        while True:
            await self._stir.wait()
            self._stir.clear()
            if self.lobby and (notice := self._update_lobby()) is not None:
                for socket in list(self.lobby):
                    socket.notify(notice)
            await asyncio.sleep(LOBBY_PAUSE)

    # --- time ----------------------------------------------------------------------------

    async def _wake_all(self) -> None:
        """Resume every table that was active when the last process ended."""
        orphans = await self.news.orphans(time.time() - self.settings.sleep)
        for table in orphans[: self.settings.tables]:
            try:
                await self.find(table)
            except Exception as error:
                self.fault("table/unreadable", error, table=table)

    async def _sweep(self) -> None:
        """Put abandoned tables to sleep, and mark the others as active."""
        while True:
            await asyncio.sleep(SWEEP)
            for table in list(self.tables.values()):
                try:
                    await self._sweep_table(table)
                except Exception as error:  # such as a database that is away; the next round tries again
                    self.fault("sweep/fault", error, table=table.id)
            self.swept = time.monotonic()

    async def _sweep_table(self, table: Table) -> None:
        if table.presence.sockets or (not table.seating.people and self.settings.drive_unwatched):
            table.presence.stay()
            await self._touch(table)
        elif time.monotonic() - table.presence.quiet_since > self.settings.sleep:
            self._forget(table)
            log("table/asleep", table=table.id)

    async def _prune(self) -> None:
        """Delete what is older than the settings say, a little at a time."""
        await asyncio.sleep(PRUNE_FIRST)
        while True:
            for job in prune.jobs(self.settings, set(self.tables)):
                while await self.store.write(job.run) >= prune.TOGETHER:
                    await asyncio.sleep(PRUNE_PAUSE)
            await asyncio.sleep(PRUNE)

    async def _keep_up(self, event: str, job: Callable[[], Awaitable[None]]) -> None:
        """Run a task until it ends; after an error, log it and start the task again."""
        while True:
            try:
                await job()
                return
            except Exception as error:
                self.fault(event, error)
                await asyncio.sleep(RESTART)

    def sweeper_late(self, rounds: int) -> bool:
        """Return whether the sweeper has not finished a round for this many times its pause."""
        return time.monotonic() - self.swept > rounds * SWEEP

    def fault(self, event: str, error: Exception, **fields: str) -> None:
        """Count an internal error and log it."""
        self.metrics.errors += 1
        log(event, logging.ERROR, error, **fields)

    async def _touch(self, table: Table) -> None:
        """Mark a table as active, if it changed or was marked long ago: a quiet table writes nothing."""
        listed = None if table.setup.private else table.info().model_dump_json()
        before, at = self._touched.get(table.id, (None, -math.inf))
        if listed != before or time.monotonic() - at >= self.news.pause:
            await self.store.write(lambda c: ledger.touch(c, table.id, listed))
            self._touched[table.id] = (listed, time.monotonic())

    def gauges(self) -> dict[str, float]:
        """Return the gauges for /metrics."""
        playing = sum(1 for t in self.tables.values() if t.seating.status == "playing")
        return {
            "sockets": self.sockets,
            "connections": self.gate.count,
            "connections_evicted": self.gate.evicted,
            "sockets_flooded": self.gate.flooded,
            "tables": len(self.tables),
            "tables_playing": playing,
            "bot_processes": self.bots.processes,
            "bots_late": self.bots.late,
            "store_commits": self.store.commits,
            "store_writes": self.store.writes,
            "uptime_seconds": time.time() - self.metrics.started,
        }


def _per_minute(limit: int) -> Buckets:
    return Buckets(limit / 60, limit)
