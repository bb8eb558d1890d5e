"""Steps are frozen: databases that were made with them exist."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine, inspect

from qipai.server.store.rows import META, migrate
from qipai.server.store.steps import STEPS, statements
from tests.server.postgres import WHY, binaries, postgres

# SHA-256 of every step that was released. Add a step instead of changing one.
FROZEN = (
    "483f1903781993632d2f1c4d771f6a2e9a3d2423c5190cc57ddc066f172ab5ce",
    "32617d58076cc611254032d191620ba5787b8a9a19ba9f7449993a06fd767eab",
)


def test_no_step_changes() -> None:
    assert tuple(hashlib.sha256(step.encode()).hexdigest() for step in STEPS) == FROZEN


def test_a_number_that_counts_up_is_written_for_each_database() -> None:
    for dialect, word in (("sqlite", "id INTEGER NOT NULL"), ("postgresql", "id SERIAL NOT NULL")):
        (chats,) = (text for text in statements(STEPS[0], dialect) if text.startswith("CREATE TABLE chats"))
        assert word in chats


@pytest.fixture
def url() -> Iterator[str]:
    if binaries() is None:
        pytest.skip(WHY)
    with postgres() as found:
        yield found


def test_the_steps_make_the_same_tables_in_postgresql(url: str) -> None:
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))

    def shape() -> dict[str, object]:
        found = inspect(engine)
        return {
            table: (
                {c["name"]: (str(c["type"]), c["nullable"], c["default"]) for c in found.get_columns(table)},
                found.get_pk_constraint(table)["constrained_columns"],
                sorted(i["name"] or "" for i in found.get_indexes(table)),
            )
            for table in found.get_table_names()
        }

    with engine.begin() as connection:
        migrate(connection)
    stepped = shape()
    META.drop_all(engine)
    META.create_all(engine)
    assert stepped == shape()
    engine.dispose()
