"""Readiness: whether this worker can do its work, and what is wrong if it cannot."""

from __future__ import annotations

import asyncio
import logging
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, update

from .logs import log
from .store.rows import VERSIONS

if TYPE_CHECKING:
    from .hall import Hall

PATIENCE = 3.0  # seconds for the database to write
FRESH = 2.0  # seconds for which an answer is repeated: anyone may ask
FULL = 60.0  # seconds for which the disk counts as full after a write found no room
SWEEPS = 4  # rounds of the sweeper that may be missed


class Health:
    """Checks the database, the disk and the tasks of a hall."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._failing: list[str] = []
        self._at = -FRESH
        self._write: asyncio.Task[None] | None = None

    async def failing(self) -> list[str]:
        """Return what fails, by name; nothing if the worker is ready."""
        if time.monotonic() - self._at >= FRESH:
            self._at = time.monotonic()
            database = await self._database_fails()
            checks = {
                "database": database or self._hall.store.corrupt,
                "disk": self._disk_is_full(),
                "sweeper": self._hall.sweeper_late(SWEEPS),
                "leases": not self._hall.news.alive,
            }
            self._failing = [name for name, fails in checks.items() if fails]
            if self._failing:
                log("health/unready", logging.ERROR, failing=self._failing)
        return self._failing

    async def _database_fails(self) -> bool:
        """Write a row with the value that it has, and wait for the commit, but not forever."""
        if self._write is None or self._write.done():
            self._write = asyncio.create_task(self._hall.store.write(_write))
            self._write.add_done_callback(lambda task: task.cancelled() or task.exception())
        try:
            async with asyncio.timeout(PATIENCE):
                await asyncio.shield(self._write)
        except Exception:  # the store logs its cause
            return True
        return False

    def _disk_is_full(self) -> bool:
        """Return whether a write found no room a moment ago, or a SQLite file has little room left.

        The row that this check writes may still find room where others do not.
        """
        store = self._hall.store
        if time.monotonic() - store.full < FULL:
            return True
        if store.shared:
            return False
        folder = Path(store.engine.url.database or "").absolute().parent
        try:
            return shutil.disk_usage(folder).free < self._hall.settings.disk_free
        except OSError:
            return True


def _write(connection: Connection) -> None:
    connection.execute(update(VERSIONS).values(version=VERSIONS.c.version))
