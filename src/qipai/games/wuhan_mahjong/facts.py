"""What a view tells that the rules must work out: fans, waits, and the factors of every payment.

Compiled, and written into arrays of numbers. A factor is never written down here a second time: it is
what the rule gives with a thing, over what it gives without it.
"""

from __future__ import annotations

from qipai.core import rule

from .claims import is_special
from .observe import shown_phase, shown_seat
from .score import fan_log, flow_payment, flow_raw, least_raw, raw_payment, seat_waits, settle_win
from .state import MELD_DECISION, PLAYER_DECISION, WON
from .tiles import (
    BY_DISCARD,
    COPIES,
    HARD_BIT,
    KINDS,
    KONG_SELF_DRAW,
    LAID_LAIZI,
    LAID_RED,
    LAID_SKIN0,
    LAID_SKIN1,
    MELDS,
    NONE,
    RED,
    ROB_KONG,
    SEATS,
    T_CHOW,
    T_CONCEALED,
    T_PONG,
    TYPE_BITS,
)

LAID = 4  # columns of `laid`

# Where the facts of a view stand in `note`
F_PHASE = 0
F_SEAT = 1
F_FANS = 2  # by seat
F_MELD_FANS = F_FANS + SEATS  # by seat and meld: what it multiplies the fan by
F_LAID_FANS = F_MELD_FANS + SEATS * MELDS  # by seat and column of `laid`
F_KONG_FANS = F_LAID_FANS + SEATS * LAID  # the viewer's next special kong, by column
F_LACKS = F_KONG_FANS + LAID  # what keeps the viewer from reading its hand, as bits
F_WAITS = F_LACKS + 1
F_DISCARDS = F_WAITS + 1  # waits after each discard, by kind
F_UNSEEN = F_DISCARDS + KINDS  # copies that the viewer has not seen, by kind
FACTS = F_UNSEEN + KINDS

LACKS_OPEN, LACKS_RED, LACKS_SKIN = 1, 2, 4  # bits of F_LACKS: not opened, holds Red, holds a skin


@rule(note="i8[:]")
def view_facts(s, seat, note):
    """Fill `note` (FACTS,) with what `seat` (or a watcher) may know. `s` is scratch."""
    for i in range(FACTS):
        note[i] = 0
    note[F_PHASE] = shown_phase(s, seat)
    note[F_SEAT] = shown_seat(s, seat)
    for other in range(SEATS):
        note[F_FANS + other] = 1 << fan_log(s, other)
        _fan_parts(s, other, note)
    if seat >= 0:
        _own_facts(s, seat, note)


@rule(note="i8[:]")
def _fan_parts(s, seat, note):
    """Write what each meld and each kind of special kong multiplies the fan of a seat by."""
    melds = int(s.melds[seat])
    s.melds[seat] = 0
    before = fan_log(s, seat)
    for i in range(melds):
        s.melds[seat] = i + 1
        after = fan_log(s, seat)
        note[F_MELD_FANS + MELDS * seat + i] = 1 << (after - before)
        before = after
    for column in range(LAID):
        count = int(s.laid[seat, column])
        s.laid[seat, column] = 0
        note[F_LAID_FANS + LAID * seat + column] = 1 << (before - fan_log(s, seat))
        s.laid[seat, column] = count


@rule(note="i8[:]")
def _own_facts(s, seat, note):
    """Write what only the viewer knows: its next kongs, its waits, what it lacks, what it has not seen."""
    fan = fan_log(s, seat)
    for column in range(LAID):
        s.laid[seat, column] += 1
        note[F_KONG_FANS + column] = 1 << (fan_log(s, seat) - fan)
        s.laid[seat, column] -= 1
    if s.opens[seat] == 0:
        note[F_LACKS] |= LACKS_OPEN
    if s.hand[seat, RED] > 0:
        note[F_LACKS] |= LACKS_RED
    if s.hand[seat, s.skin0] > 0 or s.hand[seat, s.skin1] > 0:
        note[F_LACKS] |= LACKS_SKIN
    if s.seat == seat and (s.phase == PLAYER_DECISION or s.phase == MELD_DECISION):
        for t in range(KINDS):
            if s.hand[seat, t] > 0 and not is_special(s, t):
                s.hand[seat, t] -= 1
                note[F_DISCARDS + t] = seat_waits(s, seat)
                s.hand[seat, t] += 1
    else:
        note[F_WAITS] = seat_waits(s, seat)
    _unseen(s, seat, note)


