"""The schema of version 1 does not change unnoticed: databases of it exist.

A change of the tables must freeze what `_first` makes (this text), add a step to STEPS, and test that
both lead to the same schema.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, inspect, select, text
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from qipai.server.refusals import BadDatabase
from qipai.server.store import rows
from qipai.server.store.rows import META, STEPS, VERSIONS, migrate
from qipai.server.store.store import Store

FIRST = Path(__file__).parent / "schema_1.sql"


def schema() -> str:
    """Return the tables and indexes as SQLite would be asked for them."""
    parts = []
    for table in META.sorted_tables:
        indexes = sorted(table.indexes, key=lambda index: str(index.name))
        asked: list[Any] = [CreateTable(table), *map(CreateIndex, indexes)]
        for made in (str(part.compile(dialect=sqlite.dialect())) for part in asked):
            parts.append("\n".join(line.rstrip() for line in made.strip().splitlines()) + ";\n")
    return "\n".join(parts)


def test_the_tables_are_those_of_version_1() -> None:
    assert len(STEPS) == 1 and schema() == FIRST.read_text()


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

    def step(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE later (id INTEGER)"))

    monkeypatch.setattr(rows, "STEPS", (*STEPS, step))
    for _ in range(2):  # a step is run once
        store = Store(url)
        assert store.read_now(
            lambda c: c.execute(text("SELECT version FROM schema_version")).scalars().all()
        ) == [2]
        assert store.read_now(lambda c: c.execute(text("SELECT count(*) FROM later")).scalar()) == 0
        store.close()
