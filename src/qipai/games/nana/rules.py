"""NANA: what may be revealed, what a reveal changes, who wins.

Clause numbers (§) are those of the README in this folder.
"""

from __future__ import annotations

from qipai.core import NOBODY, below, goto, rule, shuffle

from .state import (
    CENTRE,
    CENTRE_ACTION,
    CENTRE_SLOT,
    COPIES,
    DEALT_CENTRE,
    DEALT_HAND,
    DECK,
    DIFFERENCE_7,
    FAILED,
    FLIP_1,
    GAME_OVER,
    HAND,
    MODE_SIMPLE,
    MODE_SPICY,
    NUMBERS,
    PASS_ON,
    REASON_CAP,
    REASON_CONNECTED,
    REASON_EXHAUSTED,
    REASON_NONE,
    REASON_SEVENS,
    REASON_THREE,
    SEATS,
    SEVEN,
    SLOTS,
    SUCCESS,
    TOP,
    WAITING,
)


@rule
def deal(s):
    """Shuffle, deal and sort the hands, and lay out the centre (§2)."""
    seats = int(s.seats)
    top = int(TOP[seats])
    size = int(DEALT_HAND[seats])
    for i in range(COPIES * top):
        s.deck[i] = i // COPIES + 1
    shuffle(s, s.deck[:], COPIES * top)
    for i in range(SLOTS):
        s.card[i] = 0
    for seat in range(SEATS):
        s.dealt[seat] = size if seat < seats else 0
        if seat < seats:
            for i in range(size):
                insert(s.card[:], seat * HAND, i, int(s.deck[seat * size + i]))
    s.centre = DEALT_CENTRE[seats]
    for i in range(DEALT_CENTRE[seats]):
        s.card[CENTRE_SLOT + i] = s.deck[seats * size + i]
    for i in range(DECK):
        s.deck[i] = 0
    s.top = top
    s.numbers = (2 << top) - 2
    clear(s)
    start(s)


@rule
def start(s):
    """Advance to the first decision. A position set up beyond WAITING stays where it is."""
    if s.phase == WAITING:
        s.current = below(s, int(s.seats)) if s.first < 0 else s.first
        s.seat = s.current
        goto(s, FLIP_1)
    while s.seat == NOBODY and s.phase != GAME_OVER:
        advance(s)


@rule
def legal(s, mask):
    """Fill `mask` (ACTIONS,) for the seat to move; return how many are set (§4)."""
    n = 0
    seats = int(s.seats)
    seat = int(s.current)
    for r in range(SEATS):
        ok = 0
        if r < seats:
            ok = 1 if s.head[seat] < s.tail[seat] else 0
            seat = seat + 1 if seat < seats - 1 else 0
        mask[2 * r] = ok
        mask[2 * r + 1] = ok
        n += 2 * ok
    down = int(s.lying) & ~int(s.turned)
    for i in range(CENTRE):
        ok = (down >> i) & 1
        mask[CENTRE_ACTION + i] = ok
        n += ok
    return n


@rule
def apply(s, action):
    """Make a legal reveal, then advance to the next decision or the end."""
    make(s, action)
    while s.seat == NOBODY and s.phase != GAME_OVER:
        advance(s)


@rule
def advance(s):
    """Take one automatic step: settle a failed attempt (§5) or a trio (§6)."""
    if s.phase == FAILED:
        for seat in range(s.seats):
            s.head[seat] = s.low[seat]
            s.tail[seat] = s.high[seat]
        s.turned = 0
        _put_away(s)
        _pass_on(s)
    elif s.phase == SUCCESS:
        _collect(s)


# --- the deal -------------------------------------------------------------------------


@rule(cards="i1[:]")
def insert(cards, base, n, number):
    """Put `number` into the sorted run of `n` cards that begins at `base`."""
    i = base + n
    while i > base and cards[i - 1] > number:
        cards[i] = cards[i - 1]
        i -= 1
    cards[i] = number


@rule
def clear(s):
    """Reset everything except options, generator, cards and sizes."""
    s.ply = 0
    s.cut = 0
    s.seat = NOBODY
    s.current = NOBODY
    s.turn = 0
    goto(s, WAITING)
    for seat in range(SEATS):
        size = s.dealt[seat]
        s.low[seat] = 0
        s.high[seat] = size
        s.head[seat] = 0
        s.tail[seat] = size
        s.dark_low[seat] = 0
        s.dark_high[seat] = size
        s.won[seat] = 0
        s.payoff[seat] = 0
    s.lying = (1 << int(s.centre)) - 1
    s.turned = 0
    s.shown = 0
    _clear_chain(s)
    s.last_by = NOBODY
    for i in range(COPIES):
        s.last[i] = -1
    s.trios = 0
    for i in range(NUMBERS):
        s.taken[i] = 0
        s.taker[i] = NOBODY
    s.winner = NOBODY
    s.reason = REASON_NONE


