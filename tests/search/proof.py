"""The search at full counts: bounds checks, twins, exploitability."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from qipai.core import Game, get
from qipai.search import Searcher

from .exact import Searched, exploitability, uniform
from .test_tree import OURS, POKER, positions

SIMULATIONS = 1_000_000
TWINS = 10_000


def checked(name: str, simulations: int = SIMULATIONS) -> dict[str, Any]:
    """Run simulations with bounds checks over many positions; an index out of range would raise."""
    game = get(name)
    done = 0
    for settings in (game.search, replace(game.search, flat=not game.search.flat)):
        searcher = Searcher(game, settings, variant="checked")
        share = 0
        for s, seat, k in _positions(game):
            share += searcher.search(s, seat, min(2000, simulations // 2), (k, 1, 2, 3)).simulations
            if share >= simulations // 2:
                break
        done += share
    return {"simulations": done}


def _positions(game: Game) -> Any:
    start = 0
    while True:
        yield from positions(game, 50, start)
        start += 50


def twins(name: str, count: int = TWINS) -> dict[str, Any]:
    """Search twins that differ only in what the seat cannot know: the same choice and the same figures."""
    game = get(name)
    searcher = Searcher(game)
    differ = 0
    for s, seat, k in positions(game, count):
        one, other = (
            searcher.search(game.redrawn(s, seat, (k, 1, 1, w)), seat, 24, (k, 2, 3, 4)) for w in (1, 2)
        )
        differ += one.best != other.best or not np.array_equal(one.totals, other.totals)
    assert differ == 0, f"{differ} of {count} positions"
    return {"positions": count, "different": differ}


def self_play(name: str) -> dict[str, Any]:
    """Report what a best response wins against the search; determinized search has no bar to keep here."""
    game = get(name)
    budgets = (100, 1000, 10_000)
    found = {f"search@{n}": round(exploitability(game, Searched(game, n, 16)), 4) for n in budgets}
    return {"chips per hand": {"random": round(exploitability(game, uniform), 4), **found}}


def proofs() -> list[tuple[str, Callable[[], dict[str, Any]]]]:
    """Return the claims of this area."""
    found: list[tuple[str, Callable[[], dict[str, Any]]]] = []
    found += [(f"checked_{name}", partial(checked, name)) for name in (*OURS, *POKER)]
    found += [(f"twins_{name}", partial(twins, name)) for name in (*OURS, *POKER)]
    found += [(f"exploitability_{name}", partial(self_play, name)) for name in POKER]
    return found
