"""Xianqi 掀棋: trick-taking for three with Chinese chess pieces, buckle and reveal.

This is the state machine: what is dealt, what is legal, what an action changes. The pieces, the
actions and the state are in `state.py`, the settlement in `settle.py`.
"""

from __future__ import annotations

from qipai.core import NOBODY, below, goto, rule, shuffle

from .settle import settle
from .state import (
    ACTIONS,
    ALL_PILLARS,
    B_GOU,
    BLACK_SETTLES,
    BUCKLE,
    BUCKLE_DECISION,
    BUCKLE_FIRST,
    CERAMIC,
    COPIES,
    COVER,
    DEALT,
    DECK,
    DOG_PAIR,
    END_BLACK,
    END_BUCKLED,
    END_CERAMIC,
    END_EXHAUSTED,
    END_NONE,
    END_TWO_ENOUGH,
    ENOUGH,
    EQUAL_RED_SHI,
    FINISHED,
    FIRST_PLAY,
    IN_ROUND,
    INIT,
    LINKS,
    NOBLES,
    NONE,
    PASS,
    PLAY_POWER,
    PLAY_SIZE,
    PLAY_TYPE,
    PLAYS,
    R_GOU,
    REVEAL,
    REVEAL_DECISION,
    ROUNDS,
    SEATS,
    SETTLEMENT,
    TYPES,
    UNDER,
)


@rule
def deal(s):
    """Shuffle, deal in turn and draw the first seat; a black deal may be dealt again (§2.3)."""
    while True:
        i = 0
        for t in range(TYPES):
            for _ in range(COPIES[t]):
                s.deck[i] = t
                i += 1
        shuffle(s, s.deck[:], DECK)
        for seat in range(SEATS):
            for t in range(TYPES):
                s.hand[seat, t] = 0
        for j in range(0, DECK, SEATS):
            s.hand[0, s.deck[j]] += 1
            s.hand[1, s.deck[j + 1]] += 1
            s.hand[2, s.deck[j + 2]] += 1
        s.first = below(s, SEATS)
        if s.black_chess == BLACK_SETTLES or not is_black(s):
            break
    for j in range(DECK):
        s.deck[j] = 0
    _clear(s)
    start(s)


@rule
def start(s):
    """Advance to the first decision. A position set up beyond INIT stays where it is."""
    if s.phase == INIT:
        if s.first_seat >= 0:
            s.first = s.first_seat
        if is_black(s):
            s.end = END_BLACK
            s.seat = NOBODY
            goto(s, SETTLEMENT)
        else:
            s.seat = s.first
            goto(s, BUCKLE_DECISION)
    while s.seat == NOBODY and s.phase != FINISHED:
        advance(s)


@rule
def legal(s, mask):
    """Fill `mask` (ACTIONS,) for the seat to move; return how many are set."""
    for a in range(ACTIONS):
        mask[a] = 0
    if s.phase == REVEAL_DECISION:
        mask[REVEAL] = 1
        mask[PASS] = 1
        return 2
    if s.phase == BUCKLE_DECISION:
        return _legal_open(s, mask)
    if s.picked == 0:
        n = _legal_plays(s, mask)
        if n > 0 or s.kind == 0:
            return n
    return _legal_under(s, mask)


@rule
def apply(s, action):
    """Make a legal action, then advance to the next decision or the end."""
    make(s, action)
    while s.seat == NOBODY and s.phase != FINISHED:
        advance(s)


@rule
def advance(s):
    """Take one automatic step: compute the chips in SETTLEMENT (T11)."""
    if s.phase == SETTLEMENT:
        settle(s)
        goto(s, FINISHED)


@rule
def partial(s):
    """Return 1 while the seat to move has put some but not all of its cards under."""
    return 1 if s.picked > 0 else 0


# --- a new hand -----------------------------------------------------------------------


