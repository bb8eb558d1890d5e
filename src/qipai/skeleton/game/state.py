"""Skeleton: constants, phases and the state. Clause numbers (§) are those of the README."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from qipai.core import header, state_dtype

SEATS = 2
CARDS = 16  # card c is worth c + 1 points; an action is a card
DEALT = 6  # cards dealt to a seat
AWAY = 2  # cards that each seat puts away before the first prize

# Where a card can be; of those with a seat, + seat
HAND = 0
PUT = 2  # put away, face down until the end
BID = 4  # bid for the prize on the table
SPENT = 6  # bid and shown
WON = 8
STOCK = 10
PRIZE = 11


class Phase(IntEnum):
    """The phases (§3)."""

    DEAL = 0
    PUT = 1
    TURN = 2
    BID = 3
    ANSWER = 4
    AWARD = 5
    OVER = 6


DEALING = int(Phase.DEAL)
PUTTING = int(Phase.PUT)
TURNING = int(Phase.TURN)
BIDDING = int(Phase.BID)
ANSWERING = int(Phase.ANSWER)
AWARDING = int(Phase.AWARD)
OVER = int(Phase.OVER)

EDGES = (
    (DEALING, PUTTING),
    (PUTTING, PUTTING),  # the second seat puts away
    (PUTTING, TURNING),
    (TURNING, BIDDING),
    (BIDDING, ANSWERING),
    (ANSWERING, AWARDING),
    (AWARDING, TURNING),
    (AWARDING, OVER),
)

State = state_dtype(
    [
        *header(seats=SEATS),
        # options
        ("first_seat", np.int8),  # -1: drawn
        # the game
        ("where", np.int8, (CARDS,)),  # a place of the list above, by card
        ("first", np.int8),  # the seat that acts first: it won the last prize
        ("picked", np.int8),  # cards put away so far in the unfinished move
    ]
)
