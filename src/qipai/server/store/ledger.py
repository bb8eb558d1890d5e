"""Reads and writes of a table's rows, as plain functions of a connection."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Table, delete, desc, select, text, update
from sqlalchemy.dialects import postgresql, sqlite

from qipai.match.series import ENDLESS, Goal

from .rows import (
    ACTIONS,
    ANSWERS,
    BANS,
    CHATS,
    CLOSED,
    ENTRIES,
    HANDS,
    REPORTS,
    RESULTS,
    SHARES,
    SNAPSHOTS,
    TABLES,
    TOTALS,
)

Entry = tuple[str, dict[str, Any]]  # kind, body
Move = tuple[int, tuple[int, ...]]  # seat, actions
CHANNEL = "qipai"  # PostgreSQL's notification channel
ADD_ACTIONS = ACTIONS.insert()  # prepared once, because every move needs it
COMMIT, REVEAL = 0, 1  # steps of an exchange
SERVER = -1  # instead of a seat, in the rows of an exchange
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
    goal: Goal = ENDLESS
    pace: str = "normal"  # of bots


@dataclass(frozen=True)
class Ended:
    """A hand that is over: its result, and what its moves are checked against."""

    hand: int
    payoff: list[int]
    digest: str
    chain: str
    key: str | None = None  # public key of the signature
    signature: str | None = None


def find_setup(connection: Connection, table: str) -> Setup | None:
    """Return the setup of a table, or None."""
    row = connection.execute(select(TABLES).where(TABLES.c.id == table)).one_or_none()
    if row is None:
        return None
    body = json.loads(row.setup)
    goal = Goal(*body.pop("goal", ()))  # tables of earlier versions have none
    return Setup(id=row.id, game=row.game, created=row.created, goal=goal, **body)


def add_table(connection: Connection, setup: Setup, entries: Sequence[Entry]) -> None:
    """Insert a table with its first entries."""
    body = {"seats": setup.seats, "options": setup.options, "clock": setup.clock, "claim": setup.claim}
    body |= {"private": setup.private, "aid": setup.aid, "goal": [setup.goal.kind, setup.goal.count]}
    body["pace"] = setup.pace
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


def begin_shares(connection: Connection, table: str, hand: int, seed: str, commitment: str) -> None:
    """Store the server's share and commitment before a hand; those of earlier hands are in their records."""
    connection.execute(delete(SHARES).where((SHARES.c.table_id == table) & (SHARES.c.hand < hand)))
    add_shares(connection, table, hand, COMMIT, {SERVER: commitment})
    add_shares(connection, table, hand, REVEAL, {SERVER: seed})


def add_shares(connection: Connection, table: str, hand: int, step: int, values: dict[int, str]) -> None:
    """Store what seats committed to or revealed; raises a conflict if one of them has done so before."""
    for seat, value in values.items():
        row = {"table_id": table, "hand": hand, "step": step, "seat": seat, "value": value}
        connection.execute(SHARES.insert().values(**row))


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
    row |= {"key": ended.key, "signature": ended.signature}
    connection.execute(update(HANDS).where(where).values(**row))
    for seat, guest in people.items():
        row = {"table_id": setup.id, "hand": hand, "seat": seat, "guest": guest, "game": setup.game}
        row |= {"names": _json(names), "payoff": payoff, "at": now}
        connection.execute(RESULTS.insert().values(**row))
    for guest, own in sorted((guest, ended.payoff[seat]) for seat, guest in people.items()):
        add_total(connection, guest, setup.game, own)


def add_total(connection: Connection, guest: str, game: str, own: int) -> None:
    """Count a hand in the totals of a guest who won `own`."""
    row = {"hands": 1, "won": int(own > 0), "lost": int(own < 0), "drawn": int(own == 0), "payoff": own}
    wish = upsert(connection, TOTALS).values(guest=guest, game=game, **row)
    more = {name: TOTALS.c[name] + wish.excluded[name] for name in row}
    connection.execute(wish.on_conflict_do_update(index_elements=["guest", "game"], set_=more))


def keep_snapshot(connection: Connection, table: str, number: int, body: dict[str, Any]) -> None:
    """Store what the first `number` entries of a table lead to."""
    row = {"number": number, "body": _json(body)}
    wish = upsert(connection, SNAPSHOTS).values(table_id=table, **row)
    newer = SNAPSHOTS.c.number < wish.excluded.number
    connection.execute(wish.on_conflict_do_update(index_elements=["table_id"], set_=row, where=newer))


