"""Retention: what is old goes, a bounded number at a time; what is in use stays."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, func, select

from qipai.server import hall as hall_module
from qipai.server.replay import history
from qipai.server.settings import Settings
from qipai.server.store import ledger, prune
from qipai.server.store.guests import DAY
from qipai.server.store.rows import ACTIONS, BANS, BLOCKS, CHATS, ENTRIES, GUESTS, HANDS, REPORTS, TABLES
from qipai.server.store.store import Store
from tests.server.live import live, until

NOW = time.time()
OLD, NEW = NOW - 100 * DAY, NOW - DAY


def fill(connection: Connection) -> None:
    """Write an old table with five hands, a new one, guests, chat and reports of both ages."""
    for name, at in (("old", OLD), ("new", NEW)):
        setup = ledger.Setup(name, "nana", 2, {}, 0, 0.0, False, False, at)
        ledger.add_table(connection, setup, [("sit", {"seat": 0, "guest": name, "name": name})] * 70)
        ledger.keep_snapshot(connection, name, 64, {})
        row = {"id": name, "token": name, "name": name, "created": at, "seen": at}
        connection.execute(GUESTS.insert().values(**row))
        connection.execute(BLOCKS.insert().values(guest=name, blocked="x", name="x", at=at))
        connection.execute(
            BANS.insert().values(guest=name, until=at if at < NEW else NOW + DAY, reason="", at=at)
        )
        for hand in range(5):
            ledger.add_hand(connection, name, hand, {}, [])
            ledger.add_moves(connection, name, hand, 0, 0, [(0, (1, 2))])
            ledger.end_hand(connection, setup, ledger.Ended(hand, [1, -1], "", ""), {0: name}, [])
        line = {"seat": 0, "name": name, "text": "hm", "at": at, "guest": name}
        number = ledger.add_chat(connection, name, line)
        report = {"at": at, "reporter": "r", "guest": name, "name": name, "table_id": name, "line": number}
        connection.execute(REPORTS.insert().values(**report, text="hm", reason="spam", closed=at))
        mine = HANDS.c.table_id == name
        connection.execute(HANDS.update().where(mine).values(started=at, ended=at))
        connection.execute(ENTRIES.update().where(ENTRIES.c.table_id == name).values(at=at))


@pytest.fixture
def store(tmp_path: Path) -> Any:
    found = Store(f"sqlite:///{tmp_path}/a.db")
    with found.engine.begin() as connection:
        fill(connection)
    yield found
    found.close()


def carry_out(store: Store, **given: float) -> dict[str, int]:
    settings = Settings(**{"keep_guests": 0.0, "keep_chat": 0.0, "keep_hands": 0.0, **given})  # type: ignore[arg-type]
    with store.engine.begin() as connection:
        return {job.name: job.run(connection) for job in prune.jobs(settings, held={"held"})}


def count(store: Store, table: Any, name: str) -> int:
    column = table.c.table_id if "table_id" in table.c else table.c.id
    return store.read_now(lambda c: int(c.scalar(select(func.count()).where(column == name)) or 0))


def test_without_a_setting_nothing_goes_but_bans_that_are_over(store: Store) -> None:
    assert carry_out(store) == {"bans": 0}
    assert store.read_now(lambda c: list(c.scalars(select(BANS.c.guest)))) == ["new"]
    assert count(store, HANDS, "old") == 5


def test_old_chat_and_closed_reports_go(store: Store) -> None:
    assert carry_out(store, keep_chat=30.0) == {"bans": 0, "chat": 1, "reports": 1}
    for table in (CHATS, REPORTS):
        assert (count(store, table, "old"), count(store, table, "new")) == (0, 1)


def test_old_hands_go_except_the_last_one_of_a_table_in_use(store: Store) -> None:
    with store.engine.begin() as connection:
        connection.execute(TABLES.update().values(touched=NOW))
    done = carry_out(store, keep_hands=30.0)
    assert done == {"bans": 0, "hands": 4, "entries": 64, "tables": 0}
    assert [count(store, t, "old") for t in (HANDS, ACTIONS, ENTRIES)] == [1, 2, 6]
    assert [count(store, t, "new") for t in (HANDS, ACTIONS, ENTRIES)] == [5, 10, 70]
    found = store.read_now(lambda c: history(c, "old"))
    assert len(found.results) == 1 and found.totals["nana"]["hands"] == 5  # totals still count them


def test_a_table_where_nobody_has_been_goes_with_everything(store: Store) -> None:
    assert carry_out(store, keep_hands=30.0)["tables"] == 1
    for table in (TABLES, HANDS, ACTIONS, ENTRIES, CHATS):
        assert count(store, table, "old") == 0 and count(store, table, "new") > 0


def test_guests_who_do_not_come_back_go_with_their_history(store: Store) -> None:
    assert carry_out(store, keep_guests=30.0)["guests"] == 1
    assert (count(store, GUESTS, "old"), count(store, GUESTS, "new")) == (0, 1)
    found = store.read_now(lambda c: history(c, "old"))
    assert not found.results and not found.totals and count(store, HANDS, "old") == 5
    assert store.read_now(lambda c: list(c.scalars(select(BLOCKS.c.guest)))) == ["new"]


def test_a_server_prunes_a_bounded_number_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(f"sqlite:///{tmp_path}/server.db")
    lines = [{"table_id": "t", "seat": 0, "name": "x", "text": "hm", "at": OLD} for _ in range(500)]
    with store.engine.begin() as connection:
        connection.execute(CHATS.insert(), lines)
    store.close()
    most = []
    work = prune.prune_chat

    def counted(connection: Connection, before: float) -> int:
        most.append(work(connection, before))
        return most[-1]

    monkeypatch.setattr(prune, "prune_chat", counted)
    monkeypatch.setattr(hall_module, "PRUNE_FIRST", 0.0)
    monkeypatch.setattr(hall_module, "PRUNE_PAUSE", 0.0)
    with live(tmp_path):
        until(lambda: len(most) == 3)
        assert most == [200, 200, 100]
