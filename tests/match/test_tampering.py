"""No single move of a signed record can be changed unnoticed. `proof.py` runs more of them."""

from __future__ import annotations

import pytest

from tests.match.tampering import GAMES, KINDS, tamper


@pytest.mark.parametrize("game", GAMES)
def test_every_edit_of_one_move_is_noticed(game: str) -> None:
    count = 100 if game != "wuhan_mahjong" else 40
    tally = tamper(game, count)
    assert all(tally[kind] >= count for kind in KINDS), tally
