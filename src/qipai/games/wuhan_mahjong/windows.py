"""Wuhan mahjong: how a table on the network handles windows after a discard or an announced kong.

Which seats are asked depends on hidden tiles, so a table pauses after every such action, whether or not
any seat is asked (`held`, `pause`), and keeps the answers secret until the window closes (`sealed`).
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
    """Return PASS while a seat is asked in a window, else None."""
    return PASS if int(s["phase"]) in (WAITING_RESPONSE, WAIT_ROB_KONG) else None


def held(event: Event) -> bool:
    """Return whether a window may open after this event: what follows waits for the window to close."""
    return event.get("event") in HELD


def pause(before: State, action: int, seat: int) -> State | None:
    """Return the state shown to `seat`, which is not asked, in the window after `action`, or None.

    Another seat takes the place of the one who is asked: `view` only tells that seat.
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
