"""Who sits where: the seatings in which one deal is replayed.

As many as make luck of the deal and of the seat cancel: every agent sits in every seat
equally often.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, permutations

ALL_ORDERS = 4  # seats up to which every order is played; with more seats the order is only rotated

Seating = tuple[int, ...]  # by seat: an agent's number


def seatings(agents: Sequence[int], seats: int) -> list[Seating]:
    """Every way to seat `agents` (their numbers; one may be named twice), in a fixed order.

    As many agents as seats: every order of them. Fewer: each sits at least as often as it
    is named and the seats left over go to every choice of them. More: every choice that
    fills all seats. From five seats on, each choice is played in one order and its turns.
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
