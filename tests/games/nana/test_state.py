"""NANA's state record and its phases."""

from __future__ import annotations

from qipai.games.nana import GAME


def test_a_state_is_small() -> None:
    assert GAME.rules.State.itemsize <= 512
