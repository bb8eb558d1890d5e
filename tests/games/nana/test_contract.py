"""NANA with every number of seats, under bounds checks and in batches."""

from __future__ import annotations

import pytest

from qipai.games.nana import GAME
from qipai.sim import Batch
from qipai.testing import Property, check_game


@pytest.mark.parametrize("seats", [2, *(pytest.param(n, marks=pytest.mark.slow) for n in (3, 4, 5, 6))])
def test_long_random_games_keep_the_cheap_promises_with_bounds_checks(seats: int) -> None:
    report = check_game(GAME, games=200, seats=[seats], options=[{}], only=[Property.LENGTH])
    assert report.games >= 200


def test_a_batch_plays_every_table() -> None:
    for seats in range(2, 7):
        batch = Batch(GAME, 16, seats=seats, options={"max_turns": 20})
        assert batch.rollout(200, observe=True).games > 16
        assert batch.reward.shape == (16, seats)
