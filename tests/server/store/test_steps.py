"""Steps are frozen: databases that were made with them exist."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine, inspect

from qipai.server.store.rows import META, migrate
from qipai.server.store.steps import STEPS, WORDS, statements
from tests.server.postgres import WHY, binaries, postgres

# SHA-256 of the SQL of every released step, as each database runs it. Add a step instead of changing one.
FROZEN = {
    "sqlite": (
        "a5bc1860f52711eec45116655d6bd7d2f059f604cad3991fdc5539bf58ee6c37",
        "182643196f3f7ca8cc12664cb63a2bf674b064fd9bef429f1edbaf608f8b8bb6",
        "5f794ed398b74e5572fa151a3a7635f97dce4f235ae4101c18fc69a1ffacb7bf",
        "9d116ecc810c126e599edccd3f656ab040a15603649b59d91c5543da14787015",
    ),
    "postgresql": (
        "72d12af32db5bf410f172fb3f38902f25aeb3144435728d65429d0155f7d80b4",
        "182643196f3f7ca8cc12664cb63a2bf674b064fd9bef429f1edbaf608f8b8bb6",
        "6c1321a2b88c3295e50104e693416155b7e3f0c41cc181755073a744255520e6",
        "9d116ecc810c126e599edccd3f656ab040a15603649b59d91c5543da14787015",
    ),
}


@pytest.mark.parametrize("dialect", FROZEN)
def test_no_step_changes(dialect: str) -> None:
    """Neither its text, nor the words that differ between databases, nor how it is cut into statements."""
    written = ("\n;\n".join(statements(step, dialect)) for step in STEPS)
    assert tuple(hashlib.sha256(text.encode()).hexdigest() for text in written) == FROZEN[dialect]


@pytest.mark.parametrize("dialect", FROZEN)
def test_every_word_that_differs_is_filled_in(dialect: str) -> None:
    assert set(WORDS) == set(FROZEN) and set(WORDS["sqlite"]) == set(WORDS["postgresql"])
    for step in STEPS:
        assert not any("{" in statement or "}" in statement for statement in statements(step, dialect))


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
