"""The store: durable writes, conflicts, and databases that cannot be used."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from qipai.server import replay as replays
from qipai.server.refusals import BadDatabase, Conflict, UnknownHand
from qipai.server.store import store as store_module
from qipai.server.store.rows import ENTRIES
from qipai.server.store.store import Store
from qipai.server.wire import History
from tests.server.live import Live, live, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(tmp_path_factory.mktemp("server"), tables_per_minute=30, rate=20.0, burst=40) as found:
        until(lambda: found.hall.catalog.ready("nana"))
        yield found


def damage(path: Path) -> None:
    """Overwrite every page except those of the schema and its version."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entries'").fetchone()[0]
    connection.close()
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * size)


def _insert(connection: Connection, row: dict[str, Any]) -> None:
    connection.execute(ENTRIES.insert().values(**row))


def test_replays_take_their_turn_and_no_table_waits_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "PATIENT", 6)
    gate = threading.Event()

    def slow(*_: object) -> History:
        gate.wait(30)
        return History(results=[], totals={})

    monkeypatch.setattr(replays, "history", slow)
    with live(tmp_path) as server, ThreadPoolExecutor(6) as pool:
        person = server.person()
        table = person.open("nana", seats=2)
        try:
            asked = [pool.submit(server.person().http.get, "/api/history") for _ in range(6)]
            until(lambda: server.hall.store.turns.count == 6)
            answer = person.http.get("/api/history")
            assert (answer.status_code, answer.json()["code"]) == (429, "message/rate")
            with person.at(table) as visit:
                assert visit.wait(lambda m: m["type"] == "table")["you"] == 0
            assert person.http.get("/healthz").status_code == 200
        finally:
            gate.set()
        assert [a.result().status_code for a in asked] == [200] * 6


def test_nobody_waits_for_the_crowd_of_another_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """120 connections of one client made the history of another one take 70.7 s."""
    turn = threading.Semaphore(0)

    def slow(*_: object) -> History:
        assert turn.acquire(timeout=60)
        return History(results=[], totals={})

    def none(*_: object) -> None:
        slow()
        raise UnknownHand("no such hand")

    monkeypatch.setattr(replays, "history", slow)
    monkeypatch.setattr(replays, "read_match", none)
    many = httpx.Limits(max_connections=None)
    with (
        live(tmp_path, proxies=("127.0.0.1",)) as server,
        ThreadPoolExecutor(121) as pool,
        httpx.Client(base_url=server.address, limits=many, timeout=60) as http,
    ):
        table = server.person().open("nana", seats=2)
        paths = ("/api/history", f"/api/tables/{table}/record/0", f"/api/tables/{table}/replay/0")

        def ask(path: str, address: str) -> int:
            return http.get(path, headers={"X-Forwarded-For": address}).status_code

        turns = server.hall.store.turns
        try:
            crowd = [pool.submit(ask, paths[n % 3], "203.0.113.1") for n in range(120)]
            until(lambda: sum(job.done() for job in crowd) == 120 - turns.each - 1)
            assert turns.count == turns.each + 1  # one runs, so many wait, and the others were refused
            other = pool.submit(ask, "/api/history", "203.0.113.2")
            until(lambda: turns.count == turns.each + 2)
            for _ in range(3):  # the one that runs, one of the crowd, and this one
                turn.release()
            assert other.result(30) == 200
            assert turns.count >= turns.each - 1
        finally:
            turn.release(200)
        found = [job.result() for job in crowd]
        assert found.count(429) == 120 - turns.each - 1 and set(found) == {200, 404, 429}


def test_a_database_that_cannot_be_opened_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a database, and longer than a header of one would be" * 10)
    for url in (
        f"sqlite:///{tmp_path}/file",
        "sqlite://",
        "mysql://x/y",
        "nonsense",
        f"sqlite:///{tmp_path}",
    ):
        with pytest.raises(BadDatabase):
            Store(url).close()


def test_two_servers_do_not_share_a_sqlite_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/server.db"
    first = Store(url)
    with pytest.raises(BadDatabase, match="another server"):
        Store(url)
    first.close()
    Store(url).close()


def test_a_link_does_not_lead_around_the_lock(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "server.db")
    first = Store(f"sqlite:///{tmp_path}/server.db")
    with pytest.raises(BadDatabase, match="another server"):
        Store(f"sqlite:///{tmp_path}/link.db")
    first.close()


