"""NANA: what a seat may know, as features (`observe`), and consistent worlds (`determinize`).

Seats are rotated so that the observer is 0; a watcher sees them as they are. A card that
was shown and turned back is remembered: everyone saw it (README §9).

Version 2 of the observation adds `seen`, what the others know of the observer's hand, which `exact`
uses and version 1 lacked; and `face` and `ready`, which follow from the rest and spare a net much
learning.
"""

from __future__ import annotations

import numpy as np

from qipai.core import CATEGORY, FLAG, NUMBER, Feature, draw, next_word, rule

from .rules import insert
from .state import ACTIONS, CENTRE, CENTRE_ACTION, CENTRE_SLOT, COPIES, DECK, GAME_OVER, HAND, NUMBERS, SEATS
from .worlds import (
    COLUMNS,
    DARK,
    ENDS,
    SEAT,
    STRIDE,
    backward,
    gather,
    next_vector,
    table_size,
    vector_weight,
)

UNKNOWN = NUMBERS + 1  # a card in play whose number the observer has never seen

# Where each feature starts; `FEATURES` below says what it is.
PHASE = 0
DECIDER = 1
CURRENT = 2
PLAYERS = 3
MODE = 4
AFTER = 5
TURN = 6
LEFT = 8
TARGET = 10
LINKS = 11
DOWN = 12
HEADS = DOWN + SEATS
TAILS = HEADS + SEATS
OWNER = TAILS + SEATS
PRESENT = OWNER + NUMBERS
SLOT = PRESENT + NUMBERS
MIDDLE = SLOT + SEATS * HAND
UP = MIDDLE + CENTRE
LAST = UP + CENTRE
SEEN = LAST + COPIES + 1
FACE = SEEN + HAND
READY = FACE + ACTIONS
SIZE = READY + ACTIONS

STANDING = ((-NUMBERS, -1), (1, NUMBERS), (UNKNOWN, UNKNOWN))  # collected, known, unknown
PLACES = (*((k * HAND + 1, (k + 1) * HAND) for k in range(SEATS)), (CENTRE_SLOT + 1, CENTRE_SLOT + CENTRE))

FEATURES = (
    Feature("phase", PHASE, 1, "the phase, by number", CATEGORY, 0, GAME_OVER),
    Feature("decider", DECIDER, 1, "1 + seat that decides, 0 nobody", CATEGORY, 0, SEATS),
    Feature("current", CURRENT, 1, "1 + seat whose turn it is", CATEGORY, 0, SEATS),
    Feature("players", PLAYERS, 1, "seats at the table", CATEGORY, 2, SEATS),
    Feature("mode", MODE, 1, "0 nana, 1 simple, 2 spicy", CATEGORY, 0, 2),
    Feature("after_success", AFTER, 1, "0 the collector goes on, 1 the move passes", FLAG),
    Feature("turn", TURN, 2, "turns played: the lower seven bits, the rest", NUMBER, 0, 127),
    Feature("left", LEFT, 2, "turns left before the cap, in the same way", NUMBER, 0, 127),
    Feature("target", TARGET, 1, "number of the first card face up, 0 none", CATEGORY, 0, NUMBERS),
    Feature("links", LINKS, 1, "cards face up", NUMBER, 0, COPIES),
    Feature("down", DOWN, SEATS, "by seat: cards in hand that are not face up", NUMBER, 0, HAND),
    Feature(
        "heads",
        HEADS,
        SEATS,
        "by seat: the dealt slot of the head, 0 when nothing is hidden",
        NUMBER,
        0,
        HAND,
    ),
    Feature(
        "tails",
        TAILS,
        SEATS,
        "by seat: 1 + the dealt slot of the tail, 0 when nothing is hidden",
        NUMBER,
        0,
        HAND,
    ),
    Feature("owner", OWNER, NUMBERS, "by number: 1 + seat that collected it, 0 nobody", CATEGORY, 0, SEATS),
    Feature("number", PRESENT, NUMBERS, "by number: 1 if it was dealt at this table", FLAG),
    Feature(
        "slot",
        SLOT,
        SEATS * HAND,
        "hand slots by seat: v known, 13 not, -v collected, 0 no such slot",
        CATEGORY,
        -NUMBERS,
        UNKNOWN,
        groups=STANDING,
    ),
    Feature(
        "middle", MIDDLE, CENTRE, "centre slots in the same way", CATEGORY, -NUMBERS, UNKNOWN, groups=STANDING
    ),
    Feature("up", UP, CENTRE, "centre slots: 1 face up", FLAG),
    Feature(
        "last",
        LAST,
        COPIES + 1,
        "the last settled attempt: its slots (1 + slot, 0 none), 1 + whose it was",
        CATEGORY,
        0,
        CENTRE_SLOT + CENTRE,
        groups=PLACES,
    ),
    Feature("seen", SEEN, HAND, "slots of the observer's hand: 1 if everyone has seen the card", FLAG),
    Feature(
        "face",
        FACE,
        ACTIONS,
        "by action of the observer: v it would show v, 13 unknown, 0 nothing to turn up",
        CATEGORY,
        0,
        UNKNOWN,
        groups=STANDING[1:],
    ),
    Feature(
        "ready",
        READY,
        ACTIONS,
        "by action: copies of that v face up or in known reach, 0 if it cannot match",
        NUMBER,
        0,
        COPIES,
    ),
)


