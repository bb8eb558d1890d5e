"""Wuhan mahjong's options (§10) and their values; `messages/` describes them."""

from __future__ import annotations

from qipai.core import SWITCH, Option

from .score import GOLDEN_LIMIT, GOLDEN_RAISE
from .state import ORDER_DEALER, ORDER_DISCARDER

NO_CAP = -1

OPTIONS = (
    Option("min_win", 16, low=0, high=64, allowed=(0, 8, 16, 32, 64)),
    Option("cap", 300, low=300, high=800, allowed=(300, 500, 800)),
    Option("golden_mode", GOLDEN_RAISE, {"raise": GOLDEN_RAISE, "limit": GOLDEN_LIMIT}),
    Option("kou_kou_fan", 1, SWITCH),
    Option("small_laizi", 1, low=0, high=4),
    Option("big_laizi", 2, low=0, high=4),
    Option("wall_reserve", 0, low=0, high=10, allowed=(0, 10)),
    Option("auto_pass", 1, SWITCH, expert=True),
    Option(
        "multi_win_order",
        ORDER_DISCARDER,
        {"discarder": ORDER_DISCARDER, "dealer": ORDER_DEALER},
        expert=True,
    ),
    Option("contract", 1, SWITCH),
    Option("flow_settlement", 1, SWITCH),
    Option("flow_cap", 300, low=NO_CAP, high=300, allowed=(300, NO_CAP)),
    Option("first_dealer", -1, low=-1, high=3, is_seat=True),
)
