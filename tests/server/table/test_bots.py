"""Bots at tables: a whole legal move, from a thread or from a process that never has the true state."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qipai.bots.levels import playing
from qipai.core import Sight, get, strongest
from qipai.core.agent import agent_words, sight
from qipai.match import Match
from qipai.server.table import bots as module
from qipai.server.table.bots import Bots, Crew, Elsewhere, Mind
from tests.server.live import live, until
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


def test_a_bot_that_does_not_play_this_game_any_more_is_replaced_by_the_strongest() -> None:
    """A table in the database may name the net of a file that the server was started without."""
    assert playing(PRIZES, "random") == "random"
    assert playing(PRIZES, "run-7") == strongest(PRIZES)
    match = Match(PRIZES, seed=SEED)
    match.act(match.seat, Crew(PRIZES).move(match.seat, "run-7", match.state))


# --- processes -------------------------------------------------------------------------


class Told(Mind):
    """A mind without a process, which remembers what it is told."""

    def __init__(self) -> None:
        super().__init__((), 1.0)
        self.sights: list[Sight] = []

    def ready(self, game: Any, options: dict[str, Any]) -> bool:
        return True

    def think(self, header: dict[str, Any], sight: Sight) -> int:
        self.sights.append(sight)
        return int(np.flatnonzero(sight.mask)[0])


def test_a_process_gets_the_sight_of_its_seat_and_never_the_true_state() -> None:
    game = get("nana")
    told = Told()
    header = {"agent": "random", "seed": 1, "lane": 0, "key": "k"}
    one = Match(game, seed=SEED, seats=3).state
    twin = game.redrawn(one, int(one["seat"]), [1, 2, 3, 4])  # looks the same to the seat
    assert one.tobytes() != twin.tobytes()
    for state in (one, twin):
        words = agent_words(game, 1, 1)
        seen = sight(game, state, int(state["seat"]), words)
        Elsewhere(game, header, told).act(seen)
    first, second = (s.state.tobytes() for s in told.sights)
    assert first not in (one.tobytes(), twin.tobytes())
    assert first == second

    match = Match(game, seed=SEED, seats=3)
    move = Crew(game).move(match.seat, "random", match.state, told)
    assert told.sights[-1].state.tobytes() != match.state.tobytes()
    match.act(match.seat, move)


def test_a_bot_that_takes_too_long_gets_a_drawn_action_and_a_new_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MODULE", "tests.server.table.stubborn")
    game = get("nana")
    match = Match(game, seed=SEED, seats=2)
    options = game.options_of(match.state)
    mind = Mind((), 2.0)  # long enough for the bot that is quick, on a busy machine too
    try:
        until(lambda: mind.ready(game, options))
        first = mind._process
        match.act(match.seat, Crew(game).move(match.seat, "random", match.state, mind))
        assert mind.late == 0
        match.act(match.seat, Crew(game).move(match.seat, "net", match.state, mind))  # hangs
        assert mind.late == 1 and first is not None and first.poll() is not None
        until(lambda: mind.ready(game, options))
        match.act(match.seat, Crew(game).move(match.seat, "random", match.state, mind))
        assert mind.late == 1 and mind.running
    finally:
        mind.close()
    until(lambda: not mind.running)


@pytest.mark.slow
def test_a_table_is_played_by_a_bot_in_its_process(tmp_path: Path) -> None:
    with live(tmp_path, bot_processes=1, drive_unwatched=True) as server:
        table = server.person().open("nana", seats=2, bots=["random", "random"], options={"max_turns": 40})
        mind = server.hall.bots._minds[0]
        until(lambda: mind._warm and mind._warmer is None, 300)
        inside = server.hall.tables[table]
        hand = inside.seating.hand
        until(lambda: inside.seating.hand > hand + 1)
        assert server.hall.bots.processes == 1 and server.hall.bots.late == 0
        assert server.hall.metrics.errors == 0
    until(lambda: not mind.running)
