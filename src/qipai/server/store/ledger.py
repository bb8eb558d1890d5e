"""Reads and writes of a table's rows, as plain functions of a connection."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, desc, select, text, update

from .rows import ACTIONS, ANSWERS, CHATS, CLOSED, ENTRIES, HANDS, RESULTS, TABLES

Entry = tuple[str, dict[str, Any]]  # kind, body
Move = tuple[int, tuple[int, ...]]  # seat, actions
CHANNEL = "qipai"  # PostgreSQL's notification channel
ADD_ACTIONS = ACTIONS.insert()  # prepared once, because every move needs it
GUEST = "@"  # prefix of a guest's id, in notifications that are not about a table


@dataclass(frozen=True)
class Setup:
    """The settings with which a table was opened. They never change."""

    id: str
    game: str
    seats: int
    options: dict[str, str | int]
    clock: int
    claim: float
    private: bool
    aid: bool
    created: float


@dataclass(frozen=True)
class Ended:
    """A hand that is over: its result, and what its moves are checked against."""

    hand: int
    payoff: list[int]
    digest: str
    chain: str


def find_setup(connection: Connection, table: str) -> Setup | None:
    """Return the setup of a table, or None."""
    row = connection.execute(select(TABLES).where(TABLES.c.id == table)).one_or_none()
    if row is None:
        return None
    return Setup(id=row.id, game=row.game, created=row.created, **json.loads(row.setup))


def add_table(connection: Connection, setup: Setup, entries: Sequence[Entry]) -> None:
    """Insert a table with its first entries."""
    body = {"seats": setup.seats, "options": setup.options, "clock": setup.clock, "claim": setup.claim}
    body |= {"private": setup.private, "aid": setup.aid}
    row = {"id": setup.id, "game": setup.game, "setup": _json(body), "created": setup.created}
    connection.execute(TABLES.insert().values(**row, touched=setup.created))
    add_entries(connection, setup.id, 0, entries)


def add_entries(connection: Connection, table: str, first: int, entries: Sequence[Entry]) -> None:
    """Append entries; raises a conflict if another worker has written a row with the same number."""
    now = time.time()
    for number, (kind, body) in enumerate(entries, first):
        row = {"table_id": table, "number": number, "kind": kind, "body": _json(body), "at": now}
        connection.execute(ENTRIES.insert().values(**row))


def touch(connection: Connection, table: str, listed: str | None) -> None:
    """Mark the table as active, and store how the lobby shows it."""
    row = {"touched": time.time(), "listed": listed}
    connection.execute(update(TABLES).where(TABLES.c.id == table).values(**row))


def add_hand(connection: Connection, table: str, hand: int, head: dict[str, Any], names: list[str]) -> None:
    """Insert a hand."""
    row = {"table_id": table, "hand": hand, "head": _json(head), "names": _json(names)}
    connection.execute(HANDS.insert().values(**row, started=time.time()))


def add_moves(
    connection: Connection, table: str, hand: int, ply: int, number: int, moves: Sequence[Move]
) -> None:
    """Append moves, one row per action."""
    rows: list[dict[str, Any]] = []
    for move, (seat, actions) in enumerate(moves, number):
        for action in actions:
            key = {"table_id": table, "hand": hand, "ply": ply + len(rows)}
            rows.append({**key, "move": move, "seat": seat, "action": action})
    if rows:
        connection.execute(ADD_ACTIONS, rows)


def add_answer(connection: Connection, table: str, hand: int, ply: int, seat: int, action: int) -> None:
    """Store a sealed answer."""
    row = {"table_id": table, "hand": hand, "ply": ply, "seat": seat, "action": action}
    connection.execute(ANSWERS.insert().values(**row))


def close_window(connection: Connection, table: str, hand: int, ply: int, missing: dict[int, int]) -> None:
    """Store that the window opened at `ply` is closed, and the default answers of seats that sealed none."""
    for seat, action in missing.items():
        add_answer(connection, table, hand, ply, seat, action)
    connection.execute(CLOSED.insert().values(table_id=table, hand=hand, ply=ply))


def end_hand(
    connection: Connection, setup: Setup, ended: Ended, people: dict[int, str], names: list[str]
) -> None:
    """Store the result of a hand, and add it to the history of every person who sat there."""
    now = time.time()
    hand, payoff = ended.hand, _json(ended.payoff)
    where = (HANDS.c.table_id == setup.id) & (HANDS.c.hand == hand)
    row = {"ended": now, "payoff": payoff, "digest": ended.digest, "chain": ended.chain}
    connection.execute(update(HANDS).where(where).values(**row))
    for seat, guest in people.items():
        row = {"table_id": setup.id, "hand": hand, "seat": seat, "guest": guest, "game": setup.game}
        row |= {"names": _json(names), "payoff": payoff, "at": now}
        connection.execute(RESULTS.insert().values(**row))


def add_chat(connection: Connection, table: str, line: dict[str, Any]) -> int:
    """Store a line of chat and return its number."""
    wish = CHATS.insert().values(table_id=table, **line).returning(CHATS.c.id)
    return int(connection.execute(wish).scalar_one())


def notify(connection: Connection, topic: str, worker: str) -> None:
    """Notify the other workers when this transaction commits."""
    values = {"channel": CHANNEL, "note": f"{topic} {worker}"}
    connection.execute(text("SELECT pg_notify(:channel, :note)"), values)


# --- reading ---------------------------------------------------------------------------


def recent_tables(connection: Connection, since: float) -> list[str]:
    """Return the tables that were active since then."""
    return list(connection.execute(select(TABLES.c.id).where(TABLES.c.touched >= since)).scalars())


def read_entries(connection: Connection, table: str, first: int) -> list[Entry]:
    """Return the entries from number `first` on."""
    where = (ENTRIES.c.table_id == table) & (ENTRIES.c.number >= first)
    rows = connection.execute(select(ENTRIES.c.kind, ENTRIES.c.body).where(where).order_by(ENTRIES.c.number))
    return [(row.kind, json.loads(row.body)) for row in rows]


def read_hand(connection: Connection, table: str, hand: int) -> Any:
    """Return the row of a hand, or None."""
    where = (HANDS.c.table_id == table) & (HANDS.c.hand == hand)
    return connection.execute(select(HANDS).where(where)).one_or_none()


def read_actions(connection: Connection, table: str, hand: int, ply: int = 0) -> list[tuple[int, int, int]]:
    """Return (move, seat, action) from `ply` on."""
    where = (ACTIONS.c.table_id == table) & (ACTIONS.c.hand == hand) & (ACTIONS.c.ply >= ply)
    rows = connection.execute(
        select(ACTIONS.c.move, ACTIONS.c.seat, ACTIONS.c.action).where(where).order_by(ACTIONS.c.ply)
    )
    return [(row.move, row.seat, row.action) for row in rows]


def read_windows(connection: Connection, table: str, hand: int, ply: int = 0) -> tuple[Any, list[int]]:
    """Return the sealed answers and closed windows from `ply` on."""
    where = (ANSWERS.c.table_id == table) & (ANSWERS.c.hand == hand) & (ANSWERS.c.ply >= ply)
    rows = connection.execute(select(ANSWERS.c.ply, ANSWERS.c.seat, ANSWERS.c.action).where(where))
    answers = [(row.ply, row.seat, row.action) for row in rows]
    over = (CLOSED.c.table_id == table) & (CLOSED.c.hand == hand) & (CLOSED.c.ply >= ply)
    return answers, list(connection.execute(select(CLOSED.c.ply).where(over)).scalars())


def read_chats(connection: Connection, table: str, after: int, most: int) -> list[tuple[int, dict[str, Any]]]:
    """Return the last lines of chat after number `after`, oldest first."""
    where = (CHATS.c.table_id == table) & (CHATS.c.id > after)
    rows = connection.execute(select(CHATS).where(where).order_by(desc(CHATS.c.id)).limit(most))
    found = [(r.id, {"seat": r.seat, "name": r.name, "text": r.text, "at": r.at}) for r in rows]
    return found[::-1]


def as_moves(actions: Sequence[tuple[int, int, int]]) -> list[Move]:
    """Group rows of actions into moves."""
    moves: list[Move] = []
    last = None
    for move, seat, action in actions:
        if move == last:
            moves[-1] = (seat, (*moves[-1][1], action))
        else:
            moves.append((seat, (action,)))
        last = move
    return moves


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
