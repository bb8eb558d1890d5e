"""The contract of every game, held against Paipai Rensa; and that nothing else is registered in its place."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core import get
from qipai.games.paipai_rensa import GAME
from qipai.testing import check_game

SETTINGS: list[dict[str, Any]] = [
    {},
    {"cpu_clear_policy": "all"},
    {"bias_streak_hard_cap": "off", "bias_window_pairs": 1},
    {"bias_enabled": "off"},
]


@pytest.mark.slow
def test_the_contract_holds() -> None:
    report = check_game(GAME, games=120, seed=1, options=SETTINGS, parity_games=4)
    assert report.games == 120 and len(report.edges) == len(GAME.rules.edges)


def test_it_is_registered() -> None:
    assert get("paipai_rensa") is GAME and GAME.rules.seats == (1, 1) and GAME.rules.actions == 26
