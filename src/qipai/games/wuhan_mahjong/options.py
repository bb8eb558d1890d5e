"""Wuhan mahjong's options (§10) and their values; `messages/` describes them."""

from __future__ import annotations

from collections.abc import Mapping

from qipai.core import SWITCH, Option
from qipai.core.errors import BadOption

from .score import GOLDEN_LIMIT, GOLDEN_RAISE
from .state import ORDER_DEALER, ORDER_DISCARDER

NO_CAP = -1

OPTIONS = (
    Option("min_win", 16, low=0, high=64),
    Option("cap", 300, low=300, high=800),
    Option("golden_mode", GOLDEN_RAISE, {"raise": GOLDEN_RAISE, "limit": GOLDEN_LIMIT}),
    Option("kou_kou_fan", 1, SWITCH),
    Option("small_laizi", 1, low=0, high=4),
    Option("big_laizi", 2, low=0, high=4),
    Option("wall_reserve", 0, low=0, high=10),
    Option("auto_pass", 1, SWITCH),
    Option("multi_win_order", ORDER_DISCARDER, {"discarder": ORDER_DISCARDER, "dealer": ORDER_DEALER}),
    Option("contract", 1, SWITCH),
    Option("flow_settlement", 1, SWITCH),
    Option("flow_cap", 300, low=NO_CAP, high=300),
    Option("first_dealer", -1, low=-1, high=3, is_seat=True),
)

ALLOWED: Mapping[str, tuple[int, ...]] = {
    "min_win": (0, 8, 16, 32, 64),
    "cap": (300, 500, 800),
    "wall_reserve": (0, 10),
    "flow_cap": (300, NO_CAP),
}


def check(numbers: Mapping[str, int], seats: int) -> None:
    """Raise `BadOption` for numbers that are in range but not playable."""
    for name, values in ALLOWED.items():
        if numbers[name] not in values:
            known = ", ".join(str(v) for v in values)
            raise BadOption(f"option {name}: {numbers[name]} is not one of {known}")
