"""The configuration under the names of the specification (§14)."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core.errors import BadOption
from qipai.core.option import read_options
from qipai.games.paipai_rensa.config import CONFIG, RULES, config_of, options_of, read_config
from qipai.games.paipai_rensa.options import OPTIONS
from qipai.games.paipai_rensa.terminal.live import read_flags


def test_options_of_the_command_line_reach_the_game() -> None:
    given = config_of(read_options(OPTIONS, read_flags(["bias_zoro_target=300000", "cpu_clear_policy=all"])))
    assert given["BIAS_ZORO_TARGET"] == 0.3 and given["CPU_CLEAR_POLICY"] == "all"
    assert {k: given[k] for k in given if k not in ("BIAS_ZORO_TARGET", "CPU_CLEAR_POLICY")} == {
        k: v for k, v in RULES.items() if k not in ("BIAS_ZORO_TARGET", "CPU_CLEAR_POLICY")
    }


def test_options_and_configuration_say_the_same() -> None:
    options = {o.name: o.default for o in OPTIONS}
    assert config_of(options) == RULES and read_options(OPTIONS, options_of(CONFIG)) == options
    given = {**CONFIG, "BIAS_ZORO_TARGET": 0.3, "CPU_CLEAR_POLICY": "anything else", "BIAS_NOISE_EPS": 1e-9}
    found = read_options(OPTIONS, options_of(given))
    assert (found["bias_zoro_target"], found["cpu_clear_policy"], found["bias_noise_eps"]) == (300_000, 1, 1)


BAD: list[Any] = [
    {"BIAS_WINDOW_PAIRS": 0},
    {"BIAS_MAX_STREAK": 0},
    {"BIAS_STREAK_PENALTY": 0},
    {"BIAS_NOISE_EPS": 0.0},
    {"BIAS_ZORO_MIN": 0.5},
    {"BIAS_ZORO_MAX": 0.1},
    {"BIAS_ZORO_TARGET": float("nan")},
    {"BIAS_ENABLED": 1},
    {"HAND_MAX": 13},
    {"NO_SUCH": 1},
    {"CPU_CLEAR_POLICY": 3},
    {"TEST_SEED": -1},
    [],
]


@pytest.mark.parametrize("config", BAD, ids=str)
def test_a_bad_setting_is_refused_by_name(config: Any) -> None:
    with pytest.raises(BadOption):
        read_config(config)


def test_what_is_not_given_has_its_default() -> None:
    assert read_config() == read_config({}) == CONFIG
    assert read_config({"FALL_INTERVAL_MS": 50}) == {**CONFIG, "FALL_INTERVAL_MS": 50}
