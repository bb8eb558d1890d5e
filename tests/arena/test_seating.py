"""Who sits where."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from qipai.arena import seatings
from qipai.arena.seating import ladder_seatings

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


# --- on a ladder ----------------------------------------------------------------------


def follows(places: list[tuple[int, ...]]) -> Counter[tuple[int, int]]:
    """Count how often the second agent of a pair acts directly after the first."""
    return Counter(
        (one, other)
        for seating in places
        for one, other in zip(seating, seating[1:] + seating[:1], strict=True)
        if one != other
    )


@pytest.mark.parametrize(("agents", "seats"), [(2, 2), (2, 3), (3, 3), (2, 4), (3, 4), (3, 6)])
def test_up_to_three_agents_follow_each_other_equally_often_in_every_deal(agents: int, seats: int) -> None:
    counts = follows(ladder_seatings(agents, seats, 5, 9))
    assert len(counts) == agents * (agents - 1) and len(set(counts.values())) == 1


@pytest.mark.parametrize(("agents", "seats"), [(4, 4), (4, 5), (5, 5), (6, 6)])
def test_more_agents_follow_each_other_equally_often_over_many_deals(agents: int, seats: int) -> None:
    deals = 1500
    counts: Counter[tuple[int, int]] = Counter()
    for deal in range(deals):
        counts.update(follows(ladder_seatings(agents, seats, 1, deal)))
    mean = counts.total() / (agents * (agents - 1))
    assert len(counts) == agents * (agents - 1)
    assert all(abs(count / mean - 1) < 0.15 for count in counts.values())


@pytest.mark.parametrize("seats", range(1, 7))
@pytest.mark.parametrize("agents", range(2, 7))
def test_on_a_ladder_every_agent_sits_in_every_seat_equally_often(agents: int, seats: int) -> None:
    if agents > seats > 1:
        return  # a group is never larger than the table
    places = ladder_seatings(agents, seats, 0, 3)
    assert places == ladder_seatings(agents, seats, 0, 3)
    for agent in range(agents):
        by_seat = Counter(seat for place in places for seat in range(seats) if place[seat] == agent)
        assert len(set(by_seat.values())) == 1 and len(by_seat) == seats
