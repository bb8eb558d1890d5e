"""Backups: whole, consistent, without the signing key, and refused by name when something is wrong."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, text, update

from qipai.match import Match
from qipai.match.document import read_head
from qipai.server.refusals import (
    AlteredBackup,
    BackupExists,
    BadBackup,
    BadDatabase,
    OtherSchema,
    TargetNotEmpty,
    TruncatedBackup,
)
from qipai.server.store import backup as module
from qipai.server.store.backup import MAGIC, backup, read, restore
from qipai.server.store.ledger import Setup, add_chat, add_table, as_moves, read_actions
from qipai.server.store.rows import CHATS, HANDS, KEYS, LEASES, META, TABLES, VERSIONS
from qipai.server.store.store import Store
from tests.server.live import live, until
from tests.server.postgres import WHY, binaries, postgres

LINE = {"seat": 0, "name": "Ann", "text": "hello 你好", "at": 1.0}


@pytest.fixture
def made(tmp_path: Path) -> tuple[str, Path]:
    """Return a database with a table, a line of chat and keys, and its backup."""
    url = f"sqlite:///{tmp_path}/server.db"
    fill(url)
    path = tmp_path / "copy.backup"
    backup(url, path)
    return url, path


def fill(url: str) -> None:
    store = Store(url)
    setup = Setup("abcdefghjk", "nana", 2, {}, 0, 5.0, False, False, 1.0)
    with store.engine.begin() as connection:
        add_table(connection, setup, [("sit", {"seat": 0, "guest": "g", "name": "Ann"})])
        add_chat(connection, setup.id, LINE)
        connection.execute(KEYS.insert().values(name=module.SIGNING, value="5ec7e7" * 8))
        connection.execute(KEYS.insert().values(name="other", value="kept"))
        connection.execute(LEASES.insert().values(table_id=setup.id, worker="w"))
    store.close()


def rows(url: str, table: Any) -> list[Any]:
    store = Store(url)
    with store.engine.connect() as connection:
        found = connection.execute(select(table)).all()
    store.close()
    return list(found)


def test_a_backup_holds_everything_that_lasts(made: tuple[str, Path], tmp_path: Path) -> None:
    url, path = made
    there = f"sqlite:///{tmp_path}/restored.db"
    found = restore(there, path)
    assert found.kind == "sqlite" and found.rows["tables"] == 1
    for table in (TABLES, CHATS):
        assert rows(there, table) == rows(url, table) != []
    assert rows(there, LEASES) == []
    for file in (path, tmp_path / "restored.db"):
        assert file.stat().st_mode & 0o077 == 0
    assert not list(tmp_path.glob(".*"))  # nothing is left behind


def test_the_signing_key_is_left_out_unless_asked_for(made: tuple[str, Path], tmp_path: Path) -> None:
    url, path = made
    key = tmp_path / "server.db.key"
    key.write_text("-----BEGIN PRIVATE KEY-----\n")
    backup(url, tmp_path / "plain.backup", key)
    for file in (path, tmp_path / "plain.backup"):
        assert b"5ec7e7" not in file.read_bytes() and b"PRIVATE KEY" not in file.read_bytes()
    assert read(path).key is None
    restore(f"sqlite:///{tmp_path}/a.db", path, tmp_path / "a.db.key")
    assert [row.name for row in rows(f"sqlite:///{tmp_path}/a.db", KEYS)] == ["other"]
    assert not (tmp_path / "a.db.key").exists()

    backup(url, tmp_path / "key.backup", key, with_key=True)
    restore(f"sqlite:///{tmp_path}/b.db", tmp_path / "key.backup", tmp_path / "b.db.key")
    assert (tmp_path / "b.db.key").read_text() == key.read_text()
    assert (tmp_path / "b.db.key").stat().st_mode & 0o077 == 0
    with pytest.raises(TargetNotEmpty, match="signing key"):
        restore(f"sqlite:///{tmp_path}/c.db", tmp_path / "key.backup", tmp_path / "b.db.key")


def test_a_target_that_is_not_empty_is_refused_and_unchanged(made: tuple[str, Path], tmp_path: Path) -> None:
    url, path = made
    before = rows(url, CHATS)
    with pytest.raises(TargetNotEmpty):
        restore(url, path)
    assert rows(url, CHATS) == before
    other = tmp_path / "notes.txt"
    other.write_text("something else of value, longer than a header of SQLite would be" * 10)
    with pytest.raises(TargetNotEmpty):
        restore(f"sqlite:///{other}", path)
    store = Store(f"sqlite:///{tmp_path}/used.db")
    try:
        with pytest.raises(BadDatabase, match="another server"):
            restore(f"sqlite:///{tmp_path}/used.db", path)
    finally:
        store.close()


def test_an_existing_backup_is_not_overwritten(made: tuple[str, Path]) -> None:
    before = made[1].read_bytes()
    with pytest.raises(BackupExists):
        backup(*made)
    assert made[1].read_bytes() == before


def test_every_truncated_backup_is_refused(made: tuple[str, Path], tmp_path: Path) -> None:
    data = made[1].read_bytes()
    short = tmp_path / "short.backup"
    for size in {0, 1, len(MAGIC), len(MAGIC) + 5, 300, len(data) // 2, len(data) - 32, len(data) - 1}:
        short.write_bytes(data[:size])
        with pytest.raises(TruncatedBackup):
            restore(f"sqlite:///{tmp_path}/short.db", short)
    assert not (tmp_path / "short.db").exists()


def test_every_altered_backup_is_refused(made: tuple[str, Path], tmp_path: Path) -> None:
    data = bytearray(made[1].read_bytes())
    bad = tmp_path / "bad.backup"
    for at in [
        *range(len(MAGIC), len(MAGIC) + 150, 3),
        *range(400, len(data), len(data) // 50),
        len(data) - 1,
    ]:
        altered = data.copy()
        altered[at] ^= 1
        bad.write_bytes(altered)
        with pytest.raises((AlteredBackup, TruncatedBackup)):  # a larger size looks like a missing end
            restore(f"sqlite:///{tmp_path}/bad.db", bad)
    bad.write_bytes(bytes(data) + b"x")
    with pytest.raises(AlteredBackup, match="1 bytes too many"):
        restore(f"sqlite:///{tmp_path}/bad.db", bad)
    bad.write_bytes(b"SQLite format 3\0 and so on")
    with pytest.raises(BadBackup):
        restore(f"sqlite:///{tmp_path}/bad.db", bad)
    with pytest.raises(BadBackup):
        restore(f"sqlite:///{tmp_path}/bad.db", tmp_path / "missing")
    assert not (tmp_path / "bad.db").exists()


@pytest.mark.parametrize("what", ["newer", "column", "foreign"])
def test_another_schema_is_refused(what: str, made: tuple[str, Path], tmp_path: Path) -> None:
    url, _ = made
    store = Store(url)
    with store.engine.begin() as connection:
        if what == "newer":
            connection.execute(update(VERSIONS).values(version=99))
        elif what == "column":
            connection.execute(text("ALTER TABLE chats ADD COLUMN extra INTEGER"))
        else:
            connection.execute(text("DROP TABLE schema_version"))
    store.close()
    path = tmp_path / "other.backup"
    with pytest.raises(OtherSchema):
        backup(url, path)
        restore(f"sqlite:///{tmp_path}/other.db", path)
    assert not (tmp_path / "other.db").exists()


def test_an_older_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    from qipai.server.store.steps import STEPS, statements

    old = tmp_path / "old.db"
    with sqlite3.connect(old) as plain:
        for statement in statements(STEPS[0], "sqlite"):
            plain.execute(statement)
        plain.execute("CREATE TABLE schema_version (version INTEGER PRIMARY KEY)")
        plain.execute("INSERT INTO schema_version VALUES (1)")
    plain.close()
    assert backup(f"sqlite:///{old}", tmp_path / "old.backup").schema == 1
    restore(f"sqlite:///{tmp_path}/new.db", tmp_path / "old.backup")
    assert rows(f"sqlite:///{tmp_path}/new.db", VERSIONS)[0].version == len(STEPS)


# --- while a server plays ---------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_what_was_acknowledged_before_a_backup_is_in_it(kind: str, tmp_path: Path) -> None:
    if kind == "postgresql" and binaries() is None and os.environ.get("CI") != "true":
        pytest.skip(WHY)
    with postgres() if kind == "postgresql" else nullcontext(f"sqlite:///{tmp_path}/server.db") as url:
        with live(tmp_path, database=url, drive_unwatched=True, bot_pace=(0.0, 0.01)) as server:
            ann = server.person("Ann")
            for _ in range(3):
                ann.open("nana", seats=2, bots=["random", "random"], options={"max_turns": 40})
            table = ann.open("nana", seats=2, bots=["random"], options={"max_turns": 200, "first": 0})
            acked: dict[int, list[list[int]]] = {}
            with ann.at(table) as visit:
                for number in range(3):
                    for _ in range(4):
                        state = visit.until_asked()
                        if state["over"]:
                            visit.ask(type="ready", ready=True)
                            visit.state = {}
                            continue
                        move = [state["legal"][0]]
                        assert visit.act(*move)["type"] == "done"
                        acked.setdefault(state["hand"], []).append(move)
                        if visit.state is state:
                            visit.state = {**state, "legal": []}
                    backup(url, tmp_path / f"{number}.backup")
                    check(tmp_path, f"{number}.backup", table, acked)
        if kind == "postgresql":
            with pytest.raises(TargetNotEmpty):
                restore(url, tmp_path / "2.backup")
            store = Store(url)
            with store.engine.begin() as connection:
                for name in META.tables:
                    connection.execute(text(f"DROP TABLE {name}"))
            store.close()
            restore(url, tmp_path / "2.backup")
            fill_chat(url, table)
            with live(tmp_path, database=url, drive_unwatched=True) as second:
                until(lambda: len(second.hall.tables) == 4)


def check(folder: Path, name: str, table: str, acked: dict[int, list[list[int]]]) -> None:
    """Restore to a new file; every acknowledged move is there, and every hand replays."""
    url = f"sqlite:///{folder}/{name}.db"
    restore(url, folder / name)
    store = Store(url)
    with store.engine.connect() as connection:
        for row in connection.execute(select(HANDS)).all():
            moves = as_moves(read_actions(connection, row.table_id, row.hand))
            match = Match.begin(read_head(json.loads(row.head)))
            for seat, made in moves:
                match.act(seat, made)
            assert match.over == (row.ended is not None)
            if row.table_id == table:
                ours = [list(made) for seat, made in moves if seat == 0]
                wanted = acked.get(row.hand, [])
                assert ours[: len(wanted)] == wanted
        assert connection.execute(select(func.count()).select_from(TABLES)).scalar() == 4
    store.close()


def fill_chat(url: str, table: str) -> None:
    """Numbers that the database gives go on after the restored ones."""
    store = Store(url)
    with store.engine.begin() as connection:
        first = add_chat(connection, table, LINE)
        assert add_chat(connection, table, LINE) == first + 1
    store.close()
