"""Processes of this machine: lost ones are replaced."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from qipai.cluster.local import Processes
from qipai.core.errors import LostWorker
from tests.cluster.tasks import die_always, die_once, square, unsendable, who


@pytest.fixture(scope="module")
def pool() -> Iterator[Processes]:
    with Processes(2) as made:
        yield made


def test_tasks_run_in_other_processes(pool: Processes) -> None:
    assert os.getpid() not in set(pool.stream(who, [(k,) for k in range(4)]))


def test_a_lost_workers_task_is_run_again(pool: Processes, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    assert list(pool.stream(die_once, [(k, str(mark)) for k in range(8)])) == list(range(8))
    assert mark.exists()


def test_a_worker_killed_while_it_is_idle_is_replaced(pool: Processes) -> None:
    first = set(pool.stream(who, [(k,) for k in range(4)]))
    for worker in list(pool._live):
        assert worker.process.pid is not None
        os.kill(worker.process.pid, signal.SIGKILL)
        worker.process.join()
    assert list(pool.stream(square, [(k,) for k in range(4)])) == [0, 1, 4, 9]
    assert not first & set(pool.stream(who, [(k,) for k in range(4)]))


def test_a_task_that_always_kills_its_worker_is_given_up(pool: Processes) -> None:
    with pytest.raises(LostWorker, match="task 1 lost its worker 3 times"):
        list(pool.stream(die_always, [(k,) for k in range(3)]))
    assert list(pool.stream(square, [(3,)])) == [9]


def test_a_result_that_cannot_be_sent_is_an_error(pool: Processes) -> None:
    with pytest.raises(RuntimeError, match="result of a task cannot be sent"):
        list(pool.stream(unsendable, [(1,)]))


def test_a_function_without_a_name_is_refused_and_the_pool_goes_on(pool: Processes) -> None:
    nameless: Any = lambda number: number  # noqa: E731
    with pytest.raises(Exception, match="pickle"):
        list(pool.stream(nameless, [(1,)]))
    assert list(pool.stream(square, [(3,)])) == [9]


def test_closing_ends_every_process() -> None:
    made = Processes(2)
    list(made.stream(square, [(k,) for k in range(4)]))
    processes = [worker.process for worker in made._live]
    assert processes and all(process.is_alive() for process in processes)
    made.close()
    assert not any(process.is_alive() for process in processes)
