"""Xianqi: drawing a world that fits everything a seat has seen, exactly uniformly.

The hidden places ("slots") are each other seat's hand and each of its covers. The unseen
cards are shuffled into them until a try fits; where that is unlikely, the ways are
counted type by type (dynamic programming over what each slot still takes) and one is
drawn. Both give every fitting world the same chance, so mixing them does too.

What must fit, for a cover of `kind` cards against power `best` (the seat could not beat):
of the cards that the seat then held (its hand now, this and later covers, later plays)
no single above `best`; or no pair above it, the dog pair included; or no triple above it.
And every dealt hand held a shi or a xiang.

Runs on the CPU only and allocates.
"""

from __future__ import annotations

import numpy as np

from qipai.core import draw, draw_wide, rule

from .rules import after, dog_power, play_power
from .state import (
    B_GOU,
    B_NIU,
    COPIES,
    COVER,
    DOG_PAIR,
    NOBLES,
    PLAY_SIZE,
    PLAY_TYPE,
    PLAYS,
    POWER,
    R_GOU,
    R_NIU,
    ROUNDS,
    SEATS,
    TYPES,
)

TRIES = 64  # shuffles before counting
MOST_WAYS = 1 << 22  # table entries beyond which only shuffling is used
NOW = ROUNDS  # the "round" of a hand as it is now
FREE = 99  # no limit

# Columns of a slot
SLOT_SEAT, SLOT_ROUND, SLOT_CARDS = 0, 1, 2
# Columns of a bar (a cover, and what it tells)
BAR_SEAT, BAR_ROUND, BAR_DOG = 0, 1, 2
BAR_LIMIT = 3  # + type: at most so many unseen cards of it from that round on

ITEMS = TYPES - 1  # types to hand out, the two gou together as one
GOU = R_GOU  # that item


@rule
def redraw(s, seat):
    """Replace the hands and covers that `seat` cannot see by others that fit."""
    redraw_within(s, seat, TRIES)


@rule
def redraw_within(s, seat, most):
    """As `redraw`, counting after `most` shuffles in vain."""
    take_back(s, seat)
    slots = np.zeros((SEATS * (ROUNDS + 1), 3), np.int64)
    n_slots = find_slots(s, seat, slots)
    bars = np.zeros((SEATS * ROUNDS, BAR_LIMIT + TYPES), np.int64)
    n_bars = find_bars(s, seat, bars)
    nobles = np.zeros(SEATS, np.int64)
    find_nobles(s, nobles)
    pool = np.zeros(SEATS * 8, np.int64)
    n_pool = find_pool(s, seat, slots, n_slots, pool)
    placed = np.zeros((n_slots, TYPES), np.int64)
    size = table_size(s, seat, slots, n_slots, nobles)
    tries = 0
    while tries < most or size > MOST_WAYS:
        shuffle_in(s, slots, n_slots, pool, n_pool, placed)
        if fits(slots, n_slots, bars, n_bars, nobles, placed, seat):
            write_back(s, slots, n_slots, placed)
            return
        tries += 1
    count_and_draw(s, seat, slots, n_slots, bars, n_bars, nobles, pool, n_pool, placed)
    write_back(s, slots, n_slots, placed)


@rule
def take_back(s, seat):
    """Another seat's unfinished cover is no one else's knowledge: back into its hand."""
    if s.picked > 0 and s.seat != seat:
        packed = int(s.under[s.closed, s.seat])
        while packed > 0:
            s.hand[s.seat, (packed & 15) - 1] += 1
            packed = packed >> 4
        s.under[s.closed, s.seat] = 0
        s.picked = 0


@rule(slots="i8[:,:]")
def find_slots(s, seat, slots):
    """The hidden places: covers of other seats by round, then their hands."""
    n = 0
    for other in range(SEATS):
        if other == seat:
            continue
        for r in range(min(int(s.closed) + 1, ROUNDS)):
            if s.entry[r, other] == COVER:
                slots[n, SLOT_SEAT] = other
                slots[n, SLOT_ROUND] = r
                slots[n, SLOT_CARDS] = s.kinds[r] if r < s.closed else s.kind
                n += 1
        held = 0
        for t in range(TYPES):
            held += s.hand[other, t]
        slots[n, SLOT_SEAT] = other
        slots[n, SLOT_ROUND] = NOW
        slots[n, SLOT_CARDS] = held
        n += 1
    return n


