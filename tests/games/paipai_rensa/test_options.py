"""Options: the preset of the original, and refused values."""

from __future__ import annotations

import pytest

from qipai.core.errors import BadOption
from qipai.games.paipai_rensa import GAME
from qipai.games.paipai_rensa.options import ORIGINAL, PRESETS
from qipai.games.paipai_rensa.state import CELLS
from qipai.match import Match


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
        {"next_pairs": 0},
        {"next_pairs": 3},
    ):
        with pytest.raises(BadOption):
            GAME.new(bad)
    assert CELLS == 72


# Of two placements, by the version before `next_pairs` was added.
DIGEST = "e476d5e886f1a9a385725626ddf8918094447f39313bf8a60f11b41fd6734877"
CHAIN = "95242a00133fa19cdbe4c1ae7fbf8637e6de3703b13f71e87b95f1c36906f46b"


def test_a_record_without_the_added_option_stays_valid_and_is_written_the_same() -> None:
    match = Match("paipai_rensa", seed=bytes(range(32)))
    for action in (8, 0):
        match.act(0, [action])
    dump = match.dump()
    assert (dump["digest"], dump["chain"]) == (DIGEST, CHAIN)
    assert "next_pairs" not in dump["options"] and Match.load(dump).digest == DIGEST


def test_another_value_of_the_added_option_is_written() -> None:
    dump = Match("paipai_rensa", {"next_pairs": 2}, seed=bytes(range(32))).dump()
    assert dump["options"]["next_pairs"] == 2
    assert Match.load(dump).view(0)["next"] == Match.load(dump).view(-1)["next"]
    assert len(Match.load(dump).view(0)["next"]) == 4
