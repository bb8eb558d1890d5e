"""A hall inside the test's event loop, with sockets that only record what they are sent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from qipai.match import Match
from qipai.server.hall import Hall
from qipai.server.http.sockets import Phase
from qipai.server.settings import Settings
from qipai.server.store.guests import Guest
from qipai.server.table import requests
from qipai.server.table.table import Table
from qipai.server.wire import NewTable
from tests.server.live import QUICK


class Note:
    """A socket that records what a table sends."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.phase = Phase.OPEN
        self.sent: list[str] = []

    def send(self, text: str) -> None:
        self.sent.append(text)

    @property
    def states(self) -> list[dict[str, Any]]:
        return [m for m in map(json.loads, self.sent) if m["type"] == "state"]


class Idle:
    """A driver that does nothing: the test makes all moves."""

    def __init__(self, table: Table) -> None: ...

    async def run(self) -> None:
        await asyncio.Event().wait()

    def stop(self) -> None: ...


@asynccontextmanager
async def hall(folder: Path, **given: Any) -> AsyncIterator[Hall]:
    """Yield a hall that compiles what it needs, and stops at the end."""
    found = Hall(Settings(**{"database": f"sqlite:///{folder}/server.db", **QUICK, **given}))
    await found.start()
    try:
        yield found
    finally:
        await found.stop()


async def guest(hall: Hall) -> Guest:
    return await hall.guests.newcomer()


async def seated(hall: Hall, game: str, people: list[int], **wish: Any) -> tuple[Table, dict[int, Note]]:
    """Return a table with persons on `people`, not ready, and a note for each of them and a watcher (-1)."""
    owner = await guest(hall)
    table = await hall.open(owner, NewTable(game=game, **wish))
    seats = {0: owner}
    for seat in people:
        if seat != 0:
            seats[seat] = await guest(hall)
            await requests.sit(table, seats[seat], seat)
    if 0 not in people:
        await requests.stand(table, owner)
        del seats[0]
    seats[-1] = await guest(hall)
    notes = {seat: Note(who) for seat, who in seats.items()}
    for note in notes.values():
        table.join(note, None)  # type: ignore[arg-type]
    return table, notes


async def deal(table: Table, match: Match) -> None:
    """Start a hand made by the test."""
    async with table.lock:
        await table.deal(match)


async def come(holds: Callable[[], Any], seconds: float = 60.0) -> Any:
    """Wait for something to become true."""
    async with asyncio.timeout(seconds):
        while not (found := holds()):
            await asyncio.sleep(0.005)
    return found
