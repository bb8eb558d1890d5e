"""Wuhan mahjong: what a table on the network must know of the windows after a discard or an announced kong.

Who is asked in one depends on hidden tiles, so a table pauses after every such action, whether or not
anybody is asked (`held`, `pause`), and keeps the answers to itself until the window closes (`sealed`).
"""

from __future__ import annotations

from qipai.core import Event, State, copy_state

from .layout import make_ready
from .rules import announce, make, put_down
from .score import wall_left
from .state import MELD_DECISION, PLAYER_DECISION, WAIT_ROB_KONG, WAITING_RESPONSE
from .tiles import BY_DISCARD, CONCEALED, KINDS, PASS, SEATS, SUPPLEMENT, ActionType

HELD = (ActionType.DISCARD.name.lower(), ActionType.KONG_SUPPLEMENT.name.lower())


def sealed(s: State) -> int | None:
    """PASS while a seat is asked in a window, else None."""
    return PASS if int(s["phase"]) in (WAITING_RESPONSE, WAIT_ROB_KONG) else None


def held(event: Event) -> bool:
    """Whether a window may open after this event: what follows it waits for the window to close."""
    return event.get("event") in HELD


def pause(before: State, action: int, seat: int) -> State | None:
    """The record that shows `seat`, which is not asked, the window after `action`; None: there is none.

    Somebody else stands in it as the one who is asked: `view` tells nobody but that seat.
    """
    if int(before["phase"]) not in (PLAYER_DECISION, MELD_DECISION):
        return None
    discard = action < KINDS
    if not discard and not SUPPLEMENT <= action < CONCEALED:
        return None
    make_ready()
    s = copy_state(before)
    make(s, action)
    if discard:
        put_down(s)
        if wall_left(s) <= 0:  # the hand ends, as everyone can see
            return None
        s["win_way"] = BY_DISCARD
    else:
        announce(s)
    s["phase"] = WAITING_RESPONSE if discard else WAIT_ROB_KONG
    s["seat"] = (max(seat, 0) + 1) % SEATS
    return s
