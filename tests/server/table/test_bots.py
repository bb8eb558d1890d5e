"""Bots at tables: a whole legal move, from a thread."""

from __future__ import annotations

import asyncio

from qipai.core import bots_of
from qipai.match import Match
from qipai.server.table.bots import Bots, Crew, playing, strongest
from tests.toys import PRIZES, SEED


def test_a_bot_makes_a_whole_move() -> None:
    match = Match(PRIZES, seed=SEED)
    before = match.state.tobytes()

    async def think() -> list[int]:
        bots = Bots(1)
        try:
            return await bots.move(Crew(PRIZES), match.seat, "random", match.state)
        finally:
            bots.close()

    move = asyncio.run(think())
    assert match.state.tobytes() == before
    match.act(match.seat, move)


def test_the_strongest_bot_has_the_highest_level() -> None:
    levels = {name: spec.level for name, spec in bots_of(PRIZES).items()}
    assert levels[strongest(PRIZES)] == max(levels.values())


def test_a_bot_that_does_not_play_this_game_any_more_is_replaced_by_the_strongest() -> None:
    """A table in the database may name the net of a file that the server was started without."""
    assert playing(PRIZES, "random") == "random"
    assert playing(PRIZES, "run-7") == strongest(PRIZES)
    match = Match(PRIZES, seed=SEED)
    match.act(match.seat, Crew(PRIZES).move(match.seat, "run-7", match.state))
