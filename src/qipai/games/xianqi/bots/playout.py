"""Xianqi's playout policy: the common sense of `heuristic`, with a whim now and then."""

from __future__ import annotations

from qipai.core import draw, pick, rule

from .policy import WHIM, quick


@rule(work="i8[:]")
def playout(s, mask, n, rng, work):
    """Choose a sensible action, and one in WHIM at random."""
    return pick(rng, mask, n) if draw(rng, WHIM) == 0 else quick(s, mask)
