"""Who sits where."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from qipai.arena import seatings

A, B, C = 0, 1, 2


def words(agents: list[int], seats: int) -> str:
    return " ".join("".join("ABCDEF"[k] for k in seating) for seating in seatings(agents, seats))


@pytest.mark.parametrize(
    ("agents", "seats", "expected"),
    [
        ([A], 1, "A"),
        ([A, B], 1, "A B"),
        ([A, B], 2, "AB BA"),
        ([A, A], 2, "AA"),
        ([A], 3, "AAA"),
        ([A, B], 3, "AAB ABA ABB BAA BAB BBA"),
        ([A, B, B], 3, "ABB BAB BBA"),
        ([A, B, C], 3, "ABC ACB BAC BCA CAB CBA"),
        ([A, B, C], 2, "AB AC BA BC CA CB"),
        ([A, B, C, 3, 4], 5, "ABCDE BCDEA CDEAB DEABC EABCD"),
    ],
)
def test_the_seatings_of_a_few_agents(agents: list[int], seats: int, expected: str) -> None:
    assert words(agents, seats) == expected


@pytest.mark.parametrize("seats", range(1, 7))
@pytest.mark.parametrize("agents", [[A], [A, B], [A, B, B], [A, B, C], [A, B, C, 3]])
def test_every_agent_sits_in_every_seat_equally_often(agents: list[int], seats: int) -> None:
    places = seatings(agents, seats)
    assert len(set(places)) == len(places)
    for agent in set(agents):
        by_seat = Counter(k for seating in places for k in range(seats) if seating[k] == agent)
        assert len(set(by_seat.values())) == 1 and len(by_seat) == seats


def test_up_to_four_seats_every_order_is_played() -> None:
    assert set(seatings([A, B, C, 3], 4)) == set(permutations(range(4)))
    assert len(seatings([A, B], 4)) == 2**4 - 2
