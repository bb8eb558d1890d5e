"""The tables of the database as they are now; `steps.py` says how older ones become so."""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Connection,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    inspect,
    select,
)

from ..refusals import BadDatabase
from .steps import STEPS, statements

META = MetaData()

VERSIONS = Table("schema_version", META, Column("version", Integer, primary_key=True))

GUESTS = Table(
    "guests",
    META,
    Column("id", String(24), primary_key=True),
    Column("token", String(64), nullable=False, unique=True),  # SHA-256 of the secret
    Column("name", String(80), nullable=False),
    Column("created", Float, nullable=False),
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
    Column("ended", Float, nullable=True),
    Column("payoff", Text, nullable=True),  # JSON
    Column("digest", String(64), nullable=True),
    Column("chain", String(64), nullable=True),  # over the moves; hands of older versions have none
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
    Column("table_id", String(24), nullable=False, index=True),
    Column("seat", Integer, nullable=False),
    Column("name", String(80), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Float, nullable=False),
)

RESULTS = Table(
    "results",
    META,
    Column("table_id", String(24), primary_key=True),
    Column("hand", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("guest", String(24), nullable=False, index=True),
    Column("game", String(40), nullable=False),
    Column("names", Text, nullable=False),
    Column("payoff", Text, nullable=False),
    Column("at", Float, nullable=False),
)

# The worker that drives a table's bots and clocks, and until when (by the database's clock).
LEASES = Table(
    "leases",
    META,
    Column("table_id", String(24), primary_key=True),
    Column("worker", String(24), nullable=False),
    Column("until", Float, nullable=False),
)

# Who is connected to which worker; the connections of a worker that stopped responding do not count.
PRESENCE = Table(
    "presence",
    META,
    Column("table_id", String(24), primary_key=True),
    Column("worker", String(24), primary_key=True),
    Column("seats", Text, nullable=False),  # JSON list
    Column("watchers", Integer, nullable=False),
    Column("beat", Float, nullable=False),
)


# Secrets of the server itself, by name.
KEYS = Table(
    "keys",
    META,
    Column("name", String(40), primary_key=True),
    Column("value", String(200), nullable=False),
)


def migrate(connection: Connection) -> int:
    """Migrate the database to the current schema and return its version."""
    have = 0
    if inspect(connection).has_table(VERSIONS.name):
        have = connection.execute(select(VERSIONS.c.version)).scalar() or 0
    else:
        VERSIONS.create(connection)
    if have > len(STEPS):
        raise BadDatabase(f"the database has schema version {have}; this qipai supports up to {len(STEPS)}")
    for step in STEPS[have:]:
        for statement in statements(step, connection.dialect.name):
            connection.exec_driver_sql(statement)
    if have != len(STEPS):
        connection.execute(VERSIONS.delete())
        connection.execute(VERSIONS.insert().values(version=len(STEPS)))
    _check_columns(connection, have)
    return len(STEPS)


def _check_columns(connection: Connection, claimed: int) -> None:
    """Raise `BadDatabase` if a table is not as its version says: nothing could be relied on."""
    found = inspect(connection)
    for table in META.sorted_tables:
        there = found.has_table(table.name)
        names = {column["name"] for column in found.get_columns(table.name)} if there else set()
        if names != set(table.columns.keys()):
            raise BadDatabase(
                f"the database claims schema version {claimed}, but its table {table.name} is different"
            )
