"""Xianqi 掀棋: trick-taking for three with Chinese chess pieces, buckle and reveal.

Here: the state, the machine, what is legal, what an action changes, the settlement.
Not here: what a seat may know, text, JSON, players. Clause numbers (§) are those of
the README beside this file.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from qipai.core import NOBODY, below, goto, header, rule, shuffle, state_dtype

SEATS = 3
DECK = 24
DEALT = 8  # cards dealt to a seat
ROUNDS = 8  # at most: each takes a card from everyone
LINKS = 16  # relations a record can hold; play makes at most 8

# §2.1 the pieces in canonical order: red before black, strong before weak
TYPES = 12
R_SHI, B_SHI, R_XIANG, B_XIANG, R_MA, B_MA, R_CHE, B_CHE, R_GOU, B_GOU, R_NIU, B_NIU = range(TYPES)
COPIES = np.array([2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 3, 3], np.int8)
POWER = np.array([9, 8, 7, 6, 5, 4, 3, 2, 3, 2, 1, 0], np.int8)
NOBLES = 4  # the first four types, shi and xiang; a hand without any is black

# §3 actions: 25 plays, three words, 12 "put one card under"
PLAYS = 25
PAIRS = 12  # plays 0..11 are singles, 12..22 pairs, 23..24 triples
TRIPLES = 23
DOG_PAIR = 12
BUCKLE = 25
REVEAL = 26
PASS = 27  # PASS_REVEAL when asked, PASS_BUCKLE for an opener under buckle_first
UNDER = 28  # + type: put one card of it under
ACTIONS = 40

# Type of each play; the dog pair is R_GOU with B_GOU.
PLAY_TYPE = np.array(
    [R_SHI, B_SHI, R_XIANG, B_XIANG, R_MA, B_MA, R_CHE, R_GOU, B_CHE, B_GOU, R_NIU, B_NIU]
    + [R_GOU, R_SHI, B_SHI, R_XIANG, B_XIANG, R_MA, B_MA, R_CHE, B_CHE, R_NIU, B_NIU]
    + [R_NIU, B_NIU],
    np.int8,
)
PLAY_SIZE = np.array([1] * 12 + [2] * 11 + [3] * 2, np.int8)
PLAY_POWER = np.array(
    [9, 8, 7, 6, 5, 4, 3, 3, 2, 2, 1, 0] + [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0] + [11, 10], np.int8
)
FIRST_PLAY = np.array([0, 0, PAIRS, TRIPLES, PLAYS], np.int8)  # of kind k: [k] .. [k + 1]

NONE = -1  # no entry, no seat
COVER = PLAYS  # an entry that is a cover

ENOUGH = 3  # pillars
CERAMIC = 6
ALL_PILLARS = 8

# Options, as they stand in the state
ABOVE_RED_SHI, EQUAL_RED_SHI = 0, 1
BLACK_SETTLES, BLACK_REDEALS = 0, 1
PLAY_OR_BUCKLE, BUCKLE_FIRST = 0, 1

# Why a game ended
END_NONE, END_CERAMIC, END_TWO_ENOUGH, END_EXHAUSTED, END_BUCKLED, END_BLACK = range(6)

# Rows of `parts`
PART_ENOUGH, PART_REVEAL, PART_CERAMIC = range(3)


class Phase(IntEnum):
    """§4.1"""

    INIT = 0
    BUCKLE_DECISION = 1
    REVEAL_DECISION = 2
    IN_ROUND = 3
    SETTLEMENT = 4
    FINISHED = 5


INIT = int(Phase.INIT)
BUCKLE_DECISION = int(Phase.BUCKLE_DECISION)
REVEAL_DECISION = int(Phase.REVEAL_DECISION)
IN_ROUND = int(Phase.IN_ROUND)
SETTLEMENT = int(Phase.SETTLEMENT)
FINISHED = int(Phase.FINISHED)

EDGES = (
    (INIT, BUCKLE_DECISION),  # T1
    (INIT, SETTLEMENT),  # T2 black chess
    (BUCKLE_DECISION, IN_ROUND),  # T3, and PASS_BUCKLE
    (BUCKLE_DECISION, REVEAL_DECISION),  # T4
    (REVEAL_DECISION, IN_ROUND),  # T5
    (REVEAL_DECISION, REVEAL_DECISION),  # T6
    (REVEAL_DECISION, SETTLEMENT),  # T7
    (IN_ROUND, IN_ROUND),  # T8-T10
    (IN_ROUND, BUCKLE_DECISION),  # round closed
    (IN_ROUND, SETTLEMENT),  # round closed: ceramic, two enough, exhausted
    (SETTLEMENT, FINISHED),  # T11
)

State = state_dtype(
    [
        *header(seats=SEATS),
        # options
        ("dog_pair", np.int8),
        ("black_chess", np.int8),
        ("round_open", np.int8),
        ("first_seat", np.int8),  # -1: drawn
        ("reveal_ceramic_liability", np.int8),
        ("first_game_limits", np.int8),
        ("enough_must_buckle", np.int8),
        ("eight_pillars", np.int8),
        # the deal
        ("deck", np.int8, (DECK,)),  # scratch: the shuffled cards while dealing
        ("hand", np.int8, (SEATS, TYPES)),  # cards held, by type
        ("held", np.int8, (SEATS,)),  # how many, as all see it: a cover under way still counts
        ("shown", np.int8, (TYPES,)),  # cards played face up so far
        # closed rounds and the running one
        ("entry", np.int8, (ROUNDS, SEATS)),  # a play 0..24, COVER, or NONE
        ("under", np.int16, (ROUNDS, SEATS)),  # cards covered: type + 1 in each 4 bits, in order
        ("kinds", np.int8, (ROUNDS,)),  # cards a seat, of closed rounds
        ("winners", np.int8, (ROUNDS,)),
        ("closed", np.int8),  # rounds closed so far
        ("first", np.int8),  # opener of round 0
        ("kind", np.int8),  # cards a seat in the running round; 0 before the lead
        ("best", np.int8),  # power of the best play, -1 before the lead
        ("owner", np.int8),  # who made it
        ("acted", np.int8),  # seats that have acted in the running round
        ("picked", np.int8),  # cards already put under by the seat that covers now
        ("pillars", np.int8, (SEATS,)),
        # buckle and reveal
        ("buckler", np.int8),
        ("active", np.int8),  # the active revealer
        ("asked", np.int8),  # seats still to be asked: the last `asked` of pending
        ("pending", np.int8, (2,)),
        ("links", np.int8),  # relations so far
        ("link", np.uint8, (LINKS,)),  # revealer + 3 buckler + 9 was enough + 18 round
        ("challenger", np.int8),  # whose reveal started the running round
        ("liable", np.int8),  # who pays a ceramic alone (reveal_ceramic_liability)
        ("unbuckled", np.int8),  # bit a seat: had enough and played on (enough_must_buckle)
        # the end
        ("end", np.int8),
        ("parts", np.int8, (3, SEATS)),  # settlement: enough, reveal, ceramic
    ]
)


# --- deal and start -------------------------------------------------------------------


@rule
def deal(s):
    """§2.3 shuffle, deal in turn, draw the first seat; a black deal may be thrown away."""
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
    """Go to the first decision. A position laid out beyond INIT stays where it is."""
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
def _clear(s):
    """Everything but options, generator, hands and first seat, as before the first action."""
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
    """§2.4 some seat holds neither shi nor xiang."""
    for seat in range(SEATS):
        n = 0
        for t in range(NOBLES):
            n += s.hand[seat, t]
        if n == 0:
            return True
    return False


# --- legal ----------------------------------------------------------------------------


@rule
def legal(s, mask):
    """Fill `mask` (ACTIONS,) for the seat to decide; return how many are set."""
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
    """Plays that the hand allows: all when leading, else those that beat (§5.3)."""
    hand = s.hand[s.seat]
    first = 0
    last = PLAYS
    if s.kind > 0:
        first = int(FIRST_PLAY[s.kind])
        last = int(FIRST_PLAY[s.kind + 1])
    best = int(s.best)
    n = 0
    for a in range(first, last):
        if hand[PLAY_TYPE[a]] >= PLAY_SIZE[a] and PLAY_POWER[a] > best:
            mask[a] = 1
            n += 1
    if first <= DOG_PAIR < last:
        n -= int(mask[DOG_PAIR])
        ok = hand[R_GOU] > 0 and hand[B_GOU] > 0 and dog_power(s) > best
        mask[DOG_PAIR] = ok
        n += ok
    return n


@rule
def _legal_under(s, mask):
    """§3 cards to put under: types in order, with enough left to finish."""
    hand = s.hand[s.seat]
    need = int(s.kind) - int(s.picked)
    low = last_under(int(s.under[s.closed, s.seat]))
    left = 0
    n = 0
    for t in range(TYPES - 1, low - 1, -1):
        left += hand[t]
        if hand[t] > 0 and left >= need:
            mask[UNDER + t] = 1
            n += 1
    return n


@rule
def dog_power(s):
    """§5.2 power of the dog pair under the table's option."""
    return 9 if s.dog_pair == EQUAL_RED_SHI else 10


