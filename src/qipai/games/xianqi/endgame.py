"""A reduced Xianqi, small enough for exact solutions: the last two rounds, with a deck of six pieces.

Six rounds have been played face up in the same way every time: each seat has won two pillars, seat 0 leads,
and everybody knows which six pieces are left: a red and a black shi, two red ma, two black niu. They are
dealt at random, two to a seat. Everything after that is Xianqi's own rules with its default options, so that
states, records and digests of the whole game are unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np

from qipai.core import Game, rule, shuffle
from qipai.core import State as Record

from . import GAME as WHOLE
from .rules import _clear, apply, start
from .state import (
    B_CHE,
    B_GOU,
    B_MA,
    B_NIU,
    B_SHI,
    B_XIANG,
    CARDS,
    EDGES,
    INIT,
    PLAY_TYPE,
    R_CHE,
    R_GOU,
    R_MA,
    R_NIU,
    R_SHI,
    R_XIANG,
    SEATS,
    SETTLEMENT,
    TYPES,
)

LEFT = np.array([R_SHI, B_SHI, R_MA, R_MA, B_NIU, B_NIU], np.int8)  # the small deck
# The pieces of six rounds, in the order of play: each one beats the last, so that the third seat wins.
_PIECES = (
    (R_GOU, B_MA, R_XIANG),
    (B_GOU, B_MA, R_XIANG),
    (R_NIU, R_CHE, B_XIANG),
    (R_NIU, R_CHE, B_XIANG),
    (R_NIU, B_CHE, R_SHI),
    (B_NIU, B_CHE, B_SHI),
)
_SINGLES = PLAY_TYPE[:TYPES].tolist()  # by single play: its type
LINE = np.array([_SINGLES.index(piece) for played in _PIECES for piece in played], np.int8)
_OPENERS = (0, 2, 1, 0, 2, 1)
PLAYED = np.zeros((SEATS, TYPES), np.int8)  # what each seat was dealt and has played
for _opener, _played in zip(_OPENERS, _PIECES, strict=True):
    for _turn, _piece in enumerate(_played):
        PLAYED[(_opener + _turn) % SEATS, _piece] += 1


@rule
def deal(s):  # type: ignore[no-untyped-def]
    """Deal the small deck, and play the six rounds."""
    for i in range(6):
        s.deck[i] = LEFT[i]
    shuffle(s, s.deck[:], 6)
    for seat in range(SEATS):
        for t in range(TYPES):
            s.hand[seat, t] = PLAYED[seat, t]
        s.hand[seat, s.deck[2 * seat]] += 1
        s.hand[seat, s.deck[2 * seat + 1]] += 1
    for i in range(6):
        s.deck[i] = 0
    _clear(s)
    s.first = 0
    start(s)
    for i in range(18):
        apply(s, int(LINE[i]))
    s.ply = 0


def chance(s: Record) -> list[tuple[int, Mapping[str, Any]]]:
    """Return every deal of the small deck, with its weight."""
    found: dict[tuple[tuple[int, ...], ...], int] = {}
    for order in permutations(LEFT.tolist()):
        hands = tuple(tuple(sorted(order[2 * seat : 2 * seat + 2])) for seat in range(SEATS))
        found[hands] = found.get(hands, 0) + 1
    return [
        (weight, {"hands": _hands(hands), "first": 0, "actions": LINE.tolist()})
        for hands, weight in found.items()
    ]


def _hands(hands: tuple[tuple[int, ...], ...]) -> list[dict[str, int]]:
    """Return the hands that were dealt, as a layout has them."""
    dealt = PLAYED.copy()
    for seat, hand in enumerate(hands):
        for piece in hand:
            dealt[seat, piece] += 1
    return [{CARDS[t]: int(n) for t, n in enumerate(row) if n} for row in dealt]


_EDGES = tuple(edge for edge in EDGES if edge != (INIT, SETTLEMENT))  # no hand is black

GAME = Game(
    name="xianqi_endgame",
    rules=replace(WHOLE.rules, deal=deal, options=(), chance=chance, edges=_EDGES),
    words=WHOLE.words,
    checks=replace(WHOLE.checks, examples=(), twins=(), run_vector=None),
)
