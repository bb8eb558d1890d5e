"""Xianqi: what a seat may know, as features (`observe`), and consistent worlds (`determinize`).

Seats are rotated so that the observer is 0; a watcher sees them as they are. Numbers that
may be "none" are stored plus one, so that 0 always means "nothing".
"""

from __future__ import annotations

from qipai.core import CATEGORY, FLAG, NUMBER, Feature, rule

from .rules import after
from .settle import link_buckler, link_enough, link_revealer
from .state import COPIES, FINISHED, ROUNDS, SEATS, TYPES
from .worlds import redraw

# Where each feature starts; `FEATURES` below says what it is.
PHASE = 0
DECIDER = 1
KIND = 2
BEST = 3
OWNER = 4
ACTED = 5
CLOSED = 6
FIRST = 7
BUCKLER = 8
ACTIVE = 9
ASKED = 10
PENDING = 11
CHALLENGER = 13
UNBUCKLED = 14
PILLARS = 17
CARDS = 20
PICKED = 23
OPTIONS = 24
HAND = 32
COVERED = HAND + TYPES
UNSEEN = COVERED + TYPES
ENTRY = UNSEEN + TYPES
WINNER = ENTRY + ROUNDS * SEATS
KINDS = WINNER + ROUNDS
LINK = KINDS + ROUNDS
SIZE = LINK + ROUNDS * 3

ENTRIES = ((1, 12), (13, 23), (24, 25), (26, 26))  # singles, pairs, triples, a cover

FEATURES = (
    Feature("phase", PHASE, 1, "the phase, by number", CATEGORY, 0, FINISHED),
    Feature("decider", DECIDER, 1, "1 + seat that decides, 0 nobody", CATEGORY, 0, SEATS),
    Feature("kind", KIND, 1, "pieces per seat in this round, 0 before the lead", NUMBER, 0, 3),
    Feature("best", BEST, 1, "1 + power of the best play, 0 before the lead", NUMBER, 0, 12),
    Feature("owner", OWNER, 1, "1 + seat that made it", CATEGORY, 0, SEATS),
    Feature("acted", ACTED, 1, "seats that have acted in this round", NUMBER, 0, SEATS),
    Feature("closed", CLOSED, 1, "rounds closed", NUMBER, 0, ROUNDS),
    Feature("first", FIRST, 1, "1 + opener of the first round", CATEGORY, 0, SEATS),
    Feature("buckler", BUCKLER, 1, "1 + seat that buckled and waits for answers", CATEGORY, 0, SEATS),
    Feature("active", ACTIVE, 1, "1 + active revealer", CATEGORY, 0, SEATS),
    Feature("asked", ASKED, 1, "seats still to be asked", NUMBER, 0, 2),
    Feature("pending", PENDING, 2, "1 + those seats, in order", CATEGORY, 0, SEATS),
    Feature("challenger", CHALLENGER, 1, "1 + seat whose reveal started this round", CATEGORY, 0, SEATS),
    Feature("unbuckled", UNBUCKLED, 3, "by seat: 1 if it had enough and played on", FLAG),
    Feature("pillars", PILLARS, 3, "by seat", NUMBER, 0, ROUNDS),
    Feature("cards", CARDS, 3, "pieces in hand, by seat", NUMBER, 0, ROUNDS),
    Feature("picked", PICKED, 1, "pieces of the observer's unfinished cover", NUMBER, 0, 3),
    Feature("options", OPTIONS, 8, "the options, in the order of the state", CATEGORY, 0, SEATS),
    Feature("hand", HAND, TYPES, "the observer's pieces, by type (0 for a watcher)", NUMBER, 0, 3),
    Feature("covered", COVERED, TYPES, "pieces the observer has covered, by type", NUMBER, 0, 3),
    Feature(
        "unseen", UNSEEN, TYPES, "pieces neither played face up nor the observer's, by type", NUMBER, 0, 3
    ),
    Feature(
        "entry",
        ENTRY,
        ROUNDS * SEATS,
        "round by round, by seat: 1 + play, 26 a cover, 0 nothing",
        CATEGORY,
        0,
        26,
        groups=ENTRIES,
    ),
    Feature("winner", WINNER, ROUNDS, "1 + winner of each closed round", CATEGORY, 0, SEATS),
    Feature("kinds", KINDS, ROUNDS, "pieces per seat in each closed round", NUMBER, 0, 3),
    Feature(
        "link",
        LINK,
        ROUNDS * 3,
        "relations: 1 + revealer, 1 + buckler, 1 if it had enough",
        CATEGORY,
        0,
        SEATS,
    ),
)


