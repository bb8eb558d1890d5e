"""Wuhan mahjong's options (§10), as the platform knows them, and the values they may take."""

from __future__ import annotations

from collections.abc import Mapping

from qipai.core import SWITCH, Option
from qipai.core.errors import BadOption

from .score import GOLDEN_LIMIT, GOLDEN_RAISE
from .state import ORDER_DEALER, ORDER_DISCARDER

NO_CAP = -1

OPTIONS = (
    Option(
        "min_win",
        16,
        low=0,
        high=64,
        about={
            "en": "least payment of each loser for a win: 0, 8, 16, 32 or 64",
            "zh": "起胡：0、8、16、32、64",
        },
    ),
    Option(
        "cap",
        300,
        low=300,
        high=800,
        about={"en": "most a loser pays: 300, 500 or 800", "zh": "封顶：300、500、800"},
    ),
    Option(
        "golden_mode",
        GOLDEN_RAISE,
        {"raise": GOLDEN_RAISE, "limit": GOLDEN_LIMIT},
        about={
            "en": "when all three reach the cap each pays the golden amount, or at most that",
            "zh": "金顶：三家都封顶时一律付金顶，或最多付金顶",
        },
    ),
    Option(
        "kou_kou_fan",
        1,
        SWITCH,
        about={"en": "every open meld doubles; off: only the first", "zh": "口口翻；关闭为开口翻"},
    ),
    Option(
        "small_laizi", 1, low=0, high=4, about={"en": "substitutes in a small win", "zh": "小胡可用赖子数"}
    ),
    Option("big_laizi", 2, low=0, high=4, about={"en": "substitutes in a big win", "zh": "大胡可用赖子数"}),
    Option(
        "wall_reserve",
        0,
        low=0,
        high=10,
        about={"en": "tiles left over at the end: 0 or 10", "zh": "留牌：0 或 10"},
    ),
    Option(
        "auto_pass",
        1,
        SWITCH,
        about={"en": "seats without a claim are not asked", "zh": "无牌可应自动过"},
    ),
    Option(
        "multi_win_order",
        ORDER_DISCARDER,
        {"discarder": ORDER_DISCARDER, "dealer": ORDER_DEALER},
        about={
            "en": "who is asked first: from the discarder, or from the dealer",
            "zh": "应答次序：自出牌者或自庄家起",
        },
    ),
    Option("contract", 1, SWITCH, about={"en": "one seat may have to pay for all", "zh": "承包"}),
    Option("flow_settlement", 1, SWITCH, about={"en": "a drawn hand is settled", "zh": "荒庄查大叫"}),
    Option(
        "flow_cap",
        300,
        low=NO_CAP,
        high=300,
        about={
            "en": "most a payment of a drawn hand: 300, or -1 for no limit",
            "zh": "查叫封顶：300，-1 为不封顶",
        },
    ),
    Option(
        "first_dealer",
        -1,
        low=-1,
        high=3,
        about={"en": "the dealer's seat; -1 draws it", "zh": "庄家座位，-1 为随机"},
    ),
)

ALLOWED: Mapping[str, tuple[int, ...]] = {
    "min_win": (0, 8, 16, 32, 64),
    "cap": (300, 500, 800),
    "wall_reserve": (0, 10),
    "flow_cap": (300, NO_CAP),
}


def check(numbers: Mapping[str, int], seats: int) -> None:
    """Refuse numbers in range that no table plays."""
    for name, values in ALLOWED.items():
        if numbers[name] not in values:
            known = ", ".join(str(v) for v in values)
            raise BadOption(f"option {name}: {numbers[name]} is not one of {known}")
