"""Wuhan mahjong: positions in shorthand, completed to 136 tiles; examples for rare edges; twins.

`complete` fills the gaps of a position in one fixed way: unmentioned hands get single
tiles that claim nothing, the wall gets the special tiles, rivers get what does not fit in the wall.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from qipai.core import Example, Twins

from .claims import kind_after, kind_before
from .errors import BadPosition
from .layout import Layout
from .tiles import (
    CHOW,
    CONCEALED,
    COPIES,
    DEALT,
    EXPOSED,
    HONOURS,
    KINDS,
    KONG_RED,
    NORTH,
    PASS,
    PONG,
    RED,
    SEATS,
    SUPPLEMENT,
    WALL,
    WIN,
)

SUITS = {"m": 0, "s": 9, "p": 18, "z": 27}


def ids(text: str) -> list[int]:
    """Return tiles in shorthand (`123m 55s 6z`) as ids, ascending."""
    if not re.fullmatch(r"(\s*\d+[mspz])*\s*", text):
        raise BadPosition(f"{text[:40]!r} is not a row of tiles such as 123m 55s 6z")
    return sorted(
        SUITS[suit] + int(r) - 1 for ranks, suit in re.findall(r"(\d+)([mspz])", text) for r in ranks
    )


def melds(text: str, owner: int) -> list[dict[str, Any]]:
    """Return melds in shorthand, separated by commas: `pong 111z from 2, chow 123m`."""
    found = []
    for part in filter(None, (p.strip() for p in text.split(","))):
        kind, tiles, *source = part.replace("from ", "").split()
        upper = owner if kind == "kong_concealed" else (owner - 1) % SEATS
        found.append({"type": kind.upper(), "tiles": ids(tiles), "from": int(source[0]) if source else upper})
    return found


def complete(layout: Layout) -> dict[str, Any]:
    """Return a whole position from one with hands that are None and a wall that is a number or missing."""
    indicator = layout["indicator"]
    kind = NORTH if indicator == RED else indicator
    special = {RED, int(kind_after(kind)), kind, int(kind_before(kind))}
    given: list[list[int] | None] = list(layout.get("hands", [None] * SEATS))
    rows = layout.get("melds", [[]] * SEATS)
    laid = layout.get("special_kongs", [[]] * SEATS)
    rivers = [list(r) for r in layout.get("rivers", [[]] * SEATS)]
    left = [COPIES] * KINDS
    for t in [indicator, *_flat(laid), *_flat(rivers), *_flat(g for g in given if g is not None)]:
        left[t] -= 1
    for t in (t for row in rows for meld in row for t in meld["tiles"]):
        left[t] -= 1
    if min(left) < 0:
        raise BadPosition(f"tile {left.index(min(left))} is there more than {COPIES} times")
    near = _near(layout)
    hands = []
    for seat in range(SEATS):
        held = given[seat]
        if held is None:
            size = DEALT - 3 * len(rows[seat]) + _extra(layout, seat)
            free = [t for t in range(KINDS) if left[t] > 0 and t not in special and t not in near]
            held = sorted(sorted(free, key=lambda t: (-left[t], (t * 11 + seat * 7) % 37))[:size])
            for t in held:
                left[t] -= 1
        hands.append(list(held))
    wall, rivers = _spread(left, special, layout.get("wall", WALL), rivers, layout.get("last_discard"))
    return {**layout, "hands": hands, "wall": wall, "rivers": rivers, "melds": rows, "special_kongs": laid}


def _flat(rows: Any) -> list[int]:
    return [t for row in rows for t in row]


def _near(layout: Layout) -> set[int]:
    """Return the kinds that could claim the tile of a window, or make a run with it."""
    claimed = layout.get("last_discard") or layout.get("rob_tile")
    if not claimed:
        return set()
    return {t for t in range(claimed[0] - 2, claimed[0] + 3) if 0 <= t < KINDS}


def _extra(layout: Layout, seat: int) -> int:
    """Return 1 for the seat that holds one tile more than the others."""
    if layout["phase"] == "WAIT_ROB_KONG":
        return int(layout["rob_tile"][1] == seat)
    return int(layout["phase"] != "WAITING_RESPONSE" and layout["current"] == seat)


def _spread(
    left: list[int], special: set[int], wall: Any, rivers: list[list[int]], last: Any
) -> tuple[list[int], list[list[int]]]:
    """Put the remaining tiles into the wall (special tiles first), then in front of the rivers' own tiles."""
    if isinstance(wall, list):
        for t in wall:
            left[t] -= 1
    rest = sorted(
        (t for t in range(KINDS) for _ in range(left[t])), key=lambda t: (t not in special, t * 7 % 34)
    )
    size = 0 if isinstance(wall, list) else min(wall, WALL)
    drawn, surplus = rest[:size], rest[size:]
    drawn = wall if isinstance(wall, list) else drawn[1::2] + drawn[0::2]
    for i, t in enumerate(surplus):
        rivers[i % SEATS].insert(0, t)
    if last and (not rivers[last[1]] or rivers[last[1]][-1] != last[0]):
        raise BadPosition("the last discard lies at the end of its seat's river")
    return drawn, rivers


