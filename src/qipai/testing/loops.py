"""The compiled loops of the check: a whole random game, checking every cheap promise.

`deal`, `legal`, `apply`, `observe` and `partial` are slots for a game's functions, filled
in for each game (`core.Variant`). A loop returns 0 or the number of a fault, and
leaves details in `note`, which stays readable if an index out of range ends the loop.
`raw` shows the same memory as `states`, byte by byte.
"""

from __future__ import annotations

from qipai.core import Slot, pick, rule, seed_words
from qipai.core.machine import PAYOFF_MAX

# Slots for a game's functions, filled in for each copy of these loops.
deal = Slot("deal(s)")
legal = Slot("legal(s, mask)")
apply = Slot("apply(s, action)")
observe = Slot("observe(s, seat, out)")
partial = Slot("partial(s)")

# The fourth word of a generator; the others are the seed and the game's number.
CHANCE, CHOICE, AGAIN, REDRAW = 0x7E57, 0x7E58, 0x7E59, 0x7E5A

GAME, SAVED, FRESH, START = 0, 1, 2, 3  # rows of `states` and `raw`
PLY, ONE, TWO, RULE = 0, 1, 2, 3  # entries of `note`
RULES = ("deal", "observe", "legal", "apply", "partial")  # note[RULE]: the rule that is running
DEAL, OBSERVE, LEGAL, APPLY, PARTIAL = range(5)

# The faults; `play.py` has their texts.
FINE = 0
TOO_LONG = 1
BAD_SEAT = 2
BAD_PHASE = 3
BAD_PLY = 4
BAD_CUT = 5
BAD_PAYOFF = 6
BAD_SEATS = 7
MASK_EMPTY = 8
MASK_COUNT = 9
MASK_VALUE = 10
MASK_BEYOND = 11
LEGAL_WRITES = 12
OBSERVE_WRITES = 13
OBSERVE_GAP = 14
PARTIAL_SEAT = 15
PARTIAL_VALUE = 16
OBSERVE_RANGE = 17

STALE = 7  # the contents of a mask before `legal`: neither 0 nor 1


@rule
def never(s):
    """Return 0: the `partial` of a game without moves of several actions."""
    return 0


@rule(
    states="states", raw="u1[:,:]", again="i1[:]", bounds="i1[:,:]", members="u1[:]", log="i4[:]",
    note="i8[:]",
)  # fmt: skip
def play_out(
    states, raw, mask, out, again, bounds, members, log, note, rng, low, high, number, actions, length
):
    """Deal states[GAME] and play it to the end at random; states[START] keeps the deal."""
    note[PLY] = 0
    s = states[GAME]
    seed_words(s.rng[:], low, high, number, CHANCE)
    seed_words(rng, low, high, number, CHOICE)
    note[RULE] = DEAL
    deal(s)
    raw[START] = raw[GAME]
    if s.ply != 0:
        note[ONE] = s.ply
        return BAD_PLY
    return play_on(states, raw, mask, out, again, bounds, members, log, note, rng, actions, length)


@rule(
    states="states", raw="u1[:,:]", again="i1[:]", bounds="i1[:,:]", members="u1[:]", log="i4[:]",
    note="i8[:]",
)  # fmt: skip
def play_on(states, raw, mask, out, again, bounds, members, log, note, rng, actions, length):
    """Play states[GAME] to the end; `log` receives the actions from its ply on."""
    s = states[GAME]
    seats = int(s.seats)
    ply = int(s.ply)
    note[PLY] = ply
    while True:
        fault = header_fault(s, members, note, seats, ply)
        if fault != FINE:
            return fault
        raw[SAVED] = raw[GAME]
        note[RULE] = OBSERVE
        fault = observe_fault(s, raw, out, again, bounds, note)
        if fault != FINE or s.seat < 0:
            return fault
        if ply >= length:
            return TOO_LONG
        for a in range(mask.shape[0]):
            mask[a] = STALE if a < actions else 0
        note[RULE] = LEGAL
        n = legal(s, mask)
        fault = mask_fault(raw, mask, note, n, actions)
        if fault != FINE:
            return fault
        a = pick(rng, mask, n)
        log[ply] = a
        actor = int(s.seat)
        note[RULE] = APPLY
        apply(s, a)
        ply += 1
        note[PLY] = ply
        if s.seat >= 0:
            note[RULE] = PARTIAL
            unfinished = int(partial(s))
            if unfinished != 0 and unfinished != 1:
                note[ONE] = unfinished
                return PARTIAL_VALUE
            if unfinished == 1 and s.seat != actor:
                note[ONE] = actor
                note[TWO] = s.seat
                return PARTIAL_SEAT


