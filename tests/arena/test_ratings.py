"""Ratings: against a library, against closed forms, and against planted strengths."""

from __future__ import annotations

import math

import choix
import numpy as np
import pytest

from qipai.arena.ratings import MEAN, POINTS, PRIOR, Game, ranking, rate, scaled, stages
from qipai.core.errors import BadContest

from .planted import STRENGTHS, played


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_without_ties_ratings_agree_with_a_library(seats: int) -> None:
    deals = played(seats, 300)
    found = rate(deals, len(STRENGTHS), replicates=0)
    orders = [tuple(agent for group in ranking(games[0]) for agent in group) for games in deals]
    theirs = choix.opt_rankings(len(STRENGTHS), orders, alpha=1 / PRIOR**2, tol=1e-10)
    assert np.abs(found.points - scaled(theirs[None, :])[0]).max() < 2


def test_two_agents_give_the_logarithm_of_their_odds() -> None:
    deals = [[Game((0, 1), (1, 0))]] * 750 + [[Game((0, 1), (0, 1))]] * 250
    gap = rate(deals, 2, replicates=0).points @ [1, -1]
    assert abs(gap - 400 * math.log10(3)) < 1


def test_ties_of_two_seats_follow_davidson() -> None:
    """With as many ties as either result, both are equally strong; ties alone say nothing about the gap."""
    deals = [[Game((0, 1), (1, 0))]] * 300 + [[Game((0, 1), (0, 1))]] * 100 + [[Game((0, 1), (0, 0))]] * 500
    gap = rate(deals, 2, replicates=0).points @ [1, -1]
    assert abs(gap - 400 * math.log10(3)) < 1


def test_losers_that_always_tie_are_no_choice() -> None:
    game = Game((0, 1, 2, 3), (3, -1, -1, -1))
    assert ranking(game) == [(0,), (1, 2, 3)]
    assert stages(game) == [((0, 1, 2, 3), (0,)), ((1, 2, 3), (1, 2, 3))]
    deals = [[Game((0, 1, 2, 3), tuple(3 if s == w else -1 for s in range(4)))] for w in (0, 0, 0, 1, 2, 3)]
    points = rate(deals * 50, 4, replicates=0).points
    assert abs(points[0] - points[1] - 400 * math.log10(3)) < 5
    assert np.ptp(points[1:]) < 1e-6


def test_an_agent_that_never_loses_has_a_finite_rating() -> None:
    found = rate([[Game((0, 1), (1, -1))]] * 20, 2, replicates=50)
    assert np.isfinite(found.replicates).all()
    assert found.points[0] > found.points[1] + 400


def test_the_mean_rating_is_fixed_and_intervals_contain_the_rating() -> None:
    found = rate(played(4, 200), len(STRENGTHS), replicates=100)
    assert found.points.mean() == pytest.approx(MEAN)
    assert (found.low <= found.points).all() and (found.points <= found.high).all()
    gap, low, high = found.over(5, 0)
    assert low < gap < high and low > 0
    assert found.doubt(5, 0) < 0.001 < found.doubt(3, 3)


def test_equal_seeds_give_equal_intervals() -> None:
    one, two = (rate(played(3, 60), len(STRENGTHS), replicates=20, seed=5) for _ in range(2))
    assert one.replicates.tobytes() == two.replicates.tobytes()


def test_seatings_of_a_deal_are_resampled_together() -> None:
    """Forty copies of a deal in one list are one observation and leave the interval open."""
    game, other = Game((0, 1), (1, 0)), Game((0, 1), (0, 1))
    together = rate([[game] * 40, [other] * 40], 2, replicates=200)
    apart = rate([[game]] * 40 + [[other]] * 40, 2, replicates=200)
    assert np.ptp([together.low[0], together.high[0]]) > 3 * np.ptp([apart.low[0], apart.high[0]])


@pytest.mark.parametrize("ties", [0.0, 0.5])
def test_intervals_cover_planted_strengths(ties: float) -> None:
    """A small form of the proof `arena/coverage`."""
    truth = scaled(STRENGTHS[None, :])[0]
    inside = []
    for seed in range(12):
        found = rate(played(3, 150, seed, ties), len(STRENGTHS), replicates=100, seed=seed)
        inside += list((found.low <= truth) & (truth <= found.high))
    assert np.mean(inside) > 0.85


def test_no_deals_are_refused() -> None:
    with pytest.raises(BadContest):
        rate([], 3)


def test_points_per_unit_are_those_of_elo() -> None:
    assert pytest.approx(400) == POINTS * math.log(10)
