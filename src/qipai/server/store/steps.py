"""The schema, step by step, as SQL that never changes: every version can be brought to the newest one.

A change of the tables in `rows.py` needs a new step here. `{serial}` is a number that the database counts up.
"""

from __future__ import annotations

FIRST = """
CREATE TABLE actions (
    table_id VARCHAR(24) NOT NULL,
    hand INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    move INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    action INTEGER NOT NULL,
    PRIMARY KEY (table_id, hand, ply)
);

CREATE TABLE answers (
    table_id VARCHAR(24) NOT NULL,
    hand INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    action INTEGER NOT NULL,
    PRIMARY KEY (table_id, hand, ply, seat)
);

CREATE TABLE chats (
    id {serial} NOT NULL,
    table_id VARCHAR(24) NOT NULL,
    seat INTEGER NOT NULL,
    name VARCHAR(80) NOT NULL,
    text TEXT NOT NULL,
    at FLOAT NOT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX ix_chats_table_id ON chats (table_id);

CREATE TABLE closed (
    table_id VARCHAR(24) NOT NULL,
    hand INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    PRIMARY KEY (table_id, hand, ply)
);

CREATE TABLE entries (
    table_id VARCHAR(24) NOT NULL,
    number INTEGER NOT NULL,
    kind VARCHAR(12) NOT NULL,
    body TEXT NOT NULL,
    at FLOAT NOT NULL,
    PRIMARY KEY (table_id, number)
);

CREATE TABLE guests (
    id VARCHAR(24) NOT NULL,
    token VARCHAR(64) NOT NULL,
    name VARCHAR(80) NOT NULL,
    created FLOAT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (token)
);

CREATE TABLE hands (
    table_id VARCHAR(24) NOT NULL,
    hand INTEGER NOT NULL,
    head TEXT NOT NULL,
    names TEXT NOT NULL,
    started FLOAT NOT NULL,
    ended FLOAT,
    payoff TEXT,
    digest VARCHAR(64),
    PRIMARY KEY (table_id, hand)
);

CREATE TABLE leases (
    table_id VARCHAR(24) NOT NULL,
    worker VARCHAR(24) NOT NULL,
    until FLOAT NOT NULL,
    PRIMARY KEY (table_id)
);

CREATE TABLE presence (
    table_id VARCHAR(24) NOT NULL,
    worker VARCHAR(24) NOT NULL,
    seats TEXT NOT NULL,
    watchers INTEGER NOT NULL,
    beat FLOAT NOT NULL,
    PRIMARY KEY (table_id, worker)
);

CREATE TABLE results (
    table_id VARCHAR(24) NOT NULL,
    hand INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    guest VARCHAR(24) NOT NULL,
    game VARCHAR(40) NOT NULL,
    names TEXT NOT NULL,
    payoff TEXT NOT NULL,
    at FLOAT NOT NULL,
    PRIMARY KEY (table_id, hand, seat)
);

CREATE INDEX ix_results_guest ON results (guest);

CREATE TABLE tables (
    id VARCHAR(24) NOT NULL,
    game VARCHAR(40) NOT NULL,
    setup TEXT NOT NULL,
    created FLOAT NOT NULL,
    touched FLOAT NOT NULL,
    listed TEXT,
    PRIMARY KEY (id)
);

CREATE INDEX ix_tables_touched ON tables (touched);
"""

# Keys of the server, such as the one that marks the tokens it issued; the hash chain of a finished hand.
SECOND = """
CREATE TABLE keys (
    name VARCHAR(40) NOT NULL,
    value VARCHAR(200) NOT NULL,
    PRIMARY KEY (name)
);

ALTER TABLE hands ADD COLUMN chain VARCHAR(64);
"""

STEPS = (FIRST, SECOND)


def statements(step: str, dialect: str) -> list[str]:
    """Return the statements of a step for this kind of database."""
    text = step.replace("{serial}", "SERIAL" if dialect == "postgresql" else "INTEGER")
    return [part.strip() for part in text.split(";\n") if part.strip()]
