"""Every value that a game of ours observes lies in the range that its feature declares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from qipai.core import get
from qipai.core.registry import OURS
from qipai.sim import Batch

LANES = 128

# Options that reach other values than the defaults do.
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "xianqi": [{"first_seat": 2, "enough_must_buckle": "on", "eight_pillars": "on"}],
    "wuhan_mahjong": [{"min_win": 64, "cap": 800, "flow_cap": -1, "first_dealer": 3, "kou_kou_fan": "off"}],
    "nana": [{"max_turns": 10_000, "mode": "spicy", "first": -1}],
    "skill_gomoku": [{"places": 60, "takes": 4, "inversions": 0, "freezes": 0, "generations": 0}],
    "paipai_rensa": [{"bias_window_pairs": 60, "cpu_clear_policy": "all"}],
}


def observations(name: str, steps: int) -> Iterator[np.ndarray[Any, Any]]:
    """Yield observations of random games with the fewest and the most seats, and with other options."""
    game = get(name)
    for seats in sorted(set(game.rules.seats)):
        for options in ({}, *OPTIONS[name]):
            batch = Batch(game, LANES, seats=seats, options=options, seed=5)
            for _ in range(steps):
                batch.step(batch.sample())
                yield batch.obs.copy()


@pytest.mark.parametrize("name", OURS)
def test_observed_values_are_in_the_declared_ranges(name: str) -> None:
    least = np.full(get(name).observation_size, 127)
    most = np.full(get(name).observation_size, -128)
    for seen in observations(name, 150):
        least, most = np.minimum(least, seen.min(axis=0)), np.maximum(most, seen.max(axis=0))
    for f in get(name).rules.observation:
        run = slice(f.start, f.start + f.length)
        assert f.low <= least[run].min() and most[run].max() <= f.high, f.name


@pytest.mark.parametrize("name", OURS)
def test_every_feature_has_a_type_of_its_own(name: str) -> None:
    """Bytes of a larger number are the one thing whose range is all of int8."""
    untyped = [f.name for f in get(name).rules.observation if (f.low, f.high) == (-128, 127)]
    assert untyped == (["turn", "limit"] if name == "skill_gomoku" else [])
