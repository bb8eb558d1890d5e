"""Agents on probation: printing and hanging are faults with a name."""

from __future__ import annotations

import threading

import pytest

from qipai.arena.contest import contest_of
from qipai.arena.guard import guarded, limited
from qipai.arena.play import play_games
from qipai.core import AgentSpec, Sight
from qipai.core.errors import AgentFault

from .agents import spec


def first(sight: Sight) -> int:
    return int(sight.mask.argmax())


def chatty(sight: Sight) -> int:
    print("thinking")
    return first(sight)


def hanging(sight: Sight) -> int:
    while True:
        pass


def play(agent: AgentSpec, seconds: float = 60.0) -> None:
    contest = contest_of("kuhn_poker", [agent, spec("calm", first)], 1, 0, None, None)
    contest.game.compile()
    play_games(guarded(contest, seconds), 0)


def test_a_calm_agent_plays_as_without_a_guard() -> None:
    contest = contest_of("kuhn_poker", [spec("calm", first), "random"], 1, 0, None, None)
    contest.game.compile()
    plain, watched = play_games(contest, 0), play_games(guarded(contest), 0)
    assert [game.digest for game in plain] == [game.digest for game in watched]


def test_an_agent_that_prints_is_named_with_deal_seat_and_ply() -> None:
    with pytest.raises(AgentFault, match=r"chatty failed \(deal 0, seating 0, seat 0, ply \d+\).*printed"):
        play(spec("chatty", chatty))


def test_an_agent_that_hangs_is_stopped() -> None:
    with pytest.raises(AgentFault, match=r"hanging failed .*did not answer within 0\.2 seconds"):
        play(spec("hanging", hanging), 0.2)


def test_an_agent_that_prints_while_it_is_made_is_named() -> None:
    def make(game, words):  # type: ignore[no-untyped-def]
        print("hello")

    with pytest.raises(AgentFault, match="noisy failed"):
        play(AgentSpec("noisy", 0, make))


def test_there_is_no_limit_outside_the_main_thread() -> None:
    done = []

    def body() -> None:
        with limited(0.01):
            done.append(sum(range(10**6)))

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    assert done
