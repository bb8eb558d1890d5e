"""Tasks on a Ray cluster of two nodes with one core each."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from qipai.cluster import Pool, open_pool
from qipai.cluster.local import Here
from qipai.cluster.remote import RayPool, probe
from qipai.core.errors import BadCount, LostWorker, MissingExtra, NoCluster
from tests.cluster.tasks import die_always, die_once, refuse, slow_first, square, where


@pytest.fixture
def pool(ray_address: str) -> Iterator[Pool]:
    with open_pool(address=ray_address) as made:
        assert isinstance(made, RayPool) and made.workers == 2
        yield made


def test_results_are_those_of_one_process_in_the_same_order(pool: Pool) -> None:
    tasks = [(k,) for k in range(12)]
    assert list(pool.stream(square, tasks)) == list(Here().stream(square, tasks))
    assert list(pool.stream(slow_first, tasks, ahead=2)) == list(range(12))


def test_both_nodes_work(pool: Pool) -> None:
    assert len(set(pool.stream(where, [(k,) for k in range(8)]))) == 2


def test_a_killed_workers_task_is_run_again(pool: Pool, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    assert list(pool.stream(die_once, [(k, str(mark)) for k in range(6)])) == list(range(6))
    assert mark.exists()


def test_a_task_that_always_kills_its_worker_is_given_up(pool: Pool) -> None:
    with pytest.raises(LostWorker, match="task 1 lost its worker 3 times"):
        list(pool.stream(die_always, [(k,) for k in range(2)]))


def test_an_error_is_raised_as_it_was(pool: Pool) -> None:
    found = []
    with pytest.raises(BadCount, match="two is refused"):
        for result in pool.stream(refuse, [(k,) for k in range(4)]):
            found.append(result)
    assert found == [0, 1]


def test_an_address_where_nothing_listens_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, so that nobody else listens there
        port = taken.getsockname()[1]
        for address in (f"127.0.0.1:{port}", f"ray://127.0.0.1:{port}"):
            with pytest.raises(NoCluster, match="no Ray cluster answers"):
                probe(address)
    probe("auto")  # Ray knows


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"qipai\[ray\]"):
        open_pool(address="auto")
