"""Who meets whom: everybody at first, then those whose order is open."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from qipai.arena.ratings import Ratings
from qipai.arena.schedule import first_round, next_round


@pytest.mark.parametrize(("agents", "seats"), [(5, 2), (7, 3), (12, 4), (7, 6)])
def test_every_two_agents_meet_as_often_as_asked(agents: int, seats: int) -> None:
    groups = first_round(agents, seats, 3, seed=1)
    assert all(len(set(group)) == seats and list(group) == sorted(group) for group in groups)
    met = [pair for group in groups for pair in combinations(group, 2)]
    assert all(met.count(pair) >= 3 for pair in combinations(range(agents), 2))
    assert groups == first_round(agents, seats, 3, seed=1)


def test_few_agents_and_lone_seats_play_everything_together() -> None:
    assert first_round(3, 4, 2, 0) == [(0, 1, 2)] * 2
    assert first_round(5, 1, 2, 0) == [(0, 1, 2, 3, 4)] * 2


def ratings(points: list[float], spread: list[float]) -> Ratings:
    """Return ratings with these points, and replicates of these standard deviations."""
    draws = np.random.default_rng(0).normal(points, spread, (400, len(points)))
    low, high = np.quantile(draws, (0.025, 0.975), axis=0)
    return Ratings(np.array(points), low, high, draws)


def test_further_rounds_go_to_neighbours_whose_order_is_open() -> None:
    found = ratings([2000, 1990, 1500, 1000], [10, 10, 10, 10])
    assert next_round(found, 2, 3) == [(0, 1)] * 3
    assert next_round(found, 3, 1) == [(0, 1, 2)]


def test_separated_agents_play_no_more() -> None:
    assert next_round(ratings([2000, 1500, 1000], [10, 10, 10]), 2, 5) == []
    assert next_round(ratings([2000, 1500, 1000], [10, 10, 10]), 1, 5) == []