@rule(note="i8[:]")
def _unseen(s, seat, note):
    """Count the copies of each kind that `seat` has not seen."""
    for t in range(KINDS):
        seen = int(s.hand[seat, t])
        for other in range(SEATS):
            seen += s.river[other, t]
        note[F_UNSEEN + t] = COPIES - seen
    note[F_UNSEEN + s.indicator] -= 1
    for other in range(SEATS):
        note[F_UNSEEN + RED] -= s.laid[other, LAID_RED]
        note[F_UNSEEN + s.laizi] -= s.laid[other, LAID_LAIZI]
        note[F_UNSEEN + s.skin0] -= s.laid[other, LAID_SKIN0]
        note[F_UNSEEN + s.skin1] -= s.laid[other, LAID_SKIN1]
        for i in range(s.melds[other]):
            kind = int(s.meld_type[other, i])
            low = F_UNSEEN + int(s.meld_tile[other, i])
            if kind == T_CHOW:
                for t in range(low, low + 3):
                    note[t] -= 1
            elif kind != T_CONCEALED or other == seat:
                note[low] -= 3 if kind == T_PONG else COPIES


# --- the payments of a hand that is over ----------------------------------------------

# Columns of a payment's row. Factors are doubled, because a factor may be 1.5.
P_FROM, P_TO, P_RAW, P_PAID, P_BASE, P_HARD, P_WAY, P_DEALER, P_UNOPENED, P_FULL = range(10)
PAYMENT = 10  # length of a row
PAYMENTS = 4  # maximum number of rows


@rule(note="i8[:]")
def payment_facts(s, note):
    """Fill `note` (PAYMENTS * PAYMENT,) with the payments of a finished hand; return their number.

    They are what each seat would pay without a contract; `s` is scratch.
    """
    return _win_payments(s, note) if s.phase == WON else _flow_payments(s, note)


@rule(note="i8[:]")
def _win_payments(s, note):
    winner = int(s.winner)
    way = int(s.win_way)
    payer = int(s.source) if way in (BY_DISCARD, ROB_KONG) else NONE
    reading = int(s.types)
    types = reading & TYPE_BITS
    full = 1 if least_raw(s, winner, way, payer, types) >= s.cap else 0
    s.contract = 0
    settle_win(s, winner, way, payer, reading)
    dealer = int(s.dealer)
    n = 0
    for seat in range(SEATS):
        if seat == winner:
            continue
        raw = raw_payment(s, winner, seat, way, payer, types)
        row = note[PAYMENT * n : PAYMENT * (n + 1)]
        row[P_FROM] = seat
        row[P_TO] = winner
        row[P_RAW] = raw
        row[P_PAID] = -s.payoff[seat]
        row[P_HARD] = 2 * raw // raw_payment(s, winner, seat, way, payer, types & ~HARD_BIT)
        row[P_WAY] = 2 * raw // raw_payment(s, winner, seat, KONG_SELF_DRAW, NONE, types)
        s.dealer = NONE
        row[P_DEALER] = 2 * raw // raw_payment(s, winner, seat, way, payer, types)
        # what remains of the payment if nothing multiplies it
        row[P_BASE] = 2 * raw_payment(s, winner, seat, KONG_SELF_DRAW, NONE, types & ~HARD_BIT)
        row[P_BASE] >>= fan_log(s, winner) + fan_log(s, seat)
        s.dealer = dealer
        row[P_UNOPENED] = 2
        row[P_FULL] = full
        n += 1
    return n


@rule(note="i8[:]")
def _flow_payments(s, note):
    n = 0
    if s.flow_settlement == 0:
        return n
    for a in range(SEATS):
        for b in range(SEATS):
            if (s.ready >> a) & 1 == 0 or (s.ready >> b) & 1 == 1:
                continue
            row = note[PAYMENT * n : PAYMENT * (n + 1)]
            raw = flow_raw(s, a, b)
            row[P_FROM] = b
            row[P_TO] = a
            row[P_RAW] = raw
            row[P_PAID] = flow_payment(s, a, b)
            row[P_BASE] = 2
            row[P_HARD] = 2
            row[P_WAY] = 2
            row[P_DEALER] = 2
            row[P_UNOPENED] = 2 * raw >> (fan_log(s, a) + fan_log(s, b))
            row[P_FULL] = 0
            n += 1
    return n