@rule
def observe(s, seat, out):
    """Fill `out` (SIZE,) with what `seat` may know; NOBODY is a watcher."""
    base = max(seat, 0)
    out[PHASE] = s.phase
    out[DECIDER] = turned(s.seat, base)
    out[KIND] = s.kind
    out[BEST] = s.best + 1
    out[OWNER] = turned(s.owner, base)
    out[ACTED] = s.acted
    out[CLOSED] = s.closed
    out[FIRST] = turned(s.first, base)
    out[BUCKLER] = turned(s.buckler, base)
    out[ACTIVE] = turned(s.active, base)
    out[ASKED] = s.asked
    out[PENDING] = turned(s.pending[0], base)
    out[PENDING + 1] = turned(s.pending[1], base)
    out[CHALLENGER] = turned(s.challenger, base)
    out[OPTIONS] = s.dog_pair
    out[OPTIONS + 1] = s.black_chess
    out[OPTIONS + 2] = s.round_open
    out[OPTIONS + 3] = turned(s.first_seat, base)
    out[OPTIONS + 4] = s.reveal_ceramic_liability
    out[OPTIONS + 5] = s.first_game_limits
    out[OPTIONS + 6] = s.enough_must_buckle
    out[OPTIONS + 7] = s.eight_pillars
    out[PICKED] = s.picked if seat >= 0 and s.seat == seat else 0
    one = after(base)
    two = after(one)
    for k in range(SEATS):
        other = base if k == 0 else (one if k == 1 else two)
        out[PILLARS + k] = s.pillars[other]
        out[UNBUCKLED + k] = (int(s.unbuckled) >> other) & 1
        out[CARDS + k] = s.held[other]
    _observe_cards(s, seat, out)
    entry = out[ENTRY : ENTRY + ROUNDS * SEATS]
    for r in range(ROUNDS):
        entry[3 * r] = s.entry[r, base] + 1
        entry[3 * r + 1] = s.entry[r, one] + 1
        entry[3 * r + 2] = s.entry[r, two] + 1
        out[WINNER + r] = turned(s.winners[r], base)
        out[KINDS + r] = s.kinds[r]
    link = out[LINK : LINK + ROUNDS * 3]
    for i in range(ROUNDS * 3):
        link[i] = 0
    for i in range(min(int(s.links), ROUNDS)):
        link[3 * i] = turned(link_revealer(s, i), base)
        link[3 * i + 1] = turned(link_buckler(s, i), base)
        link[3 * i + 2] = link_enough(s, i)


@rule
def turned(seat, base):
    """Return 1 + the seat as counted from `base`, 0 for nobody."""
    if seat < 0:
        return 0
    return seat - base + 1 if seat >= base else seat - base + 1 + SEATS


@rule
def _observe_cards(s, seat, out):
    hand = out[HAND : HAND + TYPES]
    covered = out[COVERED : COVERED + TYPES]
    unseen = out[UNSEEN : UNSEEN + TYPES]
    for t in range(TYPES):
        hand[t] = 0
        covered[t] = 0
        unseen[t] = COPIES[t] - s.shown[t]
    if seat >= 0:
        for r in range(min(int(s.closed) + 1, ROUNDS)):
            packed = int(s.under[r, seat])
            while packed > 0:
                covered[(packed & 15) - 1] += 1
                packed = packed >> 4
        for t in range(TYPES):
            hand[t] = s.hand[seat, t]
            unseen[t] -= hand[t] + covered[t]


@rule
def determinize(s, seat):
    """Redraw what `seat` cannot see: other hands and covers.

    Exact: uniform over all ways in which the unseen cards can lie in the hidden places
    such that every seat that covered could not beat at that moment and no dealt hand was
    black. A watcher's worlds are drawn from the same set. Nothing is hidden once the
    game is finished.
    """
    if s.phase != FINISHED:
        redraw(s, seat)
