"""The tables of the spec's section 12 as data, and readers for their shorthand."""

from __future__ import annotations

import re
from typing import Any

from qipai.games.wuhan_mahjong.examples import complete

SUITS = {"m": 0, "s": 9, "p": 18, "z": 27}


def ids(text: str) -> list[int]:
    """Return tiles written `123m 55s 6z` as ids, ascending."""
    return sorted(
        SUITS[suit] + int(rank) - 1 for ranks, suit in re.findall(r"(\d+)([mspz])", text) for rank in ranks
    )


def meld(text: str, owner: int = 0) -> dict[str, Any]:
    """Read a meld such as `pong 111z from 2`; the default source is the upper seat, or the owner."""
    kind, tiles, *source = text.replace("from ", "").split()
    default = owner if kind == "kong_concealed" else (owner - 1) % 4
    return {"type": kind.upper(), "tiles": ids(tiles), "from": int(source[0]) if source else default}


def melds(text: str, owner: int = 0) -> list[dict[str, Any]]:
    """Return a list of melds, comma separated; `none` or nothing is empty."""
    return [meld(part.strip(), owner) for part in text.split(",") if part.strip() not in ("", "none")]


# 12.1 A1: indicator, laizi, skin 0, skin 1
SPECIALS = [
    (4, 5, 4, 3),
    (0, 1, 0, 8),
    (17, 9, 17, 16),
    (26, 18, 26, 25),
    (27, 28, 27, 33),
    (29, 30, 29, 28),
    (30, 32, 30, 29),
    (31, 32, 30, 29),
    (32, 33, 32, 30),
    (33, 27, 33, 32),
]

# 12.3: name, phase, win way, wall, (last discard), melds, hand, set bits
MASKS: list[dict[str, Any]] = [
    {
        "id": "M1",
        "wall": 82,
        "hand": "2247m 569s 1138p 247z",
        "bits": [1, 3, 6, 13, 14, 17, 18, 20, 25, 28, 30, 33],
    },
    {
        "id": "M2",
        "wall": 82,
        "hand": "2247m 12356s 24557z",
        "bits": [1, 3, 6, 13, 14, 28, 30, 33, 171, 185, 218, 251],
    },
    {
        "id": "M3",
        "wall": 82,
        "hand": "2247m 2569s 1138p 47z",
        "bits": [1, 3, 6, 13, 14, 17, 18, 20, 25, 30, 33, 218],
    },
    {
        "id": "M4",
        "wall": 82,
        "hand": "2224444m 569s 13p 47z",
        "bits": [1, 3, 13, 14, 17, 18, 20, 30, 33, 109],
    },
    {
        "id": "M5",
        "wall": 50,
        "melds": "pong 555m, chow 456p",
        "hand": "5m 569s 13p 47z",
        "bits": [4, 13, 14, 17, 18, 20, 30, 33, 76],
    },
    {
        "id": "M6",
        "melds": "chow 123m, pong 111z",
        "hand": "88m 456789p",
        "bits": [7, 21, 22, 23, 24, 25, 26, 276],
    },
    {
        "id": "M7",
        "melds": "chow 123m, pong 111z",
        "hand": "88m 3s 46789p",
        "bits": [7, 21, 23, 24, 25, 26, 185],
    },
    {
        "id": "M8",
        "phase": "MELD_DECISION",
        "melds": "chow 123m, pong 111z",
        "hand": "88m 456789p",
        "bits": [7, 21, 22, 23, 24, 25, 26],
    },
    {
        "id": "M9",
        "phase": "MELD_DECISION",
        "melds": "pong 555m, chow 456p",
        "hand": "44445m 13s 5z",
        "bits": [3, 4, 76, 109, 171, 185, 251],
    },
    {
        "id": "M10",
        "phase": "MELD_DECISION",
        "wall": 30,
        "melds": "pong 555m, chow 456p, pong 111z, pong 444z",
        "hand": "2s 5z",
        "bits": [171, 218],
    },
    {
        "id": "M11",
        "phase": "WAITING_RESPONSE",
        "discard": ("4p", 3),
        "wall": 60,
        "hand": "17m 59s 234456p 247z",
        "bits": [34, 35, 36, 37, 277],
    },
    {
        "id": "M12",
        "phase": "WAITING_RESPONSE",
        "discard": ("4p", 2),
        "wall": 60,
        "hand": "17m 59s 234456p 247z",
        "bits": [37, 277],
    },
    {
        "id": "M13",
        "phase": "WAITING_RESPONSE",
        "discard": ("4p", 2),
        "wall": 60,
        "hand": "179m 579s 444p 2467z",
        "bits": [37, 59, 277],
    },
    {
        "id": "M14",
        "phase": "WAITING_RESPONSE",
        "discard": ("4s", 3),
        "wall": 60,
        "hand": "147m 356s 147p 2467z",
        "bits": [34, 277],
    },
    {
        "id": "M15",
        "phase": "WAITING_RESPONSE",
        "discard": ("6p", 2),
        "wall": 50,
        "melds": "chow 123m, pong 111z, pong 444z",
        "hand": "88m 45p",
        "bits": [276, 277],
    },
    {
        "id": "M16",
        "phase": "WAIT_ROB_KONG",
        "rob": ("3m", 1),
        "wall": 45,
        "melds": "pong 111z",
        "hand": "1288m 456789p",
        "bits": [276, 277],
    },
]