@rule(bars="i8[:,:]")
def find_bars(s, seat, bars):
    """What each cover of another seat tells about the cards it then held."""
    n = 0
    for r in range(min(int(s.closed) + 1, ROUNDS)):
        kind = int(s.kinds[r]) if r < s.closed else int(s.kind)
        who = int(s.first) if r == 0 else int(s.winners[r - 1])
        best = -1
        for _ in range(SEATS):
            e = int(s.entry[r, who])
            if 0 <= e < PLAYS:
                best = play_power(s, e)
            elif e == COVER and who != seat:
                bar = bars[n]
                bar[BAR_SEAT] = who
                bar[BAR_ROUND] = r
                set_limits(s, bar, kind, best)
                n += 1
            who = after(who)
    return n


@rule(bar="i8[:]")
def set_limits(s, bar, kind, best):
    """How many of each type the hand of `bar` can have held, less what it later played."""
    for t in range(TYPES):
        limit = FREE
        if kind == 1 and POWER[t] > best:
            limit = 0
        if kind == 2 and COPIES[t] > 1 and POWER[t] > best:
            limit = 1
        bar[BAR_LIMIT + t] = limit
    if kind == 3:
        if best < 11:
            bar[BAR_LIMIT + R_NIU] = 2
        if best < 10:
            bar[BAR_LIMIT + B_NIU] = 2
    bar[BAR_DOG] = 1 if kind == 2 and dog_power(s) > best else 0
    for r in range(bar[BAR_ROUND] + 1, min(int(s.closed) + 1, ROUNDS)):
        e = int(s.entry[r, bar[BAR_SEAT]])
        if e == DOG_PAIR:  # cannot be: both gou were not there at the bar
            continue
        if 0 <= e < PLAYS:
            t = int(PLAY_TYPE[e])
            if bar[BAR_LIMIT + t] < FREE:
                bar[BAR_LIMIT + t] -= PLAY_SIZE[e]
            if bar[BAR_DOG] == 1 and t == R_GOU:
                bar[BAR_LIMIT + B_GOU] = 0
            if bar[BAR_DOG] == 1 and t == B_GOU:
                bar[BAR_LIMIT + R_GOU] = 0


@rule(nobles="i8[:]")
def find_nobles(s, nobles):
    """1 for each seat that has shown a shi or xiang, so was not dealt a black hand."""
    for seat in range(SEATS):
        nobles[seat] = 0
        for r in range(ROUNDS):
            e = int(s.entry[r, seat])
            if 0 <= e < PLAYS and PLAY_TYPE[e] < NOBLES:
                nobles[seat] = 1


@rule(slots="i8[:,:]", pool="i8[:]")
def find_pool(s, seat, slots, n_slots, pool):
    """The cards in the hidden places, as a list of types; returns how many."""
    n = 0
    for other in range(SEATS):
        if other == seat:
            continue
        for t in range(TYPES):
            for _ in range(s.hand[other, t]):
                pool[n] = t
                n += 1
    for j in range(n_slots):
        if slots[j, SLOT_ROUND] != NOW:
            packed = int(s.under[slots[j, SLOT_ROUND], slots[j, SLOT_SEAT]])
            while packed > 0:
                pool[n] = (packed & 15) - 1
                n += 1
                packed = packed >> 4
    # In order of type: what comes out must not depend on where the cards truly lie.
    for i in range(1, n):
        k = i
        while k > 0 and pool[k - 1] > pool[k]:
            t = pool[k]
            pool[k] = pool[k - 1]
            pool[k - 1] = t
            k -= 1
    return n


@rule(slots="i8[:,:]", pool="i8[:]", placed="i8[:,:]")
def shuffle_in(s, slots, n_slots, pool, n_pool, placed):
    """Shuffle the pool and fill the slots from it."""
    rng = s.rng[:]
    for i in range(n_pool - 1, 0, -1):
        j = draw(rng, i + 1)
        t = pool[i]
        pool[i] = pool[j]
        pool[j] = t
    i = 0
    for j in range(n_slots):
        for t in range(TYPES):
            placed[j, t] = 0
        for _ in range(slots[j, SLOT_CARDS]):
            placed[j, pool[i]] += 1
            i += 1


@rule(slots="i8[:,:]", bars="i8[:,:]", nobles="i8[:]", placed="i8[:,:]")
def fits(slots, n_slots, bars, n_bars, nobles, placed, seat):
    """Whether the cards placed are what the seats can have held."""
    for b in range(n_bars):
        bar = bars[b]
        for t in range(TYPES):
            if bar[BAR_LIMIT + t] < FREE and count_from(slots, n_slots, placed, bar, t) > bar[BAR_LIMIT + t]:
                return False
        if bar[BAR_DOG] == 1:
            red = count_from(slots, n_slots, placed, bar, R_GOU)
            if red + count_from(slots, n_slots, placed, bar, B_GOU) > 1:
                return False
    for other in range(SEATS):
        if other != seat and nobles[other] == 0:
            n = 0
            for j in range(n_slots):
                if slots[j, SLOT_SEAT] == other:
                    for t in range(NOBLES):
                        n += placed[j, t]
            if n == 0:
                return False
    return True


