"""The training of `sharp`, in small."""

from __future__ import annotations

import numpy as np

from qipai.games.skill_gomoku.bots import train
from qipai.games.skill_gomoku.bots.weights import load_weights, network


def test_the_weights_can_be_made_again() -> None:
    """The training of `sharp`, in small: the fit follows the looked-ahead values."""
    states = train.positions(2, 5, load_weights())
    assert len({s.tobytes() for s in states}) == len(states)  # copies, not one record seen again
    w = train.fresh()
    x, y = train.value(states, network(train.document(w)), depth=1)
    assert ((y >= 0) & (y <= 1)).all()
    first = train.fit(x, y, w)[1]
    for _ in range(4):
        w, error = train.fit(x, y, w)
    assert error < first
    assert np.allclose(network(train.document(train.read(train.document(w)))), network(train.document(w)))
