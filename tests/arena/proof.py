"""The stated counts of the arena: ratings recover planted strengths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from qipai.arena.ratings import rate, scaled

from .planted import STRENGTHS, played

LADDERS, REPLICATES, DEALS = 1000, 200, 200
SEATS = (2, 3, 4, 6)


def coverage() -> dict[str, Any]:
    """95 % intervals cover the truth in 92.5 to 97 % of 1,000 simulated ladders, pooled over agents."""
    truth = scaled(STRENGTHS[None, :])[0]
    figures: dict[str, Any] = {"agents": len(STRENGTHS), "deals per ladder": DEALS, "replicates": REPLICATES}
    every = []
    for seats in SEATS:
        inside = []
        for seed in range(LADDERS // len(SEATS)):
            ties = 0.5 if seed % 2 else 0.0
            found = rate(
                played(seats, DEALS, 1000 * seats + seed, ties), len(truth), replicates=REPLICATES, seed=seed
            )
            inside += list((found.low <= truth) & (truth <= found.high))
        figures[f"covered with {seats} seats"] = f"{100 * np.mean(inside):.1f} %"
        every += inside
    pooled = 100 * float(np.mean(every))
    figures["covered, pooled"] = f"{pooled:.2f} %"
    assert 92.5 <= pooled <= 97, f"{pooled:.2f} % covered"
    return figures


def proofs() -> list[tuple[str, Callable[[], dict[str, Any]]]]:
    """Return the claims of this area."""
    return [("coverage", coverage)]
