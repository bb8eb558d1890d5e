"""A database of every version becomes the newest one, and one that is not what it claims is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, inspect, select, text

from qipai.server.refusals import BadDatabase
from qipai.server.store import rows
from qipai.server.store.rows import META, VERSIONS, migrate
from qipai.server.store.steps import STEPS
from qipai.server.store.store import Store


def shape(connection: Connection) -> dict[str, Any]:
    """Return what a database is made of: columns in any order, keys and indexes."""
    found = inspect(connection)
    return {
        table: (
            {c["name"]: (str(c["type"]), c["nullable"]) for c in found.get_columns(table)},
            found.get_pk_constraint(table)["constrained_columns"],
            sorted(i["name"] or "" for i in found.get_indexes(table)),
            sorted(u["column_names"] for u in found.get_unique_constraints(table)),
        )
        for table in found.get_table_names()
    }


def test_the_steps_lead_to_the_tables_of_the_code() -> None:
    with create_engine("sqlite://").begin() as stepped, create_engine("sqlite://").begin() as made:
        migrate(stepped)
        META.create_all(made)
        assert shape(stepped) == shape(made)


@pytest.mark.parametrize("version", range(1, len(STEPS)))
def test_every_older_version_becomes_the_newest(version: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with create_engine("sqlite://").begin() as old, create_engine("sqlite://").begin() as new:
        with monkeypatch.context() as patch:
            patch.setattr(rows, "STEPS", STEPS[:version])
            patch.setattr(rows, "_check_columns", lambda *_: None)
            assert migrate(old) == version
        old.execute(text("INSERT INTO guests VALUES ('a', 'b', 'Ann', 1.5)"))
        assert migrate(old) == migrate(new) == len(STEPS)
        assert shape(old) == shape(new)
        assert old.execute(text("SELECT name FROM guests")).scalar() == "Ann"


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE hands ADD COLUMN other TEXT",
        "ALTER TABLE chats RENAME COLUMN text TO words",
        "DROP TABLE closed",
    ],
)
def test_a_database_that_is_not_what_it_claims_is_refused(tmp_path: Path, change: str) -> None:
    url = f"sqlite:///{tmp_path}/server.db"
    Store(url).close()
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text(change))
    engine.dispose()
    for _ in range(2):  # and its lock is released
        with pytest.raises(BadDatabase, match="claims schema version"):
            Store(url)


def test_a_new_database_gets_all_tables_and_its_number_once() -> None:
    with create_engine("sqlite://").begin() as connection:
        assert migrate(connection) == migrate(connection) == len(STEPS)
        assert set(inspect(connection).get_table_names()) == set(META.tables)
        assert connection.execute(select(VERSIONS.c.version)).scalars().all() == [len(STEPS)]


def test_a_database_of_a_newer_qipai_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/server.db"
    Store(url).close()
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE schema_version SET version = {len(STEPS) + 1}"))
    engine.dispose()
    with pytest.raises(BadDatabase, match="schema version"):
        Store(url)


def test_a_database_of_an_older_qipai_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path}/server.db"
    Store(url).close()

    monkeypatch.setattr(rows, "STEPS", (*STEPS, "CREATE TABLE later (id INTEGER);\n"))
    for _ in range(2):  # a step is run once
        store = Store(url)
        assert store.read_now(
            lambda c: c.execute(text("SELECT version FROM schema_version")).scalars().all()
        ) == [len(STEPS) + 1]
        assert store.read_now(lambda c: c.execute(text("SELECT count(*) FROM later")).scalar()) == 0
        store.close()
