"""NANA's options: a first seat must be at the table."""

from __future__ import annotations

import pytest

from qipai.core.errors import BadOption, BadSeats
from qipai.games.nana import GAME


def test_a_first_seat_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadOption):
        GAME.new({"first": 2}, 2)
    with pytest.raises(BadSeats):
        GAME.new(seats=7)
    assert {int(GAME.new({"first": -1}, 3, (k, 0, 0, 1))["seat"]) for k in range(30)} == {0, 1, 2}
