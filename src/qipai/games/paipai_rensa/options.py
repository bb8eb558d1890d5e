"""Paipai Rensa's options: the rules part of the configuration table (README §14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qipai.core import SWITCH, Option
from qipai.core.errors import BadOption

from .state import USED_ONLY, WHOLE_BOARD

MILLION = 1_000_000
WINDOW_MAX = 60
STREAK_MAX = 100
NEXT_MOST = 2


def _millionths(name: str, default: float, low: int, high: int) -> Option:
    return Option(name, round(default * MILLION), low=low, high=high, expert=True)


OPTIONS = (
    Option("cpu_clear_policy", USED_ONLY, {"used-only": USED_ONLY, "all": WHOLE_BOARD}),
    Option("bias_enabled", 1, SWITCH),
    Option("bias_window_pairs", 16, low=1, high=WINDOW_MAX, expert=True),
    _millionths("bias_zoro_target", 0.24, 0, MILLION),
    _millionths("bias_zoro_min", 0.12, 0, MILLION),
    _millionths("bias_zoro_max", 0.36, 0, MILLION),
    _millionths("bias_zoro_feedback", 0.6, 0, 10 * MILLION),
    Option("bias_max_streak", 2, low=1, high=STREAK_MAX, expert=True),
    _millionths("bias_streak_penalty", 0.2, 1, MILLION),
    _millionths("bias_remaining_gamma", 1.2, 0, 8 * MILLION),
    _millionths("bias_noise_eps", 0.001, 1, MILLION),
    Option("bias_streak_hard_cap", 1, SWITCH, expert=True),
    Option("next_pairs", 1, low=1, high=NEXT_MOST, allowed=(1, NEXT_MOST), added=True),
)

ORIGINAL: dict[str, Any] = {"bias_streak_hard_cap": "off"}  # plays exactly as the browser original

PRESETS: dict[str, dict[str, Any]] = {"standard": {}, "original": ORIGINAL}


def check(options: Mapping[str, int], seats: int) -> None:
    """Raise `BadOption` unless min <= target <= max."""
    low, target, high = (options[f"bias_zoro_{name}"] for name in ("min", "target", "max"))
    if not low <= target <= high:
        raise BadOption(
            f"bias_zoro_min <= bias_zoro_target <= bias_zoro_max does not hold: {low}, {target}, {high}"
        )