@rule(members="u1[:]", note="i8[:]")
def header_fault(s, members, note, seats, ply):
    """Return what is wrong with the header."""
    if s.seats != seats:
        note[ONE] = s.seats
        return BAD_SEATS
    if s.seat < -1 or s.seat >= seats:
        note[ONE] = s.seat
        return BAD_SEAT
    if s.phase < 0 or members[s.phase] == 0:
        note[ONE] = s.phase
        return BAD_PHASE
    if s.ply != ply:
        note[ONE] = s.ply
        return BAD_PLY
    if s.cut != 0 and s.cut != 1:
        note[ONE] = s.cut
        return BAD_CUT
    for k in range(seats):
        if s.payoff[k] > PAYOFF_MAX or s.payoff[k] < -PAYOFF_MAX:
            note[ONE] = k
            note[TWO] = s.payoff[k]
            return BAD_PAYOFF
    return FINE


@rule(raw="u1[:,:]", again="i1[:]", bounds="i1[:,:]", note="i8[:]")
def observe_fault(s, raw, out, again, bounds, note):
    """Observe for everyone, twice over different garbage: all must be written, and the state unchanged."""
    for seat in range(-1, int(s.seats)):
        for i in range(out.shape[0]):
            out[i] = 85
            again[i] = -86
        observe(s, seat, out)
        observe(s, seat, again)
        for i in range(out.shape[0]):
            if out[i] != again[i]:
                note[ONE] = seat
                note[TWO] = i
                return OBSERVE_GAP
            if out[i] < bounds[0, i] or out[i] > bounds[1, i]:
                note[ONE] = out[i]
                note[TWO] = i
                return OBSERVE_RANGE
        at = first_difference(raw, GAME, SAVED)
        if at >= 0:
            note[ONE] = seat
            note[TWO] = at
            return OBSERVE_WRITES
    return FINE


@rule(raw="u1[:,:]", note="i8[:]")
def mask_fault(raw, mask, note, n, actions):
    """Return what is wrong with a mask that `legal` filled, with its count `n`."""
    total = 0
    for a in range(mask.shape[0]):
        note[ONE] = a
        note[TWO] = mask[a]
        if a >= actions and mask[a] != 0:
            return MASK_BEYOND
        if mask[a] > 1:
            return MASK_VALUE
        total += mask[a]
    note[ONE] = n
    note[TWO] = total
    if total == 0:
        return MASK_EMPTY
    if total != n:
        return MASK_COUNT
    at = first_difference(raw, GAME, SAVED)
    if at >= 0:
        note[TWO] = at
        return LEGAL_WRITES
    return FINE


@rule(raw="u1[:,:]")
def first_difference(raw, one, other):
    """Return the first byte in which two rows differ, or -1."""
    for i in range(raw.shape[1]):
        if raw[one, i] != raw[other, i]:
            return i
    return -1


@rule(states="states", raw="u1[:,:]")
def deal_again(states, raw, low, high, number):
    """Deal over the used states[GAME] and the blank states[FRESH]; return the first different byte, or -1."""
    used = states[GAME]
    fresh = states[FRESH]
    seed_words(used.rng[:], low, high, number, AGAIN)
    seed_words(fresh.rng[:], low, high, number, AGAIN)
    deal(used)
    deal(fresh)
    return first_difference(raw, GAME, FRESH)
