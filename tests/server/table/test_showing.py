"""What sockets are sent: nothing twice, nothing missed, and to each viewer its own view."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from qipai.match import Match
from qipai.server import hall as hall_module
from tests.server.room import Idle, Note, deal, hall, seated
from tests.toys import PRIZES, SEED, registered

DEAL = {"hands": [[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]], "first": 0}


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(hall_module, "Driver", Idle)
    with registered():
        yield


def at_a_table(folder: Path, work: Any) -> None:
    async def run() -> None:
        async with hall(folder) as room:
            await room.catalog.wait(PRIZES.name)
            table, notes = await seated(room, PRIZES.name, [0, 1])
            await deal(table, Match(PRIZES, seed=SEED, layout=DEAL))
            await work(table, notes)

    asyncio.run(run())


def test_nothing_is_sent_twice(tmp_path: Path) -> None:
    async def work(table: Any, notes: dict[int, Note]) -> None:
        sent = {seat: len(note.sent) for seat, note in notes.items()}
        table.publish()
        table.publish()
        assert {seat: len(note.sent) for seat, note in notes.items()} == sent

    at_a_table(tmp_path, work)


def test_a_socket_that_comes_back_is_sent_what_it_missed(tmp_path: Path) -> None:
    async def work(table: Any, notes: dict[int, Note]) -> None:
        async with table.lock:
            await table.move(0, [0, 2])
            await table.move(1, [1, 3])
        whole = [event for state in notes[1].states for event in state["events"]]
        for version in (0, 1, 2, len(whole)):
            again = Note(notes[1].guest)
            table.join(again, (0, version))
            assert again.states[-1]["events"] == whole[version:]
        for told in ((0, 99), (7, 1), None):  # what it cannot have seen is sent from the start
            again = Note(notes[1].guest)
            table.join(again, told)
            assert again.states[-1]["events"] == whole

    at_a_table(tmp_path, work)


def test_only_the_seat_that_decides_is_told_what_is_legal(tmp_path: Path) -> None:
    async def work(table: Any, notes: dict[int, Note]) -> None:
        assert notes[0].states[-1]["legal"] == table.match.legal(0)
        assert notes[1].states[-1]["legal"] == notes[-1].states[-1]["legal"] == []
        views = {seat: json.dumps(note.states[-1]["view"]) for seat, note in notes.items()}
        assert len(set(views.values())) == 3

    at_a_table(tmp_path, work)