# 12.4: id, indicator, melds, hand, way, wall, types or None, substitutes
WINS: list[tuple[str, str, str, str, str, int, list[str] | None, int]] = [
    ("W1", "2s", "pong 111z", "12388m 456789p", "DISCARD", 40, ["HARD_WIN"], 0),
    ("W2", "2s", "pong 111z", "12399m 456789p", "DISCARD", 40, None, 0),
    ("W3", "2s", "kong_concealed 1111z", "12388m 456789p", "SELF_DRAW", 40, None, 0),
    ("W4", "2s", "pong 111z", "1388m 3s 456789p", "SELF_DRAW", 40, ["SOFT_WIN"], 1),
    ("W5", "2s", "pong 111z", "12388m 345s 456p", "SELF_DRAW", 40, ["HARD_WIN"], 0),
    ("W6", "2s", "pong 111z", "12388m 3s 45689p", "SELF_DRAW", 40, ["SOFT_WIN"], 1),
    ("W7", "2s", "pong 111z", "1388m 33s 46789p", "SELF_DRAW", 40, None, 0),
    ("W8", "2s", "pong 111z", "1388m 33s 46789p", "KONG_SELF_DRAW", 40, ["SOFT_WIN", "FLOWER_ON_KONG"], 2),
    ("W9", "2s", "pong 111z", "1388m 33s 46789p", "SELF_DRAW", 3, ["SOFT_WIN", "LAST_TILE_WIN"], 2),
    ("W10", "2s", "pong 111z", "1388m 33s 46789p", "SELF_DRAW", 4, None, 0),
    ("W11", "2s", "pong 111z", "12388m 456p 555z", "SELF_DRAW", 40, None, 0),
    ("W12", "2s", "pong 111z", "12388m 123s 456p", "SELF_DRAW", 40, None, 0),
    ("W13", "4m", "pong 111z", "125m 88s 456789p", "SELF_DRAW", 40, ["SOFT_WIN"], 1),
    ("W14", "4s", "pong 111z", "123m 55s 456789p", "SELF_DRAW", 40, ["HARD_WIN"], 0),
    ("W15", "2s", "pong 111z", "1388m 3333s 456p", "SELF_DRAW", 40, ["SOFT_WIN"], 1),
    ("W16", "2s", "pong 111z", "1388m 333s 4679p", "KONG_SELF_DRAW", 40, None, 0),
    ("W17", "2s", "chow 234m, pong 777m", "11145699m", "DISCARD", 40, ["HARD_WIN", "PURE_FLUSH"], 0),
    ("W18", "2s", "chow 234m, pong 777m", "114699m 33s", "DISCARD", 40, ["SOFT_WIN", "PURE_FLUSH"], 2),
    (
        "W19",
        "2s",
        "pong 999m, kong_concealed 1111p",
        "444m 44666z",
        "SELF_DRAW",
        40,
        ["HARD_WIN", "PENG_PENG_HU"],
        0,
    ),
    ("W20", "2s", "chow 789m, kong_concealed 1111p", "444m 44666z", "SELF_DRAW", 40, None, 0),
    ("W21", "2s", "pong 666z, pong 111z", "12234477z", "DISCARD", 40, ["HARD_WIN", "ALL_WIND"], 0),
    ("W22", "2s", "pong 888m, pong 555p", "255m 58s 288p", "DISCARD", 40, ["HARD_WIN", "ALL_JIANG"], 0),
    (
        "W23",
        "2s",
        "chow 123m, pong 444p, kong_exposed 4444z, chow 678p",
        "55m",
        "DISCARD",
        40,
        ["HARD_WIN", "FULLY_MELDED"],
        0,
    ),
    (
        "W24",
        "2s",
        "chow 123m, pong 444p, kong_exposed 4444z, chow 678p",
        "55m",
        "SELF_DRAW",
        40,
        ["HARD_WIN"],
        0,
    ),
    (
        "W25",
        "2s",
        "chow 123m, pong 444p, kong_exposed 4444z, chow 678p",
        "5m 3s",
        "DISCARD",
        40,
        ["SOFT_WIN", "FULLY_MELDED"],
        1,
    ),
    ("W26", "2s", "chow 234m, pong 777m", "11145699m", "KONG_SELF_DRAW", 40, ["HARD_WIN", "PURE_FLUSH"], 0),
    ("W27", "4s", "chow 234m, pong 777m", "111456m 55s", "SELF_DRAW", 40, ["SOFT_WIN", "PURE_FLUSH"], 2),
]

