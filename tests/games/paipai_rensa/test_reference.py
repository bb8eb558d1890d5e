"""The pinned generator and planner: AC-13, AC-14, AC-17 to AC-20, AC-49, ST-4."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from qipai.games.paipai_rensa import GAME, planner
from qipai.games.paipai_rensa.reference import Mulberry32, SuitPlanner, supply, supply_figures
from qipai.games.paipai_rensa.tiles import codes, suit_of

from .positions import deck_of
from .test_planner import check_statistics, reference_decks, runs_with_choice, statistics

CAP_OFF = {"BIAS_STREAK_HARD_CAP": False}


ORDERS = {
    1: (
        "m6 p9 m1 m5 s2 zF p3 p7 s6 p2 p3 p4 m9 s9 m8 s2 s8 p2 m3 m5 s9 m6 m3 s3",
        "s2 s6",
        17,
        783,
        "ef927d0a9184a01a2e59cb25654f58c4971a4e1794132cdc9772db1d75ba8a67",
    ),
    123456: (
        "s3 p2 m4 p1 p4 s7 p5 p3 zC m7 m9 m2 p1 zC s9 m2 m2 m4 zP zN p5 s3 s6 zW",
        "p6 zF",
        19,
        779,
        "a515dc4b3b2cdb4a018ed8409d3a9dcf9e16559823480092a9a363417bafcd04",
    ),
}


@pytest.mark.parametrize(
    ("seed", "numbers"),
    [
        (0, (0.26642920868471265, 0.0003297457005828619, 0.2232720274478197)),
        (1, (0.6270739405881613, 0.002735721180215478, 0.5274470399599522)),
        (123456, (0.38233304349705577, 0.7972629074938595, 0.9965302373748273)),
    ],
)
def test_ac13_first_draws_of_the_pinned_generator(seed: int, numbers: tuple[float, ...]) -> None:
    rng = Mulberry32(seed)
    assert tuple(rng.random() for _ in numbers) == numbers


@pytest.mark.parametrize("seed", ORDERS)
def test_ac14_reference_orders_and_hashes(seed: int) -> None:
    first, last, zoro, draws, sha = ORDERS[seed]
    made = SuitPlanner(seed)
    deck = [t for _ in range(136) if (t := made.draw()) is not None]
    assert " ".join(codes(deck[:24])) == first and " ".join(codes(deck[-2:])) == last
    assert supply_figures(deck)["zoro"] == zoro and made.rng.draws == draws
    assert hashlib.sha256(",".join(map(str, deck)).encode()).hexdigest() == sha
    assert deck == supply(seed, CAP_OFF)


def test_ac17_draw_counts() -> None:
    for seed in ORDERS:
        made = SuitPlanner(seed)
        assert made.rng.draws == 132
        made.next_pair()
        assert made.rng.draws == 143
    made = SuitPlanner(1)
    made.next_pair()
    before = made.rng.draws
    made.next_pair()
    assert made.rng.draws - before == 6


def test_ac18_forced_pairs() -> None:
    for seed in range(50):
        made = SuitPlanner(seed, buckets=[[0], [36], [72], [108]])
        before = made.rng.draws
        one, two = made.next_pair()
        assert suit_of(one) != suit_of(two) and made.window == [False]
        assert made.rng.draws - before == 10  # no zoro draw: two sets of noise and two picks
        made = SuitPlanner(seed, buckets=[[], [], [72, 73, 74, 75, 76, 77], []])
        assert {suit_of(t) for t in made.next_pair()} == {2} and made.window == [True]


def test_ac19_the_last_single_tile() -> None:
    made = SuitPlanner(0, buckets=[[], [36], [], []])
    assert made.draw() == 36 and made.draw() is None and made.draw() is None
    assert made.window == [] and made.streak == 0
    made = SuitPlanner(0, buckets=[[], [36], [], []])
    made.window, made.last_main, made.streak = [True, False], 1, 2
    assert made.next_pair() == [36] and made.next_pair() == []
    assert (made.window, made.last_main, made.streak) == ([True, False], 1, 2)
    s = GAME.new(layout={"deck": [0, 1, 72, 73, 36]})
    planner.plan(s, 0)
    assert sorted(deck_of(s)) == [0, 1, 36, 72, 73]


def test_ac20_the_hard_cap() -> None:
    for seed in (12, 27, 159):
        deck = supply(seed)
        assert supply_figures(deck)["longest"] == 4 and runs_with_choice(deck) <= 3
    for seed in (16, 21, 37, 45, 49, 71, 74, 93, 153, 162, 189):
        assert supply_figures(supply(seed))["longest"] <= 3 < supply_figures(supply(seed, CAP_OFF))["longest"]
    for seed in (1, 123456):
        assert supply(seed) == supply(seed, CAP_OFF)


def test_st4_totals_of_seeds_1_to_200_are_exact() -> None:
    off = statistics(reference_decks(200, CAP_OFF))
    assert off["zoro"] == 3280 and off["longest"] == {2: 74, 3: 112, 4: 10, 5: 4}
    assert round(off["sd"], 4) == 0.0351 and (round(off["low"], 3), round(off["high"], 3)) == (0.162, 0.338)
    assert off["quantiles"] == [0.162, 0.191, 0.235, 0.294, 0.338]
    assert np.allclose(off["mains"], [0.265, 0.261, 0.272, 0.203], atol=6e-4)  # bamboo: 3692 / 13600 = 0.2715
    assert [round(p, 3) for p in off["repeats"]] == [0.247, 0.078, 0.073]
    on = reference_decks(200)
    found = check_statistics(on, True)
    assert found["zoro"] == 3270 and found["longest"] == {2: 74, 3: 123, 4: 3}


def test_bug_2025_05_decks_can_be_made_and_drawn() -> None:
    """AC-49"""
    for seed in range(200):
        made = SuitPlanner(seed)
        assert [made.draw() for _ in range(138)].count(None) == 2 and made.remaining() == 0
