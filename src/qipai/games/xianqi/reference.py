"""Xianqi: the deal of a seed, pinned to Python's `random.Random` (§3 of the specification)."""

from __future__ import annotations

from random import Random

from qipai.core import compile_rules, new_state

from . import rules
from .state import CARDS, COPIES, SEATS, State

Hand = dict[str, int]  # type code -> count

DECK = [code for code, copies in zip(CARDS, COPIES.tolist(), strict=True) for _ in range(copies)]


def deal(seed: int) -> tuple[list[Hand], int]:
    """Return the three hands and the first seat of `seed`."""
    rng = Random(seed)
    deck = list(DECK)
    rng.shuffle(deck)
    hands = []
    for seat in range(SEATS):
        mine = deck[seat::SEATS]
        hands.append({code: mine.count(code) for code in CARDS if code in mine})
    return hands, rng.randint(0, SEATS - 1)


def deal_playable(seed: int) -> tuple[list[Hand], int]:
    """Return the first deal of seed, seed + 1, ... in which no hand is black."""
    while True:
        hands, first = deal(seed)
        if not is_black(hands):
            return hands, first
        seed += 1


def is_black(hands: list[Hand]) -> bool:
    """Return whether one of the hands has neither shi nor xiang, according to the rules."""
    compile_rules([rules.is_black], State, "xianqi/reference")
    s = new_state(State)
    s["hand"] = [[hand.get(code, 0) for code in CARDS] for hand in hands]
    return bool(rules.is_black(s))
