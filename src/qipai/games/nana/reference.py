"""NANA: the deal that the spec pins (§2.5), by Python's `random.Random`.

Simulation uses the core's generator; APIs that take a seed deal with this one and
pass the cards as a custom deal.
"""

from __future__ import annotations

import random
from typing import Any

from qipai.core.errors import BadSeats, BadSeed

from .state import COPIES, DEALT_HAND, SEATS, TOP


def seeded_deal(players: int, seed: int) -> dict[str, Any]:
    """Return `{"hands", "centre"}` for a table of `players`, the same for the same seed everywhere."""
    if not isinstance(players, int) or isinstance(players, bool) or not 2 <= players <= SEATS:
        raise BadSeats(f"nana is played by 2 to {SEATS} seats, not {players!r}"[:80])
    if not isinstance(seed, int) or isinstance(seed, bool) or abs(seed) >= 1 << 256:
        raise BadSeed("a seed must be a whole number below 2^256")
    deck = [n for n in range(1, int(TOP[players]) + 1) for _ in range(COPIES)]
    random.Random(seed).shuffle(deck)
    size = int(DEALT_HAND[players])
    hands = [sorted(deck[k * size : (k + 1) * size]) for k in range(players)]
    return {"hands": hands, "centre": deck[players * size :]}