@rule(slots="i8[:,:]", placed="i8[:,:]", bar="i8[:]")
def count_from(slots, n_slots, placed, bar, t):
    """Cards of type `t` placed where the seat of `bar` held them at that time."""
    n = 0
    for j in range(n_slots):
        if slots[j, SLOT_SEAT] == bar[BAR_SEAT] and slots[j, SLOT_ROUND] >= bar[BAR_ROUND]:
            n += placed[j, t]
    return n


@rule(slots="i8[:,:]", placed="i8[:,:]")
def write_back(s, slots, n_slots, placed):
    """Put the placed cards into the state."""
    for j in range(n_slots):
        who = slots[j, SLOT_SEAT]
        r = slots[j, SLOT_ROUND]
        if r == NOW:
            for t in range(TYPES):
                s.hand[who, t] = placed[j, t]
        else:
            packed = 0
            shift = 0
            for t in range(TYPES):
                for _ in range(placed[j, t]):
                    packed += (t + 1) << shift
                    shift += 4
            s.under[r, who] = packed


# --- counting -------------------------------------------------------------------------


@rule(slots="i8[:,:]", nobles="i8[:]")
def table_size(s, seat, slots, n_slots, nobles):
    """Entries of the table of ways, for each type: room left in each slot, and who is not black."""
    size = 1
    for j in range(n_slots):
        size *= slots[j, SLOT_CARDS] + 1
    return size << count_unknown(seat, nobles)


@rule(nobles="i8[:]")
def count_unknown(seat, nobles):
    """Hidden seats of which it is not yet known that they were dealt a shi or xiang."""
    n = 0
    for other in range(SEATS):
        if other != seat and nobles[other] == 0:
            n += 1
    return n


@rule(
    slots="i8[:,:]",
    bars="i8[:,:]",
    nobles="i8[:]",
    pool="i8[:]",
    placed="i8[:,:]",
)
def count_and_draw(s, seat, slots, n_slots, bars, n_bars, nobles, pool, n_pool, placed):
    """Count the ways from the last type to the first, then draw one from the first to the last.

    ways[i, room] is the number of ways to lay types i, i+1, ... (each card counted as
    itself) so that every slot is filled, where `room` is what each slot still takes in
    mixed radix, times the set of hidden seats that have a shi or xiang already.
    """
    copies = np.zeros(TYPES, np.int64)
    for i in range(n_pool):
        copies[pool[i]] += 1
    bit = np.zeros(SEATS, np.int64)  # of a seat not known to be not black
    sets = 1
    for other in range(SEATS):
        if other != seat and nobles[other] == 0:
            bit[other] = sets
            sets = sets << 1
    stride = np.zeros(n_slots + 1, np.int64)
    stride[0] = 1
    for j in range(n_slots):
        stride[j + 1] = stride[j] * (slots[j, SLOT_CARDS] + 1)
    rooms = stride[n_slots]
    spread = np.zeros((ITEMS, n_slots * n_slots * n_slots + 1, 3), np.int64)
    n_spread = np.zeros(ITEMS, np.int64)
    for i in range(ITEMS):
        n_spread[i] = find_spreads(i, copies, slots, n_slots, bars, n_bars, spread[i])
    ways = np.zeros((ITEMS + 1, sets * rooms), np.int64)
    ways[ITEMS, (sets - 1) * rooms] = 1  # no room left, nobody black
    room = np.zeros(n_slots, np.int64)
    for i in range(ITEMS - 1, -1, -1):
        for has in range(sets):
            for x in range(rooms):
                digits(x, slots, n_slots, room)
                total = 0
                for d in range(n_spread[i]):
                    to = landing(i, spread[i, d], x, has, rooms, room, slots, n_slots, stride, bit)
                    if to >= 0:
                        total += weight(i, spread[i, d]) * ways[i + 1, to]
                ways[i, has * rooms + x] = total
    at = rooms - 1
    has = 0
    for j in range(n_slots):
        for t in range(TYPES):
            placed[j, t] = 0
    for i in range(ITEMS):
        digits(at, slots, n_slots, room)
        left = draw_wide(s.rng[:], ways[i, has * rooms + at])
        for d in range(n_spread[i]):
            to = landing(i, spread[i, d], at, has, rooms, room, slots, n_slots, stride, bit)
            if to < 0:
                continue
            left -= weight(i, spread[i, d]) * ways[i + 1, to]
            if left < 0:
                lay(i, spread[i, d], placed)
                has = to // rooms
                at = to % rooms
                break


