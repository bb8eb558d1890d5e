"""Options: the preset of the original, and refused values."""

from __future__ import annotations

import pytest

from qipai.core.errors import BadOption
from qipai.games.paipai_rensa import GAME
from qipai.games.paipai_rensa.options import ORIGINAL, PRESETS
from qipai.games.paipai_rensa.state import CELLS


def test_the_original_is_a_preset_and_options_are_checked() -> None:
    assert PRESETS["original"] is ORIGINAL and GAME.new(ORIGINAL)["bias_streak_hard_cap"] == 0
    for bad in (
        {"bias_zoro_min": 500_000},
        {"bias_zoro_max": 100_000},
        {"bias_window_pairs": 0},
        {"bias_max_streak": 0},
        {"bias_streak_penalty": 0},
        {"bias_noise_eps": 0},
        {"cpu_clear_policy": "none"},
    ):
        with pytest.raises(BadOption):
            GAME.new(bad)
    assert CELLS == 72
