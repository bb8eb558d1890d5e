"""How many games duplicate deals save, from the spread of the same games as duplicates and as plain deals.

Every deal of a contest is played in all its seatings, and its figure is the mean over them. With plain deals
each game has its own deal, and the seatings take turns. One series of duplicate games gives the spread of
both: a game of a plain series is one seating of some deal. For the same interval, the number of games with
plain deals is that with duplicate deals times the ratio of the variances,

    mean over seatings of the variance over deals  /  (seatings * variance over deals of the mean)

which is 1 if the seatings of a deal have nothing in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qipai.core.errors import BadContest

from .play import Contest, Played

REPLICATES = 1000  # resamplings of the deals for the interval

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Saving:
    """Variances per game of how much `agent` does better than `other`, and what duplicate deals save."""

    agent: str
    other: str
    deals: int
    seatings: int
    plain: float
    duplicate: float
    times: float  # games with plain deals, over those with duplicate deals, for the same interval
    low: float  # 95 % interval of `times`
    high: float


def saving(contest: Contest, deals: Sequence[Sequence[Played]], *, seed: int = 0) -> Saving:
    """Return what duplicate deals save between the first two agents of a contest, from its games by deal."""
    if len(contest.agents) < 2 or len(deals) < 2:
        raise BadContest("what duplicate deals save takes two agents and two deals")
    gaps = gaps_of(contest, deals)
    count, seatings = gaps.shape
    plain, duplicate = (float(part[0]) for part in variances(gaps, np.ones((1, count))))
    if plain == 0:
        raise BadContest("every game between these agents ends in the same way")
    draws = np.random.default_rng(seed).multinomial(count, [1 / count] * count, REPLICATES)
    with np.errstate(divide="ignore", invalid="ignore"):  # duplicates may take all luck away
        again = np.divide(*variances(gaps, draws.astype(np.float64)))
        times = float(np.divide(plain, duplicate))
    low, high = np.nanquantile(again, (0.025, 0.975), method="nearest")
    return Saving(
        contest.agents[0].name,
        contest.agents[1].name,
        count,
        seatings,
        plain,
        duplicate,
        times,
        float(low),
        float(high),
    )


def gaps_of(contest: Contest, deals: Sequence[Sequence[Played]]) -> Floats:
    """Return by deal and seating, (deals, seatings), how much better the first agent did than the second.

    The mean of a row is that of the standings: the difference of the mean payoffs over all seats that each
    agent held.
    """
    held = [sum(seating.count(k) for seating in contest.seatings) for k in (0, 1)]
    found = np.zeros((len(deals), len(contest.seatings)))
    for row, games in zip(found, deals, strict=True):
        for j, game in enumerate(games):
            for agent, payoff in zip(game.seating, game.payoffs, strict=True):
                if agent < 2:
                    row[j] += (payoff if agent == 0 else -payoff) * len(contest.seatings) / held[agent]
    return found


def variances(gaps: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return the variances per game, plain and duplicate, for each row of `weights`, (n, deals)."""
    count = gaps.shape[0]

    def spread(values: Floats) -> Floats:
        mean, square = weights @ values / count, weights @ values**2 / count
        found: Floats = np.maximum(square - mean**2, 0.0) * count / (count - 1)
        return found

    together = gaps.mean(axis=1, keepdims=True)
    return spread(gaps).mean(axis=1), gaps.shape[1] * spread(together)[:, 0]
