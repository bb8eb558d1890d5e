"""NANA: the compiled part of `exact`: plans with counted probabilities, and the value of an action.

A trio takes all copies of a number, so a plan is determined by how many copies lie in each hand,
from which end each hand is asked, and which centre cards are turned; its probability is counted
exactly (`posterior`). An attempt ends at its first wrong card, so only the best plan that begins
with an action matters for the rest of the turn.

Arrays: `best` (ACTIONS, ENDS) the probability of the best plan that begins with an action and
aims at a number, `plan` (ACTIONS, ENDS) its asks, action + 1 in each six bits.
"""

from __future__ import annotations

from qipai.core import rule

from ..rules import slot_of, win_reason
from ..state import ACTIONS, CENTRE_ACTION, CENTRE_SLOT, HAND, NUMBERS, REASON_NONE
from ..worlds import DARK, ENDS, SEAT, STRIDE, highest_fill, lowest_fill, next_vector, vector_weight

HEAD_END, TAIL_END = 1, 2
ASK_BITS = 6
ASK_MASK = 63

# Found by play against `hard` with two and four seats (reference page "NANA", in the documentation)
TRIO = 0.8  # value of a trio that does not win, relative to one that does
TELLS_OWN = -0.07
TELLS_CENTRE = -0.07
TELLS_OTHER = 0.06
FADE = 40  # turns until the information of a card no longer counts


# --- plans ----------------------------------------------------------------------------


@rule(
    hands="i8[:,:]", known="i8[:,:]", rest="i8[:]", k="i8[:]", d="i8[:]", fix="i8[:]", ask="i8[:]",
    F="f8[:,:]", B="f8[:,:]", best="f8[:,:]", plan="i8[:,:]",
)  # fmt: skip
def find_plans(s, seat, hands, count, known, rest, k, d, fix, ask, F, B, best, plan):
    """Fill `best` and `plan` for the seat to move; `fix` and `ask` are scratch (SEATS,)."""
    for a in range(ACTIONS):
        for n in range(ENDS):
            best[a, n] = 0.0
            plan[a, n] = 0
    target = int(s.card[s.chain[0]]) if s.links > 0 else 0
    for n in range(1, NUMBERS + 1):
        if (int(s.numbers) >> n) & 1 == 0 or is_taken(s, n) or (target > 0 and n != target):
            continue
        for j in range(count):
            k[j] = 0
        while True:
            _plans_of_vector(s, seat, n, hands, count, known, rest, k, d, fix, ask, F, B, best, plan)
            if next_vector(hands, count, n, rest[n], k) == 0:
                break


@rule
def is_taken(s, n):
    """Return whether the trio of `n` has been collected."""
    for i in range(s.trios):
        if s.taken[i] == n:
            return True
    return False


@rule(
    hands="i8[:,:]", known="i8[:,:]", rest="i8[:]", k="i8[:]", d="i8[:]", fix="i8[:]", ask="i8[:]",
    F="f8[:,:]", B="f8[:,:]", best="f8[:,:]", plan="i8[:,:]",
)  # fmt: skip
def _plans_of_vector(s, seat, n, hands, count, known, rest, k, d, fix, ask, F, B, best, plan):
    """Add all plans for number `n` if its unseen copies lie as in `k`."""
    unseen = rest[n]
    for j in range(count):
        unseen -= k[j]
    dark = dark_centre(s)
    if unseen > dark:
        return
    share = 1.0
    for i in range(unseen):
        share *= (i + 1.0) / (dark - i)
    weight = vector_weight(known, rest, count, n, k) * share / B[1, 0]
    seats = int(s.seats)
    some = 0  # hands that hold copies; ask[r]: the ends from which the hand r places on could give them
    for r in range(seats):
        other = seat + r if seat + r < seats else seat + r - seats
        ask[r] = _open_ends(s, other, n, 0 if other == seat else k[_row(hands, count, other)])
        if ask[r] < 0:
            return
        some += 1 if ask[r] > 0 else 0
    for choice in range(1 << some):
        if _choose_ends(s, seat, choice, hands, count, k, fix, ask):
            mass = weight * slice_weight(hands, count, n, k, d, fix, F[n], B[n + 1])
            if mass > 0.0:
                code = _asks(s, seat, n, choice, unseen, hands, count, k, ask)
                _note(n, code, mass, best, plan)


