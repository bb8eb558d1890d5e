"""The game of the skeleton keeps the contract it teaches."""

from __future__ import annotations

import pytest

from qipai.skeleton.game import GAME
from qipai.testing import check_game


@pytest.mark.slow
def test_the_skeleton_keeps_the_contract() -> None:
    report = check_game(GAME, games=100, seed=3)
    assert report.games == 100 and not report.failures
    assert report.edges == {(int(a), int(b)) for a, b in GAME.rules.edges}
