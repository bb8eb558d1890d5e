"""What every pool does: order, streaming, errors. Ray's own tests are in test_remote.py."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from qipai.cluster import Pool, open_pool
from qipai.cluster.local import Here, Processes
from qipai.core.errors import BadCount
from tests.cluster.tasks import refuse, slow_first, square


@pytest.fixture(params=[1, 2], scope="module")
def pool(request: pytest.FixtureRequest) -> Iterator[Pool]:
    with open_pool(request.param) as made:
        yield made


def test_one_worker_is_this_process_and_more_are_others() -> None:
    with open_pool(1) as one, open_pool(3) as three:
        assert isinstance(one, Here) and isinstance(three, Processes)
        assert (one.workers, three.workers) == (1, 3)


def test_no_workers_are_refused() -> None:
    with pytest.raises(BadCount):
        open_pool(0)


def test_results_come_in_the_order_of_the_tasks(pool: Pool) -> None:
    assert list(pool.stream(square, [(k,) for k in range(20)])) == [k * k for k in range(20)]
    assert list(pool.stream(slow_first, [(k,) for k in range(5)])) == list(range(5))
    assert list(pool.stream(square, [])) == []


def test_an_endless_stream_can_be_left(pool: Pool) -> None:
    taken: list[int] = []

    def tasks() -> Iterator[tuple[int]]:
        for k in itertools.count():
            taken.append(k)
            yield (k,)

    found = []
    for result in pool.stream(square, tasks(), ahead=3):
        found.append(result)
        if len(found) == 5:
            break
    assert found == [0, 1, 4, 9, 16]
    assert len(taken) <= 5 + 3
    assert list(pool.stream(square, [(9,)])) == [81]  # what was left unheard is not mixed in


def test_an_error_is_raised_when_its_result_is_due(pool: Pool) -> None:
    found = []
    with pytest.raises(BadCount, match="two is refused"):
        for result in pool.stream(refuse, [(k,) for k in range(6)]):
            found.append(result)
    assert found == [0, 1]
    assert list(pool.stream(refuse, [(5,)])) == [5]