@rule
def play_power(s, play):
    """Power of a play under the table's options."""
    return dog_power(s) if play == DOG_PAIR else int(PLAY_POWER[play])


@rule
def last_under(packed):
    """The last type put under, 0 when there is none."""
    last = 0
    while packed > 0:
        last = (packed & 15) - 1
        packed = packed >> 4
    return last


# --- apply ----------------------------------------------------------------------------


@rule
def apply(s, action):
    """Make a legal action, then go on to the next decision or the end."""
    make(s, action)
    while s.seat == NOBODY and s.phase != FINISHED:
        advance(s)


@rule
def make(s, action):
    """The action alone, without the automatic steps after it."""
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
def advance(s):
    """One automatic step: from SETTLEMENT the chips are reckoned (T11)."""
    if s.phase == SETTLEMENT:
        settle(s)
        goto(s, FINISHED)


@rule
def _play(s, play):
    """T3, T8, T9"""
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
    """T10, one card at a time; nothing shows before the last."""
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
    """The next seat in play order."""
    return 0 if seat == SEATS - 1 else seat + 1


@rule
def _close(s):
    """§4.4 the round is won; the game ends or its winner opens the next."""
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
    """T4, §4.3 who is asked, and in which order"""
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
    """T5"""
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
    """T6, T7; PASS_BUCKLE under buckle_first"""
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


