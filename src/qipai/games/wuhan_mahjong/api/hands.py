"""Questions about hands and payments, answered by the game's own rules (§5-7).

Tiles are ids 0-33, melds mappings `{"type", "tiles", "from"}`, win ways and types names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qipai.core import State

from ..errors import BadPosition
from ..layout import by_seat, lay_specials, read_way, tiles, whole
from ..score import can_read, least_raw, raw_payment, read_hand, seat_waits, settle_flow
from ..score import settle_win as pay_win
from ..tiles import (
    BY_DISCARD,
    KINDS,
    NONE,
    RED,
    ROB_KONG,
    SEATS,
    SUBSTITUTES,
    TYPE_BITS,
    type_names,
)
from .positions import Meld, empty_table, hand_size, hold, set_wall


def evaluate_win(
    hand: Sequence[int],
    melds: Sequence[Meld],
    indicator: int,
    win_way: str,
    wall_left: int,
    options: Mapping[str, Any] | None = None,
) -> dict[str, Any] | None:
    """Return the best reading of a complete hand without the minimum to win (§5.1-5.4), or None."""
    s = empty_table(options, indicator)
    hold(s, 0, hand, melds)
    set_wall(s, wall_left)
    way = read_way(win_way)
    if hand_size(s, 0) != 14 - 3 * int(s["melds"][0]) or not can_read(s, 0):
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
    """Return types, uncapped payments, legality, deltas and contractor of a win (§6)."""
    s = empty_table(options, indicator)
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
        hold(s, k, hand if k == seat else (), rows[k])
        lay_specials(s, k, tiles(laid, 16, "special_kongs"))
    if payer_hand is not None and source != NONE:
        for t in tiles(payer_hand, 14, "payer_hand"):
            s["hand"][source, t] += 1
        if int(s["melds"][source]) == 0:
            # check F13: a payer given without melds is judged by the shape of the hand
            s["opens"][source] = 1
    set_wall(s, wall_left)
    whole_hand = hand_size(s, seat) == 14 - 3 * int(s["melds"][seat])
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
    """Return whether a hand one tile short is ready, and the kinds it waits for (§5.6)."""
    s = empty_table(options, indicator)
    hold(s, 0, hand, melds)
    if hand_size(s, 0) != 13 - 3 * int(s["melds"][0]):
        return False, []
    found = waits_of(s, 0)
    return bool(found), found


def waits_of(s: State, seat: int) -> list[int]:
    """Return the kinds that a seat's concealed tiles wait for."""
    bits = int(seat_waits(s, seat))
    return [t for t in range(KINDS) if bits >> t & 1]


def discards_to_ready(
    hand: Sequence[int],
    melds: Sequence[Meld],
    indicator: int,
    options: Mapping[str, Any] | None = None,
) -> dict[int, list[int]]:
    """Return, for each discard that leaves a hand ready, what it then waits for."""
    s = empty_table(options, indicator)
    hold(s, 0, hand, melds)
    return ready_discards(s, 0) if hand_size(s, 0) == 14 - 3 * int(s["melds"][0]) else {}


def ready_discards(s: State, seat: int) -> dict[int, list[int]]:
    """Return the same for a seat of a state, which is left as it was."""
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
    """Return who is ready, and the deltas of a flow draw (§7)."""
    s = empty_table(options, indicator)
    rows, laid = by_seat(melds, "melds"), by_seat(special_kongs, "special_kongs")
    for seat, hand in enumerate(by_seat(hands, "hands")):
        hold(s, seat, hand, rows[seat])
        lay_specials(s, seat, tiles(laid[seat], 16, "special_kongs"))
    settle_flow(s)
    ready = int(s["ready"])
    return {"ting": [bool(ready >> k & 1) for k in range(SEATS)], "deltas": [int(p) for p in s["payoff"]]}
