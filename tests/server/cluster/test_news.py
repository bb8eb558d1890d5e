"""One process with SQLite: it drives every table, and no other worker must be notified."""

from __future__ import annotations

import asyncio
from pathlib import Path

from qipai.server.cluster.news import Alone
from tests.server.room import hall, seated


def test_a_single_process_drives_all_and_lists_nothing_of_others(tmp_path: Path) -> None:
    async def run() -> None:
        async with hall(tmp_path) as room:
            table, _ = await seated(room, "nana", [0], seats=2)
            assert isinstance(room.news, Alone)
            assert room.drives(table) and room.news.listed == {}
            assert await room.news.orphans(0.0) == [table.id]
            assert await room.news.orphans(1e12) == []

    asyncio.run(run())
