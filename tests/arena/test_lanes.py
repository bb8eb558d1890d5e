"""Many tables at once play the games of `play_games`, byte for byte."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from qipai.arena.contest import contest_of
from qipai.arena.guard import guarded
from qipai.arena.lanes import LENGTH, lanes_of
from qipai.arena.play import Played, play_deal, play_games
from qipai.core import AgentSpec, Game, Sight
from qipai.core.errors import AgentFault
from tests.envs.toy import LAPS

from .agents import spec, stakes


def untimed(deals: list[list[Played]]) -> list[list[Played]]:
    return [[replace(game, seconds=()) for game in games] for games in deals]


@pytest.mark.parametrize(
    ("game", "agents", "seats"),
    [
        ("xianqi", ["random"], 3),
        ("xianqi", ["heuristic", "random"], 3),
        ("xianqi", ["heuristic", "net"], 3),
        ("wuhan_mahjong", ["random"], 4),
        ("wuhan_mahjong", ["heuristic", "random"], 4),
        ("nana", ["random"], 6),
        ("nana", ["net", "random"], 2),
        ("skill_gomoku", ["heuristic", "random"], 2),
        ("paipai_rensa", ["random"], 1),
        ("kuhn_poker", ["random"], 2),
    ],
)
def test_games_are_those_played_table_by_table(game: str, agents: list[str], seats: int) -> None:
    contest = contest_of(game, agents, 100, 2**40 + 5, None, seats)
    tables = lanes_of(contest, tables=2 * len(contest.seatings))  # two deals at a time
    assert tables is not None
    plain = [play_games(contest, deal) for deal in (7, 8, 9)]
    assert untimed(tables.games(7, 3)) == untimed(plain)
    assert tables.tallies(8, 2) == [play_deal(contest, deal) for deal in (8, 9)]
    assert all(sum(game.seconds) > 0 for game in tables.games(7, 1)[0])


def test_a_long_game_goes_on_when_its_log_is_full() -> None:
    contest = contest_of(LAPS, ["random"], 100, 1, {"laps": 40}, 4)
    tables = lanes_of(contest)
    assert tables is not None
    plain = play_games(contest, 0)
    assert sum(plain[0].moves) > 2 * LENGTH
    assert untimed(tables.games(0, 1)) == untimed([plain])


def test_an_agent_that_plays_one_table_only_plays_table_by_table() -> None:
    assert lanes_of(contest_of(LAPS, ["random", stakes("one", 1)], 10, 0, None, 2)) is None


class Batched:
    """An agent that is asked for many tables at once, and answers by chance."""

    def __init__(self, answer: int | None) -> None:
        self.answer = answer

    def act(self, sight: Sight) -> int:
        return 1

    def act_many(
        self, observations: NDArray[np.int8], masks: NDArray[np.uint8], seats: NDArray[np.int8]
    ) -> NDArray[np.int64]:
        masks[:] = 1  # it may write to what it is given
        if self.answer is None:
            raise ZeroDivisionError
        return np.full(len(masks), self.answer)


def batched(answer: int | None) -> AgentSpec:
    def make(game: Game, words: NDArray[np.uint32]) -> Batched:
        return Batched(answer)

    return AgentSpec("batched", 0, make)


@pytest.mark.parametrize(
    ("answer", "why"),
    [(99, "answered 99"), (-1, "answered -1"), (None, "ZeroDivisionError: ")],
)
def test_a_fault_at_many_tables_names_the_first_of_them(answer: int | None, why: str) -> None:
    tables = lanes_of(contest_of(LAPS, [batched(answer), "random"], 10, 0, None, 2))
    assert tables is not None
    with pytest.raises(AgentFault, match=rf"batched failed \(deal 3, seating 0, seat 0, ply 0\): .*{why}"):
        tables.tallies(3, 2)


class Counting(Batched):
    """An agent that notes for how many tables it is asked, and takes its time."""

    def __init__(self, delay: float) -> None:
        super().__init__(1)
        self.delay = delay
        self.asked: list[int] = []

    def act_many(
        self, observations: NDArray[np.int8], masks: NDArray[np.uint8], seats: NDArray[np.int8]
    ) -> NDArray[np.int64]:
        self.asked.append(len(masks))
        time.sleep(self.delay * len(masks))
        return super().act_many(observations, masks, seats)


@pytest.mark.parametrize(("delay", "seconds", "most"), [(0.0, 60.0, 128), (0.002, 0.4, 20)])
def test_a_slow_agent_is_asked_for_fewer_tables(delay: float, seconds: float, most: int) -> None:
    """An answer then takes about a tenth of the time limit, so a slow agent does not seem to hang."""
    agent = Counting(delay)
    spec = AgentSpec("counting", 0, lambda game, words: agent)
    contest = guarded(contest_of(LAPS, [spec, "random"], 10, 0, {"laps": 2}, 2), seconds)
    tables = lanes_of(contest, 128)
    assert tables is not None
    tables.tallies(0, 64)
    assert agent.asked[0] == 1 and agent.asked[1] <= 4
    assert max(agent.asked) <= most and (delay or max(agent.asked) > 16)


def test_a_fault_that_shows_table_by_table_names_deal_seat_and_ply() -> None:
    def fail(sight: Sight) -> int:
        raise RuntimeError("out of ideas")

    def make(game: Game, words: NDArray[np.uint32]) -> object:
        agent = spec("made", fail).make(game, words)
        agent.act_many = Batched(None).act_many  # type: ignore[attr-defined]
        return agent

    contest = contest_of(LAPS, [AgentSpec("failing", 0, make), "random"], 10, 0, None, 2)  # type: ignore[arg-type]
    tables = lanes_of(contest)
    assert tables is not None
    with pytest.raises(AgentFault, match=r"failing failed \(deal \d+, seating \d, seat \d, ply \d+\)"):
        tables.games(0, 2)
