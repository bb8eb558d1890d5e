"""Wuhan mahjong's named API (§4.3, §11): pure functions over the same rules.

Tiles are ids 0-33, melds mappings `{"type", "tiles", "from"}`, win ways and types names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import State, new_state
from qipai.core.errors import BadOption
from qipai.core.option import read_options

from . import options as option_table
from .claims import flip
from .face import (
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
    mask_index,
)
from .layout import (
    by_seat,
    fill,
    lay_melds,
    lay_specials,
    listed,
    make_ready,
    read_way,
    short,
    tiles,
    whole,
)
from .refusals import BadPosition, BadSetting, IllegalMove
from .rules import clear, legal, start
from .score import can_read, least_raw, raw_payment, read_hand, seat_waits, settle_flow
from .score import settle_win as pay_win
from .state import Phase
from .state import State as STATE
from .tiles import (
    BY_DISCARD,
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
    ROB_KONG,
    SEATS,
    SUBSTITUTES,
    SUPPLEMENT,
    TILES,
    TYPE_BITS,
    WIN,
    ActionType,
    WinType,
)

ANY = (-1, KINDS)  # range of a parameter
_WIDTH = -(-(PASS + 1) // 32) * 32  # of a dense mask

Meld = Mapping[str, Any]
Action = tuple[int, int]

# --- tiles and actions ----------------------------------------------------------------


def special_tiles(indicator: int) -> tuple[int, int, int]:
    """(laizi, skin 0, skin 1) of an indicator (§1.1)."""
    s = _table({}, indicator)
    return int(s["laizi"]), int(s["skin0"]), int(s["skin1"])


def index_to_action(index: int) -> Action:
    """The action of a bit of the public mask."""
    i = _number(index, 0, MASK - 1, "an index of the mask")
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
    """A pair (type, parameter) as plain integers; IllegalMove when it is malformed."""
    if isinstance(action, np.ndarray) and action.shape == (2,):
        action = tuple(action.tolist())
    if not isinstance(action, tuple | list) or len(action) != 2:
        raise IllegalMove(f"an action is a pair (type, parameter), not {short(action)}")
    kind = _number(action[0], 0, max(ActionType), "an action's type")
    return kind, _number(action[1], *ANY, "an action's parameter")


def action_to_index(action: Any, indicator: int | None = None, discard: int | None = None) -> int:
    """The bit of an action in the public mask.

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
        return M_CHOW + _number(parameter, 0, 2, "a chow's parameter")
    if kind == ActionType.KONG_EXPOSED:
        tile = parameter if discard is None else discard
        return M_EXPOSED + _number(tile, 0, KINDS - 1, "the discarded tile")
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
    return block + _number(parameter, 0, KINDS - 1, "a tile")


def index_to_native(index: int) -> int:
    """The dense action of a bit of the public mask (a block of special kongs is one action)."""
    i = _number(index, 0, MASK - 1, "an index of the mask")
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
    """The dense action that a pair means in `s`, or NONE when it can mean none (§4.1)."""
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
    """The dense action of a legal pair in `s`; IllegalMove with the text of §4.4 otherwise."""
    kind, parameter = read_action(action)
    native = native_of_pair(kind, parameter, s)
    if native == NONE or not mask_of(s)[native]:
        place = Phase(int(s["phase"])).name
        raise IllegalMove(f"{ActionType(kind).name} action is not allowed in {place}: {short(action)}")
    return native


def mask_of(s: State) -> NDArray[np.uint8]:
    """The dense mask of the deciding seat; all zero when the hand is over."""
    mask = np.zeros(_WIDTH, np.uint8)
    if s["seat"] >= 0:
        legal(s, mask)
    return mask


def public_bits(s: State) -> list[int]:
    """The set bits of the public mask of the deciding seat."""
    return sorted(int(mask_index(s, int(a))) for a in np.flatnonzero(mask_of(s)))


def native_to_pair(action: int, s: State) -> Action:
    """The pair of a dense action in `s`."""
    return index_to_action(int(mask_index(s, _number(action, 0, PASS, "an action"))))


def legal_mask(state: Mapping[str, Any], seat: int) -> NDArray[np.int8]:
    """The public mask of `seat` in a position (§11), which may be partial."""
    s = load_partial(state)
    mask = np.zeros(MASK, np.int8)
    if s["seat"] == whole(seat, 0, SEATS - 1, "seat"):
        mask[public_bits(s)] = 1
    return mask


