"""Hidden information on the wire: what a seat is sent does not change with what it cannot know."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path
from typing import Any

import pytest

from qipai.core import Player, get
from qipai.match import Match
from qipai.match.step import position_at
from qipai.server import hall as hall_module
from qipai.server.table import requests
from qipai.server.wire import Act, Describe
from tests.server.room import Idle, Note, deal, hall, seated

GAMES = {"xianqi": 3, "nana": 4, "wuhan_mahjong": 4, "skill_gomoku": 2, "paipai_rensa": 1}
WORLDS = 3
TRIES = 3


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the driver, so that only the test makes moves."""
    monkeypatch.setattr(hall_module, "Driver", Idle)


async def compare_worlds(folder: Path, game: str, seats: int, hands: int, most: int) -> int:
    """Play at random; at every position send everyone the states of other consistent worlds."""
    compared = 0
    words = random.Random(1)
    async with hall(folder) as room:
        await room.catalog.wait(game)
        for hand in range(hands):
            table, notes = await seated(room, game, list(range(seats)), seats=seats)
            await deal(table, Match(game, {}, seats, bytes([hand]) * 32))
            player = Player(get(game), "random", hand)
            for _ in range(most):
                match = table.match
                assert match is not None
                if match.over:
                    break
                for viewer, note in notes.items():
                    sent = _sent(table, note)
                    for _ in range(WORLDS):
                        fresh = [words.getrandbits(32) for _ in range(4)]
                        other = match.game.redrawn(match.state, viewer, fresh)
                        true, match._position = match._position, position_at(match.game, other)
                        table.showing.forget()
                        assert _sent(table, note) == sent
                        match._position = true
                        table.showing.forget()
                        compared += 1
                move = player.move(match.state)
                async with table.lock:
                    await table.move(match.seat, move)
                    if table.window is not None:
                        await table.close_window()
    return compared


def _sent(table: Any, note: Note) -> list[str]:
    """Return everything sent to someone who joins now, looks, and tries out actions."""
    fresh = Note(note.guest)
    table.join(fresh, None)
    table.presence.part(fresh)
    table.showing.part(fresh)
    viewer = table.viewer(note.guest)
    here = {
        "type": "describe",
        "hand": table.seating.hand,
        "version": table.telling.version(viewer),
        "lang": "zh",
    }
    tries = [[], *([a] for a in table.showing.legal(viewer)[:TRIES])]
    looks = [requests.describe(table, note.guest, Describe(**here, picked=picked)) for picked in tries]
    return [*fresh.sent, *(found.model_dump_json() for found in looks)]


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_is_sent_the_same_in_every_world_that_fits(game: str, tmp_path: Path) -> None:
    assert asyncio.run(compare_worlds(tmp_path, game, GAMES[game], 1, 40)) > 60


async def twin_bytes(folder: Path, game: str, twins: Any, layout: Any) -> list[str]:
    """Return all states sent to the twins' seat."""
    seats = twins.seats or get(game).rules.seats[0]
    async with hall(folder) as room:
        await room.catalog.wait(game)
        table, notes = await seated(room, game, list(range(seats)), seats=seats)
        match = Match(get(game, twins.options), twins.options, seats, bytes(32), layout)
        await deal(table, match)
        note = notes[twins.seat]
        return [re.sub(r'"left":\d+', "", text) for text in note.sent if '"type":"state"' in text]


@pytest.mark.parametrize("game", [g for g in GAMES if get(g).checks.twins])
def test_twins_are_sent_alike(game: str, tmp_path: Path) -> None:
    for number, twins in enumerate(get(game).checks.twins):
        folders = [tmp_path / f"{number}{side}" for side in "ab"]
        for folder in folders:
            folder.mkdir()
        one = asyncio.run(twin_bytes(folders[0], game, twins, twins.one))
        other = asyncio.run(twin_bytes(folders[1], game, twins, twins.other))
        assert one == other, twins.about
        assert one


def test_a_refusal_says_nothing_of_others(tmp_path: Path) -> None:
    """Acting out of turn gets the same answer, no matter whose turn it is."""

    async def refusals() -> set[str]:
        found = set()
        async with hall(tmp_path) as room:
            await room.catalog.wait("nana")
            for first in (1, 2):
                table, notes = await seated(room, "nana", [0, 1, 2], seats=3)
                await deal(table, Match("nana", {"first": first}, 3, bytes(32)))
                version = table.telling.version(0) if table.telling else 0
                wish = Act(type="act", hand=0, version=version, actions=[0])
                try:
                    await requests.act(table, notes[0].guest, wish)
                except Exception as error:
                    found.add(f"{getattr(error, 'code', '')} {error}")
        return found

    assert asyncio.run(refusals()) == {"action/turn it is not seat 0's turn"}
