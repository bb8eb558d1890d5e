"""Wuhan mahjong: special tiles, and who may claim what (§1.1, §3.3, §3.4, §4.2)."""

from __future__ import annotations

from qipai.core import NOBODY, rule

from .score import can_win
from .state import CLAIM_CHOW, CLAIM_KONG, CLAIM_PONG, CLAIM_WIN, ORDER_DEALER, WAITING_RESPONSE
from .tiles import BY_DISCARD, HONOURS, KINDS, NORTH, RED, ROB_KONG, SEATS

# --- special tiles (§1.1) ------------------------------------------------------------


@rule
def kind_after(t):
    """Return the next kind in its suit, or among the honours without Red."""
    if t < HONOURS:
        return t + 1 if t % 9 < 8 else t - 8
    if t == RED - 1:
        return RED + 1
    return HONOURS if t == KINDS - 1 else t + 1


@rule
def kind_before(t):
    """Return the kind that `t` comes after."""
    if t < HONOURS:
        return t - 1 if t % 9 > 0 else t + 8
    if t == RED + 1:
        return RED - 1
    return KINDS - 1 if t == HONOURS else t - 1


@rule
def flip(s, indicator):
    """Turn up the indicator; Red counts as North."""
    kind = NORTH if indicator == RED else indicator
    s.indicator = indicator
    s.laizi = kind_after(kind)
    s.skin0 = kind
    s.skin1 = kind_before(kind)


@rule
def is_special(s, t):
    """Return whether a kind may only be konged singly."""
    return t == s.laizi or t == s.skin0 or t == s.skin1 or t == RED


# --- windows ----------------------------------------------------------------------------


@rule
def find_claims(s):
    """Compute what every seat may answer to the discard of `tile` by `source`."""
    source = int(s.source)
    t = int(s.tile)
    special = is_special(s, t)
    for k in range(1, SEATS):
        seat = (source + k) % SEATS
        s.claims[seat] = 0 if special else seat_claims(s, seat, t, source)
    s.claims[source] = 0


@rule
def seat_claims(s, seat, t, source):
    """Return the claims of one seat on a discard that is not a special tile, as bits (§4.2)."""
    claims = 0
    held = s.hand[seat, t]
    if held >= 2:
        claims = CLAIM_PONG
        if held >= 3:
            claims |= CLAIM_KONG
    if t < HONOURS and (source + 1) % SEATS == seat:
        rank = t % 9
        above = _usable(s, seat, t + 1) if rank < 8 else False
        below_it = _usable(s, seat, t - 1) if rank > 0 else False
        if above and rank < 7 and _usable(s, seat, t + 2):
            claims |= CLAIM_CHOW
        if above and below_it:
            claims |= CLAIM_CHOW << 1
        if below_it and rank > 1 and _usable(s, seat, t - 2):
            claims |= CLAIM_CHOW << 2
    if can_win(s, seat, t, BY_DISCARD, source) != 0:
        claims |= CLAIM_WIN
    return claims


@rule
def _usable(s, seat, t):
    return s.hand[seat, t] > 0 and not is_special(s, t)


@rule
def find_robbers(s):
    """Compute who may win on the announced tile (§3.4)."""
    source = int(s.source)
    t = int(s.tile)
    for k in range(1, SEATS):
        seat = (source + k) % SEATS
        s.claims[seat] = CLAIM_WIN if can_win(s, seat, t, ROB_KONG, source) != 0 else 0
    s.claims[source] = 0


@rule
def responder(s, place, phase):
    """Return the seat at `place` in the order of asking, or NOBODY after the last."""
    source = int(s.source)
    if phase == WAITING_RESPONSE and s.multi_win_order == ORDER_DEALER:
        k = (source - int(s.dealer)) % SEATS  # where the discarder would be
        at = place if place < k else place + 1
        return (int(s.dealer) + at) % SEATS if at < SEATS else NOBODY
    return (source + 1 + place) % SEATS if place < SEATS - 1 else NOBODY
