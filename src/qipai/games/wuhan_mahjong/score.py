"""Wuhan mahjong: fan products, who may win, payments, caps, contracts, flow draw (§5.5-7).

Fan products are powers of two and stored as their exponent. Compiled; every function reads
the table from the state, only `settle_win` and `settle_flow` write the result into it.
"""

from __future__ import annotations

from qipai.core import rule

from .tiles import (
    BIG_BITS,
    BY_DISCARD,
    FLOWER_BIT,
    FLUSH_BIT,
    FULLY_BIT,
    HARD_BIT,
    HONOURS,
    KONG_SELF_DRAW,
    LAID_LAIZI,
    LAID_RED,
    LAID_SKIN0,
    LAID_SKIN1,
    LAST_BIT,
    MELDS,
    NONE,
    RED,
    ROB_BIT,
    ROB_KONG,
    SEATS,
    SELF_DRAW,
    T_CHOW,
    T_CONCEALED,
    T_PONG,
    TYPE_BITS,
)
from .win import (
    HAS_CHOW,
    NOT_258,
    best_reading,
    count_big,
    count_laizi,
    is_loose,
    pack,
    too_many_alone,
    waits,
)

LAST_TILES = 3  # §5.3 a last-tile win leaves at most this many
BASE = 10  # base of a big pattern
MOST_PAID = 1 << 28  # an uncapped flow payment; three of them still fit a payoff

GOLDEN_RAISE, GOLDEN_LIMIT = 0, 1
GOLDEN_MORE = 200  # the golden amount above the cap; half of it without kou_kou_fan


@rule
def wall_left(s):
    """Return the number of tiles that can still be drawn."""
    return int(s.back) - int(s.front) - int(s.wall_reserve)


@rule
def fan_log(s, seat):
    """Return the fan product of a seat, as a power of two (§6.1)."""
    n = 0
    opens = 0
    for i in range(s.melds[seat]):
        kind = s.meld_type[seat, i]
        if kind == T_CONCEALED:
            n += 2
        else:
            opens += 1
            if kind != T_CHOW and kind != T_PONG:
                n += 1
    if s.kou_kou_fan == 0:
        opens = min(opens, 1)
    n += opens
    n += int(s.laid[seat, LAID_RED]) + int(s.laid[seat, LAID_SKIN0]) + int(s.laid[seat, LAID_SKIN1])
    return n + 2 * int(s.laid[seat, LAID_LAIZI])


# --- readings -------------------------------------------------------------------------


@rule
def can_read(s, seat):
    """Return whether a seat is open and has neither Red nor a skin in its concealed hand (§5.1)."""
    if s.opens[seat] == 0:
        return False
    return s.hand[seat, RED] == 0 and s.hand[seat, s.skin0] == 0 and s.hand[seat, s.skin1] == 0


