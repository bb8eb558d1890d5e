"""Ratings from games with any number of seats: a Plackett-Luce model with ties, fitted by Newton's method.

A game ranks the agents that took part: the best, then the best of those left, and so on. At each stage the
group of agents T that ties for the best place among those left, S, is chosen with a probability proportional
to

    exp(tie[|S|, |T|] + mean of strength over T)

over all groups of a size that occurs at such a stage. Without ties this is the model of Plackett and Luce,
and with two seats that of Bradley and Terry; with two seats and ties, Davidson's. The logarithm of the
likelihood is concave, so the fit has one maximum. A weak normal prior keeps agents that never lose finite.

Ratings are strengths on the scale of Elo: the mean is 1,500, and 400 points are odds of ten to one.
Intervals are percentiles over resampled deals: the seatings of a deal share its cards and are drawn together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core.errors import BadContest

POINTS = 400 / math.log(10)  # rating points of one unit of strength
MEAN = 1500.0
PRIOR = 6.0  # standard deviation of strengths before any game, in units of strength: about 1,000 points
ROUNDS = 60  # Newton steps at most; about eight are needed
CLOSE = 1e-9  # largest step that counts as arrived

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Game:
    """One game: the agents by seat, and their payoffs. An agent may hold several seats."""

    agents: tuple[int, ...]
    payoffs: tuple[int, ...]


@dataclass(frozen=True)
class Ratings:
    """Ratings with 95 % intervals, and the replicates from which the intervals come."""

    points: Floats  # (agents,)
    low: Floats  # (agents,)
    high: Floats  # (agents,)
    replicates: Floats  # (replicates, agents)

    def over(self, agent: int, other: int) -> tuple[float, float, float]:
        """Return how many points `agent` is above `other`, with the ends of the 95 % interval."""
        gaps = self.replicates[:, agent] - self.replicates[:, other]
        low, high = np.quantile(gaps, (0.025, 0.975))
        return float(self.points[agent] - self.points[other]), float(low), float(high)

    def doubt(self, agent: int, other: int) -> float:
        """Return the two-sided p value of `agent` and `other` being equally strong.

        The spread of the replicates is taken as normal, so that small values do not need more replicates.
        """
        gaps = self.replicates[:, agent] - self.replicates[:, other]
        spread = float(gaps.std(ddof=1))
        gap = abs(float(self.points[agent] - self.points[other]))
        return math.erfc(gap / spread / math.sqrt(2)) if spread > 0 else float(gap == 0)


def rate(deals: Sequence[Sequence[Game]], agents: int, *, replicates: int = 200, seed: int = 0) -> Ratings:
    """Return the ratings of `agents` agents from `deals`, each a list of the games played with it."""
    if not deals:
        raise BadContest("ratings need at least one deal")
    model = Model(deals, agents)
    once = np.ones((1, len(deals)))
    fitted = model.fit(once)
    points = scaled(fitted[:, :agents])[0]
    if not replicates:
        return Ratings(points, points, points, points[None, :])
    draws = np.random.default_rng(seed).multinomial(len(deals), [1 / len(deals)] * len(deals), replicates)
    again = model.fit(draws.astype(np.float64), start=fitted[0])
    others = scaled(again[:, :agents])
    low, high = np.quantile(others, (0.025, 0.975), axis=0)
    return Ratings(points, low, high, others)


def scaled(strengths: Floats) -> Floats:
    """Return strengths (n, agents) as rating points with mean 1,500 in each row."""
    centred = strengths - strengths.mean(axis=1, keepdims=True)
    return np.asarray(MEAN + POINTS * centred, np.float64)


def ranking(game: Game) -> list[tuple[int, ...]]:
    """Return the agents of a game in groups, best first; those of one group tie."""
    by_payoff: dict[int, list[int]] = {}
    for agent, payoff in zip(game.agents, game.payoffs, strict=True):
        by_payoff.setdefault(payoff, []).append(agent)
    return [tuple(sorted(by_payoff[payoff])) for payoff in sorted(by_payoff, reverse=True)]


Stage = tuple[
    tuple[int, ...], tuple[int, ...]
]  # those left, and those that tie for the best place among them


def stages(game: Game) -> list[Stage]:
    """Return the choices that a game is made of; the last single agent is no choice."""
    found, groups = [], ranking(game)
    for k, best in enumerate(groups):
        left = tuple(sorted(agent for group in groups[k:] for agent in group))
        if len(left) > 1:
            found.append((left, best))
    return found


class Model:
    """The choices of all deals as a conditional logit model.

    `self.sets` has one entry for every different group S of agents that were left at a stage: the features of
    the groups that could be chosen, (groups, parameters), and for every deal how often each was chosen.
    """

    def __init__(self, deals: Sequence[Sequence[Game]], agents: int) -> None:
        counts: dict[tuple[int, ...], dict[tuple[int, ...], dict[int, float]]] = {}
        sizes: dict[int, set[int]] = {}
        for number, games in enumerate(deals):
            for game in games:
                for left, best in stages(game):
                    sizes.setdefault(len(left), set()).add(len(best))
                    by_deal = counts.setdefault(left, {}).setdefault(best, {})
                    by_deal[number] = by_deal.get(number, 0.0) + 1.0
        ties = [(left, best) for left in sorted(sizes) for best in sorted(sizes[left])[1:]]
        self.agents, self.parameters = agents, agents + len(ties)
        place = {tie: agents + k for k, tie in enumerate(ties)}
        self.sets = [
            self._table(left, chosen, sizes[len(left)], place, len(deals))
            for left, chosen in sorted(counts.items())
            if len(sizes[len(left)]) > 1 or len(left) not in sizes[len(left)]  # else there is no choice
        ]
        self.prior = np.full(self.parameters, 1 / PRIOR**2)

    def _table(
        self,
        left: tuple[int, ...],
        chosen: dict[tuple[int, ...], dict[int, float]],
        sizes: set[int],
        place: dict[tuple[int, int], int],
        deals: int,
    ) -> tuple[Floats, Any]:
        """Return the features of the groups that `left` offers, and the counts (deals, groups)."""
        groups = [group for size in sorted(sizes) for group in combinations(left, size)]
        features = np.zeros((len(groups), self.parameters))
        for row, group in enumerate(groups):
            for agent in group:
                features[row, agent] += 1 / len(group)
            if (len(left), len(group)) in place:
                features[row, place[len(left), len(group)]] = 1.0
        counts = np.zeros((deals, len(groups)))
        for group, by_deal in chosen.items():
            row = groups.index(group)  # equal groups have equal features
            for deal, count in by_deal.items():
                counts[deal, row] += count
        return features, counts

    def fit(self, weights: Floats, start: Floats | None = None) -> Floats:
        """Return the parameters (n, parameters) for n weightings of the deals, (n, deals)."""
        found = np.zeros((len(weights), self.parameters))
        if start is not None:
            found[:] = start
        tables = [(features, weights @ counts) for features, counts in self.sets]
        for _ in range(ROUNDS):
            slope = -found * self.prior
            bend = np.broadcast_to(np.diag(self.prior), (len(found), *[self.parameters] * 2)).copy()
            for features, counts in tables:
                self._add(features, counts, found, slope, bend)
            step = np.linalg.solve(bend, slope[:, :, None])[:, :, 0]
            found += np.clip(step, -2.0, 2.0)
            if float(np.abs(step).max()) < CLOSE:
                break
        return found

    def _add(self, features: Floats, counts: Floats, found: Floats, slope: Floats, bend: Floats) -> None:
        """Add the slope and the bend of one table to those of all; only its own parameters are touched."""
        own = np.flatnonzero(features.any(axis=0))
        small = features[:, own]
        score = found[:, own] @ small.T
        chance = np.exp(score - score.max(axis=1, keepdims=True))
        chance /= chance.sum(axis=1, keepdims=True)
        total = counts.sum(axis=1, keepdims=True)
        slope[:, own] += (counts - total * chance) @ small
        mean = chance @ small
        square = np.einsum("ng,ga,gb->nab", chance, small, small, optimize=True)
        spread = square - mean[:, :, None] * mean[:, None, :]
        bend[:, own[:, None], own] += total[:, :, None] * spread
