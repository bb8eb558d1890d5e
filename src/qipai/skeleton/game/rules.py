"""Skeleton: bid your cards, unseen, for prizes turned up one at a time.

This module has what is legal, what an action changes, and the score. What a seat may know, text and JSON are
in other modules. Clause numbers (§) are those of the README.
"""

# Rules carry no annotations (shapes are in the docstrings), and so are not checked as typed code.
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

from __future__ import annotations

from qipai.core import NOBODY, below, goto, rule, shuffle

from .state import (
    ANSWERING,
    AWARDING,
    AWAY,
    BID,
    BIDDING,
    CARDS,
    DEALING,
    DEALT,
    HAND,
    OVER,
    PRIZE,
    PUT,
    PUTTING,
    SEATS,
    SPENT,
    STOCK,
    TURNING,
    WON,
)

# --- deal and start -------------------------------------------------------------------


@rule
def deal(s):
    """Deal six cards each; the other four are the stock (§2.1)."""
    goto(s, DEALING)
    for card in range(CARDS):
        s.where[card] = STOCK
    for i in range(DEALT):
        s.where[i] = HAND
        s.where[DEALT + i] = HAND + 1
    shuffle(s, s.where[:], CARDS)
    s.first = below(s, SEATS)
    start(s)


@rule
def start(s):
    """Ask for the first decision, once the hands are dealt."""
    s.ply = 0
    s.cut = 0
    s.picked = 0
    for seat in range(SEATS):
        s.payoff[seat] = 0
    if s.first_seat >= 0:
        s.first = s.first_seat
    s.seat = s.first
    goto(s, PUTTING)


# --- legal ----------------------------------------------------------------------------


@rule
def legal(s, mask):
    """Fill `mask` (CARDS,) for the seat to move; return how many are set."""
    seat = int(s.seat)
    low = -1
    high = CARDS
    if s.phase == PUTTING:
        low = find(s, PUT + seat)  # §2.2 in rising order: a pair has one name
        if s.picked == 0:
            high = highest(s, HAND + seat)
    n = 0
    for card in range(CARDS):
        ok = s.where[card] == HAND + seat and low < card < high
        mask[card] = ok
        n += ok
    return n


# --- apply ----------------------------------------------------------------------------


@rule
def apply(s, action):
    """Make a legal action, then advance to the next decision or the end."""
    make(s, action)
    while s.seat == NOBODY and s.phase != OVER:
        advance(s)


@rule
def make(s, action):
    """Make the action alone, without the automatic steps after it."""
    s.ply += 1
    if s.phase == PUTTING:
        _put(s, action)
    else:
        _bid(s, action)


@rule
def advance(s):
    """Take one automatic step: turn up a prize, or award it."""
    if s.phase == TURNING:
        _turn(s)
    elif s.phase == AWARDING:
        _award(s)


@rule
def _put(s, card):
    """Put away two cards, one at a time; nothing shows before the second (§2.2)."""
    seat = int(s.seat)
    s.where[card] = PUT + seat
    s.picked += 1
    if s.picked < AWAY:
        return
    s.picked = 0
    if seat == s.first:
        s.seat = other(seat)
        goto(s, PUTTING)
    else:
        s.seat = NOBODY
        goto(s, TURNING)


@rule
def _turn(s):
    """Draw the prize now, so that nobody can have known it before (§2.3)."""
    k = below(s, count(s, STOCK))
    for card in range(CARDS):
        if s.where[card] == STOCK:
            if k == 0:
                s.where[card] = PRIZE
            k -= 1
    s.seat = s.first
    goto(s, BIDDING)


@rule
def _bid(s, card):
    """Bid face down; the second bid shows both (§2.4)."""
    seat = int(s.seat)
    s.where[card] = BID + seat
    if s.phase == BIDDING:
        s.seat = other(seat)
        goto(s, ANSWERING)
    else:
        s.seat = NOBODY
        goto(s, AWARDING)


@rule
def _award(s):
    """Give the prize to the higher bid (§2.5); after the last one, score (§2.6)."""
    winner = 0 if find(s, BID) > find(s, BID + 1) else 1
    s.where[find(s, PRIZE)] = WON + winner
    for seat in range(SEATS):
        s.where[find(s, BID + seat)] = SPENT + seat
    s.first = winner
    if count(s, STOCK) > 0:
        goto(s, TURNING)
        return
    s.payoff[0] = points(s, 0) - points(s, 1)
    s.payoff[1] = -s.payoff[0]
    goto(s, OVER)


@rule
def partial(s):
    """Return 1 while the seat to move has put away one card and not yet the other."""
    return 1 if s.picked > 0 else 0


# --- helpers --------------------------------------------------------------------------


@rule
def other(seat):
    """Return the opposite seat."""
    return 1 - seat


@rule
def find(s, place):
    """Return the lowest card in `place`, -1 if it is empty."""
    for card in range(CARDS):
        if s.where[card] == place:
            return card
    return -1


@rule
def highest(s, place):
    """Return the highest card in `place`, -1 if it is empty."""
    for card in range(CARDS - 1, -1, -1):
        if s.where[card] == place:
            return card
    return -1


@rule
def count(s, place):
    """Return the number of cards in `place`."""
    n = 0
    for card in range(CARDS):
        if s.where[card] == place:
            n += 1
    return n


@rule
def points(s, seat):
    """Return what the prizes of `seat` are worth (§2.6)."""
    total = 0
    for card in range(CARDS):
        if s.where[card] == WON + seat:
            total += card + 1
    return total
