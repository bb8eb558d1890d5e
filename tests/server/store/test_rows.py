"""A database of every version becomes the newest one, and one that is not what it claims is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Float, Integer, create_engine, inspect, select, text

from qipai.server.refusals import BadDatabase
from qipai.server.store import rows
from qipai.server.store.rows import META, VERSIONS, migrate
from qipai.server.store.steps import STEPS
from qipai.server.store.store import Store, open_engine
from tests.server.postgres import KINDS, WHY, binaries, databases


@pytest.fixture(scope="module", params=KINDS)
def fresh(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[], str]]:
    """Yield a function that returns the URL of another empty database, of each kind."""
    if request.param == "postgresql" and binaries() is None:
        pytest.skip(WHY)
    with databases(request.param, tmp_path_factory.mktemp("databases")) as make:
        yield make


@pytest.fixture
def two(fresh: Callable[[], str]) -> Iterator[tuple[Connection, Connection]]:
    """Yield connections to two empty databases."""
    with ExitStack() as stack:
        engines = open_engine(fresh()), open_engine(fresh())
        for engine in engines:
            stack.callback(engine.dispose)
        yield stack.enter_context(engines[0].begin()), stack.enter_context(engines[1].begin())


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


def test_the_steps_lead_to_the_tables_of_the_code(two: tuple[Connection, Connection]) -> None:
    stepped, made = two
    migrate(stepped)
    META.create_all(made)
    assert shape(stepped) == shape(made)


VOLATILE = {"leases", "presence", "workers"}  # of running workers: a step may begin them again
RESULTS = ((0, "a", "[5, -5]"), (1, "b", "[5, -5]"))  # seat, guest, payoff


def older(connection: Connection, version: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bring an empty database to this version, as the qipai of that time did."""
    with monkeypatch.context() as patch:
        patch.setattr(rows, "STEPS", STEPS[:version])
        assert migrate(connection) == version


def fill(connection: Connection) -> dict[str, list[dict[str, Any]]]:
    """Write a row to every table, two to `results`; return them."""
    found = inspect(connection)
    written: dict[str, list[dict[str, Any]]] = {}
    for table in sorted(set(found.get_table_names()) - {"schema_version"}):
        row = {
            column["name"]: 7 if isinstance(column["type"], Integer | Float) else "x"
            for column in found.get_columns(table)
        }
        given = [row]
        if table == "results":
            given = [{**row, "seat": seat, "guest": who, "payoff": pay} for seat, who, pay in RESULTS]
        for one in given:
            names = ", ".join(one)
            values = ", ".join(f":{name}" for name in one)
            connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({values})"), one)
        written[table] = given
    return written


@pytest.mark.parametrize("version", range(1, len(STEPS)))
def test_every_older_version_becomes_the_newest_with_all_of_its_rows(
    version: int, two: tuple[Connection, Connection], monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = two
    older(old, version, monkeypatch)
    written = fill(old)
    assert migrate(old) == migrate(new) == len(STEPS)
    assert shape(old) == shape(new)
    for table in written.keys() - VOLATILE:
        found = [dict(row) for row in old.execute(text(f"SELECT * FROM {table}")).mappings()]
        kept = [{name: row[name] for name in written[table][0]} for row in found]
        assert sorted(kept, key=str) == sorted(written[table], key=str), table
    if "totals" not in written:  # they are counted when the table is made
        totals = old.execute(text("SELECT guest, hands, won, lost, payoff FROM totals ORDER BY guest"))
        assert [tuple(row) for row in totals] == [("a", 1, 1, 0, 5), ("b", 1, 0, 1, -5)]


CHANGES = [
    "ALTER TABLE hands ADD COLUMN other TEXT",
    "ALTER TABLE chats RENAME COLUMN text TO words",
    "DROP TABLE closed",
    "CREATE TABLE {later} (guest VARCHAR(24))",  # what a later step makes
    "DROP TABLE answers; CREATE TABLE answers (table_id VARCHAR(24) NOT NULL, hand INTEGER NOT NULL,"
    " ply INTEGER NOT NULL, seat INTEGER NOT NULL, action INTEGER NOT NULL)",  # no key
    "DROP TABLE closed; CREATE TABLE closed (table_id VARCHAR(24) NOT NULL, hand FLOAT NOT NULL,"
    " ply INTEGER NOT NULL, PRIMARY KEY (table_id, hand, ply))",
    "DROP TABLE closed; CREATE TABLE closed (table_id VARCHAR(24), hand INTEGER NOT NULL, ply INTEGER)",
]


@pytest.mark.parametrize("version", range(1, len(STEPS) + 1))
def test_a_database_that_is_not_what_it_claims_is_refused_as_it_is(
    version: int, fresh: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other columns, another key, a table missing or too many: no step is run, and nothing changes."""
    engine = open_engine(fresh())
    with engine.begin() as connection:
        older(connection, version, monkeypatch)
        before = shape(connection)
    later = {1: "keys", 2: "totals", 3: "shares"}
    for change in CHANGES:
        if "{later}" in change and version not in later:
            continue
        with engine.connect() as connection:
            for statement in change.replace("{later}", later.get(version, "")).split(";"):
                connection.exec_driver_sql(statement)
            changed = shape(connection)
            assert changed != before
            with pytest.raises(BadDatabase, match=f"claims schema version {version}, but its table"):
                migrate(connection)
            assert shape(connection) == changed
            connection.rollback()
    engine.dispose()


def test_the_lock_of_a_database_that_is_refused_is_released(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/server.db"
    Store(url).close()
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text(CHANGES[0]))
    engine.dispose()
    for _ in range(2):
        with pytest.raises(BadDatabase, match="claims schema version"):
            Store(url)


@pytest.mark.parametrize("version", ["", "0", "-1"])
def test_tables_without_a_version_are_refused(version: str, tmp_path: Path) -> None:
    """Another program's tables, or a version that was removed: a first step would fail, or mix with them."""
    url = f"sqlite:///{tmp_path}/server.db"
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE tables (id INTEGER)"))
        if version:
            connection.execute(text("CREATE TABLE schema_version (version INTEGER)"))
            connection.execute(text(f"INSERT INTO schema_version VALUES ({version})"))
    engine.dispose()
    with pytest.raises(BadDatabase, match="schema version -1" if version == "-1" else "a table tables"):
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
