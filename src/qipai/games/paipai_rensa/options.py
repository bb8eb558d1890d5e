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


def _millionths(name: str, default: float, low: int, high: int, en: str, ja: str) -> Option:
    return Option(name, round(default * MILLION), low=low, high=high, about={"en": en, "zh": ja})


OPTIONS = (
    Option(
        "cpu_clear_policy",
        USED_ONLY,
        {"used-only": USED_ONLY, "all": WHOLE_BOARD},
        about={
            "en": "what a CPU win removes: its own tiles, or the whole board",
            "zh": "CPU和牌后清除：所用牌，或整个盘面",
        },
    ),
    Option(
        "bias_enabled",
        1,
        SWITCH,
        about={"en": "steer the rate of same-suit pairs (A)", "zh": "调节同色对的比率（A）"},
    ),
    Option(
        "bias_window_pairs",
        16,
        low=1,
        high=WINDOW_MAX,
        about={"en": "pairs over which that rate is observed", "zh": "观测同色对比率的窗口"},
    ),
    _millionths(
        "bias_zoro_target", 0.24, 0, MILLION, "rate aimed at, in millionths", "目标比率（百万分之一）"
    ),
    _millionths("bias_zoro_min", 0.12, 0, MILLION, "lowest chance, in millionths", "最低概率（百万分之一）"),
    _millionths("bias_zoro_max", 0.36, 0, MILLION, "highest chance, in millionths", "最高概率（百万分之一）"),
    _millionths(
        "bias_zoro_feedback", 0.6, 0, 10 * MILLION, "strength of the feedback", "负反馈强度（百万分之一）"
    ),
    Option(
        "bias_max_streak",
        2,
        low=1,
        high=STREAK_MAX,
        about={
            "en": "equal main suits in a row before the penalty (B)",
            "zh": "主花色连续上限，之后减权（B）",
        },
    ),
    _millionths("bias_streak_penalty", 0.2, 1, MILLION, "weight factor after that", "连续后的权重系数"),
    _millionths("bias_remaining_gamma", 1.2, 0, 8 * MILLION, "exponent of the stock ratio", "库存比例的指数"),
    _millionths("bias_noise_eps", 0.001, 1, MILLION, "noise on the weights", "权重噪声"),
    Option(
        "bias_streak_hard_cap",
        1,
        SWITCH,
        about={
            "en": "no main suit more than max_streak + 1 times in a row",
            "zh": "主花色连续不超过上限加一",
        },
    ),
)

ORIGINAL: dict[str, Any] = {"bias_streak_hard_cap": "off"}  # plays exactly as the browser original

PRESETS: dict[str, dict[str, Any]] = {"standard": {}, "original": ORIGINAL}


def check(options: Mapping[str, int], seats: int) -> None:
    """Refuse limits that are out of order: min <= target <= max."""
    low, target, high = (options[f"bias_zoro_{name}"] for name in ("min", "target", "max"))
    if not low <= target <= high:
        raise BadOption(
            f"bias_zoro_min <= bias_zoro_target <= bias_zoro_max does not hold: {low}, {target}, {high}"
        )