@rule
def partial(s):
    """1 while the seat to decide has put some but not all of its cards under."""
    return 1 if s.picked > 0 else 0


# --- settlement -----------------------------------------------------------------------


@rule
def settle(s):
    """§8 chips by parts, and their sum as the payoff."""
    for part in range(3):
        for seat in range(SEATS):
            s.parts[part, seat] = 0
    for seat in range(SEATS):
        if s.pillars[seat] >= CERAMIC:
            _settle_ceramic(s, seat)
        elif s.pillars[seat] >= ENOUGH and not is_barred(s, seat):
            for loser in range(SEATS):
                if s.pillars[loser] < ENOUGH:
                    _pay(s, PART_ENOUGH, loser, seat, 1)
    for i in range(s.links):
        revealer = link_revealer(s, i)
        if link_enough(s, i) == 0 and s.pillars[revealer] < ENOUGH:
            _pay(s, PART_REVEAL, revealer, link_buckler(s, i), 1)
    for seat in range(SEATS):
        total = 0
        for part in range(3):
            total += s.parts[part, seat]
        s.payoff[seat] = total


@rule
def _settle_ceramic(s, seat):
    unit = 3
    if s.eight_pillars == 1 and s.pillars[seat] >= ALL_PILLARS:
        unit = 8
    elif s.first_game_limits == 1:
        unit = 1
    for loser in range(SEATS):
        if s.pillars[loser] < ENOUGH:
            payer = loser if s.liable == NONE else int(s.liable)
            _pay(s, PART_CERAMIC, payer, seat, unit)


@rule
def _pay(s, part, payer, receiver, chips):
    s.parts[part, payer] -= chips
    s.parts[part, receiver] += chips


@rule
def is_barred(s, seat):
    """§8.1 revealed when it already had enough, or played on instead of buckling."""
    if (int(s.unbuckled) >> seat) & 1:
        return True
    for i in range(s.links):
        if link_revealer(s, i) == seat and link_enough(s, i) == 1:
            return True
    return False


@rule
def link_revealer(s, i):
    """Who revealed in relation `i`."""
    return int(s.link[i]) % 3


@rule
def link_buckler(s, i):
    """Whom it was revealed against."""
    return int(s.link[i]) // 3 % 3


@rule
def link_enough(s, i):
    """1 if the revealer already had enough."""
    return int(s.link[i]) // 9 % 2


@rule
def link_round(s, i):
    """The round that the reveal started."""
    return int(s.link[i]) // 18
