"""Xianqi: custom deals and positions, the examples and the pairs that a seat cannot tell apart.

A layout is `{"hands": [map, map, map], "first": seat, "actions": [...]}`: the dealt hands
as type -> count, who opens, and the actions that led from there to the position (as
numbers or text), which makes every layout a reachable position.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from qipai.core import NOBODY, Example, State, Twins
from qipai.core.errors import BadLayout, BadText

from . import rules
from .text import parse
from .view import CARDS

KEYS = ("hands", "first", "actions")


def lay_out(s: State, layout: Mapping[str, Any]) -> None:
    """Fill `s` with a checked deal and play its actions."""
    unknown = [k for k in layout if k not in KEYS]
    if unknown:
        raise BadLayout(f"a layout has the keys {', '.join(KEYS)}, not {str(unknown[0])[:40]!r}")
    hands = _hands(layout.get("hands"))
    first = layout.get("first", 0)
    if not isinstance(first, int) or isinstance(first, bool) or not 0 <= first < rules.SEATS:
        raise BadLayout("'first' is a seat: 0, 1 or 2")
    actions = _actions(layout.get("actions", ()))
    rules._clear(s)
    s["hand"][:] = hands
    s["first"] = first
    if actions:
        rules.start(s)
        _play(s, actions)
        s["ply"] = 0


def pieces(s: State) -> list[int]:
    """Cards of each type, wherever they lie; always the deck."""
    count = s["hand"].sum(axis=0) + s["shown"]
    for packed in s["under"].ravel().tolist():
        while packed:
            count[(packed & 15) - 1] += 1
            packed >>= 4
    return [int(n) for n in count]


def _hands(given: Any) -> np.ndarray[Any, Any]:
    if not isinstance(given, list | tuple) or len(given) != rules.SEATS:
        raise BadLayout("'hands' is a list of three hands")
    hands = np.zeros((rules.SEATS, rules.TYPES), np.int8)
    for seat, hand in enumerate(given):
        if not isinstance(hand, Mapping):
            raise BadLayout(f"hand {seat} maps card types to counts")
        for code, n in hand.items():
            if code not in CARDS:
                raise BadLayout(f"hand {seat}: unknown card type {str(code)[:20]!r}")
            if not isinstance(n, int) or isinstance(n, bool) or not 0 <= n <= 3:
                raise BadLayout(f"hand {seat}: the count of {code} is a whole number from 0 to 3")
            hands[seat, CARDS.index(code)] = n
        if hands[seat].sum() != rules.DEALT:
            raise BadLayout(f"hand {seat} holds {int(hands[seat].sum())} cards, not {rules.DEALT}")
    for t, n in enumerate(hands.sum(axis=0)):
        if n != rules.COPIES[t]:
            raise BadLayout(f"there are {int(rules.COPIES[t])} {CARDS[t]} in the deck, not {int(n)}")
    return hands


def _actions(given: Any) -> list[int]:
    if not isinstance(given, list | tuple) or len(given) > 64:
        raise BadLayout("'actions' is a list of at most 64 actions")
    found = []
    for action in given:
        if isinstance(action, str):
            try:
                action = parse(action)
            except BadText as error:
                raise BadLayout(str(error)) from error
        if not isinstance(action, int) or isinstance(action, bool) or not 0 <= action < rules.ACTIONS:
            raise BadLayout(f"an action is a number below {rules.ACTIONS} or its text")
        found.append(action)
    return found


def _play(s: State, actions: list[int]) -> None:
    mask = np.zeros(rules.ACTIONS, np.uint8)
    for i, action in enumerate(actions):
        if s["seat"] == NOBODY:
            raise BadLayout(f"action {i} comes after the end")
        rules.legal(s, mask)
        if not mask[action]:
            raise BadLayout(f"action {i} ({action}) is not legal there")
        rules.apply(s, action)


def successor(s: State) -> dict[str, Any]:
    """The limits of the first game at a table are for that game alone."""
    return {"first_game_limits": "off"} if s["first_game_limits"] else {}


# Seat 0 has the shi, seat 1 pairs, seat 2 the niu: a plain deal to show things with.
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

# Seat 0 has seen two covers; which cards they were is not for it, nor for a watcher.
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
