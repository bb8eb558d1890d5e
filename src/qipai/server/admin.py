"""What an operator does about guests: reports, bans, deletion. Plain functions of a connection.

They work next to a running server, which looks at the bans every few seconds.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, select, update

from .refusals import UnknownGuest
from .store.ledger import upsert
from .store.prune import delete_guests
from .store.rows import BANS, CHATS, ENTRIES, GUESTS, HANDS, REPORTS, RESULTS, SNAPSHOTS, TOTALS

HOUR = 3600.0
AWAY = 60.0  # seconds for which a deleted guest cannot come back, so that every worker forgets the name
NAME = "Guest"  # in place of a deleted name
SHOWN = 100  # rows of a list


@dataclass(frozen=True)
class Report:
    """A reported line of chat."""

    id: int
    at: float
    guest: str
    name: str
    reporter: str
    reason: str
    table: str
    text: str
    closed: bool


@dataclass(frozen=True)
class GuestRow:
    """A guest with a row."""

    id: str
    name: str
    seen: float
    hands: int
    reports: int
    banned: float | None  # until when


def reports(connection: Connection, closed: bool = False) -> list[Report]:
    """Return the reports that are open (or all), newest first."""
    query = select(REPORTS).order_by(REPORTS.c.id.desc()).limit(SHOWN)
    rows = connection.execute(query if closed else query.where(REPORTS.c.closed.is_(None)))
    return [
        Report(
            row.id,
            row.at,
            row.guest,
            row.name,
            row.reporter,
            row.reason,
            row.table_id,
            row.text,
            bool(row.closed),
        )
        for row in rows
    ]


def close_report(connection: Connection, number: int) -> None:
    """Mark a report as dealt with."""
    wish = update(REPORTS).where(REPORTS.c.id == number).values(closed=time.time())
    if connection.execute(wish).rowcount == 0:
        raise UnknownGuest("there is no such report")


def guests(connection: Connection, search: str = "") -> list[GuestRow]:
    """Return the guests who were here last, or those whose name or id contains a text."""
    hands = select(func.sum(TOTALS.c.hands)).where(TOTALS.c.guest == GUESTS.c.id).scalar_subquery()
    count = select(func.count()).where(REPORTS.c.guest == GUESTS.c.id).scalar_subquery()
    query = select(GUESTS.c.id, GUESTS.c.name, GUESTS.c.seen, hands.label("hands"), count.label("reports"))
    if search:
        query = query.where(GUESTS.c.name.icontains(search, autoescape=True) | (GUESTS.c.id == search))
    rows = connection.execute(query.order_by(GUESTS.c.seen.desc()).limit(SHOWN)).all()
    until = {
        row.guest: row.until for row in connection.execute(select(BANS).where(BANS.c.until > time.time()))
    }
    return [GuestRow(r.id, r.name, r.seen, int(r.hands or 0), r.reports, until.get(r.id)) for r in rows]


def ban(connection: Connection, guest: str, hours: float, reason: str = "") -> float:
    """Ban a guest for a time; return until when."""
    _check(connection, guest)
    return _ban(connection, guest, hours * HOUR, reason)


def unban(connection: Connection, guest: str) -> None:
    """End a ban."""
    if connection.execute(delete(BANS).where(BANS.c.guest == guest)).rowcount == 0:
        raise UnknownGuest("this guest is not banned")


def forget(connection: Connection, guest: str) -> None:
    """Delete what is stored about a guest. Hands stay, under another name: others played them too."""
    _check(connection, guest)
    for row in connection.execute(select(RESULTS).where(RESULTS.c.guest == guest)).all():
        for table in (HANDS, RESULTS):  # the name in hands, and in the history of the others
            here = (table.c.table_id == row.table_id) & (table.c.hand == row.hand)
            for names in set(connection.scalars(select(table.c.names).where(here))):
                cleaned = _renamed(names, row.seat)
                connection.execute(update(table).where(here & (table.c.names == names)).values(names=cleaned))
    stranger = f"gone-{secrets.token_hex(6)}"
    for table_id in _tables_of(connection, guest):
        _clean_entries(connection, table_id, guest, stranger)
    connection.execute(delete(CHATS).where(CHATS.c.guest == guest))
    connection.execute(delete(REPORTS).where((REPORTS.c.guest == guest) | (REPORTS.c.reporter == guest)))
    delete_guests(connection, [guest])
    _ban(connection, guest, AWAY, "deleted")


def _check(connection: Connection, guest: str) -> None:
    if connection.scalar(select(GUESTS.c.id).where(GUESTS.c.id == guest)) is None:
        raise UnknownGuest("there is no such guest; `qipai admin guests` lists them")


def _ban(connection: Connection, guest: str, seconds: float, reason: str) -> float:
    now = time.time()
    row = {"until": now + seconds, "reason": reason, "at": now}
    wish = upsert(connection, BANS).values(guest=guest, **row)
    connection.execute(wish.on_conflict_do_update(index_elements=["guest"], set_=row))
    return now + seconds


def _renamed(names: str, seat: int) -> str:
    found = json.loads(names)
    found[seat] = NAME
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def _tables_of(connection: Connection, guest: str) -> list[str]:
    """Return the tables where a guest ever sat."""
    sat = (ENTRIES.c.kind == "sit") & ENTRIES.c.body.contains(f'"guest":"{guest}"', autoescape=True)
    kept = SNAPSHOTS.c.body.contains(f'"{guest}"', autoescape=True)
    queries = (select(ENTRIES.c.table_id).where(sat), select(SNAPSHOTS.c.table_id).where(kept))
    return sorted({name for query in queries for name in connection.scalars(query)})


def _clean_entries(connection: Connection, table: str, guest: str, stranger: str) -> None:
    """Replace a guest's id and names in the entries and the snapshot of a table."""
    rows = connection.execute(select(ENTRIES).where(ENTRIES.c.table_id == table).order_by(ENTRIES.c.number))
    entries = [(row.number, row.kind, dict(json.loads(row.body))) for row in rows]
    for number, body in _about(guest, entries):
        if "guest" in body:
            body["guest"] = stranger
        here = (ENTRIES.c.table_id == table) & (ENTRIES.c.number == number)
        text = json.dumps({**body, "name": NAME}, ensure_ascii=False, separators=(",", ":"))
        connection.execute(update(ENTRIES).where(here).values(body=text))
    whole = connection.scalar(select(SNAPSHOTS.c.body).where(SNAPSHOTS.c.table_id == table))
    if whole is not None:
        body = json.loads(whole)
        for seat in body["seats"]:
            if seat["guest"] == guest:
                seat |= {"guest": stranger, "name": NAME}
        body["removed"] = [stranger if one == guest else one for one in body["removed"]]
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        connection.execute(update(SNAPSHOTS).where(SNAPSHOTS.c.table_id == table).values(body=text))


def _about(
    guest: str, entries: list[tuple[int, str, dict[str, object]]]
) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield the entries that name a guest: when they sat down, and when they took another name there."""
    seat: object = None
    for number, kind, body in entries:
        if kind == "sit" and body["guest"] == guest:
            seat = body["seat"]
            yield number, body
        elif kind == "name" and body["seat"] == seat and seat is not None:
            yield number, body
        elif kind in ("sit", "bot", "remove") and body["seat"] == seat:
            seat = None
