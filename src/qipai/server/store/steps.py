"""The schema, step by step, as SQL that never changes: every version can be brought to the newest one.

A change of the tables in `rows.py` needs a new step here. Words in braces differ between databases (`WORDS`).
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

# Totals of each guest, kept up to date, so that they are exact however long the history is. Snapshots of
# tables, so that one loads without its past. Workers renew one row for all of their tables. What chat,
# moderation and retention need.
THIRD = """
ALTER TABLE guests ADD COLUMN seen FLOAT DEFAULT 0 NOT NULL;

UPDATE guests SET seen = {now};

CREATE INDEX ix_guests_seen ON guests (seen);

ALTER TABLE chats ADD COLUMN guest VARCHAR(24);

DROP INDEX ix_chats_table_id;

CREATE INDEX ix_chats_table_id ON chats (table_id, id);

CREATE INDEX ix_chats_at ON chats (at);

CREATE INDEX ix_hands_ended ON hands (ended);

CREATE INDEX ix_results_guest_at ON results (guest, at);

DROP INDEX ix_results_guest;

CREATE TABLE totals (
    guest VARCHAR(24) NOT NULL,
    game VARCHAR(40) NOT NULL,
    hands INTEGER NOT NULL,
    won INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    drawn INTEGER NOT NULL,
    payoff BIGINT NOT NULL,
    PRIMARY KEY (guest, game)
);

INSERT INTO totals (guest, game, hands, won, lost, drawn, payoff)
SELECT guest, game, count(*), sum(CASE WHEN own > 0 THEN 1 ELSE 0 END),
    sum(CASE WHEN own < 0 THEN 1 ELSE 0 END), sum(CASE WHEN own = 0 THEN 1 ELSE 0 END), sum(own)
FROM (SELECT guest, game, {own} AS own FROM results) AS played
GROUP BY guest, game;

CREATE TABLE snapshots (
    table_id VARCHAR(24) NOT NULL,
    number INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (table_id)
);

DROP TABLE leases;

CREATE TABLE leases (
    table_id VARCHAR(24) NOT NULL,
    worker VARCHAR(24) NOT NULL,
    PRIMARY KEY (table_id)
);

CREATE INDEX ix_leases_worker ON leases (worker);

DROP TABLE presence;

CREATE {unlogged}TABLE presence (
    table_id VARCHAR(24) NOT NULL,
    worker VARCHAR(24) NOT NULL,
    seats TEXT NOT NULL,
    watchers INTEGER NOT NULL,
    PRIMARY KEY (table_id, worker)
);

CREATE {unlogged}TABLE workers (
    worker VARCHAR(24) NOT NULL,
    until FLOAT NOT NULL,
    PRIMARY KEY (worker)
);

CREATE TABLE blocks (
    id {serial} NOT NULL,
    guest VARCHAR(24) NOT NULL,
    blocked VARCHAR(24) NOT NULL,
    name VARCHAR(80) NOT NULL,
    at FLOAT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (guest, blocked)
);

CREATE TABLE reports (
    id {serial} NOT NULL,
    at FLOAT NOT NULL,
    reporter VARCHAR(24) NOT NULL,
    guest VARCHAR(24) NOT NULL,
    name VARCHAR(80) NOT NULL,
    table_id VARCHAR(24) NOT NULL,
    line INTEGER NOT NULL,
    text TEXT NOT NULL,
    reason VARCHAR(12) NOT NULL,
    closed FLOAT,
    PRIMARY KEY (id),
    UNIQUE (reporter, line)
);

CREATE TABLE bans (
    guest VARCHAR(24) NOT NULL,
    until FLOAT NOT NULL,
    reason TEXT NOT NULL,
    at FLOAT NOT NULL,
    PRIMARY KEY (guest)
);
"""

# The signature of a finished hand, and the exchange in which people contribute to the seed of the next one.
FOURTH = """
ALTER TABLE hands ADD COLUMN key VARCHAR(64);

ALTER TABLE hands ADD COLUMN signature VARCHAR(128);

CREATE TABLE shares (
    table_id VARCHAR(24) NOT NULL,
    hand INTEGER NOT NULL,
    step INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    value VARCHAR(64) NOT NULL,
    PRIMARY KEY (table_id, hand, step, seat)
);
"""

STEPS = (FIRST, SECOND, THIRD, FOURTH)

# Where the databases differ.
WORDS = {
    "sqlite": {
        "serial": "INTEGER",
        "now": "CAST(strftime('%s', 'now') AS FLOAT)",
        "own": "json_extract(payoff, '$[' || seat || ']')",
        "unlogged": "",
    },
    "postgresql": {
        "serial": "SERIAL",
        "now": "extract(epoch FROM now())",
        "own": "(payoff::json ->> seat)::integer",
        "unlogged": "UNLOGGED ",  # what does not outlive the workers; an update of it is not logged
    },
}


def statements(step: str, dialect: str) -> list[str]:
    """Return the statements of a step for this kind of database."""
    text = step
    for word, written in WORDS[dialect].items():
        text = text.replace(f"{{{word}}}", written)
    return [part.strip() for part in text.split(";\n") if part.strip()]