@rule(hands="i8[:,:]")
def _row(hands, count, other):
    for j in range(count):
        if hands[j, SEAT] == other:
            return j
    return 0


@rule
def _open_ends(s, other, n, dark_copies):
    """Return the ends from which a hand could give all its copies of `n`; 0: it has none, -1: it cannot."""
    copies = hidden_copies(s, other, n) + dark_copies
    if copies == 0:
        return 0
    ends = 0
    if _may_show(s, other, int(s.head[other]), n, dark_copies):
        ends |= HEAD_END
    if _may_show(s, other, int(s.tail[other]) - 1, n, dark_copies):
        ends |= TAIL_END
    return ends if ends > 0 else -1


@rule
def _may_show(s, other, i, n, dark_copies):
    """Return whether slot `i` of a hand is `n`, or is dark and may be. The seat knows its own hand."""
    if s.dark_low[other] <= i < s.dark_high[other] and other != s.current:
        return dark_copies > 0
    return s.card[other * HAND + i] == n


@rule
def hidden_copies(s, other, n):
    """Return the copies of `n` in a hand that are not face up and that the seat to move knows."""
    copies = 0
    for i in range(s.head[other], s.tail[other]):
        if other == s.current or not s.dark_low[other] <= i < s.dark_high[other]:
            if s.card[other * HAND + i] == n:
                copies += 1
    return copies


@rule
def dark_centre(s):
    """Return the number of centre cards never shown."""
    dark = 0
    for i in range(s.centre):
        dark += 1 - ((int(s.shown) >> i) & 1)
    return dark


@rule(hands="i8[:,:]", k="i8[:]", fix="i8[:]", ask="i8[:]")
def _choose_ends(s, seat, choice, hands, count, k, fix, ask):
    """Set `fix` to the fills that this choice of ends needs; return 0 if an end cannot be chosen."""
    for j in range(count):
        fix[j] = -1
    bit = 0
    seats = int(s.seats)
    for r in range(seats):
        if ask[r] == 0:
            continue
        end = TAIL_END if (choice >> bit) & 1 else HEAD_END
        bit += 1
        if ask[r] & end == 0:
            return False
        other = seat + r if seat + r < seats else seat + r - seats
        if r > 0:
            j = _row(hands, count, other)
            i = int(s.head[other]) if end == HEAD_END else int(s.tail[other]) - 1
            if s.dark_low[other] <= i < s.dark_high[other]:
                fix[j] = 0 if end == HEAD_END else hands[j, DARK] - k[j]
    return True


@rule(hands="i8[:,:]", k="i8[:]", d="i8[:]", fix="i8[:]", before="f8[:]", behind="f8[:]")
def slice_weight(hands, count, n, k, d, fix, before, behind):
    """Return the sum of before * behind over all fills, with those of `fix` held."""
    step = 0
    at = 0
    for j in range(count):
        low = lowest_fill(hands, j, n)
        high = highest_fill(hands, j, n, k)
        d[j] = low if fix[j] < 0 else fix[j]
        if d[j] < low or d[j] > high:
            return 0.0
        step += k[j] * hands[j, STRIDE]
        at += d[j] * hands[j, STRIDE]
    total = 0.0
    while True:
        total += before[at] * behind[at + step]
        j = 0
        while j < count:
            if fix[j] < 0:
                if d[j] < highest_fill(hands, j, n, k):
                    d[j] += 1
                    at += hands[j, STRIDE]
                    break
                low = lowest_fill(hands, j, n)
                at -= (d[j] - low) * hands[j, STRIDE]
                d[j] = low
            j += 1
        if j >= count:
            return total


@rule(hands="i8[:,:]", k="i8[:]", ask="i8[:]")
def _asks(s, seat, n, choice, unseen, hands, count, k, ask):
    """Return the asks of a plan, packed."""
    code = 0
    shift = 0
    bit = 0
    seats = int(s.seats)
    for r in range(seats):
        if ask[r] == 0:
            continue
        other = seat + r if seat + r < seats else seat + r - seats
        copies = hidden_copies(s, other, n) + (k[_row(hands, count, other)] if r > 0 else 0)
        action = 2 * r + ((choice >> bit) & 1)
        bit += 1
        for _ in range(copies):
            code |= (action + 1) << shift
            shift += ASK_BITS
    down = int(s.lying) & ~int(s.turned)
    for i in range(s.centre):
        shown = (int(s.shown) >> i) & 1
        if (down >> i) & 1 and ((shown and s.card[CENTRE_SLOT + i] == n) or (shown == 0 and unseen > 0)):
            unseen -= 1 - shown
            code |= (CENTRE_ACTION + i + 1) << shift
            shift += ASK_BITS
    return code


