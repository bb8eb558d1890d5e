"""The named API of Wuhan mahjong (§4, §11): pure functions over the same rules."""

from __future__ import annotations

from ..tiles import type_names
from .actions import (
    action_to_index,
    checked_pair,
    index_to_action,
    index_to_native,
    legal_mask,
    native_of_pair,
    native_to_pair,
    public_bits,
    read_action,
)
from .hands import discards_to_ready, evaluate_win, is_ready, settle_flow_draw, settle_win
from .observation import make_ready
from .positions import load_partial, read_settings, special_tiles

__all__ = [
    "action_to_index",
    "checked_pair",
    "discards_to_ready",
    "evaluate_win",
    "index_to_action",
    "index_to_native",
    "is_ready",
    "legal_mask",
    "load_partial",
    "make_ready",
    "native_of_pair",
    "native_to_pair",
    "public_bits",
    "read_action",
    "read_settings",
    "settle_flow_draw",
    "settle_win",
    "special_tiles",
    "type_names",
]
