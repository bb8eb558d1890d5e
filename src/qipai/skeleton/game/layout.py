"""Skeleton: custom deals, what the next hand inherits, and what is conserved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qipai.core import State
from qipai.core.errors import BadLayout

from .state import CARDS, DEALT, HAND, PRIZE, SEATS, STOCK, WON


def lay_out(s: State, layout: Mapping[str, Any]) -> None:
    """Set up a deal: `hands`, six cards (0..15) per seat, and `first`, the seat that acts first."""
    if set(layout) != {"hands", "first"}:
        raise BadLayout("a layout has the keys hands and first")
    hands, first = layout["hands"], layout["first"]
    if not isinstance(first, int) or isinstance(first, bool) or not 0 <= first < SEATS:
        raise BadLayout("first is a seat")
    if not isinstance(hands, list) or len(hands) != SEATS:
        raise BadLayout(f"hands are {SEATS} lists of cards")
    seen: set[int] = set()
    for hand in hands:
        if not isinstance(hand, list) or len(hand) != DEALT:
            raise BadLayout(f"a hand must be a list of {DEALT} cards")
        for card in hand:
            if not isinstance(card, int) or isinstance(card, bool) or not 0 <= card < CARDS:
                raise BadLayout(f"a card must be a whole number from 0 to {CARDS - 1}")
            seen.add(card)
    if len(seen) != SEATS * DEALT:
        raise BadLayout("a card is dealt twice")
    s["where"][:] = STOCK
    for seat, hand in enumerate(hands):
        s["where"][hand] = HAND + seat
    s["first"] = first


def successor(s: State) -> dict[str, Any]:
    """Return who acts first in the next hand: the seat that lost; after a draw it is random."""
    low = int(s["payoff"].argmin())
    return {"first_seat": low if s["payoff"][low] < 0 else -1}


def pieces(s: State) -> list[int]:
    """Return what is conserved: six cards of each seat, wherever they are, and the stock."""
    owner = {STOCK: 2, PRIZE: 2, WON: 2, WON + 1: 2}
    count = [0, 0, 0]
    for place in s["where"].tolist():
        count[owner.get(place, place % 2)] += 1
    return count
