"""Threads that are watched: results in order, errors at once, and hanging agents by name."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from qipai.arena.watch import POLL, asking, fenced, making, watched
from qipai.core.errors import AgentFault


@pytest.mark.parametrize("threads", [1, 3, 50])
def test_results_come_in_the_order_of_the_tasks(threads: int) -> None:
    def slow_first(task: int) -> int:
        time.sleep(0.05 if task == 0 else 0.0)
        return task * task

    heard: list[int] = []
    assert watched(lambda: slow_first, range(9), threads, heard.append) == [k * k for k in range(9)]
    assert sorted(heard) == [k * k for k in range(9)]
    assert watched(lambda: slow_first, [], threads) == []


def test_every_thread_has_a_player_of_its_own() -> None:
    together = threading.Barrier(3)

    def player() -> Callable[[int], int]:
        mine = object()
        together.wait(10)
        return lambda task: id(mine)

    assert len(set(watched(player, range(3), 3))) <= 3 and together.n_waiting == 0


def test_an_error_is_raised_at_once_and_no_further_task_begins() -> None:
    begun = []

    def fail(task: int) -> None:
        begun.append(task)
        if task == 0:
            raise ZeroDivisionError
        time.sleep(0.3)

    with pytest.raises(ZeroDivisionError):
        watched(lambda: fail, range(100), 2)
    time.sleep(0.5)
    assert len(begun) <= 4


def hang() -> None:
    with asking("x failed (deal 3)", 0.2):
        while True:
            pass


def test_a_hanging_agent_is_named_and_its_thread_ends() -> None:
    before = threading.active_count()
    with pytest.raises(AgentFault, match=r"x failed \(deal 3\): it did not answer within 0\.2 seconds"):
        fenced(hang)
    until = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < until:
        time.sleep(0.01)
    assert threading.active_count() == before


def test_a_thread_that_was_given_up_asks_nobody_any_more() -> None:
    asked = []

    def body() -> None:
        with asking("x failed", 0.1), suppress(AgentFault):
            time.sleep(0.6)
        with asking("y failed", 0.1):
            asked.append("y")

    with pytest.raises(AgentFault, match="x failed"):
        fenced(body)
    time.sleep(0.8)
    assert asked == []


def test_time_begins_again_when_the_place_changes() -> None:
    places = iter(range(100))

    def body() -> str:
        with asking(lambda: f"place {next(places)}", 0.15):
            time.sleep(6 * POLL)
        return "done"

    assert fenced(body) == "done"


def test_an_agent_that_hangs_while_it_is_made_does_not_keep_others_from_being_made() -> None:
    def stuck() -> None:
        with making(), asking("x failed", 0.1):
            time.sleep(2)

    def quick() -> str:
        with making(), asking("y failed", 0.1):
            return "made"

    with pytest.raises(AgentFault, match="x failed"):
        fenced(stuck)
    began = time.monotonic()
    assert fenced(quick) == "made" and time.monotonic() - began < 1


def test_who_waits_for_another_to_be_made_is_not_blamed() -> None:
    def make(task: int) -> int:
        with making(), asking(f"agent {task} failed", 0.5):
            time.sleep(0.3)
        return task

    assert watched(lambda: make, range(4), 4) == [0, 1, 2, 3]
