"""Paipai Rensa is registered under its name; test_registered_games holds the contract against it."""

from __future__ import annotations

from qipai.core import get
from qipai.games.paipai_rensa import GAME


def test_it_is_registered() -> None:
    assert get("paipai_rensa") is GAME and GAME.rules.seats == (1, 1) and GAME.rules.actions == 26
