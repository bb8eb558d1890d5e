"""Several workers on one PostgreSQL: LISTEN/NOTIFY, leases and presence.

The rows are authoritative; a notification only says that there are new ones. A lease says which worker
drives a table's bots and clocks, as long as that worker is alive. A worker renews one row for all of its
tables, so a table where nothing happens writes nothing. If two workers ever believe they drive a table,
the primary keys of the rows prevent double writes.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from typing import TYPE_CHECKING, Any

import psycopg
from sqlalchemy import Connection, Float, cast, delete, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from ..logs import log
from ..store.ledger import CHANNEL, GUEST, notify, recent_tables
from ..store.rows import LEASES, PRESENCE, TABLES, WORKERS
from ..wire import TableInfo

if TYPE_CHECKING:
    from ..hall import Hall
    from ..table.table import Table

TICK = 1.0  # seconds between renewals
RECONNECT = 1.0
NOW = cast(func.extract("epoch", func.clock_timestamp()), Float)
ALIVE = select(WORKERS.c.worker).where(WORKERS.c.until >= NOW)


class Shared:
    """Several workers on one PostgreSQL."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.listed: dict[str, TableInfo] = {}
        self._renewed = time.monotonic()
        self._leases: set[str] = set()  # tables that this worker drives
        self._until = 0.0  # when they expire, by our own clock
        self._dirty: set[str] = set()  # tables whose presence must be written
        self._behind: set[str] = set()  # tables with unread rows
        self._renamed: set[str] = set()  # guest ids
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def alive(self) -> bool:
        """Whether leases were renewed within the time for which they are valid, twice over."""
        return time.monotonic() - self._renewed < 2 * self.hall.settings.lease

    @property
    def pause(self) -> float:
        """Never mark a table as active again: its lease says so."""
        return math.inf

    async def start(self) -> None:
        """Listen, catch up, and start renewing leases."""
        await self._beat()
        self._tasks = [asyncio.create_task(job) for job in (self._listen(), self._follow(), self._tick())]

    async def stop(self) -> None:
        """Stop, and release the leases so that another worker may take over immediately."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        worker, now = self.hall.worker, time.time()
        held = list(self.hall.tables)

        def leave(connection: Connection) -> None:
            for name in (LEASES, PRESENCE, WORKERS):
                connection.execute(delete(name).where(name.c.worker == worker))
            if held:  # the next process resumes them
                connection.execute(update(TABLES).where(TABLES.c.id.in_(held)).values(touched=now))

        await self.hall.store.write(leave)

    async def orphans(self, since: float) -> list[str]:
        """Return the tables that were active since then, or driven by a worker that ended since then."""

        def read(connection: Connection) -> list[str]:
            led = set(connection.scalars(select(LEASES.c.table_id).where(LEASES.c.worker.in_(ALIVE))))
            long_dead = select(WORKERS.c.worker).where(WORKERS.c.until < since)
            left = select(LEASES.c.table_id).where(LEASES.c.worker.not_in(long_dead))
            names = {*recent_tables(connection, since), *connection.scalars(left)}
            return sorted(names - led)

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
        return table.id in self._leases and time.monotonic() < self._until

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
                await self._beat()
                await self._take_leases()
                await self._write_presence(set(self.hall.tables))
                await self._read_presence(set(self.hall.tables))
                await self._let_go()
                await self._read_lobby()
                self._renewed = time.monotonic()
            except Exception as error:
                self.hall.metrics.errors += 1
                log("news/fault", logging.ERROR, error)
            await asyncio.sleep(TICK)

    async def _beat(self) -> None:
        """Write that this worker is alive: the one row that is written every second, whatever it holds."""
        worker, span, asked = self.hall.worker, self.hall.settings.lease, time.monotonic()

        def beat(connection: Connection) -> None:
            row = {"until": NOW + span}
            wish = insert(WORKERS).values(worker=worker, **row)
            connection.execute(wish.on_conflict_do_update(index_elements=[WORKERS.c.worker], set_=row))

        await self.hall.store.write(beat)
        self._until = asked + span

    async def _take_leases(self) -> None:
        """Take leases that nobody alive holds, and give back those of tables that sleep."""
        worker, held = self.hall.worker, set(self.hall.tables)

        def read(connection: Connection) -> tuple[set[str], set[str]]:
            ours = set(connection.scalars(select(LEASES.c.table_id).where(LEASES.c.worker == worker)))
            others = LEASES.c.table_id.in_(held - ours) & LEASES.c.worker.in_(ALIVE)
            return ours, set(connection.scalars(select(LEASES.c.table_id).where(others)))

        ours, others = await self.hall.store.read(read)
        wanted, asleep = sorted(held - ours - others), sorted(ours - held)
        if wanted or asleep:
            ours = (ours & held) | set(
                await self.hall.store.write(lambda c: _exchange(c, worker, wanted, asleep))
            )
        fresh, self._leases = ours - self._leases, ours
        for name in fresh:
            if (table := self.hall.tables.get(name)) is not None:
                self._behind.add(name)  # the last driver may have written more than we were notified of
                self._wake.set()
                table.wake()

    async def _let_go(self) -> None:
        """Leave tables to the worker that has all of their people: two replicas cost twice as much.

        A proxy sends everything about a table to one worker, but the request that opens it to any.
        """
        tables = [table for table in self.hall.tables.values() if table.presence.only_elsewhere]
        if not tables:
            return
        for table in tables:
            self.hall.let_go(table)
        names, worker = [table.id for table in tables], self.hall.worker

        def leave(connection: Connection) -> None:
            for rows in (LEASES, PRESENCE):
                connection.execute(delete(rows).where(rows.c.table_id.in_(names) & (rows.c.worker == worker)))

        await self.hall.store.write(leave)

    # --- presence ----------------------------------------------------------------------

    async def _write_presence(self, names: set[str]) -> None:
        tables = [t for n in sorted(names) if (t := self.hall.tables.get(n)) is not None]
        if not tables:
            return
        worker = self.hall.worker
        rows: list[dict[str, Any]] = []
        for table in tables:
            seats, watchers, fresh = table.presence.announce()
            if fresh:
                told = {"seats": json.dumps(seats), "watchers": watchers}
                rows.append({"table_id": table.id, "worker": worker, **told})
        if not rows:
            return

        def write(connection: Connection) -> None:
            wish = insert(PRESENCE).values(rows)
            fields = {"seats": wish.excluded.seats, "watchers": wish.excluded.watchers}
            keys = [PRESENCE.c.table_id, PRESENCE.c.worker]
            connection.execute(wish.on_conflict_do_update(index_elements=keys, set_=fields))
            for row in rows:
                notify(connection, str(row["table_id"]), worker)

        try:
            await self.hall.store.write(write)
        except Exception:
            for table in tables:
                table.presence.unannounce()
            raise

    async def _read_presence(self, names: set[str]) -> None:
        if not names:
            return
        worker = self.hall.worker

        def read(connection: Connection) -> list[Any]:
            where = PRESENCE.c.table_id.in_(names) & (PRESENCE.c.worker != worker)
            return list(connection.execute(select(PRESENCE).where(where & PRESENCE.c.worker.in_(ALIVE))))

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
        most, worker = self.hall.settings.listed, self.hall.worker

        def read(connection: Connection) -> list[str]:
            held = LEASES.c.worker.in_(ALIVE) & (LEASES.c.worker != worker)
            query = select(TABLES.c.listed).join(LEASES, LEASES.c.table_id == TABLES.c.id)
            query = query.where(held & TABLES.c.listed.is_not(None))
            return list(connection.scalars(query.order_by(TABLES.c.created.desc()).limit(most)))

        infos = [TableInfo.model_validate_json(text) for text in await self.hall.store.read(read)]
        listed = {info.id: info for info in infos if info.id not in self.hall.tables}
        if listed != self.listed:
            self.listed = listed
            self.hall.stir()


def _exchange(connection: Connection, worker: str, wanted: list[str], asleep: list[str]) -> list[str]:
    """Give back the leases of some tables; return which of others could be taken."""
    if asleep:
        ours = (LEASES.c.worker == worker) & LEASES.c.table_id.in_(asleep)
        connection.execute(delete(LEASES).where(ours))
    if not wanted:
        return []
    wish = insert(LEASES).values([{"table_id": name, "worker": worker} for name in wanted])
    wish = wish.on_conflict_do_update(
        index_elements=[LEASES.c.table_id],
        set_={"worker": worker},
        where=or_(LEASES.c.worker == worker, LEASES.c.worker.not_in(ALIVE)),
    )
    return list(connection.scalars(wish.returning(LEASES.c.table_id)))
