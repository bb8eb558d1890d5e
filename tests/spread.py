"""A proof divided over all cores; every share has its own seed, so the sum is the same on any machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, TypeVar

T = TypeVar("T")


def spread(work: Callable[..., T], calls: Iterable[tuple[Any, ...]]) -> list[T]:
    """Return `work(*call)` for every call, in their order, from as many processes as there are cores."""
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        return [found.result() for found in [pool.submit(work, *call) for call in calls]]


def total(tallies: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Return the sums of the shares' figures, by name."""
    found: dict[str, int] = {}
    for tally in tallies:
        for name, count in tally.items():
            found[name] = found.get(name, 0) + count
    return found
