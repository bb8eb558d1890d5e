"""Xianqi's options (§4.6 and §9), as the platform and the named API know them."""

from __future__ import annotations

from qipai.core import SWITCH, Option

from .state import ABOVE_RED_SHI, BLACK_REDEALS, BLACK_SETTLES, BUCKLE_FIRST, EQUAL_RED_SHI, PLAY_OR_BUCKLE

OPTIONS = (
    Option(
        "dog_pair",
        ABOVE_RED_SHI,
        {"above_red_shi": ABOVE_RED_SHI, "equal_red_shi": EQUAL_RED_SHI},
        about={"en": "the dog pair beats a pair of red shi, or equals it", "zh": "狗脚对大于或等于红士对"},
    ),
    Option(
        "black_chess",
        BLACK_SETTLES,
        {"settle": BLACK_SETTLES, "redeal": BLACK_REDEALS},
        about={"en": "a hand without shi and xiang: settle, or deal again", "zh": "黑棋：直接结算或重发"},
    ),
    Option(
        "round_open",
        PLAY_OR_BUCKLE,
        {"play_or_buckle": PLAY_OR_BUCKLE, "buckle_first": BUCKLE_FIRST},
        about={"en": "the opener plays or buckles, or is asked first", "zh": "开局：出或扣，或先问扣"},
    ),
    Option(
        "first_seat",
        -1,
        low=-1,
        high=2,
        about={"en": "the seat that opens the first round; -1 draws it", "zh": "先手座位，-1 为随机"},
    ),
    Option(
        "reveal_ceramic_liability",
        0,
        SWITCH,
        about={"en": "whose reveal lets another become ceramic pays for both", "zh": "掀瓷包瓷"},
    ),
    Option(
        "first_game_limits",
        0,
        SWITCH,
        about={"en": "first game: no buckle below 3 pillars, ceramic pays 1", "zh": "第一盘没瓷没扣"},
    ),
    Option(
        "enough_must_buckle",
        0,
        SWITCH,
        about={"en": "an opener with enough that plays on collects no enough chips", "zh": "够棋必须扣"},
    ),
    Option(
        "eight_pillars",
        0,
        SWITCH,
        about={"en": "all eight pillars win 8 chips from each", "zh": "八柱棋赢8个"},
    ),
)
