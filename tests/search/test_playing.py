"""Playouts: they end, at the horizon or with the hand, and give every seat its payoff."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qipai.core import get
from qipai.core.rule import plain_function
from qipai.search import Searcher
from qipai.search.playing import choose_any, prefer_none, stand

from .policies import PLAIN


@pytest.mark.parametrize("horizon", [0, 1, 5])
def test_a_horizon_ends_a_playout_with_the_payoffs_as_they_stand(horizon: int) -> None:
    game = get("wuhan_mahjong")
    s = game.new(words=(1, 2, 3, 4))
    settings = replace(game.search, flat=False, horizon=horizon)
    found = Searcher(game, settings, policies=PLAIN).search(s, int(s["seat"]), 50, (1, 2, 3, 4))
    assert np.isfinite(found.totals).all()


def test_the_defaults_choose_any_action_weigh_all_alike_and_take_payoffs() -> None:
    game = get("leduc_poker")
    s = game.new(words=(1, 2, 3, 4))
    mask = game.mask(s)
    rng, work = np.arange(4, dtype=np.uint32), np.zeros(1, np.int64)
    chosen = {int(plain_function(choose_any)(s, mask, int(mask.sum()), rng, work)) for _ in range(50)}
    assert chosen == set(game.legal_actions(s))
    weights = np.zeros(3)
    plain_function(prefer_none)(s, mask, 2, work, weights)
    assert weights.tolist() == [0.0, 1.0, 1.0]
    s["payoff"] = [3, -3]
    values = np.zeros(2)
    plain_function(stand)(s, rng, work, values)
    assert values.tolist() == [3.0, -3.0]
