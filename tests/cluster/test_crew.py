"""Actors of a Ray cluster of two nodes, one of which is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from qipai.cluster.crew import Crew
from qipai.cluster.remote import connect
from qipai.core.errors import BadCount, LostWorker, NoCluster
from tests.cluster.tasks import Counter


@pytest.fixture
def crew(ray_address: str) -> Iterator[Crew]:
    made = Crew(connect(ray_address)[0], Counter, 2, lambda k, life: (k, life))
    yield made
    made.close()


def test_actors_keep_what_they_know_and_large_results_stay_in_the_store(crew: Crew) -> None:
    crew.call("count", 1)
    found = crew.call("count", 2)
    assert [small for small, _ in found] == [(0, 0, 3), (1, 0, 3)]
    assert crew.ray.get(found[1][1]) == bytes([1]) * 1000


def test_a_lost_actor_is_replaced_and_called_again(crew: Crew, tmp_path: Path) -> None:
    crew.call("count", 1)
    assert [small for small, _ in crew.call("die", str(tmp_path / "mark"))] == [0, 1]
    assert crew.lives == [0, 1]
    assert [small for small, _ in crew.call("count", 1)] == [(0, 0, 2), (1, 1, 1)]


def test_an_actor_that_is_always_lost_is_given_up(crew: Crew) -> None:
    with pytest.raises(LostWorker, match="worker 1 was lost 3 times"):
        crew.call("die", "")


def test_an_error_is_raised_as_it_was(crew: Crew) -> None:
    with pytest.raises(BadCount, match="it fails"):
        crew.call("fail")


def test_more_actors_than_cores_are_refused(ray_address: str) -> None:
    with pytest.raises(NoCluster, match="2 cores, and 3 workers"):
        Crew(connect(ray_address)[0], Counter, 3, lambda k, life: (k, life))
