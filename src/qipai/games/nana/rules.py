"""NANA: find three cards of one number in sorted hands that only their owners see.

Here: the state, the machine, what may be revealed, what a reveal changes, who wins.
Not here: what a seat may know, text, JSON, players. Clause numbers (§) are those of
the README beside this file.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from qipai.core import NOBODY, below, goto, header, rule, shuffle, state_dtype

SEATS = 6
NUMBERS = 12  # numbers are 1..NUMBERS
COPIES = 3  # cards of a number
HAND = 12  # dealt slots a hand may have
CENTRE = 10  # dealt slots the centre may have
DECK = NUMBERS * COPIES

# Slots: hand slot i of seat k is k * HAND + i, centre slot i is CENTRE_SLOT + i.
CENTRE_SLOT = SEATS * HAND
SLOTS = CENTRE_SLOT + CENTRE

# §4 actions: 2r head and 2r + 1 tail of the seat r places on, then the centre slots
CENTRE_ACTION = 2 * SEATS
ACTIONS = CENTRE_ACTION + CENTRE

# §1 by number of seats: highest number, hand, centre
TOP = np.array([0, 0, 10, 11, 12, 12, 12], np.int8)
DEALT_HAND = np.array([0, 0, 10, 8, 7, 6, 5], np.int8)
DEALT_CENTRE = np.array([0, 0, 10, 9, 8, 6, 6], np.int8)

# Options, as they stand in the state
MODE_NANA, MODE_SIMPLE, MODE_SPICY = 0, 1, 2
CONTINUE, PASS_ON = 0, 1
MAX_TURNS = 10_000  # the highest cap an option may ask for

# Why a game ended
REASON_NONE, REASON_SEVENS, REASON_CONNECTED, REASON_THREE, REASON_EXHAUSTED, REASON_CAP = range(6)

SEVEN = 1 << 7  # in a set of numbers, bit n is number n
DIFFERENCE_7 = 0b111110  # n of the pairs n, n + 7


class Phase(IntEnum):
    """§3"""

    WAITING = 0
    FLIP_1 = 1
    FLIP_2 = 2
    FLIP_3 = 3
    FAILED = 4
    SUCCESS = 5
    GAME_OVER = 6


WAITING = int(Phase.WAITING)
FLIP_1 = int(Phase.FLIP_1)
FLIP_2 = int(Phase.FLIP_2)
FLIP_3 = int(Phase.FLIP_3)
FAILED = int(Phase.FAILED)
SUCCESS = int(Phase.SUCCESS)
GAME_OVER = int(Phase.GAME_OVER)

EDGES = (
    (WAITING, FLIP_1),  # dealt
    (FLIP_1, FLIP_2),
    (FLIP_2, FLIP_3),
    (FLIP_2, FAILED),
    (FLIP_3, SUCCESS),
    (FLIP_3, FAILED),
    (FAILED, FLIP_1),  # the next seat
    (FAILED, GAME_OVER),  # the cap
    (SUCCESS, FLIP_1),  # the same seat, or the next
    (SUCCESS, GAME_OVER),  # won, nothing left, or the cap
)

State = state_dtype(
    [
        *header(seats=SEATS),
        # options
        ("max_turns", np.int32),
        ("mode", np.int8),
        ("after_success", np.int8),
        ("first", np.int8),  # -1: drawn
        # the table
        ("current", np.int8),  # whose turn it is; stays while FAILED, SUCCESS and GAME_OVER
        ("turn", np.int32),  # times the move has passed on
        ("deck", np.int8, (DECK,)),  # scratch: the shuffled cards while dealing
        ("card", np.int8, (SLOTS,)),  # number dealt to each slot; 0: no such slot
        ("dealt", np.int8, (SEATS,)),  # slots of each hand
        ("centre", np.int8),  # slots of the centre
        ("top", np.int8),  # highest number that this table may hold
        ("numbers", np.int16),  # the numbers dealt: bit n
        # Each hand is four nested runs of its dealt slots, ends excluded on the right:
        ("low", np.int8, (SEATS,)),  # in play: low..high-1
        ("high", np.int8, (SEATS,)),
        ("head", np.int8, (SEATS,)),  # in play and not face up: head..tail-1
        ("tail", np.int8, (SEATS,)),
        ("dark_low", np.int8, (SEATS,)),  # never shown to all: dark_low..dark_high-1 (§8.6)
        ("dark_high", np.int8, (SEATS,)),
        # The centre as sets of slots: bit i
        ("lying", np.int16),  # in play
        ("turned", np.int16),  # face up
        ("shown", np.int16),  # ever face up
        ("chain", np.int8, (COPIES,)),  # slots face up, in order
        ("links", np.int8),  # how many
        ("last", np.int8, (COPIES,)),  # slots of the last settled attempt, -1 none
        ("last_by", np.int8),  # whose it was
        # collections, in order of collection
        ("trios", np.int8),
        ("taken", np.int8, (NUMBERS,)),
        ("taker", np.int8, (NUMBERS,)),
        ("won", np.int16, (SEATS,)),  # by seat: the set of its numbers
        ("winner", np.int8),
        ("reason", np.int8),
    ]
)


# --- deal and start -------------------------------------------------------------------


@rule
def deal(s):
    """§2 shuffle, deal the hands and sort them, lay out the centre."""
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
    """Everything but options, generator, cards and sizes, as before the first reveal."""
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


@rule
def _put_away(s):
    """The chain becomes the last attempt."""
    s.last_by = s.current
    for i in range(COPIES):
        s.last[i] = s.chain[i]
    _clear_chain(s)


@rule
def start(s):
    """Go to the first decision. A position laid out beyond WAITING stays where it is."""
    if s.phase == WAITING:
        s.current = below(s, int(s.seats)) if s.first < 0 else s.first
        s.seat = s.current
        goto(s, FLIP_1)
    while s.seat == NOBODY and s.phase != GAME_OVER:
        advance(s)


# --- legal ----------------------------------------------------------------------------


@rule
def legal(s, mask):
    """§4 fill `mask` (ACTIONS,) for the seat to decide; return how many are set."""
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
def seat_of(s, action):
    """The seat whose hand an action (below CENTRE_ACTION) asks."""
    seat = int(s.current) + (action >> 1)
    return seat if seat < s.seats else seat - int(s.seats)


@rule
def slot_of(s, action):
    """The slot that an action would turn up."""
    if action >= CENTRE_ACTION:
        return CENTRE_SLOT + action - CENTRE_ACTION
    seat = seat_of(s, action)
    return seat * HAND + (int(s.tail[seat]) - 1 if action & 1 else int(s.head[seat]))


# --- apply ----------------------------------------------------------------------------


@rule
def apply(s, action):
    """Make a legal reveal, then go on to the next decision or the end."""
    make(s, action)
    while s.seat == NOBODY and s.phase != GAME_OVER:
        advance(s)


@rule
def make(s, action):
    """§3 the reveal alone: turn the card up and compare."""
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
    """An end of a hand goes face up; the dark run shrinks if it was its end."""
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


@rule
def advance(s):
    """One automatic step: settle a failed attempt (§5) or a trio (§6)."""
    if s.phase == FAILED:
        for seat in range(s.seats):
            s.head[seat] = s.low[seat]
            s.tail[seat] = s.high[seat]
        s.turned = 0
        _put_away(s)
        _pass_on(s)
    elif s.phase == SUCCESS:
        _collect(s)


@rule
def _collect(s):
    """§6, §7 the three cards leave; the collector wins, goes on, or passes."""
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
    """The move goes to the next seat, unless the cap ends the game."""
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
    """Whether no card is left (custom deals without sevens can end so)."""
    if s.lying != 0:
        return False
    for k in range(s.seats):
        if s.low[k] < s.high[k]:
            return False
    return True


# --- winning --------------------------------------------------------------------------


@rule
def win_reason(mode, won):
    """§7 why a collection (a set of numbers) wins, or REASON_NONE."""
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
    """Whether two numbers of the set have the sum or difference 7."""
    if won & (won >> 7) & DIFFERENCE_7:
        return True
    for n in range(1, 4):
        if (won >> n) & (won >> (7 - n)) & 1:
            return True
    return False


@rule
def partial(s):
    """Every reveal is a whole move."""
    return 0
