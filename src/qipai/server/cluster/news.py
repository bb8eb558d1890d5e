"""News between workers: none with SQLite, where there is one process; shared.py with PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ..store.ledger import recent_tables
from ..wire import TableInfo

if TYPE_CHECKING:
    from ..hall import Hall
    from ..table.table import Table


class News(Protocol):
    """What the hall asks."""

    listed: dict[str, TableInfo]  # tables of other workers

    async def start(self) -> None:
        """Begin to listen."""

    async def stop(self) -> None:
        """Stop listening, and let go of all leases."""

    async def orphans(self, since: float) -> list[str]:
        """Tables that were alive since then and that no other worker drives."""
        ...

    def held(self, table: Table) -> None:
        """This worker holds a table now."""

    def changed(self, table: Table) -> None:
        """Who is connected to a table here may have changed."""

    def drives(self, table: Table) -> bool:
        """Whether this worker moves the table."""


class Alone:
    """One process: it moves every table, and there is nobody to tell."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.listed: dict[str, TableInfo] = {}

    async def start(self) -> None:
        """Nothing to do."""

    async def stop(self) -> None:
        """Nothing to do."""

    async def orphans(self, since: float) -> list[str]:
        """All that were alive."""
        return await self.hall.store.read(lambda c: recent_tables(c, since))

    def held(self, table: Table) -> None:
        """Nothing to do."""

    def changed(self, table: Table) -> None:
        """Nothing to do."""

    def drives(self, table: Table) -> bool:
        """Always."""
        return True


def make_news(hall: Hall) -> News:
    """As the store allows."""
    if not hall.store.shared:
        return Alone(hall)
    from .shared import Shared  # needs psycopg, which SQLite does not

    return Shared(hall)
