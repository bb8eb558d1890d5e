"""Skeleton: example positions, and twins: pairs of deals that look the same to a seat."""

from __future__ import annotations

from qipai.core import Example, Twins

# Positions that random games seldom reach, with the actions that lead on from them.
EXAMPLES: tuple[Example, ...] = ()

TWINS = (
    Twins(
        "the other hand and the stock differ",
        seat=0,
        one={"hands": [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]], "first": 0},
        other={"hands": [[0, 1, 2, 3, 4, 5], [10, 11, 12, 13, 14, 15]], "first": 0},
    ),
)