@rule
def meld_bits(s, seat):
    """Return what the melds of a seat contribute to patterns (see win.py)."""
    bits = 0
    for i in range(s.melds[seat]):
        tile = int(s.meld_tile[seat, i])
        bits |= 1 << (tile // 9)
        if s.meld_type[seat, i] == T_CHOW:
            bits |= HAS_CHOW
        if tile >= HONOURS or tile % 3 != 1 or s.meld_type[seat, i] == T_CHOW:
            bits |= NOT_258
    return bits


@rule
def situation(s, seat, way):
    """Return the big patterns that a 258 shape scores with this win way (§5.3)."""
    if way == BY_DISCARD:
        if s.melds[seat] == MELDS and s.opens[seat] == MELDS:
            return FULLY_BIT
        return 0
    if way == ROB_KONG:
        return ROB_BIT
    bits = FLOWER_BIT if way == KONG_SELF_DRAW else 0
    if wall_left(s) <= LAST_TILES:
        bits |= LAST_BIT
    return bits


@rule
def read_hand(s, seat, tile, way):
    """Return the best reading of a seat's hand (with `tile`, or NONE if it is already in it)."""
    hand = s.hand[seat]
    c0 = pack(hand, 0, 9)
    c1 = pack(hand, 9, 9)
    c2 = pack(hand, 18, 9)
    c3 = pack(hand, 27, 7)
    if tile >= 0:
        group = tile // 9
        one = 1 << (4 * (tile % 9))
        if group == 0:
            c0 += one
        elif group == 1:
            c1 += one
        elif group == 2:
            c2 += one
        else:
            c3 += one
    laizi = int(s.laizi)
    small = int(s.small_laizi)
    big = int(s.big_laizi)
    subs = min(count_laizi(c0, c1, c2, c3, laizi), max(small, big))
    if too_many_alone(c0, c1, c2, c3, laizi, subs) and not is_loose(c0, c1, c2, c3, laizi):
        return 0
    return best_reading(c0, c1, c2, c3, laizi, meld_bits(s, seat), situation(s, seat, way), small, big)


@rule
def seat_waits(s, seat):
    """Return the kinds that a seat waits for, as bits; 0 if it is not ready (§5.6)."""
    if not can_read(s, seat):
        return 0
    hand = s.hand[seat]
    return waits(
        pack(hand, 0, 9),
        pack(hand, 9, 9),
        pack(hand, 18, 9),
        pack(hand, 27, 7),
        int(s.laizi),
        int(s.skin0),
        int(s.skin1),
        meld_bits(s, seat),
        int(s.small_laizi),
        int(s.big_laizi),
    )


@rule
def may_complete(s, seat, t, twins):
    """Return whether `t` can be in a winning hand of a seat that can read; most tiles cannot.

    Without laizi it needs a twin (`twins` others are in the hand) or a run. A lone tile
    only wins among winds or 258 tiles, and the seat's first meld shows whether that is possible.
    """
    hand = s.hand[seat]
    if twins > 0 or t == s.laizi or hand[s.laizi] > 0:
        return True
    first = int(s.meld_tile[seat, 0])
    if t >= HONOURS:
        return first >= HONOURS
    if t % 3 == 1 and first % 3 == 1:
        return True
    rank = t % 9
    above = rank < 8 and hand[t + 1] > 0
    if rank > 0 and hand[t - 1] > 0:
        return above or (rank > 1 and hand[t - 2] > 0)
    return above and rank < 7 and hand[t + 2] > 0


@rule
def can_win(s, seat, tile, way, payer):
    """Return the reading with which a seat may declare a win now (§5), or 0.

    `tile` is not yet in its hand; NONE if the hand is complete.
    """
    if not can_read(s, seat):
        return 0
    if tile >= 0:
        if not may_complete(s, seat, tile, int(s.hand[seat, tile])):
            return 0
    elif s.drawn >= 0 and not may_complete(s, seat, int(s.drawn), int(s.hand[seat, s.drawn]) - 1):
        return 0
    reading = read_hand(s, seat, tile, way)
    if reading == 0 or least_raw(s, seat, way, payer, reading) < s.min_win:
        return 0
    return reading


# --- payments -------------------------------------------------------------------------


@rule
def raw_payment(s, winner, loser, way, payer, types):
    """Return what a loser owes before caps (§6.2)."""
    amount = 1 << (fan_log(s, winner) + fan_log(s, loser))
    if types & HARD_BIT:
        amount *= 2
    extra = way == SELF_DRAW or (way == BY_DISCARD and loser == payer)
    if types & BIG_BITS:
        amount *= BASE * count_big(types)
        return amount * 3 // 2 if extra else amount
    if extra:
        amount *= 2
    if winner == s.dealer or loser == s.dealer:
        amount *= 2
    return amount


@rule
def least_raw(s, winner, way, payer, types):
    """Return the smallest of the three uncapped payments."""
    least = -1
    for seat in range(SEATS):
        if seat != winner:
            raw = raw_payment(s, winner, seat, way, payer, types)
            if least < 0 or raw < least:
                least = raw
    return least


@rule
def golden(s):
    """Return what each seat pays if all three reach the cap (§6.3)."""
    return int(s.cap) + (GOLDEN_MORE if s.kou_kou_fan == 1 else GOLDEN_MORE // 2)


@rule
def settle_win(s, winner, way, payer, reading):
    """Pay a win: set winner, types, contractor and payoff (§6)."""
    types = reading & TYPE_BITS
    s.winner = winner
    s.types = reading
    s.contractor = contractor(s, winner, way, payer, types) if s.contract == 1 else NONE
    cap = int(s.cap)
    full = least_raw(s, winner, way, payer, types) >= cap
    total = 0
    for seat in range(SEATS):
        s.payoff[seat] = 0
        if seat == winner:
            continue
        raw = raw_payment(s, winner, seat, way, payer, types)
        if full:
            paid = golden(s) if s.golden_mode == GOLDEN_RAISE else min(raw, golden(s))
        else:
            paid = min(raw, cap)
        s.payoff[seat] = -paid
        total += paid
    if s.contractor != NONE:
        for seat in range(SEATS):
            s.payoff[seat] = 0
        s.payoff[s.contractor] = -total
    s.payoff[winner] = total


@rule
def contractor(s, winner, way, payer, types):
    """Return who pays for all, or NONE (§6.4)."""
    if way == ROB_KONG:
        return payer
    if types & FULLY_BIT and seat_waits(s, payer) == 0:
        return payer
    if types & FLUSH_BIT and s.opens[winner] >= 3:
        n = 0
        for i in range(s.melds[winner]):
            if s.meld_type[winner, i] != T_CONCEALED:
                n += 1
                if n == 3:
                    return int(s.meld_from[winner, i])
    return NONE


@rule
def flow_raw(s, ready, other):
    """Return what a seat that is not ready owes one that is, before the cap (§7)."""
    owed = 1 << (fan_log(s, ready) + fan_log(s, other))
    if s.opens[other] == 0:
        owed *= 2
    return owed


@rule
def flow_payment(s, ready, other):
    """Return what a seat that is not ready pays one that is (§7)."""
    paid = min(flow_raw(s, ready, other), MOST_PAID)
    if s.flow_cap >= 0:
        paid = min(paid, int(s.flow_cap))
    return paid


@rule
def settle_flow(s):
    """Let every ready seat collect from every seat that is not; set `ready` and payoff (§7)."""
    ready = 0
    for seat in range(SEATS):
        s.payoff[seat] = 0
        if seat_waits(s, seat) != 0:
            ready |= 1 << seat
    s.ready = ready
    if s.flow_settlement == 0:
        return
    for a in range(SEATS):
        if (ready >> a) & 1 == 0:
            continue
        for b in range(SEATS):
            if (ready >> b) & 1:
                continue
            paid = flow_payment(s, a, b)
            s.payoff[a] += paid
            s.payoff[b] -= paid