_FOUR_OPEN = "chow 123m from 3, pong 444p from 2, kong_exposed 4444z from 1, chow 678p from 3"
_F7_LOSER = "pong 444z from 0, kong_concealed 6666m"
# Seat 1 of F12 and F13 after its discard: not ready, and ready for 5m
NOT_READY = "147m 258s 369p 1234z"
READY = "13m 456p 789p 88m"

# 12.5: all of winner 0, indicator 2s
SCORES: list[dict[str, Any]] = [
    {
        "id": "F1",
        "dealer": 2,
        "way": "SELF_DRAW",
        "melds": ["chow 123m from 3, pong 111z from 2"],
        "hand": "88m 456789p",
        "types": ["HARD_WIN"],
        "raw": [0, 16, 32, 16],
        "deltas": [64, -16, -32, -16],
    },
    {
        "id": "F2",
        "dealer": 2,
        "way": "SELF_DRAW",
        "melds": ["chow 123m from 3, pong 111z from 2"],
        "hand": "88m 3s 46789p",
        "types": ["SOFT_WIN"],
        "raw": [0, 8, 16, 8],
        "deltas": None,
    },
    {
        "id": "F3",
        "dealer": 2,
        "way": "DISCARD",
        "payer": 3,
        "melds": ["chow 123m from 3, pong 111z from 2"],
        "hand": "88m 456789p",
        "types": ["HARD_WIN"],
        "raw": [0, 8, 16, 16],
        "deltas": None,
    },
    {
        "id": "F4",
        "dealer": 2,
        "way": "DISCARD",
        "payer": 3,
        "melds": ["chow 123m from 3, pong 111z from 2"],
        "laid": ["5z"],
        "hand": "88m 456789p",
        "types": ["HARD_WIN"],
        "raw": [0, 16, 32, 32],
        "deltas": [80, -16, -32, -32],
    },
    {
        "id": "F5",
        "dealer": 0,
        "way": "SELF_DRAW",
        "melds": ["chow 123m from 3, pong 111z from 2", "pong 666z from 0"],
        "laid": ["", "", "3s", "1s"],
        "hand": "88m 456789p",
        "types": ["HARD_WIN"],
        "raw": [0, 64, 128, 64],
        "deltas": [256, -64, -128, -64],
    },
    {
        "id": "F6",
        "dealer": 3,
        "way": "SELF_DRAW",
        "melds": ["chow 123m from 3, pong 111z from 2", "pong 666z from 0", _F7_LOSER],
        "laid": ["3s", "5z"],
        "hand": "88m 456789p",
        "types": ["HARD_WIN"],
        "raw": [0, 256, 512, 128],
        "deltas": [684, -256, -300, -128],
    },
    {
        "id": "F7",
        "dealer": 3,
        "way": "SELF_DRAW",
        "melds": ["chow 123m from 3, pong 111z from 2", "pong 666z from 0", _F7_LOSER, "pong 777z from 1"],
        "laid": ["33s", "5z"],
        "hand": "88m 456789p",
        "types": ["HARD_WIN"],
        "raw": [0, 1024, 2048, 1024],
        "deltas": [1500, -500, -500, -500],
    },
    {
        "id": "F8",
        "dealer": 3,
        "way": "SELF_DRAW",
        "melds": ["pong 999m from 2, kong_exposed 1111p from 1"],
        "hand": "444m 44666z",
        "types": ["HARD_WIN", "PENG_PENG_HU"],
        "raw": [0, 240, 240, 240],
        "deltas": [720, -240, -240, -240],
    },
    {
        "id": "F9",
        "dealer": 3,
        "way": "DISCARD",
        "payer": 1,
        "melds": ["pong 999m from 2, pong 111p from 1"],
        "hand": "444m 3s 4466z",
        "types": ["SOFT_WIN", "PENG_PENG_HU"],
        "raw": [0, 60, 40, 40],
        "deltas": [140, -60, -40, -40],
    },
    {
        "id": "F10",
        "dealer": 3,
        "way": "KONG_SELF_DRAW",
        "melds": ["chow 234m from 3, pong 777m from 2"],
        "hand": "11145556m",
        "types": ["HARD_WIN", "PURE_FLUSH", "FLOWER_ON_KONG"],
        "raw": [0, 160, 160, 160],
        "deltas": [480, -160, -160, -160],
    },
    {
        "id": "F11",
        "dealer": 3,
        "way": "ROB_KONG",
        "payer": 1,
        "melds": ["pong 111z from 2", "pong 333m from 2"],
        "hand": "12388m 456789p",
        "types": ["HARD_WIN", "ROB_KONG"],
        "raw": [0, 80, 40, 40],
        "deltas": [160, -160, 0, 0],
        "contractor": 1,
    },
    {
        "id": "F12",
        "dealer": 3,
        "way": "DISCARD",
        "payer": 1,
        "melds": [_FOUR_OPEN],
        "hand": "55m",
        "payer_hand": NOT_READY,
        "types": ["HARD_WIN", "FULLY_MELDED"],
        "raw": [0, 960, 640, 640],
        "deltas": [1500, -1500, 0, 0],
        "contractor": 1,
    },
    {
        "id": "F13",
        "dealer": 3,
        "way": "DISCARD",
        "payer": 1,
        "melds": [_FOUR_OPEN, ""],
        "hand": "55m",
        "payer_hand": READY,
        "types": ["HARD_WIN", "FULLY_MELDED"],
        "raw": [0, 960, 640, 640],
        "deltas": [1500, -500, -500, -500],
    },
    {
        "id": "F14",
        "dealer": 3,
        "way": "SELF_DRAW",
        "melds": ["chow 234m from 3, pong 777m from 3, pong 111m from 2"],
        "hand": "45699m",
        "types": ["HARD_WIN", "PURE_FLUSH"],
        "raw": [0, 240, 240, 240],
        "deltas": [720, 0, -720, 0],
        "contractor": 2,
    },
    {
        "id": "F15",
        "dealer": 3,
        "way": "SELF_DRAW",
        "melds": ["kong_supplement 1111z from 2, kong_exposed 4444z from 1, kong_concealed 6666m"],
        "hand": "88m 456p",
        "types": ["HARD_WIN"],
        "raw": [0, 256, 256, 512],
        "deltas": [812, -256, -256, -300],
    },
]


def partial(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of 12.3 as a partial position; the dealer is seat 3."""
    state: dict[str, Any] = {
        "partial": True,
        "dealer": 3,
        "indicator": 10,
        "phase": row.get("phase", "PLAYER_DECISION"),
        "current": 0,
        "hands": [ids(row["hand"]), None, None, None],
        "melds": [melds(row.get("melds", "")), [], [], []],
        "wall": row.get("wall", 40),
        "win_way": "SELF_DRAW" if "phase" not in row else None,
    }
    if "discard" in row:
        tile, seat = ids(row["discard"][0])[0], row["discard"][1]
        state["last_discard"] = [tile, seat]
        state["rivers"] = [[tile] if k == seat else [] for k in range(4)]
    if "rob" in row:
        state["rob_tile"] = [ids(row["rob"][0])[0], row["rob"][1]]
        state["melds"][1] = melds("pong 333m from 2", 1)
    return state


def whole(row: dict[str, Any]) -> dict[str, Any]:
    """Return the same, completed to 136 tiles with no other seat having a claim."""
    state = partial(row)
    del state["partial"]
    if "rob" in row:
        state["hands"][1] = ids("3m 479s 258p 2467z")
    return complete(state)
