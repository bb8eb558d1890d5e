"""Wuhan mahjong: the state of a hand, its phases, and the transitions between them (§3).

Clause numbers (§) are those of the README in this folder.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from qipai.core import header, state_dtype

from .tiles import KINDS, MELDS, SEATS, TILES

POOL = 84  # maximum number of tiles in rivers
LOG = 120  # public actions of a hand, at most 117 (README §3)
HIDDEN = KINDS  # as a tile of the log: none

# Bits of `claims`: what a seat may answer; CLAIM_WIN also in its own decision
CLAIM_CHOW, CLAIM_PONG, CLAIM_KONG, CLAIM_WIN = 1, 8, 16, 32  # chow: << 0, 1, 2

ORDER_DISCARDER, ORDER_DEALER = 0, 1


class Phase(IntEnum):
    """The phases (§3.1); 6, 11 and 14 are reserved and never entered."""

    INITIAL = 0
    DRAWING = 1
    PLAYER_DECISION = 2
    DISCARDING = 3
    MELD_DECISION = 4
    WAITING_RESPONSE = 5
    RESPONSES = 6
    PROCESSING_MELD = 7
    GONG = 8
    WAIT_ROB_KONG = 9
    DRAWING_AFTER_GONG = 10
    RESPONSES_AFTER_GONG = 11
    WIN = 12
    FLOW_DRAW = 13
    SETTLE = 14


INITIAL = int(Phase.INITIAL)
DRAWING = int(Phase.DRAWING)
PLAYER_DECISION = int(Phase.PLAYER_DECISION)
DISCARDING = int(Phase.DISCARDING)
MELD_DECISION = int(Phase.MELD_DECISION)
WAITING_RESPONSE = int(Phase.WAITING_RESPONSE)
PROCESSING_MELD = int(Phase.PROCESSING_MELD)
GONG = int(Phase.GONG)
WAIT_ROB_KONG = int(Phase.WAIT_ROB_KONG)
DRAWING_AFTER_GONG = int(Phase.DRAWING_AFTER_GONG)
WON = int(Phase.WIN)
FLOW_DRAW = int(Phase.FLOW_DRAW)

EDGES = (
    (INITIAL, PLAYER_DECISION),
    (DRAWING, PLAYER_DECISION),
    (PLAYER_DECISION, DISCARDING),
    (PLAYER_DECISION, GONG),
    (PLAYER_DECISION, WON),
    (MELD_DECISION, DISCARDING),
    (MELD_DECISION, GONG),
    (DISCARDING, FLOW_DRAW),
    (DISCARDING, WAITING_RESPONSE),
    (DISCARDING, DRAWING),
    (WAITING_RESPONSE, WAITING_RESPONSE),
    (WAITING_RESPONSE, WON),
    (WAITING_RESPONSE, GONG),
    (WAITING_RESPONSE, PROCESSING_MELD),
    (WAITING_RESPONSE, DRAWING),
    (PROCESSING_MELD, MELD_DECISION),
    (GONG, DRAWING_AFTER_GONG),
    (GONG, WAIT_ROB_KONG),
    (WAIT_ROB_KONG, WON),
    (WAIT_ROB_KONG, WAIT_ROB_KONG),
    (WAIT_ROB_KONG, DRAWING_AFTER_GONG),
    (DRAWING_AFTER_GONG, PLAYER_DECISION),
    (DRAWING_AFTER_GONG, FLOW_DRAW),
)

State = state_dtype(
    [
        *header(seats=SEATS),
        # options (§10)
        ("cap", np.int16),
        ("flow_cap", np.int16),  # -1: none
        ("min_win", np.int8),
        ("golden_mode", np.int8),
        ("kou_kou_fan", np.int8),
        ("small_laizi", np.int8),
        ("big_laizi", np.int8),
        ("wall_reserve", np.int8),
        ("auto_pass", np.int8),
        ("multi_win_order", np.int8),
        ("contract", np.int8),
        ("flow_settlement", np.int8),
        ("first_dealer", np.int8),  # -1: drawn
        # the table
        ("dealer", np.int8),
        ("indicator", np.int8),
        ("laizi", np.int8),
        ("skin0", np.int8),
        ("skin1", np.int8),
        ("wall", np.int8, (TILES,)),  # front .. back - 1 are live; the rest is NONE
        ("front", np.int16),
        ("back", np.int16),
        ("hand", np.int8, (SEATS, KINDS)),  # concealed tiles, including the drawn one
        ("melds", np.int8, (SEATS,)),
        ("opens", np.int8, (SEATS,)),  # melds that are not concealed kongs
        ("meld_type", np.int8, (SEATS, MELDS)),  # an ActionType, in claim order
        ("meld_tile", np.int8, (SEATS, MELDS)),  # its lowest tile
        ("meld_from", np.int8, (SEATS, MELDS)),  # who supplied it
        ("laid", np.int8, (SEATS, 4)),  # special kongs: red, laizi, skin 0, skin 1
        ("river", np.int8, (SEATS, KINDS)),  # tiles lying in each river, by kind
        ("pool", np.uint8, (POOL,)),  # the same in order: kind + 64 * seat
        ("pooled", np.int8),
        ("log", np.int16, (LOG,)),  # public actions: type + 16 * tile + 1024 * seat
        ("logged", np.int8),
        # the moment
        ("turn", np.int8),  # whose turn it is: who drew, discarded, claimed or kongs
        ("doing", np.int8),  # the action an automatic phase carries out
        ("tile", np.int8),  # discarded or announced, while it can be claimed
        ("source", np.int8),  # by whom
        ("drawn", np.int8),  # the last tile drawn, until a discard or a meld
        ("win_way", np.int8),
        ("claims", np.int8, (SEATS,)),  # what each seat may answer in an open window
        ("answer", np.int8, (SEATS,)),  # and what it has answered
        ("asked", np.int8),  # place in the order of asking of the seat asked now
        # the end
        ("winner", np.int8),
        ("types", np.int16),  # the reading that won (see win.py)
        ("contractor", np.int8),
        ("ready", np.int8),  # flow draw: one bit per seat
    ]
)
