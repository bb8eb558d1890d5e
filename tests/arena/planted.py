"""Games between agents of known strength, drawn from the model of the ratings."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from qipai.arena.ratings import Game

STRENGTHS = np.array([-1.0, 0.0, 0.5, 1.0, 1.5, 2.0])


def played(seats: int, deals: int, seed: int = 0, ties: float = 0.0) -> list[list[Game]]:
    """Return one game per deal; `ties` is the weight of a tie of two equals, where a win weighs 1."""
    rng = np.random.default_rng(seed)
    return [[one_game(rng, seats, ties)] for _ in range(deals)]


def one_game(rng: np.random.Generator, seats: int, ties: float) -> Game:
    """Return a game in which the best place of those left is drawn again and again."""
    agents = [int(agent) for agent in rng.choice(len(STRENGTHS), seats, replace=False)]
    left, payoffs, rank = list(agents), dict.fromkeys(agents, 0), seats
    while left:
        groups = [group for size in ((1, 2) if ties else (1,)) for group in combinations(left, size)]
        weights = np.array(
            [(ties if len(g) == 2 else 1.0) * np.exp(STRENGTHS[list(g)].mean()) for g in groups]
        )
        best = groups[int(rng.choice(len(groups), p=weights / weights.sum()))]
        for agent in best:
            payoffs[agent] = rank
            left.remove(agent)
        rank -= 1
    return Game(tuple(agents), tuple(payoffs[agent] for agent in agents))
