"""Xianqi's named API: the operations on the rules, each in one call of compiled code.

An engine has two states: its game, and a copy for computing settlements. After each call `out` contains
everything that the document of §6.1 needs (`tell`). `calls` returns the compiled functions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from qipai.core import NOBODY, compile_rules, rule

from ..rules import advance, is_black, legal, make
from ..settle import link_buckler, link_enough, link_revealer, settle
from ..state import (
    BUCKLE_DECISION,
    NONE,
    SEATS,
    SETTLEMENT,
    TYPES,
    UNDER,
    State,
)

GAME, COPY = 0, 1  # the two states

# What `tell` writes
PHASE, SEAT, KIND, CLOSED, WINNER, WON, BUCKLER, ACTIVE, ASKED, PENDING = range(10)
UNBUCKLED = PENDING + 2
LINK = 12  # the last relation: revealer, buckler, 1 if the revealer had enough
LISTED = 15  # actions in the list, which follows
LIST = 16
SIZE = LIST + UNDER

COVER = UNDER  # in the list: the one entry that represents every cover
PARTS = 3 * SEATS  # what `reckon` writes


@rule(states="states")
def begin(states, hand_0, hand_1, hand_2, first, mask, out):
    """Deal hands (two bits per type) to a blank state; nobody decides if one of them is black."""
    s = states[GAME]
    for t in range(TYPES):
        s.hand[0, t] = (hand_0 >> (2 * t)) & 3
        s.hand[1, t] = (hand_1 >> (2 * t)) & 3
        s.hand[2, t] = (hand_2 >> (2 * t)) & 3
    for seat in range(SEATS):
        n = 0
        for t in range(TYPES):
            n += s.hand[seat, t]
        s.held[seat] = n
    black = is_black(s)
    s.phase = SETTLEMENT if black else BUCKLE_DECISION
    s.seat = NOBODY if black else first
    tell(s, mask, out)


@rule(states="states")
def move(states, action, cover, mask, out):
    """Make an action, or put the cards of `cover` under (type + 1 in each 4 bits, in order)."""
    s = states[GAME]
    if cover == 0:
        make(s, action)
    while cover > 0:
        make(s, UNDER + (cover & 15) - 1)
        cover = cover >> 4
    tell(s, mask, out)


@rule(states="states")
def finish(states, mask, out):
    """Go from the settlement to the end (T11)."""
    advance(states[GAME])
    tell(states[GAME], mask, out)


@rule(states="states")
def look(states, mask, out):
    """Report on a state that was loaded."""
    tell(states[GAME], mask, out)


@rule
def tell(s, mask, out):
    """Write what the document needs, and the legal actions, with all covers as one."""
    out[PHASE] = s.phase
    out[SEAT] = s.seat
    out[KIND] = s.kind
    out[CLOSED] = s.closed
    out[WINNER] = s.winners[s.closed - 1] if s.closed > 0 else NONE
    out[WON] = s.kinds[s.closed - 1] if s.closed > 0 else 0
    out[BUCKLER] = s.buckler
    out[ACTIVE] = s.active
    out[ASKED] = s.asked
    out[PENDING] = s.pending[0]
    out[PENDING + 1] = s.pending[1]
    out[UNBUCKLED] = s.unbuckled
    if s.links > 0:
        out[LINK] = link_revealer(s, s.links - 1)
        out[LINK + 1] = link_buckler(s, s.links - 1)
        out[LINK + 2] = link_enough(s, s.links - 1)
    n = 0
    if s.seat != NOBODY:
        legal(s, mask)
        for a in range(UNDER):
            if mask[a] != 0:
                out[LIST + n] = a
                n += 1
        if n == 0 and s.kind > 0:
            out[LIST] = COVER
            n = 1
    out[LISTED] = n


@rule(states="states")
def reckon(states, barred, links, n, out):
    """Settle a copy (§8) with `n` relations (4 bits each) that are paid and the seats that are barred."""
    states[COPY] = states[GAME]
    s = states[COPY]
    s.unbuckled |= barred
    s.links = n
    for i in range(n):
        s.link[i] = (links >> (4 * i)) & 15
    settle(s)
    for part in range(3):
        for seat in range(SEATS):
            out[SEATS * part + seat] = s.parts[part, seat]


# --- calling them -----------------------------------------------------------------------


class Calls(NamedTuple):
    """The rules of this module, compiled."""

    begin: Callable[..., Any]
    move: Callable[..., Any]
    finish: Callable[..., Any]
    look: Callable[..., Any]
    reckon: Callable[..., Any]


@cache
def calls() -> Calls:
    """Compile the rules of this module, or load them from the cache, and return them."""
    rules = [begin, move, finish, look, reckon]
    compile_rules(rules, State, "xianqi/api/steps")
    return Calls(*map(_direct, rules))


def _direct(fn: Any) -> Any:
    """Return the machine code of a rule, which has one signature, without Numba's dispatch.

    The dispatch takes ten times as long as the rules themselves.
    """
    overloads = getattr(fn, "overloads", None)
    return next(iter(overloads.values())).entry_point if overloads else fn
