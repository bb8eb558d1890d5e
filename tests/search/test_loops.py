"""The loops of a game are made once for each set of policies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any

import numba
import numpy as np
import pytest

from qipai.core import get
from qipai.search import Searcher
from qipai.search.loops import FLAT, OWN, TREE, loops_for

from .policies import CARDS
from .test_tree import POKER

RUNTIME: Any = import_module("numba.core.runtime")  # without types
compiled: Any = numba.njit


@pytest.fixture
def counted() -> Iterator[None]:
    """Count the allocations of compiled code."""
    counter = RUNTIME._nrt_python
    was = counter.memsys_stats_enabled()
    counter.memsys_enable_stats()
    yield
    if not was:
        counter.memsys_disable_stats()


def allocations() -> tuple[int, int]:
    """Return how many blocks compiled code has allocated, and how many of them for arrays."""
    found = RUNTIME.rtsys.get_allocation_stats()
    return int(found.alloc), int(found.mi_alloc)


def test_loops_are_made_once_for_a_game_and_its_policies() -> None:
    game = get("kuhn_poker")
    assert loops_for(game) is loops_for(game, OWN)
    assert loops_for(game) is not loops_for(game, CARDS)
    assert set(loops_for(game)) == {*TREE, *FLAT}


def test_plain_loops_need_no_compiler() -> None:
    loops = loops_for(get("kuhn_poker"), variant="plain")
    assert not any(hasattr(loop, "py_func") for loop in loops.values())


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("name", [*POKER, "xianqi"])
def test_more_simulations_allocate_no_more(name: str, flat: bool, counted: None) -> None:
    """Loops that called an allocator would do so in every simulation."""
    game = get(name)
    s = game.new(words=(1, 2, 3, 4))
    searcher = Searcher(game, replace(game.search, flat=flat))
    searcher.search(s, int(s["seat"]), 2000, (1, 2, 3, 4))  # which makes the arrays
    counts = []
    for simulations in (200, 2000):
        before = allocations()
        searcher.search(s, int(s["seat"]), simulations, (1, 2, 3, 4))
        counts.append([b - a for a, b in zip(before, allocations(), strict=True)])
    assert counts[0] == counts[1], counts


def test_the_counter_sees_an_allocation(counted: None) -> None:
    @compiled  # type: ignore[untyped-decorator]
    def allocate(n: int) -> int:
        total = 0
        for k in range(n):
            total += np.zeros(k + 1).shape[0]
        return total

    allocate(1)
    before, _ = allocations()
    allocate(50)
    assert allocations()[0] - before == 50
