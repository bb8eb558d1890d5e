"""Xianqi: custom deals and positions.

A layout is `{"hands": [map, map, map], "first": seat, "actions": [...]}`: the dealt hands
as type -> count, who opens, and the actions that led from there to the position (as
numbers or text), which makes every layout a reachable position.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from qipai.core import NOBODY, State
from qipai.core.errors import BadLayout, BadText

from . import rules
from .state import ACTIONS, CARDS, COPIES, DEALT, SEATS, TYPES
from .text import parse

KEYS = ("hands", "first", "actions")


def lay_out(s: State, layout: Mapping[str, Any]) -> None:
    """Fill `s` with a checked deal and play its actions."""
    unknown = [k for k in layout if k not in KEYS]
    if unknown:
        raise BadLayout(f"a layout has the keys {', '.join(KEYS)}, not {str(unknown[0])[:40]!r}")
    hands = _hands(layout.get("hands"))
    first = layout.get("first", 0)
    if not isinstance(first, int) or isinstance(first, bool) or not 0 <= first < SEATS:
        raise BadLayout("'first' is a seat: 0, 1 or 2")
    actions = _actions(layout.get("actions", ()))
    rules._clear(s)
    s["hand"][:] = hands
    s["first"] = first
    if actions:
        rules.start(s)
        _play(s, actions)
        s["ply"] = 0


def successor(s: State) -> dict[str, Any]:
    """Return the options of the next hand: the limits of a table's first hand only apply to that hand."""
    return {"first_game_limits": "off"} if s["first_game_limits"] else {}


def pieces(s: State) -> list[int]:
    """Return the number of cards of each type, wherever they are: always the deck."""
    count = s["hand"].sum(axis=0) + s["shown"]
    for packed in s["under"].ravel().tolist():
        while packed:
            count[(packed & 15) - 1] += 1
            packed >>= 4
    return [int(n) for n in count]


def _hands(given: Any) -> np.ndarray[Any, Any]:
    if not isinstance(given, list | tuple) or len(given) != SEATS:
        raise BadLayout("'hands' must be a list of three hands")
    hands = np.zeros((SEATS, TYPES), np.int8)
    for seat, hand in enumerate(given):
        if not isinstance(hand, Mapping):
            raise BadLayout(f"hand {seat} must map card types to counts")
        for code, n in hand.items():
            if code not in CARDS:
                raise BadLayout(f"hand {seat}: unknown card type {str(code)[:20]!r}")
            if not isinstance(n, int) or isinstance(n, bool) or not 0 <= n <= 3:
                raise BadLayout(f"hand {seat}: the count of {code} must be a whole number from 0 to 3")
            hands[seat, CARDS.index(code)] = n
        if hands[seat].sum() != DEALT:
            raise BadLayout(f"hand {seat} holds {int(hands[seat].sum())} cards, not {DEALT}")
    for t, n in enumerate(hands.sum(axis=0)):
        if n != COPIES[t]:
            raise BadLayout(f"there are {int(COPIES[t])} {CARDS[t]} in the deck, not {int(n)}")
    return hands


def _actions(given: Any) -> list[int]:
    if not isinstance(given, list | tuple) or len(given) > 64:
        raise BadLayout("'actions' must be a list of at most 64 actions")
    found = []
    for action in given:
        if isinstance(action, str):
            try:
                action = parse(action)
            except BadText as error:
                raise BadLayout(str(error)) from error
        if not isinstance(action, int) or isinstance(action, bool) or not 0 <= action < ACTIONS:
            raise BadLayout(f"an action must be a number below {ACTIONS} or its text")
        found.append(action)
    return found


def _play(s: State, actions: list[int]) -> None:
    mask = np.zeros(ACTIONS, np.uint8)
    for i, action in enumerate(actions):
        if s["seat"] == NOBODY:
            raise BadLayout(f"action {i} comes after the end")
        rules.legal(s, mask)
        if not mask[action]:
            raise BadLayout(f"action {i} ({action}) is not legal there")
        rules.apply(s, action)
