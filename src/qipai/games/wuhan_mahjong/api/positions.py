"""Tables for queries: an empty one with an indicator, hands and melds on it, partial positions (§11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qipai.core import State, new_state
from qipai.core.errors import BadOption
from qipai.core.option import read_options

from ..claims import flip
from ..errors import BadPosition, BadSetting
from ..layout import fill, lay_melds, listed, short, tiles, whole
from ..options import NO_CAP, OPTIONS
from ..rules import clear, start
from ..state import State as STATE
from ..tiles import KINDS, NONE, SEATS, TILES
from .observation import make_ready

Meld = Mapping[str, Any]


def special_tiles(indicator: int) -> tuple[int, int, int]:
    """Return (laizi, skin 0, skin 1) of an indicator (§1.1)."""
    s = empty_table({}, indicator)
    return int(s["laizi"]), int(s["skin0"]), int(s["skin1"])


def load_partial(state: Mapping[str, Any]) -> State:
    """Return a position for queries only: values are checked, completeness is not."""
    if not isinstance(state, Mapping):
        raise BadPosition(f"a position is a mapping, not {short(state)}")
    s = blank(state.get("options"))
    fill(s, state, partial=True)
    start(s)
    return s


def read_settings(options: Mapping[str, Any] | None) -> dict[str, int]:
    """Return options as §10 writes them (True/False, None, names) as the platform's integers."""
    if options is None:
        options = {}
    if not isinstance(options, Mapping):
        raise BadSetting(f"options are a mapping, not {short(options)}")
    given: dict[str, Any] = {}
    for name, value in options.items():
        if name == "flow_cap" and value is None:
            value = NO_CAP
        elif isinstance(value, np.integer):
            value = int(value)
        given[name] = value
    try:
        numbers = read_options(OPTIONS, given)
    except BadOption as error:
        raise BadSetting(str(error)) from None
    except TypeError as error:  # an unhashable name
        raise BadSetting(f"an option's name is text: {error}") from None
    return numbers


def blank(options: Mapping[str, Any] | None) -> State:
    """Return a state with its options set and nothing on the table."""
    make_ready()
    s = new_state(STATE)
    s["seats"] = SEATS
    for name, value in read_settings(options).items():
        s[name] = value
    return s


def empty_table(options: Mapping[str, Any] | None, indicator: int) -> State:
    """Return an empty table with an indicator."""
    s = blank(options)
    s["wall"] = NONE
    clear(s)
    s["front"] = s["back"] = TILES
    flip(s, whole(indicator, 0, KINDS - 1, "the indicator"))
    return s


def hold(s: State, seat: int, hand: Sequence[int], melds: Sequence[Meld]) -> None:
    """Give a seat its hand and melds."""
    for t in tiles(hand, 14, "a hand"):
        s["hand"][seat, t] += 1
        if s["hand"][seat, t] > 4:
            raise BadPosition(f"tile {t} is in the hand more than four times")
    lay_melds(s, seat, listed(melds, 4, "the melds of a seat"))


def hand_size(s: State, seat: int) -> int:
    """Return the number of concealed tiles of a seat."""
    return int(s["hand"][seat].sum())


def set_wall(s: State, left: int) -> None:
    """Leave this many tiles in the wall."""
    s["front"] = TILES - whole(left, 0, TILES, "wall_left")
