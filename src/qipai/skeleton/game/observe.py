"""Skeleton: what a seat may know, as features (`observe`), and consistent worlds (`determinize`)."""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

from __future__ import annotations

from qipai.core import CATEGORY, FLAG, NUMBER, Feature, below, rule

from .rules import count, other
from .state import BID, CARDS, HAND, OVER, PRIZE, PUT, PUTTING, SEATS, SPENT, STOCK, WON

# Where each feature starts; `FEATURES` below says what it is.
PHASE = 0
DECIDER = 1
FIRST = 2
PICKED = 3
FIRST_SEAT = 4
BIDS = 5
KNOWN = BIDS + SEATS

FEATURES = (
    Feature("phase", PHASE, 1, "the phase, by number", CATEGORY, 0, OVER),
    Feature("decider", DECIDER, 1, "1 + seat that decides, own seat first; 0 nobody", CATEGORY, 0, SEATS),
    Feature("first", FIRST, 1, "1 + seat that acts first, own seat first", CATEGORY, 0, SEATS),
    Feature("picked", PICKED, 1, "cards the observer has put away in its unfinished move", NUMBER, 0, CARDS),
    Feature("first_seat", FIRST_SEAT, 1, "the option: 1 + seat, own seat first; 0 drawn", CATEGORY, 0, SEATS),
    Feature("bids", BIDS, SEATS, "own seat first: 1 if it has bid for this prize", FLAG),
    Feature(
        "known",
        KNOWN,
        CARDS,
        "by card: 0 unknown, 1 in hand, 2 put away, 3 bid, 4 spent, 5 won (each by the observer), "
        "6 spent, 7 won (by the other seat), 8 the prize",
        CATEGORY,
        0,
        8,
    ),
)


@rule
def observe(s, seat, out):
    """Fill `out` with what `seat` may know; -1 is a watcher, who counts from seat 0."""
    base = max(seat, 0)
    out[PHASE] = s.phase
    out[DECIDER] = turned(s.seat, base)
    out[FIRST] = turned(s.first, base)
    out[PICKED] = s.picked if seat >= 0 and s.seat == seat else 0
    out[FIRST_SEAT] = turned(s.first_seat, base)
    out[BIDS] = count(s, BID + base)
    out[BIDS + 1] = count(s, BID + other(base))
    for card in range(CARDS):
        out[KNOWN + card] = _known(int(s.where[card]), seat, base)


@rule
def turned(seat, base):
    """Return 1 + the seat as counted from `base`, 0 for nobody."""
    if seat < 0:
        return 0
    return 1 if seat == base else 2


@rule
def _known(place, seat, base):
    if place == PRIZE:
        return 8
    if place == SPENT + base:
        return 4
    if place == WON + base:
        return 5
    if place == SPENT + other(base):
        return 6
    if place == WON + other(base):
        return 7
    if is_hidden(place, seat):
        return 0
    if place == HAND + seat:
        return 1
    return 2 if place == PUT + seat else 3


@rule
def is_hidden(place, seat):
    """Return whether `seat` cannot look into `place` while the game runs."""
    if place == STOCK:
        return True
    if place >= SPENT:
        return False
    return seat < 0 or (place != HAND + seat and place != PUT + seat and place != BID + seat)


@rule
def determinize(s, seat):
    """Shuffle the cards that `seat` cannot place among the places it cannot look into.

    Exact: the places' sizes are public and nothing a seat does rules a card out, so that
    every such world is as likely as any other.
    """
    if s.phase == OVER:
        return  # everything is visible
    if s.phase == PUTTING and s.seat != seat and s.picked > 0:
        _take_back(s)
    left = 0
    for card in range(CARDS):
        if is_hidden(int(s.where[card]), seat):
            left += 1
    for card in range(CARDS):
        if is_hidden(int(s.where[card]), seat):
            _exchange(s, seat, card, below(s, left))
            left -= 1


@rule
def _take_back(s):
    """Undo another seat's unfinished move: nobody else knows that it has begun."""
    for card in range(CARDS):
        if s.where[card] == PUT + s.seat:
            s.where[card] = HAND + s.seat
    s.picked = 0


@rule
def _exchange(s, seat, card, k):
    """Swap the places of `card` and of the `k`-th hidden card from it on (0: itself)."""
    for found in range(card, CARDS):
        if is_hidden(int(s.where[found]), seat):
            if k == 0:
                place = s.where[card]
                s.where[card] = s.where[found]
                s.where[found] = place
                return
            k -= 1
