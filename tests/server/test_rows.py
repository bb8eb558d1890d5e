"""The schema of version 1 does not change unnoticed: databases of it exist.

Whoever changes the tables freezes what `_first` makes (this text), adds a step to STEPS, and tests that
both lead to the same schema.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, inspect, select
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from qipai.server.store.rows import META, STEPS, VERSIONS, migrate

FIRST = Path(__file__).parent / "schema_1.sql"


def schema() -> str:
    """The tables and indexes as SQLite would be asked for them."""
    parts = []
    for table in META.sorted_tables:
        indexes = sorted(table.indexes, key=lambda index: str(index.name))
        asked: list[Any] = [CreateTable(table), *map(CreateIndex, indexes)]
        for text in (str(part.compile(dialect=sqlite.dialect())) for part in asked):
            parts.append("\n".join(line.rstrip() for line in text.strip().splitlines()) + ";\n")
    return "\n".join(parts)


def test_the_tables_are_those_of_version_1() -> None:
    assert len(STEPS) == 1 and schema() == FIRST.read_text()


def test_a_new_database_gets_all_tables_and_its_number_once() -> None:
    with create_engine("sqlite://").begin() as connection:
        assert migrate(connection) == migrate(connection) == len(STEPS)
        assert set(inspect(connection).get_table_names()) == set(META.tables)
        assert connection.execute(select(VERSIONS.c.version)).scalars().all() == [len(STEPS)]