def upsert(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """Return an insert that may say what to do with a row that exists."""
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


def add_chat(connection: Connection, table: str, line: dict[str, Any]) -> int:
    """Store a line of chat and return its number."""
    wish = CHATS.insert().values(table_id=table, **line).returning(CHATS.c.id)
    return int(connection.execute(wish).scalar_one())


def add_report(connection: Connection, line: Any, reporter: str, reason: str) -> None:
    """Store a report of a row of chat; a second one by the same guest changes nothing."""
    row = {"guest": line.guest, "name": line.name, "table_id": line.table_id, "line": line.id}
    row |= {"text": line.text, "reporter": reporter, "reason": reason, "at": time.time()}
    connection.execute(upsert(connection, REPORTS).values(**row).on_conflict_do_nothing())


def notify(connection: Connection, topic: str, worker: str) -> None:
    """Notify the other workers when this transaction commits."""
    values = {"channel": CHANNEL, "note": f"{topic} {worker}"}
    connection.execute(text("SELECT pg_notify(:channel, :note)"), values)


# --- reading ---------------------------------------------------------------------------


def recent_tables(connection: Connection, since: float) -> list[str]:
    """Return the tables that were active since then."""
    return list(connection.execute(select(TABLES.c.id).where(TABLES.c.touched >= since)).scalars())


def read_entries(connection: Connection, table: str, first: int, most: int | None = None) -> list[Entry]:
    """Return the entries from number `first` on."""
    where = (ENTRIES.c.table_id == table) & (ENTRIES.c.number >= first)
    query = select(ENTRIES.c.kind, ENTRIES.c.body).where(where).order_by(ENTRIES.c.number)
    rows = connection.execute(query.limit(most))
    return [(row.kind, json.loads(row.body)) for row in rows]


def read_snapshot(connection: Connection, table: str) -> dict[str, Any] | None:
    """Return the last snapshot of a table, or None."""
    found = connection.scalar(select(SNAPSHOTS.c.body).where(SNAPSHOTS.c.table_id == table))
    return None if found is None else dict(json.loads(found))


def sits(connection: Connection, table: str, guest: str) -> bool:
    """Return whether a guest ever took a seat at a table."""
    where = (ENTRIES.c.table_id == table) & (ENTRIES.c.kind == "sit")
    bodies = connection.execute(select(ENTRIES.c.body).where(where)).scalars()
    seats = (read_snapshot(connection, table) or {}).get("seats", [])
    guests = [json.loads(body)["guest"] for body in bodies] + [seat.get("guest") for seat in seats]
    return guest in guests


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


def read_shares(connection: Connection, table: str, hand: int) -> dict[int, dict[int, str]]:
    """Return the rows of an exchange: by step, then by seat."""
    where = (SHARES.c.table_id == table) & (SHARES.c.hand == hand)
    found: dict[int, dict[int, str]] = {COMMIT: {}, REVEAL: {}}
    for row in connection.execute(select(SHARES.c.step, SHARES.c.seat, SHARES.c.value).where(where)):
        found[row.step][row.seat] = row.value
    return found


def read_chats(connection: Connection, table: str, after: int, most: int) -> list[tuple[int, dict[str, Any]]]:
    """Return the last lines of chat after number `after`, oldest first."""
    where = (CHATS.c.table_id == table) & (CHATS.c.id > after)
    rows = connection.execute(select(CHATS).where(where).order_by(desc(CHATS.c.id)).limit(most))
    found = [
        (r.id, {"seat": r.seat, "name": r.name, "text": r.text, "at": r.at, "guest": r.guest}) for r in rows
    ]
    return found[::-1]


def read_chat(connection: Connection, table: str, number: int) -> Any:
    """Return the row of a line of chat, or None."""
    where = (CHATS.c.table_id == table) & (CHATS.c.id == number)
    return connection.execute(select(CHATS).where(where)).one_or_none()


def read_bans(connection: Connection) -> dict[str, float]:
    """Return who is banned now, and until when."""
    rows = connection.execute(select(BANS.c.guest, BANS.c.until).where(BANS.c.until > time.time()))
    return {row.guest: row.until for row in rows}


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
