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


def at_a_table(folder: Path, work: Any, **wish: Any) -> None:
    async def run() -> None:
        async with hall(folder) as room:
            await room.catalog.wait(PRIZES.name)
            table, notes = await seated(room, PRIZES.name, [0, 1], **wish)
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


@pytest.mark.parametrize("clock", [0, 60])
def test_sockets_of_one_viewer_share_a_text_with_or_without_a_clock(tmp_path: Path, clock: int) -> None:
    async def work(table: Any, notes: dict[int, Note]) -> None:
        for viewer in (1, -1):
            other = Note(notes[viewer].guest)
            table.join(other, None)
            notes[10 + viewer] = other
        async with table.lock:
            await table.move(0, [0, 2])
        for viewer in (1, -1):
            assert notes[viewer].sent[-1] is notes[10 + viewer].sent[-1]
            assert (notes[viewer].states[-1]["turn_clock"] is not None) == bool(clock)
        assert notes[1].sent[-1] != notes[-1].sent[-1]

    at_a_table(tmp_path, work, clock=clock)


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