@rule
def observe(s, seat, out):
    """Fill `out` (SIZE,) with what `seat` may know; NOBODY is a watcher."""
    seats = int(s.seats)
    base = max(seat, 0)
    out[PHASE] = s.phase
    out[DECIDER] = place(s.seat, base, seats)
    out[CURRENT] = place(s.current, base, seats)
    out[PLAYERS] = seats
    out[MODE] = s.mode
    out[AFTER] = s.after_success
    turn = int(s.turn)
    left = int(s.max_turns) - turn
    out[TURN] = turn & 127
    out[TURN + 1] = turn >> 7
    out[LEFT] = left & 127
    out[LEFT + 1] = left >> 7
    out[TARGET] = s.card[s.chain[0]] if s.links > 0 else 0
    out[LINKS] = s.links
    owner = out[OWNER : OWNER + NUMBERS]
    number = out[PRESENT : PRESENT + NUMBERS]
    numbers = int(s.numbers)
    for n in range(NUMBERS):
        owner[n] = 0
        number[n] = (numbers >> (n + 1)) & 1
    for i in range(s.trios):
        owner[s.taken[i] - 1] = place(s.taker[i], base, seats)
    other = base
    for k in range(SEATS):
        if k < seats:
            _observe_hand(s, other, 1 if other == seat else 0, k, out)
            other = other + 1 if other < seats - 1 else 0
        else:
            _observe_nothing(k, out)
    _observe_centre(s, out)
    for i in range(COPIES):
        out[LAST + i] = slot_place(int(s.last[i]), base, seats)
    out[LAST + COPIES] = place(s.last_by, base, seats)
    _observe_seen(s, seat, out)
    _observe_reach(int(s.links), seats, out)


@rule
def slot_place(slot, base, seats):
    """Return 1 + the slot with its seat as counted from `base`, 0 for none."""
    if slot < 0 or slot >= CENTRE_SLOT:
        return slot + 1
    seat = slot // HAND - base
    return slot + 1 - base * HAND if seat >= 0 else slot + 1 + (seats - base) * HAND


@rule
def place(seat, base, seats):
    """Return 1 + the seat as counted from `base`, 0 for nobody."""
    if seat < 0:
        return 0
    return seat - base + 1 if seat >= base else seat - base + 1 + seats