@rule(slots="i8[:,:]", room="i8[:]")
def digits(x, slots, n_slots, room):
    """Write `x` in the mixed radix of the slots."""
    for j in range(n_slots):
        base = slots[j, SLOT_CARDS] + 1
        room[j] = x % base
        x = x // base


@rule(copies="i8[:]", slots="i8[:,:]", bars="i8[:,:]", out="i8[:,:]")
def find_spreads(item, copies, slots, n_slots, bars, n_bars, out):
    """The ways to spread an item's cards over slots that its bars allow; returns how many.

    A row holds up to three slots, -1 where there is no card: in rising order for a type,
    or (slot of R_GOU, slot of B_GOU) for the gou.
    """
    t = item_type(item)
    n = 0
    cards = copies[t]
    two = copies[B_GOU] if item == GOU else (1 if cards > 1 else 0)
    three = 1 if item != GOU and cards > 2 else 0
    for a in range(n_slots if cards > 0 else 1):
        for b in range(n_slots if two > 0 else 1):
            if item != GOU and two > 0 and b < a:
                continue
            for c in range(n_slots if three > 0 else 1):
                if three > 0 and c < b:
                    continue
                row = out[n]
                row[0] = a if cards > 0 else -1
                row[1] = b if two > 0 else -1
                row[2] = c if three > 0 else -1
                if allowed(item, row, slots, bars, n_bars):
                    n += 1
    return n


@rule
def item_type(item):
    """The type of an item: the gou go together, so the types after them are one further."""
    return item if item <= GOU else item + 1


@rule(row="i8[:]", slots="i8[:,:]", bars="i8[:,:]")
def allowed(item, row, slots, bars, n_bars):
    """Whether no bar is broken by a spread."""
    for b in range(n_bars):
        bar = bars[b]
        if item == GOU:
            red = counted(row[0], slots, bar)
            black = counted(row[1], slots, bar)
            if red > bar[BAR_LIMIT + R_GOU] or black > bar[BAR_LIMIT + B_GOU]:
                return False
            if bar[BAR_DOG] == 1 and red + black > 1:
                return False
        else:
            n = 0
            for k in range(3):
                n += counted(row[k], slots, bar)
            if n > bar[BAR_LIMIT + item_type(item)]:
                return False
    return True


@rule(slots="i8[:,:]", bar="i8[:]")
def counted(slot, slots, bar):
    """1 if a card in `slot` was in the hand that `bar` speaks of."""
    if slot < 0 or slots[slot, SLOT_SEAT] != bar[BAR_SEAT] or slots[slot, SLOT_ROUND] < bar[BAR_ROUND]:
        return 0
    return 1


@rule(row="i8[:]", room="i8[:]", slots="i8[:,:]", stride="i8[:]", bit="i8[:]")
def landing(item, row, x, has, rooms, room, slots, n_slots, stride, bit):
    """The entry after laying a spread, or -1 where a slot has no room for it."""
    for k in range(3):
        j = row[k]
        if j >= 0:
            room[j] -= 1
    ok = True
    for k in range(3):
        j = row[k]
        if j >= 0:
            if room[j] < 0:
                ok = False
            x -= stride[j]
            if item < NOBLES:
                has = has | bit[slots[j, SLOT_SEAT]]
    for k in range(3):
        j = row[k]
        if j >= 0:
            room[j] += 1
    return has * rooms + x if ok else -1


@rule(row="i8[:]")
def weight(item, row):
    """In how many ways the item's cards, told apart, make this spread."""
    if item == GOU or row[1] < 0:
        return 1
    if row[2] < 0:
        return 1 if row[0] == row[1] else 2
    if row[0] == row[2]:
        return 1
    return 3 if row[0] == row[1] or row[1] == row[2] else 6


@rule(row="i8[:]", placed="i8[:,:]")
def lay(item, row, placed):
    """Place the cards of a spread."""
    if item == GOU:
        if row[0] >= 0:
            placed[row[0], R_GOU] += 1
        if row[1] >= 0:
            placed[row[1], B_GOU] += 1
        return
    for k in range(3):
        if row[k] >= 0:
            placed[row[k], item_type(item)] += 1
