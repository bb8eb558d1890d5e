"""Slow, obvious twins for Skill Gomoku: the win check by windows, and all worlds a seat may be in.

The turn machine has its own twin: `skill_gomoku_machine.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations


def colours_with_five(cells: list[list[int]]) -> int:
    """1, 2, 3: the colours that fill some five cells in a row, as bits."""
    size, found = len(cells), 0
    for y in range(size):
        for x in range(size):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                window = [(x + i * dx, y + i * dy) for i in range(5)]
                if all(0 <= a < size and 0 <= b < size for a, b in window):
                    colours = {cells[b][a] for a, b in window}
                    if len(colours) == 1:
                        found |= colours.pop()
    return found


def topped_orders(deck: Sequence[int]) -> dict[tuple[int, ...], Fraction]:
    """Return every order of a shuffled deck after Place (card 0) was put on top, with its probability."""
    ways: Counter[tuple[int, ...]] = Counter()
    for order in permutations(deck):
        cards = list(order)
        if 0 in cards:
            i = cards.index(0)
            cards[i], cards[-1] = cards[-1], cards[i]
        ways[tuple(cards)] += 1
    total = sum(ways.values())
    return {order: Fraction(n, total) for order, n in ways.items()}


def given_drawn(
    orders: dict[tuple[int, ...], Fraction], known: Sequence[int]
) -> dict[tuple[int, ...], Fraction]:
    """Return the orders whose top cards are `known` (first drawn first), with probabilities given that."""
    top = tuple(reversed(known))
    fitting = {o: p for o, p in orders.items() if not top or o[-len(top) :] == top}
    total = sum(fitting.values(), Fraction(0))
    return {o: p / total for o, p in fitting.items()}
