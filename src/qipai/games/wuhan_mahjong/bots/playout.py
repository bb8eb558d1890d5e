"""Wuhan mahjong's policy for playouts and its prior, both from the costs of `heuristic`.

`work` holds the memo of suits, then the arrays of one decision.
"""

from __future__ import annotations

import numpy as np

from qipai.core import rule

from ..tiles import ACTIONS, KINDS
from .policy import FAR, MEMO, TILE, weigh_with

COSTS = MEMO
SCRATCH = COSTS + ACTIONS
HAND = SCRATCH + KINDS
COUNTS = HAND + 5  # 34 bytes each
WORK = COUNTS + 5


@rule(work="i8[:]")
def weigh_here(s, mask, ahead, work):
    """Fill the costs of the legal actions, at work[COSTS...]."""
    hand = work[HAND : HAND + 5].view(np.int8)
    counts = work[COUNTS : COUNTS + 5].view(np.int8)
    scratch = work[SCRATCH : SCRATCH + KINDS]
    weigh_with(s, int(s.seat), mask, hand, counts, ahead, scratch, work[:MEMO], work[COSTS : COSTS + ACTIONS])


@rule(work="i8[:]")
def playout(s, mask, n, rng, work):
    """Choose the legal action of least cost, the first of equals: nearly as `heuristic` does, and faster."""
    weigh_here(s, mask, 0, work)
    best = -1
    for a in range(ACTIONS):
        if mask[a] != 0 and (best < 0 or work[COSTS + a] < work[COSTS + best]):
            best = a
    return best


@rule(work="i8[:]", weights="f8[:]")
def prior(s, mask, n, work, weights):
    """Weigh actions by how much more they cost than the cheapest."""
    weigh_here(s, mask, 1, work)
    least = FAR * 2
    for a in range(ACTIONS):
        if mask[a] != 0:
            least = min(least, work[COSTS + a])
    for a in range(ACTIONS):
        weights[a] = 0.0
        if mask[a] != 0:
            more = min(work[COSTS + a] - least, 100 * TILE) / float(TILE)
            weights[a] = 1.0 / (1.0 + 4.0 * more * more)
