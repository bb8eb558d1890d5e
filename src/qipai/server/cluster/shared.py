"""Several workers on one PostgreSQL: LISTEN/NOTIFY, leases and presence.

The rows are authoritative; a notification only says that there are new ones. A lease says which worker
drives a table's bots and clocks. If two workers ever believe they do, the primary keys of the rows
prevent double writes.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from typing import TYPE_CHECKING, Any

import psycopg
from sqlalchemy import Connection, Float, cast, delete, func, or_, select
from sqlalchemy.dialects.postgresql import insert

from ..logs import log
from ..store.ledger import CHANNEL, GUEST, notify, recent_tables
from ..store.rows import LEASES, PRESENCE, TABLES
from ..wire import TableInfo

if TYPE_CHECKING:
    from ..hall import Hall
    from ..table.table import Table

TICK = 1.0  # seconds between renewals
RECONNECT = 1.0
NOW = cast(func.extract("epoch", func.clock_timestamp()), Float)


class Shared:
    """Several workers on one PostgreSQL."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.listed: dict[str, TableInfo] = {}
        self._renewed = time.monotonic()
        self._leases: dict[str, float] = {}  # table: expiry by our own clock
        self._dirty: set[str] = set()  # tables whose presence must be written
        self._behind: set[str] = set()  # tables with unread rows
        self._renamed: set[str] = set()  # guest ids
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def alive(self) -> bool:
        """Whether leases were renewed within the time for which they are valid, twice over."""
        return time.monotonic() - self._renewed < 2 * self.hall.settings.lease

    async def start(self) -> None:
        """Listen, catch up, and start renewing leases."""
        self._tasks = [asyncio.create_task(job) for job in (self._listen(), self._follow(), self._tick())]

    async def stop(self) -> None:
        """Stop, and release the leases so that another worker may take over immediately."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        worker = self.hall.worker

        def leave(connection: Connection) -> None:
            connection.execute(delete(LEASES).where(LEASES.c.worker == worker))
            connection.execute(delete(PRESENCE).where(PRESENCE.c.worker == worker))

        await self.hall.store.write(leave)

    async def orphans(self, since: float) -> list[str]:
        """Return the tables whose lease has expired, or that never had one."""

        def read(connection: Connection) -> list[str]:
            led = set(connection.execute(select(LEASES.c.table_id).where(LEASES.c.until >= NOW)).scalars())
            return [table for table in recent_tables(connection, since) if table not in led]

        return await self.hall.store.read(read)

    def held(self, table: Table) -> None:
        """Request its lease soon, and read it again: a notification may have arrived while it was loading."""
        self._dirty.add(table.id)
        self._behind.add(table.id)
        self._wake.set()

    def changed(self, table: Table) -> None:
        """Write its presence soon."""
        self._dirty.add(table.id)
        self._wake.set()

    def drives(self, table: Table) -> bool:
        """Return whether this worker holds an unexpired lease."""
        return time.monotonic() < self._leases.get(table.id, 0.0)

    # --- notes -------------------------------------------------------------------------

    async def _listen(self) -> None:
        url = self.hall.store.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    self._behind.update(self.hall.tables)  # what was sent while nobody listened
                    self._wake.set()
                    async for note in connection.notifies():
                        self._hear(note.payload)
            except psycopg.Error as error:
                log("news/lost", logging.WARNING, error)
                await asyncio.sleep(RECONNECT)

    def _hear(self, note: str) -> None:
        table, _, worker = note.partition(" ")
        if worker == self.hall.worker:
            return
        if table.startswith(GUEST):
            self._renamed.add(table.removeprefix(GUEST))
            self._wake.set()
        elif table in self.hall.tables:
            self._behind.add(table)
            self._wake.set()

    async def _follow(self) -> None:
        """Read the rows that notifications announced, and write who is connected here."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            behind, self._behind = self._behind, set()
            dirty, self._dirty = self._dirty, set()
            renamed, self._renamed = self._renamed, set()
            try:
                if any(name not in self._leases for name in dirty):
                    await self._take_leases()
                await self._write_presence(dirty)
                await self._read_presence(behind | dirty)
                await asyncio.gather(*(self._catch_up(name) for name in behind))
                for guest in renamed:
                    await self.hall.renamed(guest)
            except Exception as error:
                self.hall.metrics.errors += 1
                log("news/fault", logging.ERROR, error)
                self._behind |= behind
                self._dirty |= dirty
                self._renamed |= renamed
                await asyncio.sleep(RECONNECT)

    async def _catch_up(self, name: str) -> None:
        table = self.hall.tables.get(name)
        if table is not None:
            async with table.lock:
                await table.catch_up()
                table.publish()

    # --- leases ------------------------------------------------------------------------

    async def _tick(self) -> None:
        while True:
            try:
                await self._take_leases()
                await self._write_presence(set(self.hall.tables))
                await self._read_presence(set(self.hall.tables))
                await self._read_lobby()
                self._renewed = time.monotonic()
            except Exception as error:
                self.hall.metrics.errors += 1
                log("news/fault", logging.ERROR, error)
            await asyncio.sleep(TICK)

    async def _take_leases(self) -> None:
        """Renew our leases, and take over expired ones."""
        worker, span, names = self.hall.worker, self.hall.settings.lease, list(self.hall.tables)
        if not names:
            return
        asked = time.monotonic()

        def take(connection: Connection) -> list[str]:
            rows = [{"table_id": name, "worker": worker, "until": NOW + span} for name in sorted(names)]
            wish = insert(LEASES).values(rows)
            wish = wish.on_conflict_do_update(
                index_elements=[LEASES.c.table_id],
                set_={"worker": worker, "until": NOW + span},
                where=or_(LEASES.c.worker == worker, LEASES.c.until < NOW),
            )
            return list(connection.execute(wish.returning(LEASES.c.table_id)).scalars())

        ours = await self.hall.store.write(take)
        fresh = [name for name in ours if name not in self._leases]
        self._leases = dict.fromkeys(ours, asked + span)
        for name in fresh:
            if (table := self.hall.tables.get(name)) is not None:
                self._behind.add(name)  # the last driver may have written more than we were notified of
                self._wake.set()
                table.wake()

    # --- presence ----------------------------------------------------------------------

    async def _write_presence(self, names: set[str]) -> None:
        tables = [t for n in sorted(names) if (t := self.hall.tables.get(n)) is not None]
        if not tables:
            return
        worker = self.hall.worker
        rows = []
        news = []
        for table in tables:
            seats, watchers, fresh = table.presence.announce()
            row = {"table_id": table.id, "worker": worker, "seats": json.dumps(seats), "watchers": watchers}
            rows.append(row)
            if fresh:
                news.append(table.id)

        def write(connection: Connection) -> None:
            wish = insert(PRESENCE).values([{**row, "beat": NOW} for row in rows])
            fields = {"seats": wish.excluded.seats, "watchers": wish.excluded.watchers, "beat": NOW}
            keys = [PRESENCE.c.table_id, PRESENCE.c.worker]
            connection.execute(wish.on_conflict_do_update(index_elements=keys, set_=fields))
            for name in news:
                notify(connection, name, worker)

        await self.hall.store.write(write)

    async def _read_presence(self, names: set[str]) -> None:
        if not names:
            return
        worker, span = self.hall.worker, self.hall.settings.lease

        def read(connection: Connection) -> list[Any]:
            where = PRESENCE.c.table_id.in_(names) & (PRESENCE.c.worker != worker)
            query = select(PRESENCE).where(where & (PRESENCE.c.beat > NOW - span))
            return list(connection.execute(query))

        found: dict[str, tuple[set[int], int]] = {name: (set(), 0) for name in names}
        for row in await self.hall.store.read(read):
            seats, watchers = found[row.table_id]
            found[row.table_id] = (seats | set(json.loads(row.seats)), watchers + row.watchers)
        for name, (seats, watchers) in found.items():
            table = self.hall.tables.get(name)
            if table is not None:
                table.set_elsewhere(seats, watchers)

    # --- the lobby ---------------------------------------------------------------------

    async def _read_lobby(self) -> None:
        """Read the tables that other workers hold, as they last described them."""
        since, most = time.time() - 60, self.hall.settings.listed

        def read(connection: Connection) -> list[str]:
            where = (TABLES.c.touched >= since) & TABLES.c.listed.is_not(None)
            query = select(TABLES.c.listed).where(where).order_by(TABLES.c.created.desc()).limit(most)
            return list(connection.execute(query).scalars())

        infos = [TableInfo.model_validate_json(text) for text in await self.hall.store.read(read)]
        listed = {info.id: info for info in infos if info.id not in self.hall.tables}
        if listed != self.listed:
            self.listed = listed
            self.hall.stir()
