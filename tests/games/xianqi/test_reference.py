"""Spec §3: the deal that is pinned to Python's generator."""

from __future__ import annotations

from collections import Counter

import pytest

from qipai.games.xianqi import reference
from tests.games.xianqi.api.states import cards
from tests.naive import xianqi as naive

DEALS = {
    0: (
        "R_SHI B_SHI R_XIANG B_XIANG B_CHE2 R_NIU B_NIU",
        "R_SHI B_SHI B_XIANG R_MA R_CHE R_GOU R_NIU B_NIU",
        "R_XIANG R_MA B_MA2 R_CHE B_GOU R_NIU B_NIU",
        2,
    ),
    42: (
        "R_SHI B_SHI B_CHE R_GOU B_GOU R_NIU B_NIU2",
        "R_SHI B_SHI R_XIANG B_XIANG2 B_MA R_CHE B_NIU",
        "R_XIANG R_MA2 B_MA R_CHE B_CHE R_NIU2",
        2,
    ),
    52: (
        "R_SHI B_SHI2 R_XIANG R_CHE R_GOU R_NIU B_NIU",
        "R_SHI R_XIANG B_XIANG2 B_MA B_CHE B_GOU R_NIU",
        "R_MA2 B_MA R_CHE B_CHE R_NIU B_NIU2",
        1,
    ),
}
BLACK = (52, 54, 129, 153, 162)


@pytest.mark.parametrize("seed", DEALS)
def test_a_seed_means_the_deal_of_section_3(seed: int) -> None:
    *hands, first = DEALS[seed]
    assert reference.deal(seed) == ([cards(str(hand)) for hand in hands], first)


@pytest.mark.parametrize("seed", BLACK)
def test_the_seeds_of_section_3_are_black(seed: int) -> None:
    assert reference.is_black(reference.deal(seed)[0])
    assert not any(reference.is_black(reference.deal(other)[0]) for other in (0, 42, 53))


def test_black_agrees_with_the_naive_twin() -> None:
    for seed in range(500):
        hands, _ = reference.deal(seed)
        assert reference.is_black(hands) == naive.is_black(hands)


@pytest.mark.parametrize("seed", BLACK)
def test_a_redeal_adds_one_to_the_seed_and_draws_the_first_seat_anew(seed: int) -> None:
    assert reference.deal_playable(seed) == reference.deal(seed + 1)
    assert reference.deal_playable(seed + 1) == reference.deal(seed + 1)


def test_a_redeal_goes_on_through_several_black_deals() -> None:
    black = [reference.is_black(reference.deal(seed)[0]) for seed in range(3000)]
    first = next(seed for seed in range(2999) if black[seed] and black[seed + 1])
    stands = next(seed for seed in range(first, 3000) if not black[seed])
    assert stands - first >= 2 and reference.deal_playable(first) == reference.deal(stands)


def black_share(count: int) -> float:
    """Return how many of the deals of seeds 0..count-1 are black."""
    return sum(reference.is_black(reference.deal(seed)[0]) for seed in range(count)) / count


def test_a_black_deal_is_as_rare_as_the_exact_chance() -> None:
    exact, count = 38607 / 735471, 5000
    assert abs(black_share(count) - exact) < 4 * (exact * (1 - exact) / count) ** 0.5


def test_the_first_seat_is_drawn_evenly() -> None:
    drawn = Counter(reference.deal(seed)[1] for seed in range(3000))
    assert set(drawn) == {0, 1, 2} and all(abs(n - 1000) < 130 for n in drawn.values())


@pytest.mark.parametrize("seed", [0, -5, 10**100, 2**31])
def test_any_whole_number_is_a_seed(seed: int) -> None:
    hands, first = reference.deal(seed)
    assert sum(sum(hand.values()) for hand in hands) == 24 and first in (0, 1, 2)
