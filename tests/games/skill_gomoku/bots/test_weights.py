"""The shipped weights: complete, and a copy for every caller."""

from __future__ import annotations

import numpy as np

from qipai.games.skill_gomoku.bots import evaluation
from qipai.games.skill_gomoku.bots.weights import load_weights


def test_the_shipped_weights_fill_the_network() -> None:
    net = load_weights()
    assert net.shape == (evaluation.NET,)
    assert np.isfinite(net).all()
    for start, length in (
        (evaluation.LINEAR, evaluation.INPUTS),
        (evaluation.FIRST, evaluation.HIDDEN * evaluation.INPUTS),
        (evaluation.SECOND, evaluation.HIDDEN),
    ):
        assert np.count_nonzero(net[start : start + length]) > length // 2
    assert not net[evaluation.CARD_VALUE :].any()


def test_every_caller_gets_weights_of_its_own() -> None:
    mine = load_weights()
    mine[:] = 7.0
    assert not (load_weights() == 7.0).any()
