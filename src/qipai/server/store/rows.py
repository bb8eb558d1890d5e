"""The tables of the database as they are now; `steps.py` says how older ones become so."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Float,
    Index,
    Inspector,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    inspect,
    select,
    text,
)
from sqlalchemy.pool import StaticPool
from sqlalchemy.types import TypeEngine

from ..refusals import BadDatabase
from .steps import STEPS, statements

META = MetaData()
# A table as a version has it: what each column holds and whether it may be empty, and the key.
Shape = tuple[dict[str, tuple[str, bool]], list[str]]

VERSIONS = Table("schema_version", META, Column("version", Integer, primary_key=True))

GUESTS = Table(
    "guests",
    META,
    Column("id", String(24), primary_key=True),
    Column("token", String(64), nullable=False, unique=True),  # SHA-256 of the secret
    Column("name", String(80), nullable=False),
    Column("created", Float, nullable=False),
    Column("seen", Float, nullable=False, server_default=text("0"), index=True),  # to the day
)

TABLES = Table(
    "tables",
    META,
    Column("id", String(24), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("setup", Text, nullable=False),  # JSON: seats, options, clock, claim, private, aid
    Column("created", Float, nullable=False),
    Column("touched", Float, nullable=False, index=True),
    Column("listed", Text, nullable=True),  # last known TableInfo, for the lobbies of other workers
)

# What happened at a table other than moves: one row per event, numbered without gaps.
ENTRIES = Table(
    "entries",
    META,
    Column("table_id", String(24), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(12), nullable=False),
    Column("body", Text, nullable=False),  # JSON
    Column("at", Float, nullable=False),
)

HANDS = Table(
    "hands",
    META,
    Column("table_id", String(24), primary_key=True),
    Column("hand", Integer, primary_key=True, autoincrement=False),
    Column("head", Text, nullable=False),  # JSON, the first line of a record; contains the seed
    Column("names", Text, nullable=False),  # JSON
    Column("started", Float, nullable=False),
    Column("ended", Float, nullable=True, index=True),
    Column("payoff", Text, nullable=True),  # JSON
    Column("digest", String(64), nullable=True),
    Column("chain", String(64), nullable=True),  # over the moves; hands of older versions have none
    Column("key", String(64), nullable=True),  # public key of the signature
    Column("signature", String(128), nullable=True),  # of the chain; hands of older versions have none
)

# The exchange before a hand is dealt: who commits to what (step 0), and what it was (step 1). Seat -1 is
# the server; an empty value says that a person was too late. Rows of earlier hands are removed.
SHARES = Table(
    "shares",
    META,
    Column("table_id", String(24), primary_key=True),
    Column("hand", Integer, primary_key=True, autoincrement=False),
    Column("step", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("value", String(64), nullable=False),
)

# One row per action. Two workers can never both write the same ply.
ACTIONS = Table(
    "actions",
    META,
    Column("table_id", String(24), primary_key=True),
    Column("hand", Integer, primary_key=True, autoincrement=False),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("move", Integer, nullable=False),  # shared by the actions of one move
    Column("seat", Integer, nullable=False),
    Column("action", Integer, nullable=False),
)

# Sealed answers, kept even after their window closes.
ANSWERS = Table(
    "answers",
    META,
    Column("table_id", String(24), primary_key=True),
    Column("hand", Integer, primary_key=True, autoincrement=False),
    Column("ply", Integer, primary_key=True, autoincrement=False),  # ply at which the window opened
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("action", Integer, nullable=False),
)

# Closed windows, whether or not a seat was asked.
CLOSED = Table(
    "closed",
    META,
    Column("table_id", String(24), primary_key=True),
    Column("hand", Integer, primary_key=True, autoincrement=False),
    Column("ply", Integer, primary_key=True, autoincrement=False),
)

CHATS = Table(
    "chats",
    META,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", String(24), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("name", String(80), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Float, nullable=False, index=True),
    Column("guest", String(24), nullable=True),  # who wrote it; lines of older versions do not say
    Index("ix_chats_table_id", "table_id", "id"),
)

RESULTS = Table(
    "results",
    META,
    Column("table_id", String(24), primary_key=True),
    Column("hand", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("guest", String(24), nullable=False),
    Column("game", String(40), nullable=False),
    Column("names", Text, nullable=False),
    Column("payoff", Text, nullable=False),
    Column("at", Float, nullable=False),
    Index("ix_results_guest_at", "guest", "at"),
)

# What a guest has won and lost, counted when a hand ends: exact, however long the history is.
TOTALS = Table(
    "totals",
    META,
    Column("guest", String(24), primary_key=True),
    Column("game", String(40), primary_key=True),
    Column("hands", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("payoff", BigInteger, nullable=False),
)

# Who sat at a table after its first `number` entries, so that a table loads without its past.
SNAPSHOTS = Table(
    "snapshots",
    META,
    Column("table_id", String(24), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("body", Text, nullable=False),  # JSON
)

# The workers and until when each is alive (by the database's clock). One row for all tables of a worker.
WORKERS = Table(
    "workers",
    META,
    Column("worker", String(24), primary_key=True),
    Column("until", Float, nullable=False),
)

# The worker that drives a table's bots and clocks, as long as it is alive.
LEASES = Table(
    "leases",
    META,
    Column("table_id", String(24), primary_key=True),
    Column("worker", String(24), nullable=False, index=True),
)

# Who is connected to which worker; the connections of a worker that is not alive do not count.
PRESENCE = Table(
    "presence",
    META,
    Column("table_id", String(24), primary_key=True),
    Column("worker", String(24), primary_key=True),
    Column("seats", Text, nullable=False),  # JSON list
    Column("watchers", Integer, nullable=False),
)

# Whose chat a guest does not want to see.
BLOCKS = Table(
    "blocks",
    META,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("guest", String(24), nullable=False),
    Column("blocked", String(24), nullable=False),
    Column("name", String(80), nullable=False),  # at that time
    Column("at", Float, nullable=False),
    UniqueConstraint("guest", "blocked"),
)

# Lines of chat that guests reported, for the operator.
REPORTS = Table(
    "reports",
    META,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", Float, nullable=False),
    Column("reporter", String(24), nullable=False),
    Column("guest", String(24), nullable=False),  # who wrote the line
    Column("name", String(80), nullable=False),
    Column("table_id", String(24), nullable=False),
    Column("line", Integer, nullable=False),  # its number in `chats`
    Column("text", Text, nullable=False),
    Column("reason", String(12), nullable=False),
    Column("closed", Float, nullable=True),  # when the operator dealt with it
    UniqueConstraint("reporter", "line"),
)

# Guests whom the operator has banned, and until when.
BANS = Table(
    "bans",
    META,
    Column("guest", String(24), primary_key=True),
    Column("until", Float, nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", Float, nullable=False),
)

# Secrets of the server itself, by name.
KEYS = Table(
    "keys",
    META,
    Column("name", String(40), primary_key=True),
    Column("value", String(200), nullable=False),
)


def migrate(connection: Connection) -> int:
    """Migrate the database to the current schema and return its version.

    Raise `BadDatabase`, before any step is run, if its tables are not those of the version that it claims.
    """
    have = 0
    if inspect(connection).has_table(VERSIONS.name):
        have = connection.execute(select(VERSIONS.c.version)).scalar() or 0
    else:
        VERSIONS.create(connection)
    if not 0 <= have <= len(STEPS):
        raise BadDatabase(f"the database has schema version {have}; this qipai supports up to {len(STEPS)}")
    _check_schema(connection, have)
    for step in STEPS[have:]:
        for statement in statements(step, connection.dialect.name):
            connection.exec_driver_sql(statement)
    if have != len(STEPS):
        connection.execute(VERSIONS.delete())
        connection.execute(VERSIONS.insert().values(version=len(STEPS)))
        _check_schema(connection, len(STEPS))
    return len(STEPS)


def check_version(connection: Connection) -> None:
    """Raise `BadDatabase` if the schema is not the current one: only a server that starts migrates it."""
    there = inspect(connection).has_table(VERSIONS.name)
    have = connection.execute(select(VERSIONS.c.version)).scalar() if there else None
    if have != len(STEPS):
        raise BadDatabase("the database was not written by this version of qipai; start the server first")


def _check_schema(connection: Connection, version: int) -> None:
    """Raise `BadDatabase` if a table is not as its version says: nothing could be relied on."""
    wanted, found = _schema(STEPS[:version]), inspect(connection)
    for name in _schema(STEPS).keys() | wanted.keys():
        there = _shape(found, name) if found.has_table(name) else None
        if there == wanted.get(name):
            continue
        if version == 0:
            raise BadDatabase(f"the database has a table {name}, but no qipai has made it")
        raise BadDatabase(f"the database claims schema version {version}, but its table {name} is different")


@cache
def _schema(steps: tuple[str, ...]) -> dict[str, Shape]:
    """Return the tables that these steps make, by name. They are frozen, and so is what they make."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.begin() as connection:
        for step in steps:
            for statement in statements(step, "sqlite"):
                connection.exec_driver_sql(statement)
        found = inspect(connection)
        shapes = {name: _shape(found, name) for name in found.get_table_names()}
    engine.dispose()
    return shapes


def _shape(found: Inspector, table: str) -> Shape:
    """Return the columns of a table, their kinds and whether they may be empty, and its key."""
    columns = {c["name"]: (_kind(c["type"]), c["nullable"]) for c in found.get_columns(table)}
    return columns, found.get_pk_constraint(table)["constrained_columns"]


def _kind(column: TypeEngine[Any]) -> str:
    """Return what a column holds; databases have several names for it."""
    kinds = ((Integer, "number"), (Float, "float"), (String, "text"))
    return next((kind for known, kind in kinds if isinstance(column, known)), str(column))
