"""Actions by name and by number: pairs (type, parameter), bits of the 278-bit mask, native actions (§4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import State

from ..errors import IllegalMove
from ..layout import short, whole
from ..rules import legal
from ..state import Phase
from ..tiles import (
    CHOW,
    CONCEALED,
    EXPOSED,
    KINDS,
    KONG_LAZY,
    KONG_RED,
    KONG_SKIN,
    NONE,
    PASS,
    PONG,
    RED,
    SEATS,
    SUPPLEMENT,
    WIN,
    ActionType,
)
from .observation import (
    M_CHOW,
    M_CONCEALED,
    M_EXPOSED,
    M_LAZY,
    M_PASS,
    M_PONG,
    M_RED,
    M_SKIN0,
    M_SKIN1,
    M_SUPPLEMENT,
    M_WIN,
    MASK,
    make_ready,
    mask_index,
)
from .positions import load_partial, special_tiles

ANY = (-1, KINDS)  # range of a parameter
WIDTH = -(-(PASS + 1) // 32) * 32  # of a native mask

Action = tuple[int, int]


def index_to_action(index: int) -> Action:
    """Return the action of a bit of the mask."""
    i = number(index, 0, MASK - 1, "an index of the mask")
    for first, kind in (
        (M_PASS, ActionType.PASS),
        (M_WIN, ActionType.WIN),
        (M_SKIN1, ActionType.KONG_SKIN),
        (M_SKIN0, ActionType.KONG_SKIN),
        (M_LAZY, ActionType.KONG_LAZY),
        (M_RED, ActionType.KONG_RED),
        (M_CONCEALED, ActionType.KONG_CONCEALED),
        (M_SUPPLEMENT, ActionType.KONG_SUPPLEMENT),
        (M_EXPOSED, ActionType.KONG_EXPOSED),
        (M_PONG, ActionType.PONG),
        (M_CHOW, ActionType.CHOW),
    ):
        if i >= first:
            return int(kind), i - first
    return int(ActionType.DISCARD), i


def read_action(action: Any) -> Action:
    """Return a pair (type, parameter) as plain integers; raise `IllegalMove` if it is malformed."""
    if isinstance(action, np.ndarray) and action.shape == (2,):
        action = tuple(action.tolist())
    if not isinstance(action, tuple | list) or len(action) != 2:
        raise IllegalMove(f"an action is a pair (type, parameter), not {short(action)}")
    kind = number(action[0], 0, max(ActionType), "an action's type")
    return kind, number(action[1], *ANY, "an action's parameter")


def action_to_index(action: Any, indicator: int | None = None, discard: int | None = None) -> int:
    """Return the bit of an action in the mask.

    Kongs of special tiles need the `indicator`; the bit of an exposed kong is that of the
    discarded tile, which is `discard` or, without it, the parameter.
    """
    kind, parameter = read_action(action)
    if kind == ActionType.PONG:
        return M_PONG
    if kind == ActionType.WIN:
        return M_WIN
    if kind == ActionType.PASS:
        return M_PASS
    if kind == ActionType.KONG_RED:
        return M_RED + RED
    if kind == ActionType.CHOW:
        return M_CHOW + number(parameter, 0, 2, "a chow's parameter")
    if kind == ActionType.KONG_EXPOSED:
        tile = parameter if discard is None else discard
        return M_EXPOSED + number(tile, 0, KINDS - 1, "the discarded tile")
    if kind in (ActionType.KONG_LAZY, ActionType.KONG_SKIN):
        if indicator is None:
            raise IllegalMove("the bit of a special kong depends on the indicator")
        laizi, skin0, skin1 = special_tiles(indicator)
        if kind == ActionType.KONG_LAZY:
            return M_LAZY + laizi
        if parameter not in (skin0, skin1):
            raise IllegalMove(f"tile {parameter} is not a skin with this indicator")
        return (M_SKIN0 if parameter == skin0 else M_SKIN1) + parameter
    block = {ActionType.DISCARD: 0, ActionType.KONG_SUPPLEMENT: M_SUPPLEMENT}.get(
        ActionType(kind), M_CONCEALED
    )
    return block + number(parameter, 0, KINDS - 1, "a tile")


def index_to_native(index: int) -> int:
    """Return the native action of a bit of the mask (a block of special kongs is one action)."""
    i = number(index, 0, MASK - 1, "an index of the mask")
    if i < M_EXPOSED:
        return i
    for first, action in (
        (M_PASS, PASS),
        (M_WIN, WIN),
        (M_SKIN1, KONG_SKIN + 1),
        (M_SKIN0, KONG_SKIN),
        (M_LAZY, KONG_LAZY),
        (M_RED, KONG_RED),
    ):
        if i >= first:
            return action
    if i >= M_CONCEALED:
        return CONCEALED + i - M_CONCEALED
    return SUPPLEMENT + i - M_SUPPLEMENT if i >= M_SUPPLEMENT else EXPOSED


def native_of_pair(kind: int, parameter: int, s: State) -> int:
    """Return the native action that a pair means in `s`, or NONE if it means none (§4.1)."""
    fixed = {
        ActionType.PONG: PONG,
        ActionType.KONG_EXPOSED: EXPOSED,
        ActionType.KONG_RED: KONG_RED,
        ActionType.KONG_LAZY: KONG_LAZY,
        ActionType.WIN: WIN,
        ActionType.PASS: PASS,
    }
    if kind in fixed:
        return fixed[ActionType(kind)]
    if kind == ActionType.CHOW:
        return CHOW + parameter if 0 <= parameter <= 2 else NONE
    if not 0 <= parameter < KINDS:
        return NONE
    if kind == ActionType.KONG_SKIN:
        if parameter == s["skin0"]:
            return KONG_SKIN
        return KONG_SKIN + 1 if parameter == s["skin1"] else NONE
    first = {ActionType.DISCARD: 0, ActionType.KONG_SUPPLEMENT: SUPPLEMENT}.get(ActionType(kind), CONCEALED)
    return first + parameter


def checked_pair(s: State, action: Any) -> int:
    """Return the native action of a legal pair in `s`; raise `IllegalMove` (§4.4) otherwise."""
    kind, parameter = read_action(action)
    native = native_of_pair(kind, parameter, s)
    if native == NONE or not mask_of(s)[native]:
        place = Phase(int(s["phase"])).name
        raise IllegalMove(f"{ActionType(kind).name} action is not allowed in {place}: {short(action)}")
    return native


def mask_of(s: State) -> NDArray[np.uint8]:
    """Return the native mask of the deciding seat; all zero when the hand is over."""
    mask = np.zeros(WIDTH, np.uint8)
    if s["seat"] >= 0:
        legal(s, mask)
    return mask


def public_bits(s: State) -> list[int]:
    """Return the set bits of the mask of the deciding seat."""
    make_ready()
    return sorted(int(mask_index(s, int(a))) for a in np.flatnonzero(mask_of(s)))


def native_to_pair(action: int, s: State) -> Action:
    """Return the pair of a native action in `s`."""
    make_ready()
    return index_to_action(int(mask_index(s, number(action, 0, PASS, "an action"))))


def legal_mask(state: Mapping[str, Any], seat: int) -> NDArray[np.int8]:
    """Return the mask of `seat` in a position (§11), which may be partial."""
    s = load_partial(state)
    mask = np.zeros(MASK, np.int8)
    if s["seat"] == whole(seat, 0, SEATS - 1, "seat"):
        mask[public_bits(s)] = 1
    return mask


def number(value: Any, low: int, high: int, what: str) -> int:
    """Return a whole number from low to high; raise `IllegalMove` otherwise."""
    if (
        isinstance(value, bool | np.bool_)
        or not isinstance(value, int | np.integer)
        or not low <= value <= high
    ):
        raise IllegalMove(f"{what} must be a whole number from {low} to {high}, not {short(value)}")
    return int(value)
