"""Xianqi: the flat action ids of §10.1 (448, or 449 under buckle_first) and the native ones (§10.2).

A flat id names a whole move; natively a cover of k cards is k actions. PLAY, BUCKLE,
REVEAL and PASS_REVEAL have the same number in both; then come all covers, as
non-decreasing tuples of types in lexicographic order, shortest first.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import State
from qipai.core.errors import IllegalAction

from ..state import BUCKLE, BUCKLE_DECISION, BUCKLE_FIRST, CARDS, COPIES, NONE, PASS, REVEAL, TYPES, UNDER
from .combos import PLAY_CARDS, is_int, is_within, legal

COVERS: tuple[tuple[int, ...], ...] = tuple(
    types
    for size in (1, 2, 3)
    for types in combinations_with_replacement(range(TYPES), size)
    if all(types.count(t) <= COPIES[t] for t in types)
)
FLAT = UNDER + len(COVERS)  # 448
PASS_BUCKLE = FLAT  # only under buckle_first

_FLAT_OF = {types: UNDER + i for i, types in enumerate(COVERS)}


def flat_to_native(flat: int) -> tuple[int, ...]:
    """Return the native actions of a flat id, in order."""
    if not is_within(flat, 0, PASS_BUCKLE):
        raise IllegalAction(f"flat ids run from 0 to {PASS_BUCKLE}")
    if flat == PASS_BUCKLE:
        return (PASS,)
    if flat < UNDER:
        return (int(flat),)
    return tuple(UNDER + t for t in COVERS[flat - UNDER])


def native_to_flat(actions: Sequence[int], opening: bool = False) -> int:
    """Return the flat id of one whole move. A pass is PASS_BUCKLE when the seat is `opening` a round."""
    if len(actions) == 1 and is_within(actions[0], 0, UNDER - 1):
        return PASS_BUCKLE if opening and actions[0] == PASS else int(actions[0])
    types = tuple(a - UNDER for a in actions if is_int(a))
    if len(types) != len(actions) or types not in _FLAT_OF:
        raise IllegalAction("not the native actions of one move; cards are put under in order of type")
    return _FLAT_OF[types]


def flat_mask(s: State) -> NDArray[np.uint8]:
    """Return the 0/1 mask over flat ids for the seat to move, at the beginning of a move."""
    mask = np.zeros(FLAT + int(s["round_open"] == BUCKLE_FIRST), np.uint8)
    if s["seat"] == NONE:
        return mask
    opening = bool(s["phase"] == BUCKLE_DECISION)
    found = legal(s)
    for action in found:
        if action < UNDER:
            mask[native_to_flat((action,), opening)] = 1
    if found and found[0] >= UNDER:
        hand, kind = s["hand"][int(s["seat"])].tolist(), int(s["kind"])
        for types, flat in _FLAT_OF.items():
            mask[flat] = len(types) == kind and all(types.count(t) <= hand[t] for t in types)
    return mask


def flat_to_request(flat: int, listed: Sequence[dict[str, Any]]) -> tuple[int, dict[str, int] | None]:
    """Return `action_idx` and `cover_list` of the named API, given the legal list of the position."""
    native = flat_to_native(flat)
    if native[0] >= UNDER:
        wanted: Any = ("COVER", len(native))
        types = [a - UNDER for a in native]
        cover = {CARDS[t]: types.count(t) for t in types}
    else:
        wanted, cover = _named(flat), None
    for idx, action in enumerate(listed):
        if (action["type"], action.get("required_count", action.get("payload_cards"))) == wanted:
            return idx, cover
    raise IllegalAction("this flat id is not in the legal list")


def _named(flat: int) -> tuple[str, Any]:
    words = {BUCKLE: "BUCKLE", REVEAL: "REVEAL", PASS: "PASS_REVEAL", PASS_BUCKLE: "PASS_BUCKLE"}
    if flat in words:
        return words[flat], None
    return "PLAY", PLAY_CARDS[flat]
