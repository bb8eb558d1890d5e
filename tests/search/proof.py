"""The search at full counts: bounds checks, equal worlds and choices for twins, exploitability."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count, islice
from typing import Any

import numpy as np

from qipai.core import Game, State, get, same
from qipai.search import Searcher
from qipai.search.loops import OWN
from tests.spread import spread, total

from .exact import Searched, exploitability, uniform
from .policies import PLAIN, keep_all
from .test_tree import OURS, POKER, positions

SIMULATIONS = 1_000_000
# A simulation takes milliseconds with the policies of these games: so many, the others with uniform playouts.
FEWER = {"skill_gomoku": 100_000, "paipai_rensa": 100_000}
LONG = 2000  # actions of a uniform playout
TWINS = 10_000
ENOUGH = 24  # simulations of a comparison, or as many as the game's agent has
PLANTED = 200
SHARES = 20
APART = 1_000_000  # between the first hands of two shares


def checked(name: str) -> dict[str, Any]:
    """Run simulations with bounds checks over many positions; an index out of range would raise."""
    own = FEWER.get(name, SIMULATIONS)
    found = {"simulations": _checked(name, own, False)}
    if own < SIMULATIONS:
        found["simulations with uniform playouts"] = _checked(name, SIMULATIONS - own, True)
    return found


def _checked(name: str, simulations: int, plain: bool) -> int:
    """Divide simulations over all cores, half of them with a tree; return how many there were."""
    calls = [
        (name, other, simulations // SHARES, n, plain) for n in range(SHARES // 2) for other in (False, True)
    ]
    return sum(spread(checked_share, calls))


def checked_share(name: str, other: bool, simulations: int, share: int, plain: bool = False) -> int:
    """Run one share of the simulations; return how many there were."""
    game = get(name)
    settings = replace(game.search, flat=game.search.flat != other)
    if plain:
        settings = replace(settings, horizon=LONG)
    searcher = Searcher(game, settings, variant="checked", policies=PLAIN if plain else OWN)
    done = 0
    for s, seat, k in _positions(game, share):
        done += searcher.search(s, seat, min(2000, simulations), (k, 1, 2, 3)).simulations
        if done >= simulations:
            return done
    raise AssertionError("positions do not end")


def _positions(game: Game, share: int) -> Iterator[tuple[State, int, int]]:
    """Positions without end; no two shares have the same."""
    for start in count(share * APART, 50):
        yield from positions(game, 50, start)


def canonical(name: str, positions: int = TWINS) -> dict[str, Any]:
    """Redraw twins that differ only in what the seat cannot know, with equal words: the same world."""
    return _no_difference(canonical_share, name, positions)


def canonical_share(name: str, positions: int, share: int) -> dict[str, int]:
    """Compare one share of the positions."""
    game = get(name)
    differ = 0
    for s, seat, k in islice(_positions(game, share), positions):
        one, other = (game.redrawn(game.redrawn(s, seat, (k, 1, 1, w)), seat, (k, 2, 3, 4)) for w in (1, 2))
        differ += not same(one, other, game.rules.scratch)
    return {"positions": positions, "different": differ}


def twins(name: str, positions: int = TWINS) -> dict[str, Any]:
    """Search twins that differ only in what the seat cannot know: the same choice and the same figures."""
    return _no_difference(twins_share, name, positions)


def twins_share(name: str, positions: int, share: int) -> dict[str, int]:
    """Search one share of the positions."""
    return _compare(get(name), Searcher(get(name)), positions, share)


def _no_difference(compare: Callable[..., dict[str, int]], name: str, positions: int) -> dict[str, int]:
    """Divide the comparison over all cores and assert that no position differs."""
    found = total(spread(compare, [(name, positions // SHARES, share) for share in range(SHARES)]))
    assert found["different"] == 0, found
    return found


def peeking(name: str, positions: int = PLANTED) -> dict[str, Any]:
    """Search the same twins with a search that keeps every hidden thing: the comparison finds it out."""
    game = get(name)
    game.compile()
    cheat = replace(game, rules=replace(game.rules, determinize=keep_all))
    found = _compare(game, Searcher(cheat), positions, share=0)
    assert found["different"] > 0, found
    return found


def _compare(game: Game, searcher: Searcher, positions: int, share: int) -> dict[str, int]:
    """Search twins at the positions of a share; return how many were not searched alike."""
    differ = 0
    simulations = min(ENOUGH, game.search.simulations)
    for s, seat, k in islice(_positions(game, share), positions):
        twins = [game.redrawn(s, seat, (k, 1, 1, w)) for w in (1, 2)]
        one, other = (searcher.search(twin, seat, simulations, (k, 2, 3, 4)) for twin in twins)
        differ += one.best != other.best or not np.array_equal(one.totals, other.totals)
    return {"positions": positions, "different": differ}


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
    found += [(f"canonical_{name}", partial(canonical, name)) for name in (*OURS, *POKER)]
    found += [(f"twins_{name}", partial(twins, name)) for name in (*OURS, *POKER)]
    found += [(f"peeking_{name}", partial(peeking, name)) for name in (*OURS, *POKER)]
    found += [(f"exploitability_{name}", partial(self_play, name)) for name in POKER]
    return found
