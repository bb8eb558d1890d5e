"""The seatings in which one deal is replayed.

There are as many as needed for the luck of the deal and of the seat to cancel: every agent sits in every
seat equally often.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, permutations

ALL_ORDERS = 4  # up to this many seats every order is played; with more, orders are only rotated
SMALL = 3  # up to this many agents of a ladder sit down in every order

Seating = tuple[int, ...]  # by seat: the number of an agent


def seatings(agents: Sequence[int], seats: int) -> list[Seating]:
    """Return every way to seat `agents` (their numbers; one may occur twice), in a fixed order.

    With as many agents as seats: every order. With fewer: each sits at least as often as it
    is named, and the remaining seats go to every choice of them. With more: every choice that
    fills all seats. From five seats on, each choice is played in one order and its rotations.
    """
    found: set[Seating] = set()
    for chosen in _choices(agents, seats):
        found.update(permutations(chosen) if seats <= ALL_ORDERS else _turns(chosen))
    return sorted(found)


def _choices(agents: Sequence[int], seats: int) -> Iterator[Seating]:
    if len(agents) >= seats:
        yield from combinations(agents, seats)
    else:
        different = sorted(set(agents))
        for more in combinations_with_replacement(different, seats - len(agents)):
            yield (*agents, *more)


def _turns(order: Seating) -> Iterator[Seating]:
    for k in range(len(order)):
        yield order[k:] + order[:k]


def ladder_seatings(agents: int, seats: int, seed: int, deal: int) -> list[Seating]:
    """Return the seatings of agents 0 to `agents` - 1 for one deal of a ladder.

    Each agent sits in every seat equally often. Up to three agents sit down in every order, so that each acts
    directly after each other one equally often. With more, which of all cyclic orders they sit in is drawn
    from `seed` and `deal`. Alone at the table, every agent has its own seating; fewer agents than seats sit
    down in turns.
    """
    if seats == 1:
        return [(agent,) for agent in range(agents)]
    if agents <= SMALL:
        orders = list(permutations(range(agents)))
    else:
        order = list(range(agents))
        random.Random(f"qipai/ladder/seats/{seed}/{deal}").shuffle(order)
        orders = list(_turns(tuple(order)))
    return [tuple(order[seat % agents] for seat in range(seats)) for order in orders]
