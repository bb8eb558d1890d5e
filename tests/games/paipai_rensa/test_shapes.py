"""Which tiles to keep, and the melds in a list."""

from __future__ import annotations

import random

from qipai.games.paipai_rensa.api import solve14, solve_from_pool
from qipai.games.paipai_rensa.shapes import best_groups, cpu_steps, keep_mask, split_hand, waits
from qipai.games.paipai_rensa.tiles import Box, kind_of
from tests.naive import paipai_rensa as naive


def test_a_winning_hand_with_most_reds_is_kept() -> None:
    tiles = [16, 17, 18, 19, 0, 4, 8, 36, 40, 44, 48, 52, 56, 124, 125, 72, 76, 80, 84, 88, 92]
    kept = [t for t, keep in zip(tiles, keep_mask(tuple(tiles)), strict=True) if keep]
    assert naive.wins14(kept) and naive.reds(kept) == 3


def test_keep_mask_wins_wherever_a_win_is_there_and_keeps_at_most_fourteen() -> None:
    rng = random.Random(4)
    wins = 0
    for _ in range(60):
        tiles = rng.sample(range(136), rng.randint(4, 44))
        kept = [t for t, keep in zip(tiles, keep_mask(tuple(tiles)), strict=True) if keep]
        assert len(kept) == min(14, len(tiles))
        can = len(tiles) >= 14 and solve_from_pool(tiles)["won"]
        assert naive.wins14(kept) == can
        wins += can
    assert wins > 10


def tiles_of(codes: str) -> tuple[int, ...]:
    return tuple(Box().take_all(codes, "tiles"))


def test_a_hand_is_split_exactly_where_the_twin_says_that_it_wins() -> None:
    rng = random.Random(5)
    won = 0
    for _ in range(300):
        found = solve_from_pool(rng.sample(range(136), 44))
        hand = list(found["hand"]) if found["won"] else rng.sample(range(136), 14)
        if rng.random() < 0.5:
            hand[0] = rng.choice([t for t in range(136) if t not in hand])
        groups = split_hand(hand)
        assert (groups is not None) == naive.wins14(hand) == solve14(hand)["won"]
        if groups is not None:
            won += 1
            assert sorted(t for group in groups for t in group) == sorted(hand)
            assert [len(group) for group in groups] == [3, 3, 3, 3, 2]
    assert won > 50 and split_hand(list(range(13))) is None


def most_groups(counts: list[int], melds: int, pair: bool) -> tuple[int, bool]:
    """Return the most melds, then a pair, by trying everything."""
    best = 0, False
    for k in range(34):
        steps: list[tuple[int, ...]] = [(k, k, k)] if melds else []
        if melds and k < 27 and k % 9 < 7:
            steps.append((k, k + 1, k + 2))
        if pair:
            steps.append((k, k))
        for step in steps:
            if all(counts[x] >= step.count(x) for x in step):
                left = list(counts)
                for x in step:
                    left[x] -= 1
                m, p = most_groups(left, melds - (len(step) == 3), pair and len(step) == 3)
                best = max(best, (m + (len(step) == 3), p or len(step) == 2))
    return best


def test_the_best_groups_of_a_short_list_are_the_most_there_are() -> None:
    rng = random.Random(6)
    for _ in range(60):
        start = rng.randrange(4)
        tiles = tuple(rng.sample(range(36 * start, min(136, 36 * start + 36)), 8))
        groups = best_groups(tiles)
        counts = [sum(kind_of(t) == k for t in tiles) for k in range(34)]
        sizes = [len(group) for group in groups]
        assert (sizes.count(3), 2 in sizes) == most_groups(counts, 4, True)
        assert len({i for group in groups for i in group}) == sum(sizes)


def test_waits_are_the_kinds_that_complete_a_hand() -> None:
    hand = tiles_of("m1 m2 m3 p4 p5 p6 s7 s8 s9 m4 m5 zP zP")
    assert waits(hand) == (2, 5) and waits(hand[:12]) == ()
    rng = random.Random(7)
    for _ in range(20):
        won = solve_from_pool(rng.sample(range(136), 50))["hand"]
        tiles = tuple(won[:13])
        left = [t for t in range(136) if t not in tiles]
        assert {
            k for k in range(34) if any(kind_of(t) == k and naive.wins14([*tiles, t]) for t in left)
        } == set(waits(tiles))


def test_a_kind_of_which_the_hand_holds_all_four_is_no_wait() -> None:
    assert waits(tiles_of("m1 m1 m1 m1 p1 p2 p3 s1 s2 s3 zE zE zE")) == ()


def test_progress_takes_triplets_before_runs_and_at_most_four_melds() -> None:
    melds, pair = cpu_steps(tiles_of("m1 m1 m1 m2 m3 p1 p2 p3 s1 s2 s3 s4 s5 s6 s7 s8 s9 zE zE"))
    assert melds == [(0, 0, 0), (9, 10, 11), (18, 19, 20), (21, 22, 23)] and pair == (27, 27)
