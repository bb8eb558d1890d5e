"""The configuration under the names of the specification (README §14), and its conversion to options."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from qipai.core.errors import BadOption, short

from .options import MILLION, NEXT_MOST, STREAK_MAX, WINDOW_MAX
from .state import CLEAR_MIN, COLS, HAND_MAX, ROWS, SCORE_PER_TILE, WIN_BASE, WIN_PER_RED
from .tiles import TILES

# Rules that may be set, with their defaults
RULES: dict[str, Any] = {
    "CPU_CLEAR_POLICY": "used-only",
    "BIAS_ENABLED": True,
    "BIAS_WINDOW_PAIRS": 16,
    "BIAS_ZORO_TARGET": 0.24,
    "BIAS_ZORO_MIN": 0.12,
    "BIAS_ZORO_MAX": 0.36,
    "BIAS_ZORO_FEEDBACK": 0.6,
    "BIAS_MAX_STREAK": 2,
    "BIAS_STREAK_PENALTY": 0.2,
    "BIAS_REMAINING_GAMMA": 1.2,
    "BIAS_NOISE_EPS": 0.001,
    "BIAS_STREAK_HARD_CAP": True,
    "NEXT_PAIRS": 1,
}
# Presentation and the self test
SHOW: dict[str, Any] = {
    "FALL_INTERVAL_MS": 1000,
    "CHAIN_TICK_MS": 500,
    "TEST_ENABLED": True,
    "TEST_SEED": 123456,
    "TEST_VERBOSE": False,
    "TEST_BIAS_SAMPLE_PAIRS": 200,
}
# Listed, but fixed
FIXED: dict[str, Any] = {
    "COLS": COLS,
    "ROWS": ROWS,
    "DECK_TOTAL": TILES,
    "HAND_MAX": HAND_MAX,
    "CLEAR_MIN": CLEAR_MIN,
    "SCORE_PER_TILE": SCORE_PER_TILE,
    "WIN_BASE": WIN_BASE,
    "WIN_PER_RED": WIN_PER_RED,
    "CPU_WIN_PER_HOLD": 1,
}
CONFIG: dict[str, Any] = {**RULES, **SHOW, **FIXED}
_REALS = {  # name: lowest, highest, whether the lowest itself is excluded
    "BIAS_ZORO_TARGET": (0.0, 1.0, False),
    "BIAS_ZORO_MIN": (0.0, 1.0, False),
    "BIAS_ZORO_MAX": (0.0, 1.0, False),
    "BIAS_ZORO_FEEDBACK": (0.0, 10.0, False),
    "BIAS_STREAK_PENALTY": (0.0, 1.0, True),
    "BIAS_REMAINING_GAMMA": (0.0, 8.0, False),
    "BIAS_NOISE_EPS": (0.0, 1.0, True),
}
_WHOLE = {
    "BIAS_WINDOW_PAIRS": (1, WINDOW_MAX),
    "BIAS_MAX_STREAK": (1, STREAK_MAX),
    "NEXT_PAIRS": (1, NEXT_MOST),
    "FALL_INTERVAL_MS": (1, 60_000),
    "CHAIN_TICK_MS": (1, 60_000),
    "TEST_SEED": (0, (1 << 32) - 1),
    "TEST_BIAS_SAMPLE_PAIRS": (1, 1_000_000),
}


def read_config(given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the whole configuration, the defaults overridden by `given`; raise `BadOption` for errors."""
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        raise BadOption(f"a configuration must map names to values, not {type(given).__name__}")
    for name, value in given.items():
        if name not in CONFIG:
            raise BadOption(f"there is no setting {short(name)}")
        _check_value(name, value)
    config = {**CONFIG, **given}
    if not config["BIAS_ZORO_MIN"] <= config["BIAS_ZORO_TARGET"] <= config["BIAS_ZORO_MAX"]:
        raise BadOption("BIAS_ZORO_MIN <= BIAS_ZORO_TARGET <= BIAS_ZORO_MAX does not hold")
    return config


def _check_value(name: str, value: Any) -> None:
    default = CONFIG[name]
    if name in FIXED:
        if isinstance(value, bool) or value != default:
            raise BadOption(f"{name} is {default} and cannot be changed")
    elif isinstance(default, bool):
        if not isinstance(value, bool):
            raise BadOption(f"{name} is true or false, not {short(value)}")
    elif name in _REALS:
        low, high, above = _REALS[name]
        number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        if not number or not low <= value <= high or (above and value == low):
            raise BadOption(
                f"{name} is a number {'above' if above else 'from'} {low} up to {high}, not {short(value)}"
            )
    elif name in _WHOLE:
        least, most = _WHOLE[name]
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise BadOption(f"{name} must be a whole number from {least} to {most}, not {short(value)}")
    elif not isinstance(value, str) or not 0 < len(value) <= 40:
        raise BadOption(f"{name} is a word, not {short(value)}")


def options_of(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the platform's options for a checked configuration."""
    found: dict[str, Any] = {}
    for name in RULES:
        value = config[name]
        if name == "CPU_CLEAR_POLICY":
            found["cpu_clear_policy"] = "used-only" if value == "used-only" else "all"  # §10
        elif isinstance(CONFIG[name], bool):
            found[name.lower()] = "on" if value else "off"
        elif name in _REALS:
            _, _, above = _REALS[name]
            found[name.lower()] = max(round(value * MILLION), 1 if above else 0)
        else:
            found[name.lower()] = value
    return found


def config_of(options: Mapping[str, int]) -> dict[str, Any]:
    """Return all options, as the state has them, under the names of the specification."""
    found: dict[str, Any] = {}
    for name in RULES:
        value = options[name.lower()]
        if name == "CPU_CLEAR_POLICY":
            found[name] = "all" if value else "used-only"
        elif isinstance(CONFIG[name], bool):
            found[name] = bool(value)
        else:
            found[name] = value / MILLION if name in _REALS else value
    return found