def position(
    phase: str,
    current: int,
    hands: Mapping[int, str],
    rows: Mapping[int, str] | None = None,
    *,
    indicator: str = "2s",
    dealer: int = 3,
    laid: Mapping[int, str] | None = None,
    wall: int | list[int] = 40,
    **more: Any,
) -> dict[str, Any]:
    """Return a complete position from shorthand."""
    found: dict[str, Any] = {
        "dealer": dealer,
        "indicator": ids(indicator)[0],
        "phase": phase,
        "current": current,
        "hands": [ids(hands[k]) if k in hands else None for k in range(SEATS)],
        "melds": [melds((rows or {}).get(k, ""), k) for k in range(SEATS)],
        "special_kongs": [ids((laid or {}).get(k, "")) for k in range(SEATS)],
        "wall": wall,
        "win_way": "SELF_DRAW" if phase == "PLAYER_DECISION" else None,
        **more,
    }
    if "last_discard" in more:
        tile, seat = more["last_discard"]
        found.setdefault("rivers", [[tile] if k == seat else [] for k in range(SEATS)])
    return complete(found)


P3 = ids("3m")[0]
P4 = ids("4p")[0]
_OPEN = {0: "chow 123m from 3, pong 111z from 2"}
_ROBBED = {0: "pong 111z from 2", 1: "pong 333m from 2"}
_ROB = position("PLAYER_DECISION", 1, {0: "1288m 456789p", 1: "3m 479s 258p 2467z"}, _ROBBED, wall=45)
_TWO_ROBBERS = position(
    "PLAYER_DECISION",
    1,
    {0: "1288m 456789p", 1: "3m 479s 258p 2467z", 2: "12m 55s 456789p"},
    {**_ROBBED, 2: "pong 333z from 0"},
    wall=40,
)

EXAMPLES = (
    Example(
        "a self-drawn win worth the minimum (M6)",
        position("PLAYER_DECISION", 0, {0: "88m 456789p"}, _OPEN),
        (WIN,),
    ),
    Example("a supplement kong is robbed (M16)", _ROB, (SUPPLEMENT + P3, WIN)),
    Example("a supplement kong is not robbed (M16)", _ROB, (SUPPLEMENT + P3, PASS)),
    Example("two seats could rob: the second does", _TWO_ROBBERS, (SUPPLEMENT + P3, PASS, WIN)),
    Example(
        "a win on a discard (M15)",
        position(
            "WAITING_RESPONSE",
            0,
            {0: "88m 45p"},
            {0: "chow 123m, pong 111z from 2, pong 444z from 1"},
            last_discard=[ids("6p")[0], 2],
            wall=50,
        ),
        (WIN,),
    ),
    Example(
        "pong outranks chow (G3)",
        position(
            "WAITING_RESPONSE",
            1,
            {1: "17m 59s 235p 123467z", 2: "258m 369s 44p 12346z"},
            last_discard=[P4, 0],
            wall=60,
        ),
        (CHOW + 1, PONG),
    ),
    Example(
        "an exposed kong, drawn for from the tail",
        position("WAITING_RESPONSE", 0, {0: "179m 579s 444p 2467z"}, last_discard=[P4, 2], wall=60),
        (EXPOSED,),
    ),
    Example(
        "a kong with an empty wall is a flow draw (G6)",
        position(
            "MELD_DECISION",
            0,
            {0: "2s 5z"},
            {0: "pong 555m from 1, chow 456p, pong 111z from 2, pong 444z from 3"},
            wall=0,
        ),
        (KONG_RED,),
    ),
    Example(
        "a concealed kong right after a pong (M9)",
        position("MELD_DECISION", 0, {0: "44445m 13s 5z"}, {0: "pong 555m from 1, chow 456p"}),
        (CONCEALED + 3,),
    ),
)

_WINDOW: dict[str, Any] = {"last_discard": [P4, 0], "wall": WALL}
TWINS = (
    Twins(
        "hands of the others and the wall",
        0,
        position("PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z", 1: "1359m 147s 258p 146z"}, wall=82),
        position("PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z", 1: "359m 1147s 258p 346z"}, wall=82),
    ),
    Twins(
        "the tile of another seat's concealed kong",
        0,
        position("PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z"}, {2: "kong_concealed 9999m"}, wall=81),
        position("PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z"}, {2: "kong_concealed 6666p"}, wall=81),
    ),
    Twins(
        "who is asked about a discard",
        0,
        position("WAITING_RESPONSE", 1, {0: "2247m 569s 138p 247z", 1: "17m 59s 235p 123467z"}, **_WINDOW),
        position("WAITING_RESPONSE", 2, {0: "2247m 569s 138p 247z", 2: "258m 369s 44p 12346z"}, **_WINDOW),
    ),
    Twins(
        "what an earlier responder has answered",
        2,
        position(
            "WAITING_RESPONSE",
            2,
            {1: "17m 59s 235p 123467z", 2: "258m 369s 44p 12346z"},
            answers=[[1, CHOW + 1]],
            **_WINDOW,
        ),
        position(
            "WAITING_RESPONSE",
            2,
            {1: "17m 59s 235p 123467z", 2: "258m 369s 44p 12346z"},
            answers=[[1, PASS]],
            **_WINDOW,
        ),
    ),
)
assert SUITS["z"] == HONOURS