@rule(mass="f8", best="f8[:,:]", plan="i8[:,:]")
def _note(n, code, mass, best, plan):
    """Store a plan under each of its asks for which it is the best so far."""
    left = code
    while left > 0:
        a = (left & ASK_MASK) - 1
        if mass > best[a, n]:
            best[a, n] = mass
            plan[a, n] = code
        left = left >> ASK_BITS


# --- which actions are worth weighing -------------------------------------------------


@rule(kept="u1[:]", best="f8[:,:]")
def mark_candidates(s, mask, best, kept):
    """Set `kept` for one action of each kind: equal slots and equally known cards count once."""
    for a in range(ACTIONS):
        kept[a] = mask[a]
    seen = 0  # numbers that a known card already represents
    dark = 0
    for a in range(ACTIONS):
        if mask[a] == 0:
            continue
        slot = slot_of(s, a)
        if a < CENTRE_ACTION and a & 1 and slot == slot_of(s, a - 1):
            kept[a] = 0  # the only hidden card of a hand
        elif is_dark(s, slot, int(s.current)):
            if a >= CENTRE_ACTION:
                kept[a] = 1 - dark
                dark = 1
        elif is_dark(s, slot, -1):
            pass  # an own card that the others have not seen: the information matters
        else:
            bit = 1 << int(s.card[slot])
            if seen & bit:
                kept[a] = 0
            seen |= bit
    for a in range(ACTIONS):  # never drop the start of the best plan of a number
        if mask[a] and kept[a] == 0:
            for n in range(1, NUMBERS + 1):
                if best[a, n] > 0.0 and _is_unmatched(mask, kept, best, a, n):
                    kept[a] = 1


@rule(kept="u1[:]", best="f8[:,:]")
def _is_unmatched(mask, kept, best, a, n):
    for b in range(ACTIONS):
        if mask[b] and kept[b] and best[b, n] >= best[a, n]:
            return False
    return True


@rule
def is_dark(s, slot, seat):
    """Return whether `seat` (or everyone, -1) has never seen this slot."""
    if slot >= CENTRE_SLOT:
        return (int(s.shown) >> (slot - CENTRE_SLOT)) & 1 == 0
    other = slot // HAND
    i = slot % HAND
    return other != seat and s.dark_low[other] <= i < s.dark_high[other]


# --- what an action is worth ----------------------------------------------------------


@rule(best="f8[:,:]", kept="u1[:]", worth="f8[:]")
def weigh(s, mask, best, kept, worth):
    """Fill `worth` (ACTIONS,) for the kept actions, -1 for the others; return the best action.

    The value is the counted probability of each trio, fully for a winning one and times TRIO for others, plus
    the information if the attempt fails: an own or centre card informs the others, a card of
    another hand informs this seat. That part fades, so that play always ends.
    """
    won = int(s.won[s.current])
    mode = int(s.mode)
    fade = max(0, FADE - int(s.turn)) / FADE
    found = -1
    for a in range(ACTIONS):
        worth[a] = -1.0
        if mask[a] == 0 or kept[a] == 0:
            continue
        value = 0.0
        for n in range(1, NUMBERS + 1):
            if best[a, n] > 0.0:
                wins = win_reason(mode, won | (1 << n)) != REASON_NONE
                value += best[a, n] if wins else TRIO * best[a, n]
        slot = slot_of(s, a)
        if is_dark(s, slot, -1):
            value += fade * told(slot, int(s.current))
        worth[a] = value
        if found < 0 or value > worth[found] + 1e-12:
            found = a
    return found


@rule
def told(slot, seat):
    """Return the value for `seat` of showing a card that not everyone knows."""
    if slot >= CENTRE_SLOT:
        return TELLS_CENTRE
    return TELLS_OWN if slot // HAND == seat else TELLS_OTHER
