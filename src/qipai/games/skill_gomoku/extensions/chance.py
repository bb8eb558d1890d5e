"""Random numbers from a generator outside the state: the original's, or one that a caller passes."""

from __future__ import annotations

from typing import Any

from qipai.core import State, below, shuffle

from ..reference import Generator
from ..state import EMPTY, SCATTERED


def chance_from(generator: Generator) -> dict[Any, Any]:
    """Return the replacements after which the rules use `generator` instead of the state's words."""
    asked: list[int] = []  # numbers that one Spontaneous Generation has yet to use

    def shuffle_cards(s: State, cards: Any, n: int) -> None:
        cards[:n] = generator.shuffle(cards[:n].tolist())

    def next_number(s: State, n: int) -> int:
        if not asked:
            asked.extend(_numbers(s, generator))
        return asked.pop(0)

    return {shuffle: shuffle_cards, below: next_number}


def _numbers(s: State, generator: Generator) -> list[int]:
    """Return the numbers for one Spontaneous Generation that put the stones where `generator` does.

    For each stone, the rank of its cell among those still empty, then its colour.
    """
    size = int(s["board_size"])
    left = [divmod(cell, size)[::-1] for cell in range(size * size) if s["board"][cell] == EMPTY]
    numbers = []
    for cell, colour in generator.scatter(left.copy(), SCATTERED):
        numbers += [left.index(cell), colour - 1]
        left.remove(cell)
    return numbers
