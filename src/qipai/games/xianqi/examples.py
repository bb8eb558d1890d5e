"""Xianqi: example positions for rare edges, and pairs that look the same to a seat."""

from __future__ import annotations

from qipai.core import Example, Twins

from .text import parse

# Seat 0 has the shi, seat 1 pairs, seat 2 the niu: a plain deal for demonstrations.
_HANDS = (
    {"R_SHI": 2, "B_SHI": 2, "R_MA": 2, "R_NIU": 2},
    {"R_XIANG": 1, "B_MA": 2, "R_CHE": 2, "B_CHE": 2, "R_GOU": 1},
    {"R_XIANG": 1, "B_XIANG": 2, "B_GOU": 1, "R_NIU": 1, "B_NIU": 3},
)
_BLACK = (
    {"R_SHI": 2, "B_SHI": 2, "R_XIANG": 2, "R_MA": 2},
    {"B_XIANG": 2, "B_MA": 2, "R_CHE": 2, "B_CHE": 2},
    {"R_GOU": 1, "B_GOU": 1, "R_NIU": 3, "B_NIU": 3},
)
_PAIR = ["RS2", "under BC", "under BC", "under BN", "under BN"]  # a pair that both others cover

EXAMPLES = (
    Example("a black hand: the game is settled before the first action", {"hands": _BLACK, "first": 0}),
    Example(
        "two pairs of shi make four pillars; a buckle that nobody reveals ends it",
        {"hands": _HANDS, "first": 0, "actions": _PAIR},
        tuple(map(parse, ["buckle", "pass", "pass"])),
    ),
    Example(
        "a reveal: the buckler must lead, and may not buckle again",
        {"hands": _HANDS, "first": 0, "actions": _PAIR},
        tuple(map(parse, ["buckle", "pass", "reveal", "BS2", "under BM", "under RC"])),
    ),
)

# Seat 0 has seen two covers; neither it nor a watcher may know the cards.
_OTHER = [
    {"R_SHI": 2, "B_SHI": 2, "R_MA": 2, "R_NIU": 2},
    {"R_XIANG": 1, "B_XIANG": 1, "B_MA": 1, "R_CHE": 1, "B_CHE": 1, "R_GOU": 1, "B_NIU": 2},
    {"R_XIANG": 1, "B_XIANG": 1, "B_MA": 1, "R_CHE": 1, "B_CHE": 1, "B_GOU": 1, "R_NIU": 1, "B_NIU": 1},
]
TWINS = tuple(
    Twins(
        f"other hands and covers, as {who} sees them",
        seat,
        {"hands": _HANDS, "first": 0, "actions": _PAIR},
        {
            "hands": _OTHER,
            "first": 0,
            "actions": ["RS2", "under BM", "under BN", "under RX", "under BN"],
        },
    )
    for who, seat in (("seat 0", 0), ("a watcher", -1))
) + (
    Twins(
        "the first card of an unfinished cover, as the next seat sees it",
        2,
        {"hands": _HANDS, "first": 0, "actions": ["RS2", "under BM"]},
        {"hands": _HANDS, "first": 0, "actions": ["RS2"]},
    ),
)
