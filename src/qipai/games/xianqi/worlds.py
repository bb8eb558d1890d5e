"""Xianqi: draw a world that is consistent with everything a seat has seen, exactly uniformly.

The hidden places are the other hands and covers. A world is consistent if no dealt hand was black and every
seat that covered could not beat: of the cards that it held then (its hand now, this cover and later ones,
later plays) no single was above the best play, or no pair (the dog pair included), or no triple.

A cover of one card closes this place and all later places of the seat to stronger cards. So a place that
is open to a card is open to every weaker card. Cards are placed from strong to weak, each in a random free
place that is open to it. How many such places there are does not depend on where the cards before it
went, so all worlds that are consistent with the covers of one card are equally likely. Covers of two or
three cards and black hands are checked as soon as the cards concerned are placed. If one does not fit, the
attempt is abandoned and the next one starts from the beginning, which keeps the worlds uniform.

`tests/games/xianqi/test_worlds.py` compares the worlds with brute force; `benchmarks/determinize.py`
measures the time. The result depends only on what the seat knows and on the generator.

Nothing is allocated: `deck` holds the places, and hidden hands and covers are scratch until they are
written.
"""

from __future__ import annotations

from qipai.core import draw, rule

from .rules import after, dog_power, play_power
from .state import (
    B_GOU,
    COPIES,
    COVER,
    DECK,
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

NOW = ROUNDS  # the "round" of a hand as it is now
NOWHERE = -1  # the place of a card that is not hidden
STRONGEST = 9  # the power of a single
TRIES = 1 << 20  # play needs a few hundred at most; a state that play cannot reach may have no world

# While a world is drawn, `deck` holds places, each as 4 * round + seat. A hidden cover holds 16 * its number
# of cards + the power that it could not beat, and two entries of a hidden hand hold:
NEXT = 0  # the first round that is not open yet
CARDS = 1  # how many cards the hand has


@rule
def redraw(s, seat):
    """Replace the hands and covers that `seat` cannot see by others that are consistent."""
    take_back(s, seat)
    pool = find_pool(s, seat)
    need = find_nobles(s, seat)
    wide = note_covers(s, seat)
    tries = 0
    while not lay(s, seat, pool, need, wide):
        tries += 1
        if tries == TRIES:
            need = 0
            wide = 0
    write_back(s, seat, pool)


@rule
def take_back(s, seat):
    """Return the unfinished cover of another seat, which only that seat knows of, to its hand."""
    if s.picked > 0 and s.seat != seat:
        packed = int(s.under[s.closed, s.seat])
        while packed > 0:
            s.hand[s.seat, (packed & 15) - 1] += 1
            packed = packed >> 4
        s.under[s.closed, s.seat] = 0
        s.picked = 0


# --- what is known --------------------------------------------------------------------


@rule
def find_pool(s, seat):
    """Count the hidden cards, four bits per type, and note the size of each hidden hand."""
    pool = 0
    for other in range(SEATS):
        if other == seat:
            continue
        held = 0
        for t in range(TYPES):
            n = int(s.hand[other, t])
            held += n
            pool += n << (4 * t)
        s.hand[other, CARDS] = held
        for r in range(rounds(s)):
            packed = int(s.under[r, other])
            while packed > 0:
                pool += 1 << (4 * ((packed & 15) - 1))
                packed = packed >> 4
    return pool


@rule
def find_nobles(s, seat):
    """Return the hidden seats that have shown no shi or xiang, so still hide one, as one bit per seat."""
    need = 0
    for other in range(SEATS):
        if other != seat:
            need += 1 << other
            for r in range(rounds(s)):
                e = int(s.entry[r, other])
                if 0 <= e < PLAYS and PLAY_TYPE[e] < NOBLES:
                    need -= 1 << other
                    break
    return need


@rule
def note_covers(s, seat):
    """Note what each cover of a hidden seat could not beat; return 1 if one was of two or three cards."""
    wide = 0
    for r in range(rounds(s)):
        kind = round_kind(s, r)
        who = int(s.first) if r == 0 else int(s.winners[r - 1])
        best = -1
        for _ in range(SEATS):
            e = int(s.entry[r, who])
            if 0 <= e < PLAYS:
                best = play_power(s, e)
            elif e == COVER and who != seat:
                s.under[r, who] = 16 * kind + best
                if kind > 1:
                    wide = 1
            who = after(who)
    return wide


@rule
def rounds(s):
    """Count the rounds so far, the running one included."""
    return min(int(s.closed) + 1, ROUNDS)


@rule
def round_kind(s, r):
    """Return the number of cards per seat in round `r`, closed or running."""
    return int(s.kinds[r]) if r < s.closed else int(s.kind)


# --- a try ----------------------------------------------------------------------------


@rule
def lay(s, seat, pool, need, wide):
    """Place the pool in the hidden places, strong cards first; return False if a card does not fit.

    Afterwards `deck` holds the places of the cards in that order.
    """
    rng = s.rng[:]
    for other in range(SEATS):
        if other != seat:
            s.hand[other, NEXT] = 0
    laid = 0
    opened = 0  # places opened so far
    power = STRONGEST + 1
    red = NOWHERE  # where the red gou is
    for k in range(TYPES):
        if k == NOBLES and is_black(s, laid, need):
            return False
        t = int(PLAY_TYPE[k])  # singles are ordered from strong to weak
        n = (pool >> (4 * t)) & 15
        if n > 0 and POWER[t] < power:
            power = int(POWER[t])
            for other in range(SEATS):
                if other != seat:
                    opened = open_places(s, other, power, opened)
        n = min(n, opened - laid)
        for i in range(laid, laid + n):
            j = i + draw(rng, opened - i)
            place = s.deck[j]
            s.deck[j] = s.deck[i]
            s.deck[i] = place
        laid += n
        if wide != 0:
            if n > 0 and n + s.shown[t] > 1 and could_beat(s, seat, t, laid - n, laid):
                return False
            if t == R_GOU and n > 0:
                red = int(s.deck[laid - 1])
            if t == B_GOU and had_dogs(s, seat, red, int(s.deck[laid - 1]) if n > 0 else NOWHERE):
                return False
    return True


@rule
def open_places(s, other, power, opened):
    """Append the places of `other` that are open to `power` and were not open before; return how many are."""
    r = int(s.hand[other, NEXT])
    while r <= NOW:
        cards = 0
        if r == NOW:
            cards = int(s.hand[other, CARDS])
        elif s.entry[r, other] == COVER:
            cards = int(s.under[r, other]) >> 4
            if cards == 1 and (int(s.under[r, other]) & 15) < power:
                break
        for _ in range(min(cards, DECK - opened)):
            s.deck[opened] = 4 * r + other
            opened += 1
        r += 1
    s.hand[other, NEXT] = r
    return opened


@rule
def is_black(s, laid, need):
    """Return whether a seat of `need` has none of the shi and xiang, which are placed first."""
    for i in range(laid):
        need = need & ~(1 << (int(s.deck[i]) & 3))
    return need != 0


@rule
def could_beat(s, seat, t, a, b):
    """Return whether a seat covered a pair or triple and held a better one of type `t`, laid at a..b."""
    for other in range(SEATS):
        if other == seat:
            continue
        for r in range(rounds(s)):
            cover = int(s.under[r, other])
            kind = cover >> 4
            if kind < 2 or COPIES[t] < kind or same_power(t, kind) <= (cover & 15):
                continue
            n = played_after(s, other, r, t)
            for i in range(a, b):
                n += was_held(int(s.deck[i]), other, r)
            if n >= kind:
                return True
    return False


@rule
def had_dogs(s, seat, red, black):
    """Return whether a seat covered a pair and held the dog pair, which was better."""
    for other in range(SEATS):
        if other == seat:
            continue
        for r in range(rounds(s)):
            cover = int(s.under[r, other])
            if cover >> 4 == 2 and (cover & 15) < dog_power(s):
                one = was_held(red, other, r) + played_after(s, other, r, R_GOU)
                two = was_held(black, other, r) + played_after(s, other, r, B_GOU)
                if one > 0 and two > 0:
                    return True
    return False


@rule
def same_power(t, kind):
    """Return the power of two or three cards of type `t`."""
    if kind == 3:
        return 11 if t == R_NIU else 10
    return int(POWER[t])


@rule
def was_held(place, other, r):
    """Return 1 if a card at `place` was in the hand of `other` in round `r`."""
    return 1 if place >= 4 * r and (place & 3) == other else 0


@rule
def played_after(s, other, r, t):
    """Count the cards of type `t` that `other` has played face up since round `r`."""
    n = 0
    for k in range(r + 1, rounds(s)):
        e = int(s.entry[k, other])
        if 0 <= e < PLAYS and PLAY_TYPE[e] == t:
            n += int(PLAY_SIZE[e])
    return n


# --- the world ------------------------------------------------------------------------


@rule
def write_back(s, seat, pool):
    """Put the cards into the hands and covers where they were placed, and clear the deck."""
    for other in range(SEATS):
        if other != seat:
            for t in range(TYPES):
                s.hand[other, t] = 0
            for r in range(ROUNDS):
                s.under[r, other] = 0
    i = 0
    for k in range(TYPES):
        t = int(PLAY_TYPE[k])
        for _ in range(min((pool >> (4 * t)) & 15, DECK - i)):
            place = int(s.deck[i])
            s.deck[i] = 0
            i += 1
            r = place >> 2
            if r == NOW:
                s.hand[place & 3, t] += 1
            else:
                s.under[r, place & 3] = with_card(int(s.under[r, place & 3]), t)


@rule
def with_card(packed, t):
    """Add a card of type `t` to a packed cover, whose types stay in order."""
    shift = 0
    while 0 < ((packed >> shift) & 15) <= t:
        shift += 4
    low = packed & ((1 << shift) - 1)
    return ((packed >> shift) << (shift + 4)) + ((t + 1) << shift) + low