def test_others_cannot_read_a_file_that_was_there(tmp_path: Path) -> None:
    path = tmp_path / "server.db"
    path.touch(0o644)
    path.chmod(0o644)
    Store(f"sqlite:///{path}").close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_same_row_twice_is_a_conflict_and_spoils_nothing_else(tmp_path: Path) -> None:
    """Writes that are committed together succeed or fail individually."""

    async def write() -> list[object]:
        store = Store(f"sqlite:///{tmp_path}/server.db")
        row = {"table_id": "a", "kind": "x", "body": "{}", "at": 0.0}
        rows = [{**row, "number": n} for n in (0, 1, 1, 2)]
        jobs = [store.write(partial(_insert, row=r)) for r in rows]
        found = await asyncio.gather(*jobs, return_exceptions=True)
        kept = await store.read(lambda c: c.execute(ENTRIES.select()).all())
        assert [r.number for r in kept] == [0, 1, 2]
        assert store.commits <= store.writes == 4
        await asyncio.to_thread(store.close)
        return list(found)

    kinds = [type(f) for f in asyncio.run(write())]
    assert kinds == [type(None), type(None), Conflict, type(None)]


@pytest.mark.parametrize("full", [False, True])
def test_sync_is_as_chosen(full: bool, tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/server.db", full)
    assert store.read_now(lambda c: c.exec_driver_sql("PRAGMA synchronous").scalar()) == (2 if full else 1)
    assert store.read_now(lambda c: c.exec_driver_sql("PRAGMA journal_mode").scalar()) == "wal"
    store.close()
    assert (tmp_path / "server.db").stat().st_mode & 0o077 == 0


def test_a_locked_database_is_named_in_the_log_and_to_those_who_wait(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("qipai.server"), "propagate", True)

    async def write() -> None:
        store = Store(f"sqlite:///{tmp_path}/server.db")
        await store.write(lambda c: c.exec_driver_sql("PRAGMA busy_timeout=50"))  # of the writer's connection
        lock = sqlite3.connect(tmp_path / "server.db", isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        row = {"table_id": "a", "kind": "x", "body": "{}", "at": 0.0, "number": 0}
        monkeypatch.setattr(store, "_hang_up", lambda: None)
        try:
            await store.write(partial(_insert, row=row))
        finally:
            lock.close()
            monkeypatch.undo()
            await asyncio.to_thread(store.close)

    with pytest.raises(BadDatabase, match="SQLITE_BUSY"):
        asyncio.run(write())
    assert "database/fault" in caplog.text
    assert {record.fields["cause"] for record in caplog.records} == {"SQLITE_BUSY"}  # type: ignore[attr-defined]


def test_a_damaged_database_is_noticed_when_it_is_read(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/server.db")
    with pytest.raises(BadDatabase, match="SQLITE_ERROR"):
        store.read_now(lambda c: c.exec_driver_sql("SELECT * FROM nothing"))
    assert not store.corrupt
    store.close()
    damage(tmp_path / "server.db")
    store = Store(f"sqlite:///{tmp_path}/server.db")
    with pytest.raises(BadDatabase, match="damaged"):
        store.check()
    with pytest.raises(BadDatabase, match="SQLITE_CORRUPT"):
        store.read_now(lambda c: c.execute(ENTRIES.select()).all())
    assert store.corrupt
    store.close()


def test_a_write_that_waited_in_a_circle_is_tried_again(tmp_path: Path) -> None:
    """Two workers may count hands of the same guests in different orders; one starts over."""

    class DeadlockDetected(Exception): ...

    async def run() -> None:
        store = Store(f"sqlite:///{tmp_path}/a.db")
        tries: list[int] = []

        def work(connection: Connection) -> int:
            tries.append(1)
            if len(tries) < 4:  # once in the batch, twice alone
                raise OperationalError("", {}, DeadlockDetected())
            return len(tries)

        assert await store.write(work) == 4

        def never(connection: Connection) -> None:
            raise OperationalError("", {}, DeadlockDetected())

        with pytest.raises(BadDatabase, match="DeadlockDetected"):
            await store.write(never)
        store.close()

    asyncio.run(run())