@rule
def _observe_hand(s, other, own, k, out):
    low = int(s.low[other])
    high = int(s.high[other])
    size = int(s.dealt[other])
    down = int(s.tail[other]) - int(s.head[other])
    out[DOWN + k] = down
    out[HEADS + k] = s.head[other] if down > 0 else 0
    out[TAILS + k] = s.tail[other] if down > 0 else 0
    slot = out[SLOT + k * HAND : SLOT + k * HAND + HAND]
    card = s.card[other * HAND : other * HAND + HAND]
    for i in range(HAND):
        slot[i] = card[i]
    if own == 0:
        for i in range(s.dark_low[other], s.dark_high[other]):
            slot[i] = UNKNOWN
    for i in range(low):
        slot[i] = -card[i]
    for i in range(high, size):
        slot[i] = -card[i]


@rule
def _observe_nothing(k, out):
    out[DOWN + k] = 0
    out[HEADS + k] = 0
    out[TAILS + k] = 0
    slot = out[SLOT + k * HAND : SLOT + k * HAND + HAND]
    for i in range(HAND):
        slot[i] = 0


@rule
def _observe_centre(s, out):
    middle = out[MIDDLE : MIDDLE + CENTRE]
    up = out[UP : UP + CENTRE]
    lying = int(s.lying)
    shown = int(s.shown)
    turned = int(s.turned)
    for i in range(CENTRE):
        card = s.card[CENTRE_SLOT + i]
        up[i] = (turned >> i) & 1
        if (lying >> i) & 1 == 0:
            middle[i] = -card
        elif (shown >> i) & 1:
            middle[i] = card
        else:
            middle[i] = UNKNOWN


@rule
def _observe_seen(s, seat, out):
    """Fill in which cards of the observer's hand the others have seen, including collected ones."""
    seen = out[SEEN : SEEN + HAND]
    size = int(s.dealt[seat]) if seat >= 0 else 0
    low = int(s.dark_low[seat]) if seat >= 0 else 0
    high = int(s.dark_high[seat]) if seat >= 0 else 0
    for i in range(HAND):
        seen[i] = 1 if i < size and (i < low or i >= high) else 0


@rule
def _observe_reach(links, seats, out):
    """Fill in `face` and `ready` from the features before them, which hold what the observer knows.

    `reach` counts, in four bits per number, the copies that are face up or can surely be turned up in this
    turn: known cards at the ends of hands, and known centre cards.
    """
    face = out[FACE : FACE + ACTIONS]
    target = int(out[TARGET])
    reach = links << (4 * target) if links > 0 else 0
    for k in range(SEATS):
        if k >= seats or out[DOWN + k] == 0:
            face[2 * k] = 0
            face[2 * k + 1] = 0
            continue
        slot = out[SLOT + k * HAND : SLOT + k * HAND + HAND]
        i = int(out[HEADS + k])
        j = int(out[TAILS + k]) - 1
        head = int(slot[i])
        tail = int(slot[j])
        face[2 * k] = head
        face[2 * k + 1] = tail
        while i <= j and slot[i] == head and head != UNKNOWN:
            reach += 1 << (4 * head)
            i += 1
        while j >= i and slot[j] == tail and tail != UNKNOWN:
            reach += 1 << (4 * tail)
            j -= 1
    for i in range(CENTRE):
        card = int(out[MIDDLE + i]) if out[UP + i] == 0 else 0
        face[CENTRE_ACTION + i] = card if card > 0 else 0
        if 0 < card < UNKNOWN:
            reach += 1 << (4 * card)
    for a in range(ACTIONS):
        card = int(face[a])
        matches = 0 < card < UNKNOWN and (links == 0 or card == target)
        out[READY + a] = (reach >> (4 * card)) & 15 if matches else 0


# --- determinize ----------------------------------------------------------------------


