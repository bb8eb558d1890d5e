"""Who meets whom on a ladder: groups of agents that play one deal together.

The first round lets every two agents meet equally often. Later rounds go where the ratings are least certain:
to neighbours whose order is still open. A schedule depends only on the results so far, never on who is
faster, so that a ladder can be repeated.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

from .ratings import Ratings

Group = tuple[int, ...]  # numbers of agents, in rising order

SURE = 0.001  # p value from which two neighbours count as separated


def first_round(agents: int, seats: int, meetings: int, seed: int) -> list[Group]:
    """Return groups in which every two agents meet at least `meetings` times.

    With one seat all agents play the same deals, each alone. With fewer agents than seats all of them sit at
    every table, some more than once.
    """
    if seats == 1 or agents <= seats:
        return [tuple(range(agents))] * meetings
    if seats == 2:
        return [pair for pair in combinations(range(agents), 2) for _ in range(meetings)]
    chance = random.Random(f"qipai/ladder/{seed}/{agents}/{seats}")
    met = dict.fromkeys(combinations(range(agents), 2), 0)
    groups = []
    while (least := min(met.values())) < meetings:
        group = list(chance.choice([pair for pair, count in met.items() if count == least]))
        while len(group) < seats:
            others = [agent for agent in range(agents) if agent not in group]
            chance.shuffle(others)
            group.append(min(others, key=lambda one: sum(met[_pair(one, other)] for other in group)))
        for pair in combinations(sorted(group), 2):
            met[pair] += 1
        groups.append(tuple(sorted(group)))
    return groups


def next_round(ratings: Ratings, seats: int, deals: int) -> list[Group]:
    """Return `deals` groups around the neighbours whose order is least certain; [] if all are separated."""
    count = len(ratings.points)
    order = sorted(range(count), key=lambda agent: (-ratings.points[agent], agent))
    if count < 2 or seats == 1 or count <= seats:
        return [tuple(range(count))] * deals if _open(ratings, order) else []
    open_pairs = _open(ratings, order)
    groups = []
    for k in range(deals if open_pairs else 0):
        place = open_pairs[k % len(open_pairs)]
        groups.append(_around(order, place, seats))
    return groups


def _open(ratings: Ratings, order: Sequence[int]) -> list[int]:
    """Return the places in the order whose agent is not separated from the next one, most doubtful first."""
    doubts = [(ratings.doubt(order[k], order[k + 1]), k) for k in range(len(order) - 1)]
    return [k for doubt, k in sorted(doubts, key=lambda one: (-one[0], one[1])) if doubt > SURE]


def _around(order: Sequence[int], place: int, seats: int) -> Group:
    """Return the agents at `place` and the next one, with their nearest neighbours at the other seats."""
    first = min(max(place - (seats - 2) // 2, 0), len(order) - seats)
    return tuple(sorted(order[first : first + seats]))


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
