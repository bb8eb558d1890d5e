"""Which tiles to keep, and the melds in a list."""

from __future__ import annotations

import random

from qipai.games.paipai_rensa.api import solve_from_pool
from qipai.games.paipai_rensa.shapes import keep_mask
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
