"""Positions for rare edges and for documentation, and pairs that look the same to a seat."""

from __future__ import annotations

from typing import Any

from qipai.core import Example, Twins

from .state import DISCARD, KEEP

EMPTY = ".. .. .. .. .. .."
# §6.3: a chain of three
CHAIN_3 = [EMPTY] * 7 + [
    ".. zE .. .. .. ..",
    ".. s1 .. .. .. ..",
    ".. s2 .. .. .. ..",
    "zS s3 p9 .. .. ..",
    "zP s4 zF p1 p2 p3",
]
_READY: dict[str, Any] = {
    "board": [EMPTY] * 11 + ["m1 m2 m3 .. p1 p2"],
    "pair": "m4 p3",
    "deck": "s1 s2",
}

EXAMPLES = (
    Example(
        "a chain of three, and its twelve tiles allocated",
        {"phase": "chain", "board": CHAIN_3},
        (KEEP,) * 12,
    ),
    Example(
        "four of a suit clear; the list is kept; the last pair ends it",
        _READY,
        (12, KEEP, KEEP, KEEP, KEEP, 0),
    ),
    Example("the same, all discarded", _READY, (12, DISCARD, DISCARD, DISCARD, DISCARD, 0)),
    Example("a deck of three tiles: one pair, one tile unused", {"deck": "m1 p1 s1"}, (8,)),
    Example("nothing to play", {"deck": "m1"}),
)

_FIRST = "m1 p1 s1 zE"
_REST = "m2 m3 p2 p3 s2 s3 zS zW"
_BEHIND = "zW p3 s2 p2 zS s3"
_OTHER = "zW m3 p2 s3 p3 m2 s2 zS"

TWINS = tuple(
    Twins(
        f"the order behind NEXT, as {who} sees it",
        seat,
        {"deck": f"{_FIRST} {_REST}"},
        {"deck": f"{_FIRST} {_OTHER}"},
    )
    for who, seat in (("the seat", 0), ("a watcher", -1))
) + (
    Twins(
        "the order behind two NEXT pairs",
        0,
        {"deck": f"{_FIRST} m2 m3 {_REST[6:]}"},
        {"deck": f"{_FIRST} m2 m3 {_BEHIND}"},
        {"next_pairs": 2},
    ),
    Twins(
        "the same in the middle of an allocation",
        0,
        {"phase": "alloc", "collected": "m1 m2 m3 m4", "deck": f"p1 s1 {_REST.replace('m2 m3 ', '')}"},
        {
            "phase": "alloc",
            "collected": "m1 m2 m3 m4",
            "deck": f"p1 s1 {_OTHER.replace('m3 ', '').replace('m2 ', '')}",
        },
    ),
)
