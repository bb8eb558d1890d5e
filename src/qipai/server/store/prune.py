"""Retention: deletes what is older than the settings say, a bounded number of rows at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, select, tuple_

from ..settings import Settings
from .guests import DAY
from .rows import (
    ACTIONS,
    ANSWERS,
    BANS,
    BLOCKS,
    CHATS,
    CLOSED,
    ENTRIES,
    GUESTS,
    HANDS,
    LEASES,
    REPORTS,
    RESULTS,
    SHARES,
    SNAPSHOTS,
    TABLES,
    TOTALS,
)

TOGETHER = 200  # rows (or hands, guests, tables) per commit


@dataclass(frozen=True)
class Job:
    """One kind of data; `run` returns how many were deleted, and is repeated while that is `TOGETHER`."""

    name: str
    run: Callable[[Connection], int]


def jobs(settings: Settings, held: Collection[str] = ()) -> list[Job]:
    """Return what there is to prune. Tables that are `held` in memory stay."""
    now = time.time()
    found = [Job("bans", lambda c: c.execute(delete(BANS).where(BANS.c.until < now)).rowcount and 0)]
    if settings.keep_chat > 0:
        chat = now - settings.keep_chat * DAY
        found += [
            Job("chat", lambda c: prune_chat(c, chat)),
            Job("reports", lambda c: prune_reports(c, chat)),
        ]
    if settings.keep_hands > 0:
        hands = now - settings.keep_hands * DAY
        found += [
            Job("hands", lambda c: prune_hands(c, hands)),
            Job("entries", lambda c: prune_entries(c, hands)),
            Job("tables", lambda c: prune_tables(c, hands, held)),
        ]
    if settings.keep_guests > 0:
        guests = now - settings.keep_guests * DAY
        found.append(Job("guests", lambda c: prune_guests(c, guests)))
    return found


def prune_chat(connection: Connection, before: float) -> int:
    """Delete lines of chat."""
    old = select(CHATS.c.id).where(CHATS.c.at < before).limit(TOGETHER)
    return connection.execute(delete(CHATS).where(CHATS.c.id.in_(old))).rowcount


def prune_reports(connection: Connection, before: float) -> int:
    """Delete reports that the operator has closed."""
    old = select(REPORTS.c.id).where(REPORTS.c.closed < before).limit(TOGETHER)
    return connection.execute(delete(REPORTS).where(REPORTS.c.id.in_(old))).rowcount


def prune_hands(connection: Connection, before: float) -> int:
    """Delete finished hands and their moves, except the last of each table: the next hand needs it."""
    later = HANDS.alias()
    follows = select(later.c.hand).where(
        (later.c.table_id == HANDS.c.table_id) & (later.c.hand > HANDS.c.hand)
    )
    query = select(HANDS.c.table_id, HANDS.c.hand).where((HANDS.c.ended < before) & follows.exists())
    keys = [tuple(row) for row in connection.execute(query.limit(TOGETHER))]
    _delete_hands(connection, keys)
    return len(keys)


def _delete_hands(connection: Connection, keys: list[Any]) -> None:
    for table in (ACTIONS, ANSWERS, CLOSED, RESULTS, HANDS) if keys else ():
        connection.execute(delete(table).where(tuple_(table.c.table_id, table.c.hand).in_(keys)))


def prune_entries(connection: Connection, before: float) -> int:
    """Delete entries that a snapshot contains."""
    of_table = SNAPSHOTS.c.table_id == ENTRIES.c.table_id
    query = select(ENTRIES.c.table_id, ENTRIES.c.number).join(SNAPSHOTS, of_table)
    old = query.where((ENTRIES.c.number < SNAPSHOTS.c.number) & (ENTRIES.c.at < before)).limit(TOGETHER)
    keys = [tuple(row) for row in connection.execute(old)]
    if keys:
        connection.execute(delete(ENTRIES).where(tuple_(ENTRIES.c.table_id, ENTRIES.c.number).in_(keys)))
    return len(keys)


def prune_tables(connection: Connection, before: float, held: Collection[str]) -> int:
    """Delete tables where nobody has been for as long, with everything that belongs to them."""
    unused = (TABLES.c.touched < before) & TABLES.c.id.not_in(select(LEASES.c.table_id))
    busy = select(func.max(HANDS.c.started)).where(HANDS.c.table_id == TABLES.c.id).scalar_subquery()
    query = select(TABLES.c.id).where(unused & (func.coalesce(busy, 0.0) < before))
    names = [name for name in connection.scalars(query.limit(TOGETHER)) if name not in held]
    for table in (
        (ACTIONS, ANSWERS, CLOSED, RESULTS, HANDS, SHARES, ENTRIES, SNAPSHOTS, CHATS) if names else ()
    ):
        connection.execute(delete(table).where(table.c.table_id.in_(names)))
    if names:
        connection.execute(delete(TABLES).where(TABLES.c.id.in_(names)))
    return len(names)


def prune_guests(connection: Connection, before: float) -> int:
    """Delete guests who have not come for as long, with their history and totals."""
    names = list(connection.scalars(select(GUESTS.c.id).where(GUESTS.c.seen < before).limit(TOGETHER)))
    delete_guests(connection, names)
    return len(names)


def delete_guests(connection: Connection, names: list[str]) -> None:
    """Delete the rows of guests and what is only about them. Hands stay: others played them too."""
    if names:
        for table in (RESULTS, TOTALS, BLOCKS):
            connection.execute(delete(table).where(table.c.guest.in_(names)))
        connection.execute(delete(BLOCKS).where(BLOCKS.c.blocked.in_(names)))
        connection.execute(delete(GUESTS).where(GUESTS.c.id.in_(names)))
