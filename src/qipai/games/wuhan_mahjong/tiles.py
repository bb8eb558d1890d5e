"""Wuhan mahjong: the numbers used everywhere else (kinds, actions, win ways, win types).

Clause numbers (§) are those of the README in this folder.
"""

from __future__ import annotations

from enum import IntEnum

SEATS = 4
KINDS = 34
COPIES = 4
TILES = KINDS * COPIES
DEALT = 13  # tiles of a seat without melds, when it is not its turn
FIRST_DRAW = 52  # deck[52] is the dealer's 14th tile
FLIP = 53  # deck[53] is the indicator
WALL_START = 54
WALL = TILES - WALL_START
MELDS = 4  # maximum per seat

# §1 kinds: 0-8 characters, 9-17 bamboo, 18-26 dots, then the honours
HONOURS = 27
EAST, SOUTH, WEST, NORTH, RED, GREEN, WHITE = range(27, 34)
RED_RANK = RED - HONOURS
NONE = -1  # no tile, no seat, no action

# Kinds as text: 1m-9m, 1s-9s, 1p-9p, 1z-7z
CODES = tuple(f"{t % 9 + 1}{'mspz'[t // 9]}" for t in range(HONOURS)) + tuple(
    f"{t - HONOURS + 1}z" for t in range(HONOURS, KINDS)
)

# §4.2 native actions, dense
CHOW = 34  # + 0 left, 1 middle, 2 right
PONG = 37
EXPOSED = 38
SUPPLEMENT = 39  # + kind
CONCEALED = 73  # + kind
KONG_RED = 107
KONG_LAZY = 108
KONG_SKIN = 109  # skin 0; 110 is skin 1
WIN = 111
PASS = 112
ACTIONS = 113

# Columns of `laid`, the special kongs of a seat
LAID_RED, LAID_LAIZI, LAID_SKIN0, LAID_SKIN1 = range(4)

HISTORY = 80  # public actions an observation shows, the last ones


class ActionType(IntEnum):
    """The kinds of actions (§4.1); a meld is named by the action that laid it."""

    DISCARD = 0
    CHOW = 1
    PONG = 2
    KONG_EXPOSED = 3
    KONG_SUPPLEMENT = 4
    KONG_CONCEALED = 5
    KONG_RED = 6
    KONG_SKIN = 7
    KONG_LAZY = 8
    WIN = 9
    PASS = 10


# The same numbers as plain integers, for compiled code
T_DISCARD = int(ActionType.DISCARD)
T_CHOW = int(ActionType.CHOW)
T_PONG = int(ActionType.PONG)
T_EXPOSED = int(ActionType.KONG_EXPOSED)
T_SUPPLEMENT = int(ActionType.KONG_SUPPLEMENT)
T_CONCEALED = int(ActionType.KONG_CONCEALED)
T_RED = int(ActionType.KONG_RED)
T_SKIN = int(ActionType.KONG_SKIN)
T_LAZY = int(ActionType.KONG_LAZY)
T_WIN = int(ActionType.WIN)
T_PASS = int(ActionType.PASS)


class WinWay(IntEnum):
    """How the winning tile arrived (§3.2)."""

    SELF_DRAW = 0
    ROB_KONG = 1
    KONG_SELF_DRAW = 2
    DISCARD = 3


SELF_DRAW = int(WinWay.SELF_DRAW)
ROB_KONG = int(WinWay.ROB_KONG)
KONG_SELF_DRAW = int(WinWay.KONG_SELF_DRAW)
BY_DISCARD = int(WinWay.DISCARD)


class WinType(IntEnum):
    """Hard or soft, and the big patterns (§5.3); a set of them is a bit mask `1 << value`."""

    SOFT_WIN = 0
    HARD_WIN = 1
    PURE_FLUSH = 2
    PENG_PENG_HU = 3
    ALL_WIND = 4
    ALL_JIANG = 5
    FULLY_MELDED = 6
    FLOWER_ON_KONG = 7
    LAST_TILE_WIN = 8
    ROB_KONG = 9


SOFT_BIT = 1 << WinType.SOFT_WIN
HARD_BIT = 1 << WinType.HARD_WIN
FLUSH_BIT = 1 << WinType.PURE_FLUSH
PENG_BIT = 1 << WinType.PENG_PENG_HU
WIND_BIT = 1 << WinType.ALL_WIND
JIANG_BIT = 1 << WinType.ALL_JIANG
FULLY_BIT = 1 << WinType.FULLY_MELDED
FLOWER_BIT = 1 << WinType.FLOWER_ON_KONG
LAST_BIT = 1 << WinType.LAST_TILE_WIN
ROB_BIT = 1 << WinType.ROB_KONG
BIG_BITS = 0x3FC  # all big patterns
TYPE_BITS = 0x3FF
SUBSTITUTES = 12  # a reading keeps its substitutes above this bit


def type_names(reading: int) -> list[str]:
    """Return the win types of a reading, HARD_WIN or SOFT_WIN first."""
    return [t.name for t in WinType if reading >> t & 1]