@rule
def _clear_chain(s):
    s.links = 0
    for i in range(COPIES):
        s.chain[i] = -1


# --- actions --------------------------------------------------------------------------


@rule
def seat_of(s, action):
    """Return the seat whose hand an action (below CENTRE_ACTION) asks."""
    seat = int(s.current) + (action >> 1)
    return seat if seat < s.seats else seat - int(s.seats)


@rule
def slot_of(s, action):
    """Return the slot that an action would turn up."""
    if action >= CENTRE_ACTION:
        return CENTRE_SLOT + action - CENTRE_ACTION
    seat = seat_of(s, action)
    return seat * HAND + (int(s.tail[seat]) - 1 if action & 1 else int(s.head[seat]))


# --- a reveal -------------------------------------------------------------------------


@rule
def make(s, action):
    """Make the reveal alone: turn the card up and compare (§3)."""
    s.ply += 1
    slot = slot_of(s, action)
    if action >= CENTRE_ACTION:
        bit = 1 << (action - CENTRE_ACTION)
        s.turned = int(s.turned) | bit
        s.shown = int(s.shown) | bit
    else:
        _turn_up(s, seat_of(s, action), action & 1)
    s.chain[s.links] = slot
    s.links += 1
    if s.card[slot] != s.card[s.chain[0]]:
        s.seat = NOBODY
        goto(s, FAILED)
    elif s.links == COPIES:
        s.seat = NOBODY
        goto(s, SUCCESS)
    else:
        goto(s, FLIP_1 + int(s.links))


@rule
def _turn_up(s, seat, at_tail):
    """Turn up an end of a hand; the dark run shrinks if it was its end."""
    if at_tail:
        s.tail[seat] -= 1
        i = int(s.tail[seat])
        if s.dark_low[seat] <= i < s.dark_high[seat]:
            s.dark_high[seat] = i
    else:
        i = int(s.head[seat])
        s.head[seat] += 1
        if s.dark_low[seat] <= i < s.dark_high[seat]:
            s.dark_low[seat] = i + 1


# --- settling -------------------------------------------------------------------------


@rule
def _put_away(s):
    """Store the chain as the last attempt."""
    s.last_by = s.current
    for i in range(COPIES):
        s.last[i] = s.chain[i]
    _clear_chain(s)


@rule
def _collect(s):
    """Remove the three cards; the collector wins, goes on, or passes (§6, §7)."""
    seat = int(s.current)
    number = int(s.card[s.chain[0]])
    for k in range(s.seats):
        s.low[k] = s.head[k]
        s.high[k] = s.tail[k]
    s.lying = int(s.lying) & ~int(s.turned)
    s.turned = 0
    _put_away(s)
    s.taken[s.trios] = number
    s.taker[s.trios] = seat
    s.trios += 1
    s.won[seat] = int(s.won[seat]) | 1 << number
    s.reason = win_reason(int(s.mode), int(s.won[seat]))
    if s.reason != REASON_NONE:
        s.winner = seat
        for k in range(s.seats):
            s.payoff[k] = -1
        s.payoff[seat] = int(s.seats) - 1
        goto(s, GAME_OVER)
    elif is_bare(s):
        s.reason = REASON_EXHAUSTED
        goto(s, GAME_OVER)
    elif s.after_success == PASS_ON:
        _pass_on(s)
    else:
        s.seat = seat
        goto(s, FLIP_1)


@rule
def _pass_on(s):
    """Pass the move to the next seat, unless the cap ends the game."""
    s.turn += 1
    s.current = s.current + 1 if s.current < s.seats - 1 else 0
    if s.turn >= s.max_turns:
        s.cut = 1
        s.reason = REASON_CAP
        goto(s, GAME_OVER)
    else:
        s.seat = s.current
        goto(s, FLIP_1)


@rule
def is_bare(s):
    """Return whether no card is left (possible in custom deals without sevens)."""
    if s.lying != 0:
        return False
    for k in range(s.seats):
        if s.low[k] < s.high[k]:
            return False
    return True


# --- winning --------------------------------------------------------------------------


@rule
def win_reason(mode, won):
    """Return why a collection (a set of numbers) wins, or REASON_NONE (§7)."""
    if won & SEVEN:
        return REASON_SEVENS
    if mode != MODE_SIMPLE and is_connected(won):
        return REASON_CONNECTED
    if mode != MODE_SPICY:
        left = won & (won - 1)
        if left & (left - 1):
            return REASON_THREE
    return REASON_NONE


@rule
def is_connected(won):
    """Return whether two numbers of the set have the sum or difference 7."""
    if won & (won >> 7) & DIFFERENCE_7:
        return True
    for n in range(1, 4):
        if (won >> n) & (won >> (7 - n)) & 1:
            return True
    return False
