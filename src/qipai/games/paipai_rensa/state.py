"""The state of Paipai Rensa: sizes, actions, phases and their edges, and the state itself.

Tiles are encoded in `tiles.py`. Clause numbers (§) are those of the README in this folder.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from qipai.core import header, state_dtype

from .tiles import CODES, SUITS, TILES

# The board: cell = row * COLS + column, row 0 on top
COLS = 6
ROWS = 12
CELLS = COLS * ROWS
ALL_COLUMNS = (1 << COLS) - 1
SPAWN_COL = 2
CLEAR_MIN = 4  # tiles of one suit that clear

# A hand
HAND_MAX = 14
MELDS = 4
WIN_BASE = 2000
WIN_PER_RED = 1000

# §15.4 actions: placements col * 4 + rot, then the answers for one tile of the list
PLACEMENTS = 24
KEEP = 24
DISCARD = 25
ACTIONS = 26
ALL_PLACEMENTS = 0xFFFFFF & ~(1 << 3) & ~(1 << 21)  # 3 and 21 would have the rotor off the board

SCORE_PER_TILE = 100
LIST_MAX = HAND_MAX + CELLS
LONGEST = 68 + TILES + HAND_MAX * (TILES // 4 + 1)  # pairs, tiles collected, hands asked about again
HALF_LIST = LIST_MAX // 2  # answers in each word of s.kept_bits
USED_ONLY, WHOLE_BOARD = 0, 1  # option cpu_clear_policy

WINNER_NONE, WINNER_PLAYER, WINNER_CPU, WINNER_DRAW = range(4)


class Phase(IntEnum):
    """The phases (§12)."""

    TITLE = 0  # dealt, not started
    SUPPLY = 1  # a pair is needed
    PLACE = 2  # a pair falls: decision
    CHAIN = 3  # resolving: gravity and clearing, tick by tick
    ALLOC = 4  # hand or discard, tile by tile: decision
    HOLD = 5  # both sides are evaluated, points not yet given
    OVER = 6
    EVALUATE = 7  # the allocation is closed, the sides have not been evaluated


TITLE = int(Phase.TITLE)
SUPPLY = int(Phase.SUPPLY)
PLACE = int(Phase.PLACE)
CHAIN = int(Phase.CHAIN)
ALLOC = int(Phase.ALLOC)
HOLD = int(Phase.HOLD)
OVER = int(Phase.OVER)
EVALUATE = int(Phase.EVALUATE)

EDGES = (
    (TITLE, SUPPLY),  # T2
    (SUPPLY, PLACE),  # T2, T9
    (SUPPLY, OVER),  # T10
    (PLACE, CHAIN),  # T6
    (CHAIN, CHAIN),  # T7
    (CHAIN, ALLOC),  # T8
    (CHAIN, SUPPLY),  # T9, T10
    (ALLOC, ALLOC),  # T11
    (ALLOC, EVALUATE),  # T12
    (EVALUATE, HOLD),  # T12
    (HOLD, CHAIN),  # T14
)

# Tiles are stored as id + 1; 0 is none.
State = state_dtype(
    [
        *header(seats=1),
        # options (§14); real numbers as millionths
        ("bias_zoro_target", np.int32),
        ("bias_zoro_min", np.int32),
        ("bias_zoro_max", np.int32),
        ("bias_zoro_feedback", np.int32),
        ("bias_streak_penalty", np.int32),
        ("bias_remaining_gamma", np.int32),
        ("bias_noise_eps", np.int32),
        ("bias_window_pairs", np.int8),
        ("bias_max_streak", np.int8),
        ("bias_enabled", np.int8),
        ("bias_streak_hard_cap", np.int8),
        ("cpu_clear_policy", np.int8),
        ("next_pairs", np.int8),
        # scores
        ("score", np.int32),
        ("cpu_score", np.int32),
        ("player_points", np.int16),  # of the HOLD that is open
        ("cpu_points", np.int16),
        ("chain", np.int8),  # level, as shown
        ("longest", np.int8),  # longest chain so far
        ("player_wins", np.int8),
        ("cpu_wins", np.int8),
        ("holds", np.int8),
        ("winner", np.int8),  # WINNER_*
        # supply: deck[:at] has been spawned, the NEXT pair is deck[at:at + 2]
        ("at", np.uint8),
        ("total", np.uint8),
        ("deck", np.uint8, (TILES,)),
        ("window", np.int64),  # zoro flags of the latest pairs seen, newest in bit 0
        ("zoros", np.int8),  # how many of them are set
        ("main", np.int8),  # suit + 1 of the latest pair's axis
        ("streak", np.int8),  # pairs in a row with that main suit
        ("unseen", np.int8, (CODES,)),  # deck[at + 2:total] by 37-kind index
        ("pair", np.uint8, (2,)),  # falling: axis, rotor
        # the board
        ("board", np.uint8, (CELLS,)),
        ("height", np.int8, (COLS,)),  # of columns that are not loose
        ("loose", np.int8),  # columns in which something may float, as bits
        ("stable", np.int8),  # 1: only the fresh columns' top two tiles may belong to a group
        ("fresh", np.int8),  # columns of the landed pair, as bits
        ("last", np.int8),  # the latest placement, -1 before the first
        # hand, allocation, discards
        ("n_hand", np.int8),
        ("hand", np.uint8, (HAND_MAX,)),
        ("n_tiles", np.int8),  # collected in this chain, or, in ALLOC, the whole list
        ("tiles", np.uint8, (LIST_MAX,)),  # collected; in ALLOC the hand, then the collected
        ("cursor", np.int8),  # number of tiles of the list answered for
        ("kept", np.int8),
        ("kept_bits", np.int64, (2,)),  # which were kept
        ("n_discards", np.uint8),
        ("discards", np.uint8, (TILES,)),
        ("thrown", np.int8, (CODES,)),  # the discards by 37-kind index
        ("n_lost", np.uint8),
        ("lost", np.uint8, (TILES,)),
        ("consumed", np.uint8),  # tiles used up by wins
        ("cpu_tiles", np.uint8, (HAND_MAX,)),  # HOLD: the CPU's pair and melds
        ("used", np.int64, (3,)),  # the same tiles as bits: value // 3 of word value % 3
        # scratch
        ("work", np.uint8, (CELLS,)),
        ("bucket", np.int64, (SUITS,)),
        ("odds", np.int64, (SUITS,)),
        ("weight", np.int64, (SUITS,)),
        ("count", np.int64, (SUITS,)),
        ("melds", np.int8, (SUITS,)),
        ("left", np.int8, (SUITS,)),
    ]
)
SCRATCH = ("work", "bucket", "odds", "weight", "count", "melds", "left")
