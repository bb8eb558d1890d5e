"""Xianqi's options (§4.6 and §9), for the platform and for the named API."""

from __future__ import annotations

from qipai.core import SWITCH, Option

from .state import ABOVE_RED_SHI, BLACK_REDEALS, BLACK_SETTLES, BUCKLE_FIRST, EQUAL_RED_SHI, PLAY_OR_BUCKLE

OPTIONS = (
    Option("dog_pair", ABOVE_RED_SHI, {"above_red_shi": ABOVE_RED_SHI, "equal_red_shi": EQUAL_RED_SHI}),
    Option("black_chess", BLACK_SETTLES, {"settle": BLACK_SETTLES, "redeal": BLACK_REDEALS}),
    Option("round_open", PLAY_OR_BUCKLE, {"play_or_buckle": PLAY_OR_BUCKLE, "buckle_first": BUCKLE_FIRST}),
    Option("first_seat", -1, low=-1, high=2, is_seat=True),
    Option("reveal_ceramic_liability", 0, SWITCH),
    Option("first_game_limits", 0, SWITCH),
    Option("enough_must_buckle", 0, SWITCH),
    Option("eight_pillars", 0, SWITCH),
)
