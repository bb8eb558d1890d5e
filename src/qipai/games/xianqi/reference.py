"""Xianqi: the deal that §3 pins to Python's `random.Random`, so that a seed means the same everywhere."""

from __future__ import annotations

import secrets
from random import Random
from typing import Any

from . import rules as r
from .combos import CardCounts, blank, is_int
from .refusals import config_error
from .ruleset import DEFAULTS
from .view import CARDS

Hands = list[CardCounts]

DECK = [code for code, copies in zip(CARDS, r.COPIES.tolist(), strict=True) for _ in range(copies)]


def deal(seed: int) -> tuple[Hands, int]:
    """Three hands and the first seat drawn, from one seed."""
    rng = Random(seed)
    deck = list(DECK)
    rng.shuffle(deck)
    hands: Hands = []
    for seat in range(r.SEATS):
        mine = deck[seat :: r.SEATS]
        hands.append({code: mine.count(code) for code in CARDS if code in mine})
    return hands, rng.randint(0, r.SEATS - 1)


def deal_playable(seed: int) -> tuple[Hands, int]:
    """The first deal of seed, seed + 1, ... in which no hand is black."""
    while True:
        hands, first = deal(seed)
        if not is_black(hands):
            return hands, first
        seed += 1


def is_black(hands: Hands) -> bool:
    """What the rules say of these hands: does one hold neither shi nor xiang?"""
    s = blank(DEFAULTS)
    s["hand"] = [[hand.get(code, 0) for code in CARDS] for hand in hands]
    return bool(r.is_black(s))


def read_seed(given: Any) -> int:
    """The seed given, or one from the operating system's random source."""
    if given is None:
        return secrets.randbits(256)
    if not is_int(given):
        raise config_error("rng_seed is a whole number or null")
    return int(given)