@rule
def determinize(s, seat):
    """Redraw every card that `seat` has never seen, uniformly over all consistent deals.

    Exact: the deals are counted (`posterior`), and one is drawn number by number.
    """
    hands = np.zeros((SEATS, COLUMNS), np.int64)
    known = np.zeros((SEATS, ENDS), np.int64)
    rest = np.zeros(ENDS, np.int64)
    k = np.zeros(SEATS, np.int64)
    d = np.zeros(SEATS, np.int64)
    bag = np.zeros(DECK, np.int8)
    count = gather(s, seat, 1, hands, known, rest)
    size = table_size(hands, count)
    ways = np.zeros((ENDS, size))
    backward(hands, count, known, rest, k, d, size, ways)
    for j in range(count):
        d[j] = 0  # cards of the dark run drawn so far
    at = 0
    n_bag = 0
    for n in range(1, NUMBERS + 1):
        if rest[n] == 0:
            continue
        _draw_vector(s, hands, count, known, rest, n, at, k, ways)
        left = rest[n]
        for j in range(count):
            base = hands[j, SEAT] * HAND + s.dark_low[hands[j, SEAT]]
            for i in range(k[j]):
                s.card[base + d[j] + i] = n
            d[j] += k[j]
            at += k[j] * hands[j, STRIDE]
            left -= k[j]
        for _ in range(left):
            bag[n_bag] = n
            n_bag += 1
    _lay_bag(s, seat, bag, n_bag)


@rule(hands="i8[:,:]", known="i8[:,:]", rest="i8[:]", k="i8[:]", ways="f8[:,:]")
def _draw_vector(s, hands, count, known, rest, n, at, k, ways):
    """Draw into `k` how the unseen copies of `n` are distributed, given the fill `at` before it."""
    high = next_word(s.rng[:])
    low = next_word(s.rng[:])
    chance = ((high << 21) | (low >> 11)) / 9007199254740992.0  # 53 bits
    mark = chance * ways[n, at]
    for j in range(count):
        k[j] = 0
    best = -1.0
    while True:
        weight = 0.0
        if fits(hands, count, at, k):
            step = 0
            for j in range(count):
                step += k[j] * hands[j, STRIDE]
            weight = vector_weight(known, rest, count, n, k) * ways[n + 1, at + step]
        mark -= weight
        if mark < 0.0 and weight > 0.0:
            return
        best = max(best, weight)
        if next_vector(hands, count, n, rest[n], k) == 0:
            break
    _take_likeliest(hands, count, known, rest, n, at, k, ways, best)


@rule(hands="i8[:,:]", known="i8[:,:]", rest="i8[:]", k="i8[:]", ways="f8[:,:]", best="f8")
def _take_likeliest(hands, count, known, rest, n, at, k, ways, best):
    """Choose the vector of weight `best`, only if rounding (one in 2^50) left the mark unused."""
    for j in range(count):
        k[j] = 0
    while True:
        if fits(hands, count, at, k):
            step = 0
            for j in range(count):
                step += k[j] * hands[j, STRIDE]
            if vector_weight(known, rest, count, n, k) * ways[n + 1, at + step] >= best:
                return
        if next_vector(hands, count, n, rest[n], k) == 0:
            return


@rule(hands="i8[:,:]", k="i8[:]")
def fits(hands, count, at, k):
    """Return whether the dark runs, filled as in `at`, still have room for `k`."""
    for j in range(count):
        filled = at // hands[j, STRIDE] % (hands[j, DARK] + 1)
        if filled + k[j] > hands[j, DARK]:
            return False
    return True


@rule(bag="i1[:]")
def _lay_bag(s, seat, bag, n_bag):
    """Shuffle the bag into the dark of the centre and the hands of which nothing was shown."""
    rng = s.rng[:]
    for i in range(n_bag - 1, 0, -1):
        j = draw(rng, i + 1)
        card = bag[i]
        bag[i] = bag[j]
        bag[j] = card
    at = 0
    for i in range(s.centre):
        if (int(s.shown) >> i) & 1 == 0:
            s.card[CENTRE_SLOT + i] = bag[at]
            at += 1
    for other in range(s.seats):
        size = int(s.dealt[other])
        if other == seat or size == 0 or int(s.dark_high[other]) - int(s.dark_low[other]) != size:
            continue
        for i in range(size):
            insert(s.card[:], other * HAND, i, int(bag[at + i]))
        at += size
