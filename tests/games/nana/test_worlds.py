"""The counted deals are as many as a listing finds."""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np
import pytest

from qipai.core import compile_rules
from qipai.games.nana import GAME, worlds
from qipai.games.nana.state import COPIES, SEATS
from tests.games.nana.tables import facts_for, random_states
from tests.naive.nana import deals

SMALL: list[dict[str, Any]] = [
    {"hands": [[1, 2, 3], [1, 2, 3], [1, 3]], "centre": [2]},
    {"hands": [[2], [1, 2, 2, 3], [1, 3]], "centre": [1, 3]},
]


def tables(s: Any, seat: int) -> tuple[Any, ...]:
    """Return the arrays of `worlds` for what `seat` knows, with the number of hands and of fill states."""
    GAME.compile()
    compile_rules(
        [worlds.gather, worlds.table_size, worlds.backward, worlds.forward], GAME.rules.State, "worlds"
    )
    hands = np.zeros((SEATS, worlds.COLUMNS), np.int64)
    known = np.zeros((SEATS, worlds.ENDS), np.int64)
    rest = np.zeros(worlds.ENDS, np.int64)
    k, d = np.zeros((2, SEATS), np.int64)
    count = int(worlds.gather(s, seat, 0, hands, known, rest))
    return hands, count, known, rest, k, d, int(worlds.table_size(hands, count))


@pytest.mark.parametrize("layout", SMALL)
def test_both_directions_count_as_many_deals_as_a_listing(layout: dict[str, Any]) -> None:
    compared = 0
    for s in random_states(12, len(layout["hands"]), seed=3, most=10, layout=layout):
        seat = int(s["seat"])
        facts = facts_for(s, seat)
        hidden = [e for hand in (*facts.hands, facts.centre) for e in hand if e is None]
        if len(hidden) > 7:
            continue
        found = tables(s, seat)
        size = found[-1]
        ahead, behind = np.zeros((2, worlds.ENDS, size))
        worlds.forward(*found, ahead)
        worlds.backward(*found, behind)
        own = [abs(e) for e in facts.hands[seat] if e is not None]
        others = [list(hand) for j, hand in enumerate(facts.hands) if j != seat]
        numbers = list(facts.count.numbers)
        listed = list(deals(numbers, own, others, list(facts.centre)))
        assert ahead[-1, size - 1] == behind[1, 0]
        assert behind[1, 0] * orders(numbers, own, list(facts.centre)) == len(listed)
        compared += 1
    assert compared >= 3


def orders(numbers: list[int], own: list[int], centre: list[int | None]) -> int:
    """Return the listed deals behind a counted one: a listing distinguishes the cards of the centre."""
    shown = [abs(e) for e in centre if e is not None]
    found = factorial(centre.count(None))
    for n in numbers:
        free = COPIES - own.count(n)
        found *= factorial(free) // factorial(free - shown.count(n))
    return found
