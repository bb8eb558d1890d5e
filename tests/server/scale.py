"""A server with a long past or a full lobby: what it answers, how long it takes, how much it sends."""

from __future__ import annotations

import asyncio
import json
import threading
import time
import zlib
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx
import psycopg
from websockets.asyncio.client import connect

from qipai.match.series import Series
from qipai.server import replay as replays
from qipai.server.store import ledger
from qipai.server.store.rows import ENTRIES, RESULTS, TOTALS
from qipai.server.store.store import Store
from qipai.server.table.seating import Seating
from tests.server.live import WAIT, Live, Person, live, start, until

PAYOFFS = ([3, -3], [-1, 1], [0, 0])
CHUNK = 20_000
CHANGE = 500  # bytes in which a visitor of the lobby is sent one table; twenty, packed, are more


def fill(folder: Path, guest: str, table: str, hands: int) -> None:
    """Write the rows that this many hands of one guest at one table leave, as the server writes them."""
    store = Store(f"sqlite:///{folder}/server.db")
    with store.engine.begin() as connection:
        setup = ledger.find_setup(connection, table)
        assert setup is not None
        first = len(ledger.read_entries(connection, table, 0))
        for start_ in range(0, hands, CHUNK):
            numbers = range(start_, min(hands, start_ + CHUNK))
            results, entries = [], []
            for n in numbers:
                payoff = PAYOFFS[n % 3]
                key = {"table_id": table, "hand": n, "seat": 0, "guest": guest, "game": "nana"}
                results.append(
                    {**key, "names": '["Ann","Lan"]', "payoff": json.dumps(payoff), "at": float(n)}
                )
                both = (("hand", {"hand": n}), ("over", {"hand": n, "payoff": payoff}))
                for k, (kind, body) in enumerate(both):
                    row = {"table_id": table, "number": first + 2 * n + k, "kind": kind, "at": float(n)}
                    entries.append({**row, "body": json.dumps(body)})
            connection.execute(RESULTS.insert(), results)
            connection.execute(ENTRIES.insert(), entries)
        won, lost = (hands + 2) // 3, (hands + 1) // 3
        row = {"hands": hands, "won": won, "lost": lost, "drawn": hands // 3, "payoff": 3 * won - lost}
        connection.execute(TOTALS.insert().values(guest=guest, game="nana", **row))
        head = Series(setup.game, setup.options, setup.seats).match.head()
        ledger.add_hand(connection, table, hands - 1, head, ["Ann", "Lan"])
    store.close()


def long_history(folder: Path, hands: int, fresh: bool) -> dict[str, Any]:
    """Open a table and a history with this many hands; measure them, and another client meanwhile.

    Without a snapshot (`fresh` is False) the table is one of an earlier version, loaded for the first time.
    """
    with live(folder) as server, server.person("Ann") as ann:
        table = ann.open("nana", seats=2)
        guest = ann.id
        cookies = dict(ann.http.cookies)
    fill(folder, guest, table, hands)
    if fresh:
        keep_snapshot(folder, table)
    with live(folder) as server, httpx.Client(base_url=server.address, cookies=cookies, timeout=120) as http:
        until(lambda: server.hall.catalog.ready("nana"), 600)
        figures, delays = {}, Delays(server)
        with delays:
            began = time.monotonic()
            assert http.get(f"/api/tables/{table}").json()["hand"] == hands - 1
            figures["a table loads, ms"] = round(1000 * (time.monotonic() - began), 1)
            pages, more, times = 0, "", []
            while more is not None and pages < 20:
                began = time.monotonic()
                page = http.get("/api/history", params={"before": more} if more else {}).json()
                times.append(1000 * (time.monotonic() - began))
                assert len(page["results"]) == min(replays.PAGE, hands)
                pages, more = pages + 1, page["more"]
            began = time.monotonic()
            middle = http.get("/api/history", params={"before": f"{hands / 2}.{table}.0.0"}).json()
            times.append(1000 * (time.monotonic() - began))
            assert middle["results"][0]["hand"] == (hands - 1) // 2
        won, lost = (hands + 2) // 3, (hands + 1) // 3
        expected = {"hands": hands, "won": won, "lost": lost, "drawn": hands // 3, "payoff": 3 * won - lost}
        assert page["totals"] == {"nana": expected}, page["totals"]
        figures |= {
            "hands": hands,
            "totals exact": True,
            "a page of the history, ms": round(median(times), 1),
        }
        figures |= {"slowest page, ms": round(max(times), 1), **delays.figures()}
        return figures


def keep_snapshot(folder: Path, table: str) -> None:
    """Store the snapshot that a server would have stored while these hands were played."""
    store = Store(f"sqlite:///{folder}/server.db")
    with store.engine.begin() as connection:
        setup = ledger.find_setup(connection, table)
        assert setup is not None
        seating = Seating.empty_table(setup.seats).after(ledger.read_entries(connection, table, 0))
        ledger.keep_snapshot(connection, table, seating.entries, seating.to_json())
    store.close()


class Delays:
    """How long another client waits for /livez, while something else happens."""

    def __init__(self, server: Live) -> None:
        self._server = server
        self._ended = threading.Event()
        self._times: list[float] = []

    def __enter__(self) -> Delays:
        self._thread = threading.Thread(target=self._ask)
        self._thread.start()
        until(lambda: len(self._times) > 5)
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _ask(self) -> None:
        with httpx.Client(base_url=self._server.address) as http:
            while not self._ended.is_set():
                began = time.monotonic()
                assert http.get("/livez").status_code == 200
                self._times.append(1000 * (time.monotonic() - began))
                time.sleep(0.005)

    def figures(self) -> dict[str, float]:
        found = sorted(self._times)
        return {
            "others wait, median ms": round(median(found), 1),
            "others wait, most ms": round(found[-1], 1),
        }


# --- the lobby ----------------------------------------------------------------------------


def full_lobby(folder: Path, visitors: int, tables: int, changes: int) -> dict[str, Any]:
    """Let visitors look at a full lobby while tables are opened; count what each is sent."""
    given = {"tables": tables + changes + 1, "tables_per_address": 10_000, "sockets_per_address": 10_000}
    given |= {"guests_per_minute": 100_000, "connections_per_address": 10_000}
    with live(folder, **given) as server, server.person("Ann") as ann:
        games = server.hall.catalog.infos()
        vars(server.hall.catalog)["infos"] = lambda: games  # not how far each is compiled
        for _ in range(tables):
            ann.open("nana", seats=2)
        return asyncio.run(_look(server, ann, visitors, changes))


async def _look(server: Live, ann: Person, visitors: int, changes: int) -> dict[str, Any]:
    address = f"ws://127.0.0.1:{server.port}/ws/lobby?packed=true"
    first: list[int] = []
    plain: list[int] = []
    later: list[int] = []
    seen: list[tuple[str, float]] = []
    sent: dict[str, float] = {}

    async def visit() -> None:
        async with connect(address, max_size=None, open_timeout=60, compression=None) as socket:
            message = await socket.recv()
            first.append(len(message))
            plain.append(len(_unpacked(message)))
            async for message in socket:
                later.append(len(message))
                seen.extend(
                    (table["id"], time.monotonic()) for table in json.loads(_unpacked(message))["tables"]
                )

    jobs = [asyncio.create_task(visit()) for _ in range(visitors)]
    while len(first) < visitors:
        await asyncio.sleep(0.05)
    await asyncio.sleep(2.0)  # how many are here is told too
    later.clear()
    began = time.monotonic()
    for _ in range(changes):
        opened = time.monotonic()
        sent[await asyncio.to_thread(ann.open, "nana", seats=2)] = opened
        await asyncio.sleep(0.5)
    end = time.monotonic() + WAIT
    while sum(name in sent for name, _ in seen) < visitors * changes and time.monotonic() < end:
        await asyncio.sleep(0.05)
    seconds = time.monotonic() - began
    for job in jobs:
        job.cancel()
    await asyncio.gather(*jobs, return_exceptions=True)
    waits = [1000 * (at - sent[name]) for name, at in seen if name in sent]
    assert len(waits) >= visitors * changes, (len(waits), visitors * changes)
    return {
        "visitors": visitors,
        "the whole lobby, bytes": max(plain),
        "the whole lobby as it is sent, bytes": max(first),
        "a change, bytes": round(sum(later) / max(1, len(later))),
        "to everyone, bytes per second": round(sum(later) / seconds),
        "if all of it were sent, bytes per second": round(max(plain) * visitors * changes / seconds),
        "until a new table is shown, 99 % ms": round(quantiles(waits, n=100)[98], 1),
    }


def _unpacked(message: str | bytes) -> str:
    return message if isinstance(message, str) else zlib.decompress(message).decode()


# --- idle tables --------------------------------------------------------------------------


def idle_tables(folder: Path, database: str, tables: int, seconds: float) -> dict[str, Any]:
    """Measure the write-ahead log of PostgreSQL while nothing happens at this many tables."""
    server = start(folder, database=database, tables_per_address=10_000)
    try:
        with server.person() as ann:
            names = [ann.open("nana", seats=2) for _ in range(tables)]
            until(lambda: all(server.hall.drives(server.hall.tables[name]) for name in names))
            time.sleep(3.0)
            with psycopg.connect(database, autocommit=True) as connection:
                connection.execute("VACUUM ANALYZE")  # or autovacuum tidies up the new tables' rows meanwhile
                before = _written(connection)
                time.sleep(seconds)
                written = _written(connection) - before
    finally:
        server.stop()
    return {"tables": tables, "seconds": seconds, "bytes of WAL per second": round(written / seconds, 1)}


def _written(connection: psycopg.Connection[Any]) -> int:
    row = connection.execute("SELECT pg_current_wal_insert_lsn() - '0/0'").fetchone()
    assert row is not None
    return int(row[0])
