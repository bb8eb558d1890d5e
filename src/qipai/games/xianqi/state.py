"""Xianqi's pieces, actions, phases and state, which the rules work on.

Clause numbers (§) are those of the README in this folder.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from qipai.core import header, state_dtype

SEATS = 3
DECK = 24
DEALT = 8  # cards dealt to a seat
ROUNDS = 8  # maximum: each takes a card from everyone
LINKS = 16  # relations that a state can hold; play makes at most 8

# §2.1 the pieces in canonical order: red before black, strong before weak
TYPES = 12
R_SHI, B_SHI, R_XIANG, B_XIANG, R_MA, B_MA, R_CHE, B_CHE, R_GOU, B_GOU, R_NIU, B_NIU = range(TYPES)
COPIES = np.array([2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 3, 3], np.int8)
POWER = np.array([9, 8, 7, 6, 5, 4, 3, 2, 3, 2, 1, 0], np.int8)
CARDS = tuple(f"{colour}_{word}" for word in ("SHI", "XIANG", "MA", "CHE", "GOU", "NIU") for colour in "RB")
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
FIRST_PLAY = np.array([0, 0, PAIRS, TRIPLES, PLAYS], np.int8)  # plays of kind k: [k] .. [k + 1]

NONE = -1  # no entry, no seat
COVER = PLAYS  # an entry that is a cover

ENOUGH = 3  # pillars
CERAMIC = 6
ALL_PILLARS = 8

# Values of options in the state
ABOVE_RED_SHI, EQUAL_RED_SHI = 0, 1
BLACK_SETTLES, BLACK_REDEALS = 0, 1
PLAY_OR_BUCKLE, BUCKLE_FIRST = 0, 1

# Why a game ended
END_NONE, END_CERAMIC, END_TWO_ENOUGH, END_EXHAUSTED, END_BUCKLED, END_BLACK = range(6)

# Rows of `parts`
PART_ENOUGH, PART_REVEAL, PART_CERAMIC = range(3)


class Phase(IntEnum):
    """The phases (§4.1)."""

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
        ("held", np.int8, (SEATS,)),  # number of cards as everyone sees it: an unfinished cover still counts
        ("shown", np.int8, (TYPES,)),  # cards played face up so far
        # closed rounds and the running one
        ("entry", np.int8, (ROUNDS, SEATS)),  # a play 0..24, COVER, or NONE
        ("under", np.int16, (ROUNDS, SEATS)),  # cards covered: type + 1 in each 4 bits, in order
        ("kinds", np.int8, (ROUNDS,)),  # cards per seat, of closed rounds
        ("winners", np.int8, (ROUNDS,)),
        ("closed", np.int8),  # rounds closed so far
        ("first", np.int8),  # opener of round 0
        ("kind", np.int8),  # cards per seat in the running round; 0 before the lead
        ("best", np.int8),  # power of the best play, -1 before the lead
        ("owner", np.int8),  # who made it
        ("acted", np.int8),  # seats that have acted in the running round
        ("picked", np.int8),  # cards already put under by the seat that is covering
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
        ("unbuckled", np.int8),  # one bit per seat: had enough and played on (enough_must_buckle)
        # the end
        ("end", np.int8),
        ("parts", np.int8, (3, SEATS)),  # settlement: enough, reveal, ceramic
    ]
)