def load_partial(state: Mapping[str, Any]) -> State:
    """A position for questions only: values are checked, completeness is not."""
    if not isinstance(state, Mapping):
        raise BadPosition(f"a position is a mapping, not {short(state)}")
    s = _blank(state.get("options"))
    fill(s, state, partial=True)
    start(s)
    return s


# --- winning and scoring --------------------------------------------------------------


def evaluate_win(
    hand: Sequence[int],
    melds: Sequence[Meld],
    indicator: int,
    win_way: str,
    wall_left: int,
    options: Mapping[str, Any] | None = None,
) -> dict[str, Any] | None:
    """The best reading of a complete hand without the minimum to win (§5.1-5.4), or None."""
    s = _table(options, indicator)
    _hold(s, 0, hand, melds)
    _set_wall(s, wall_left)
    way = read_way(win_way)
    if _size(s, 0) != 14 - 3 * int(s["melds"][0]) or not can_read(s, 0):
        return None
    reading = int(read_hand(s, 0, NONE, way))
    if reading == 0:
        return None
    types = type_names(reading)
    return {"hard": types[0] == "HARD_WIN", "substitutes": reading >> SUBSTITUTES, "types": types}


def settle_win(
    dealer: int,
    indicator: int,
    winner: int,
    win_way: str,
    payer: int | None,
    hand: Sequence[int],
    melds: Sequence[Sequence[Meld]],
    special_kongs: Sequence[Sequence[int]],
    wall_left: int,
    payer_hand: Sequence[int] | None = None,
    options: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Types, uncapped payments, legality, deltas and contractor of a win (§6)."""
    s = _table(options, indicator)
    s["dealer"] = whole(dealer, 0, SEATS - 1, "the dealer")
    seat = whole(winner, 0, SEATS - 1, "the winner")
    way = read_way(win_way)
    source = NONE
    if way in (BY_DISCARD, ROB_KONG):
        source = whole(payer, 0, SEATS - 1, "the payer")
        if source == seat:
            raise BadPosition("the winner does not pay")
    rows = by_seat(melds, "melds")
    for k, laid in enumerate(by_seat(special_kongs, "special_kongs")):
        _hold(s, k, hand if k == seat else (), rows[k])
        lay_specials(s, k, tiles(laid, 16, "special_kongs"))
    if payer_hand is not None and source != NONE:
        for t in tiles(payer_hand, 14, "payer_hand"):
            s["hand"][source, t] += 1
        if int(s["melds"][source]) == 0:
            s["opens"][source] = 1  # check F13: a payer given without melds is judged by the hand's shape
    _set_wall(s, wall_left)
    whole_hand = _size(s, seat) == 14 - 3 * int(s["melds"][seat])
    reading = int(read_hand(s, seat, NONE, way)) if whole_hand and can_read(s, seat) else 0
    if reading == 0:
        return {"types": None, "raw": None, "legal": False, "deltas": None, "contractor": None}
    types = reading & TYPE_BITS
    raw = [0 if k == seat else int(raw_payment(s, seat, k, way, source, types)) for k in range(SEATS)]
    ok = int(least_raw(s, seat, way, source, types)) >= int(s["min_win"])
    found: dict[str, Any] = {
        "types": type_names(reading),
        "raw": raw,
        "legal": ok,
        "deltas": None,
        "contractor": None,
    }
    if ok:
        pay_win(s, seat, way, source, reading)
        found["deltas"] = [int(p) for p in s["payoff"]]
        found["contractor"] = None if s["contractor"] == NONE else int(s["contractor"])
    return found


def is_ready(
    hand: Sequence[int],
    melds: Sequence[Meld],
    indicator: int,
    options: Mapping[str, Any] | None = None,
) -> tuple[bool, list[int]]:
    """Whether a hand one tile short is ready, and the kinds it waits for (§5.6)."""
    s = _table(options, indicator)
    _hold(s, 0, hand, melds)
    if _size(s, 0) != 13 - 3 * int(s["melds"][0]):
        return False, []
    found = waits_of(s, 0)
    return bool(found), found


def waits_of(s: State, seat: int) -> list[int]:
    """The kinds that a seat's concealed tiles wait for."""
    bits = int(seat_waits(s, seat))
    return [t for t in range(KINDS) if bits >> t & 1]


def discards_to_ready(
    hand: Sequence[int],
    melds: Sequence[Meld],
    indicator: int,
    options: Mapping[str, Any] | None = None,
) -> dict[int, list[int]]:
    """For each discard of a hand in turn to play that leaves it ready: what it then waits for."""
    s = _table(options, indicator)
    _hold(s, 0, hand, melds)
    return ready_discards(s, 0) if _size(s, 0) == 14 - 3 * int(s["melds"][0]) else {}


def ready_discards(s: State, seat: int) -> dict[int, list[int]]:
    """As `discards_to_ready`, for a seat of a state (left as it was)."""
    special = {RED, int(s["laizi"]), int(s["skin0"]), int(s["skin1"])}
    found = {}
    for t in range(KINDS):
        if s["hand"][seat, t] == 0 or t in special:
            continue
        s["hand"][seat, t] -= 1
        waiting = waits_of(s, seat)
        s["hand"][seat, t] += 1
        if waiting:
            found[t] = waiting
    return found


def settle_flow_draw(
    indicator: int,
    hands: Sequence[Sequence[int]],
    melds: Sequence[Sequence[Meld]],
    special_kongs: Sequence[Sequence[int]],
    options: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Who is ready, and the deltas of a drawn hand (§7)."""
    s = _table(options, indicator)
    rows, laid = by_seat(melds, "melds"), by_seat(special_kongs, "special_kongs")
    for seat, hand in enumerate(by_seat(hands, "hands")):
        _hold(s, seat, hand, rows[seat])
        lay_specials(s, seat, tiles(laid[seat], 16, "special_kongs"))
    settle_flow(s)
    ready = int(s["ready"])
    return {"ting": [bool(ready >> k & 1) for k in range(SEATS)], "deltas": [int(p) for p in s["payoff"]]}


def type_names(reading: int) -> list[str]:
    """The win types of a reading, HARD_WIN or SOFT_WIN first."""
    return [t.name for t in WinType if reading >> t & 1]


def read_settings(options: Mapping[str, Any] | None) -> dict[str, int]:
    """Options as §10 writes them (True/False, None, names) as the platform's integers."""
    if options is None:
        options = {}
    if not isinstance(options, Mapping):
        raise BadSetting(f"options are a mapping, not {short(options)}")
    given: dict[str, Any] = {}
    for name, value in options.items():
        if name == "flow_cap" and value is None:
            value = option_table.NO_CAP
        elif isinstance(value, np.integer):
            value = int(value)
        given[name] = value
    try:
        numbers = read_options(option_table.OPTIONS, given)
        option_table.check(numbers, SEATS)
    except BadOption as error:
        raise BadSetting(str(error)) from None
    except TypeError as error:  # an unhashable name
        raise BadSetting(f"an option's name is text: {error}") from None
    return numbers


# --- helpers --------------------------------------------------------------------------


def _number(value: Any, low: int, high: int, what: str) -> int:
    if (
        isinstance(value, bool | np.bool_)
        or not isinstance(value, int | np.integer)
        or not low <= value <= high
    ):
        raise IllegalMove(f"{what} is a whole number from {low} to {high}, not {short(value)}")
    return int(value)


def _blank(options: Mapping[str, Any] | None) -> State:
    make_ready()
    s = new_state(STATE)
    s["seats"] = SEATS
    for name, value in read_settings(options).items():
        s[name] = value
    return s


def _table(options: Mapping[str, Any] | None, indicator: int) -> State:
    """An empty table with the indicator turned."""
    s = _blank(options)
    s["wall"] = NONE
    clear(s)
    s["front"] = s["back"] = TILES
    flip(s, whole(indicator, 0, KINDS - 1, "the indicator"))
    return s


def _hold(s: State, seat: int, hand: Sequence[int], melds: Sequence[Meld]) -> None:
    for t in tiles(hand, 14, "a hand"):
        s["hand"][seat, t] += 1
        if s["hand"][seat, t] > 4:
            raise BadPosition(f"tile {t} is in the hand more than four times")
    lay_melds(s, seat, listed(melds, 4, "the melds of a seat"))


def _size(s: State, seat: int) -> int:
    return int(s["hand"][seat].sum())


def _set_wall(s: State, left: int) -> None:
    s["front"] = TILES - whole(left, 0, TILES, "wall_left")