@rule
def _clear(s):
    """Reset everything except options, generator, hands and first seat."""
    s.ply = 0
    s.cut = 0
    s.seat = NOBODY
    goto(s, INIT)
    for r in range(ROUNDS):
        s.kinds[r] = 0
        s.winners[r] = NONE
        for seat in range(SEATS):
            s.entry[r, seat] = NONE
            s.under[r, seat] = 0
    for t in range(TYPES):
        s.shown[t] = 0
    for seat in range(SEATS):
        s.held[seat] = DEALT
        s.payoff[seat] = 0
        s.pillars[seat] = 0
        for part in range(3):
            s.parts[part, seat] = 0
    for i in range(LINKS):
        s.link[i] = 0
    s.links = 0
    s.closed = 0
    s.picked = 0
    s.active = NONE
    s.liable = NONE
    s.unbuckled = 0
    s.end = END_NONE
    _clear_round(s)


@rule
def _clear_round(s):
    s.kind = 0
    s.best = -1
    s.owner = NONE
    s.acted = 0
    s.buckler = NONE
    s.asked = 0
    s.pending[0] = NONE
    s.pending[1] = NONE
    s.challenger = NONE


@rule
def is_black(s):
    """Return whether some seat has neither shi nor xiang (§2.4)."""
    for seat in range(SEATS):
        n = 0
        for t in range(NOBLES):
            n += s.hand[seat, t]
        if n == 0:
            return True
    return False


# --- legal actions --------------------------------------------------------------------


@rule
def _legal_open(s, mask):
    n = 0
    if s.round_open == BUCKLE_FIRST:
        mask[PASS] = 1
        n = 1
    else:
        n = _legal_plays(s, mask)
    if s.first_game_limits == 0 or s.pillars[s.seat] >= ENOUGH:
        mask[BUCKLE] = 1
        n += 1
    return n


@rule
def _legal_plays(s, mask):
    """Mark the plays that the hand allows: all when leading, else those that beat (§5.3)."""
    hand = s.hand[s.seat]
    first = 0
    last = PLAYS
    if s.kind > 0:
        first = int(FIRST_PLAY[s.kind])
        last = int(FIRST_PLAY[s.kind + 1])
    best = int(s.best)
    n = 0
    a = first
    while a < last and PLAY_POWER[a] > best:  # within a kind from strong to weak
        ok = 1 if hand[PLAY_TYPE[a]] >= PLAY_SIZE[a] else 0
        mask[a] = ok
        n += ok
        a += 1
    if first <= DOG_PAIR < last:
        n -= int(mask[DOG_PAIR])
        ok = hand[R_GOU] > 0 and hand[B_GOU] > 0 and dog_power(s) > best
        mask[DOG_PAIR] = ok
        n += ok
    return n


@rule
def _legal_under(s, mask):
    """Mark the cards that may be put under: types in order, with enough left to finish (§3)."""
    hand = s.hand[s.seat]
    need = int(s.kind) - int(s.picked)
    low = last_under(int(s.under[s.closed, s.seat]))
    left = 0
    n = 0
    for t in range(TYPES - 1, low - 1, -1):
        left += int(hand[t])
        if hand[t] > 0 and left >= need:
            mask[UNDER + t] = 1
            n += 1
    return n


@rule
def dog_power(s):
    """Return the power of the dog pair under the table's option (§5.2)."""
    return 9 if s.dog_pair == EQUAL_RED_SHI else 10


@rule
def play_power(s, play):
    """Return the power of a play under the table's options."""
    return dog_power(s) if play == DOG_PAIR else int(PLAY_POWER[play])


@rule
def last_under(packed):
    """Return the last type put under, 0 if there is none."""
    last = 0
    while packed > 0:
        last = (packed & 15) - 1
        packed = packed >> 4
    return last


# --- actions --------------------------------------------------------------------------


@rule
def make(s, action):
    """Make the action alone, without the automatic steps after it."""
    s.ply += 1
    if action < PLAYS:
        _play(s, action)
    elif action == BUCKLE:
        _buckle(s)
    elif action == REVEAL:
        _reveal(s)
    elif action == PASS:
        _pass(s)
    else:
        _put_under(s, action - UNDER)


