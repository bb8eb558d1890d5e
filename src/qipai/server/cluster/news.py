"""Notifications between workers: none with SQLite, which has one process; `shared.py` with PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ..store.ledger import recent_tables
from ..wire import TableInfo

if TYPE_CHECKING:
    from ..hall import Hall
    from ..table.table import Table


class News(Protocol):
    """The interface that the hall uses."""

    listed: dict[str, TableInfo]  # tables of other workers

    @property
    def alive(self) -> bool:
        """Whether this worker can renew its leases."""
        ...

    @property
    def pause(self) -> float:
        """Seconds after which a table that is in use is marked as active again."""
        ...

    async def start(self) -> None:
        """Start listening."""

    async def stop(self) -> None:
        """Stop listening and release all leases."""

    async def orphans(self, since: float) -> list[str]:
        """Return the tables that were active since then and that no other worker drives."""
        ...

    def held(self, table: Table) -> None:
        """Note that this worker now holds a table."""

    def changed(self, table: Table) -> None:
        """Note that the connections to a table at this worker may have changed."""

    def drives(self, table: Table) -> bool:
        """Return whether this worker drives the table."""


class Alone:
    """One process: it drives every table, and there is no other worker to notify."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.listed: dict[str, TableInfo] = {}
        self.alive = True
        self.pause = hall.settings.sleep / 4

    async def start(self) -> None:
        """Do nothing."""

    async def stop(self) -> None:
        """Do nothing."""

    async def orphans(self, since: float) -> list[str]:
        """Return all tables that were active."""
        return await self.hall.store.read(lambda c: recent_tables(c, since))

    def held(self, table: Table) -> None:
        """Do nothing."""

    def changed(self, table: Table) -> None:
        """Do nothing."""

    def drives(self, table: Table) -> bool:
        """Return True."""
        return True


def make_news(hall: Hall) -> News:
    """Return the implementation for the store's kind of database."""
    if not hall.store.shared:
        return Alone(hall)
    from .shared import Shared  # needs psycopg, which is not required for SQLite

    return Shared(hall)
