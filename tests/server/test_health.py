"""A server that cannot do its work says so, and what is wrong."""

from __future__ import annotations

import asyncio
import logging
import shutil
import sqlite3
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from sqlalchemy import event

from qipai.server import hall as hall_module
from qipai.server import health
from qipai.server.main import Options, serve
from qipai.server.refusals import BadDatabase
from qipai.server.store import ledger
from qipai.server.store.store import Store
from tests.server.live import live
from tests.server.store.test_store import damage


class Usage(NamedTuple):
    total: int
    used: int
    free: int


def failing(answer: httpx.Response) -> list[str]:
    found: list[str] = answer.json().get("failing", [])
    assert answer.status_code == (503 if found else 200)
    return found


def test_each_check_can_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FRESH", 0.0)
    monkeypatch.setattr(health, "PATIENCE", 30.0)
    with live(tmp_path) as server, httpx.Client(base_url=server.address, timeout=60) as http:
        assert failing(http.get("/readyz")) == failing(http.get("/healthz")) == []
        lock = sqlite3.connect(tmp_path / "server.db", isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr(health, "PATIENCE", 0.3)
        assert failing(http.get("/readyz")) == ["database"]
        assert http.get("/livez").json() == {"status": "ok"}
        lock.close()
        monkeypatch.setattr(health, "PATIENCE", 30.0)
        assert failing(http.get("/readyz")) == []
        with monkeypatch.context() as patch:
            patch.setattr(shutil, "disk_usage", lambda _: Usage(10, 9, 1))
            patch.setattr(server.hall.news, "alive", False)
            assert failing(http.get("/readyz")) == ["disk", "leases"]
        monkeypatch.setattr(hall_module, "SWEEP", -1.0)
        assert failing(http.get("/readyz")) == ["sweeper"]


def test_a_full_disk_is_named_and_nothing_acknowledged_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """SQLite itself refuses another page, as it does when the disk has no room."""
    monkeypatch.setattr(health, "FRESH", 0.0)
    monkeypatch.setattr(logging.getLogger("qipai.server"), "propagate", True)
    with live(tmp_path) as server, server.person() as ann:
        tables = [ann.open("nana", seats=2)]
        most = 1  # as many pages as there are

        def bound(connection: Any, *_: object) -> None:
            connection.execute(f"PRAGMA max_page_count={most}")

        event.listen(server.hall.store.engine, "checkout", bound)
        limit = server.hall.store.write(lambda c: bound(c.connection.dbapi_connection))
        asyncio.run_coroutine_threadsafe(limit, server.hall.loop).result(10)
        answers = []
        for _ in range(200):
            answers.append(ann.http.post("/api/tables", json={"game": "nana", "seats": 2}))
            if answers[-1].status_code != 200:
                break
            tables.append(answers[-1].json()["table"])
        assert (answers[-1].status_code, answers[-1].json()["code"]) == (500, "database/bad")
        causes = [r.fields["cause"] for r in caplog.records if r.getMessage() == "database/fault"]  # type: ignore[attr-defined]
        assert set(causes) == {"SQLITE_FULL"}
        assert failing(ann.http.get("/readyz")) == ["disk"]
        assert ann.http.get("/livez").status_code == 200
        most = 1 << 30  # somebody made room
        monkeypatch.setattr(health, "FULL", 0.0)
        tables.append(ann.open("nana", seats=2))
        assert failing(ann.http.get("/readyz")) == []
    store = Store(f"sqlite:///{tmp_path}/server.db")
    store.check()
    found = store.read_now(lambda c: [ledger.find_setup(c, table) for table in tables])
    assert [setup and setup.id for setup in found] == tables
    store.close()


def test_everyone_may_ask_without_a_write_each(tmp_path: Path) -> None:
    with live(tmp_path) as server, httpx.Client(base_url=server.address) as http:
        before = server.hall.store.writes
        for _ in range(20):
            assert failing(http.get("/readyz")) == []
        assert server.hall.store.writes < before + 10


def test_a_damaged_database_is_refused_at_the_start_and_seen_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "server.db"
    Store(f"sqlite:///{path}").close()
    damage(path)

    def never() -> None:
        raise AssertionError("the server must not listen")

    with pytest.raises(BadDatabase, match="damaged"):
        serve(Options("127.0.0.1", 8140, f"sqlite:///{path}"), never)
    with live(tmp_path) as server, httpx.Client(base_url=server.address) as http:
        assert http.get("/api/tables/abcdefghjk").status_code == 404  # this part can still be read
        server.hall.store.corrupt = True
        assert failing(http.get("/readyz")) == ["database"]