@rule
def _play(s, play):
    """Play cards face up (T3, T8, T9)."""
    seat = int(s.seat)
    t = int(PLAY_TYPE[play])
    n = int(PLAY_SIZE[play])
    if play == DOG_PAIR:
        n = 1
        s.hand[seat, B_GOU] -= 1
        s.shown[B_GOU] += 1
    s.hand[seat, t] -= n
    s.shown[t] += n
    if s.kind == 0:
        s.kind = PLAY_SIZE[play]
        if s.phase == BUCKLE_DECISION:
            _remember_unbuckled(s)
    s.best = play_power(s, play)
    s.owner = seat
    s.entry[s.closed, seat] = play
    _acted(s)


@rule
def _put_under(s, t):
    """Put one card of a cover under (T10); nothing shows before the last."""
    seat = int(s.seat)
    s.hand[seat, t] -= 1
    s.under[s.closed, seat] += (t + 1) << (4 * int(s.picked))
    s.picked += 1
    if s.picked == s.kind:
        s.picked = 0
        s.entry[s.closed, seat] = COVER
        _acted(s)


@rule
def _acted(s):
    s.held[s.seat] -= s.kind
    s.acted += 1
    if s.acted == SEATS:
        _close(s)
    else:
        s.seat = after(s.seat)
        goto(s, IN_ROUND)


@rule
def after(seat):
    """Return the next seat in play order."""
    return 0 if seat == SEATS - 1 else seat + 1


@rule
def _close(s):
    """Close the round; the game ends or the winner opens the next (§4.4)."""
    winner = int(s.owner)
    before = int(s.pillars[winner])
    now = before + int(s.kind)
    s.pillars[winner] = now
    s.kinds[s.closed] = s.kind
    s.winners[s.closed] = winner
    if s.active == winner and before < ENOUGH <= now:
        s.active = NONE
    if s.reveal_ceramic_liability == 1 and before < CERAMIC <= now and s.challenger != winner:
        s.liable = s.challenger
    s.closed += 1
    _clear_round(s)
    s.end = _ending(s)
    if s.end != END_NONE:
        s.seat = NOBODY
        goto(s, SETTLEMENT)
    else:
        s.seat = winner
        goto(s, BUCKLE_DECISION)


@rule
def _ending(s):
    total = 0
    most = 0
    enough = 0
    for seat in range(SEATS):
        p = int(s.pillars[seat])
        total += p
        most = max(most, p)
        if p >= ENOUGH:
            enough += 1
    if most >= CERAMIC and not (s.eight_pillars == 1 and most == total and total < ALL_PILLARS):
        return END_CERAMIC
    if enough >= 2:
        return END_TWO_ENOUGH
    if total >= ALL_PILLARS:
        return END_EXHAUSTED
    return END_NONE


@rule
def _buckle(s):
    """Buckle: determine who is asked, and in which order (T4, §4.3)."""
    seat = int(s.seat)
    if s.active == seat:
        s.active = NONE
    s.buckler = seat
    one = after(seat)
    two = after(one)
    if s.active == two:
        one, two = two, one
    s.pending[0] = one
    s.pending[1] = two
    s.asked = 2
    s.seat = one
    goto(s, REVEAL_DECISION)


@rule
def _reveal(s):
    """Reveal (T5)."""
    seat = int(s.seat)
    buckler = int(s.buckler)
    enough = 1 if s.pillars[seat] >= ENOUGH else 0
    s.link[s.links] = seat + 3 * buckler + 9 * enough + 18 * min(int(s.closed), ROUNDS - 1)
    s.links += 1
    s.active = seat
    _clear_round(s)
    s.challenger = seat
    s.seat = buckler
    goto(s, IN_ROUND)


@rule
def _pass(s):
    """Pass (T6, T7), or PASS_BUCKLE under buckle_first."""
    if s.phase == BUCKLE_DECISION:
        _remember_unbuckled(s)
        goto(s, IN_ROUND)
        return
    if s.active == s.seat:
        s.active = NONE
    s.asked -= 1
    if s.asked > 0:
        s.seat = s.pending[2 - s.asked]
        goto(s, REVEAL_DECISION)
    else:
        _clear_round(s)
        s.end = END_BUCKLED
        s.seat = NOBODY
        goto(s, SETTLEMENT)


@rule
def _remember_unbuckled(s):
    if s.enough_must_buckle == 1 and s.pillars[s.seat] >= ENOUGH:
        s.unbuckled |= 1 << int(s.seat)
