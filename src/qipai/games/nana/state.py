"""NANA: constants, tables and the state of a hand.

Clause numbers (§) are those of the README in this folder.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from qipai.core import header, state_dtype

SEATS = 6
NUMBERS = 12  # numbers are 1..NUMBERS
COPIES = 3  # cards of a number
HAND = 12  # maximum dealt slots of a hand
CENTRE = 10  # maximum dealt slots of the centre
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

# Values of options in the state
MODE_NANA, MODE_SIMPLE, MODE_SPICY = 0, 1, 2
CONTINUE, PASS_ON = 0, 1
MAX_TURNS = 10_000  # the highest cap that an option may set

# Why a game ended
REASON_NONE, REASON_SEVENS, REASON_CONNECTED, REASON_THREE, REASON_EXHAUSTED, REASON_CAP = range(6)

SEVEN = 1 << 7  # in a set of numbers, bit n is number n
DIFFERENCE_7 = 0b111110  # n of the pairs n, n + 7


class Phase(IntEnum):
    """The phases (§3)."""

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
        ("turn", np.int32),  # how often the move has passed on
        ("deck", np.int8, (DECK,)),  # scratch: the shuffled cards while dealing
        ("card", np.int8, (SLOTS,)),  # number dealt to each slot; 0: no such slot
        ("dealt", np.int8, (SEATS,)),  # slots of each hand
        ("centre", np.int8),  # slots of the centre
        ("top", np.int8),  # highest number that this table may have
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
        ("links", np.int8),  # number of them
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
