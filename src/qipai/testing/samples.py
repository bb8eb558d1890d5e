"""Two samples of worlds, row by row: could they come from the same distribution?

Every test here requires more than chance can produce: a gap of `SURE` standard deviations, or `MANY`
rows expected and none found. A sound game does not fail them, whatever the seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

SURE = 8.0  # standard deviations
MANY = 60.0  # rows expected, of which none was found
SIGNS = 4  # random yes-no questions about every column
PAIRS = 128  # pairs of columns compared together
BLENDS, BLENDED = 8, 64  # questions about many columns at once, and how many
RUN = 16  # adjacent columns whose weighted sum is compared
CLAUSES = 16  # maximum number of clauses in one statement about rows
HEAVY = 100.0  # the largest weight in the search for such a statement
VALUES = 8  # values used in such statements, the most common ones
COLUMNS = 2000  # maximum number of columns compared, evenly spread if more of them vary

Table = NDArray[Any]  # (rows, columns), whole numbers


@dataclass(frozen=True)
class Gap:
    """The largest difference between two samples: how large, and in which column (-1: in several at once)."""

    size: float
    column: int


def largest_gap(one: Table, other: Table) -> Gap:
    """Return the largest difference of means, in standard deviations, over many questions about the rows.

    The questions are the values themselves, whether they are 0, and random divisions of all values in
    two; of every column, of pairs of columns, and of whole rows.
    """
    varying = _varying(one, other)
    if not varying.size:
        return Gap(0.0, -1)
    a, b = one[:, varying], other[:, varying]
    gaps = [_gaps(a.astype(np.float64), b.astype(np.float64))]
    gaps.append(_gaps(a == 0, b == 0))
    coded = _codes(a), _codes(b)
    gaps += [_gaps(sign[coded[0]], sign[coded[1]]) for sign in _signs()]
    by_column = np.max(gaps, axis=0)
    best = int(by_column.argmax())
    joint = max(_joint_gap(*coded), _sum_gap(a, b))
    if joint > max(SURE, by_column[best]):
        return Gap(joint, -1)
    return Gap(float(by_column[best]), int(varying[best]))


def _varying(one: Table, other: Table) -> NDArray[np.intp]:
    """Return columns that are not constant, evenly spread if there are too many."""
    found = np.flatnonzero((one != one[0]).any(0) | (other != one[0]).any(0))
    return found[:: max(1, -(-found.size // COLUMNS))]


def _codes(table: Table) -> NDArray[np.uint8]:
    """Return the values folded into a byte."""
    if table.dtype == np.int8:
        return np.ascontiguousarray(table).view(np.uint8)
    wide = table.astype(np.int64)
    return ((wide ^ wide >> 8 ^ wide >> 16 ^ wide >> 24) & 255).astype(np.uint8)


def _signs() -> list[NDArray[np.int8]]:
    """Return random divisions of the 256 codes in two: the same ones at every call."""
    rng = np.random.default_rng(1)
    return [rng.integers(0, 2, 256).astype(np.int8) for _ in range(SIGNS)]


def _joint_gap(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> float:
    """Return the largest gap of pairs of columns, and of whole rows."""
    rng = np.random.default_rng(2)
    columns = a.shape[1]
    left, right = rng.integers(0, columns, (2, PAIRS))
    some = rng.integers(0, columns, (BLENDS, BLENDED))
    weights = rng.integers(1, 256, BLENDED)
    pairs = [(37 * t[:, left] + 101 * t[:, right]).astype(np.uint8) for t in (a, b)]
    blends = [((t[:, some] * weights).sum(2) % 251).astype(np.uint8) for t in (a, b)]
    gaps = [_gaps(sign[x], sign[y]).max() for sign in _signs() for x, y in (pairs, blends)]
    return float(max(gaps))


def _sum_gap(a: Table, b: Table) -> float:
    """Return the largest gap of sums over columns side by side, plain and weighted by their place."""
    starts = np.arange(0, a.shape[1], RUN)
    places = np.arange(a.shape[1]) % RUN
    largest = 0.0
    for weights in (1, places):
        x, y = (np.add.reduceat(t.astype(np.float64) * weights, starts, axis=1) for t in (a, b))
        largest = max(largest, float(_gaps(x, y).max()))
    return largest


def _gaps(a: Table, b: Table) -> NDArray[np.float64]:
    """Return by column the difference of two means in standard deviations of that difference."""
    n, m = len(a), len(b)
    sums = a.sum(0, dtype=np.float64), b.sum(0, dtype=np.float64)
    only_0_and_1 = a.dtype != np.float64
    squares = sums[0] + sums[1] if only_0_and_1 else (a * a).sum(0) + (b * b).sum(0)
    mean = (sums[0] + sums[1]) / (n + m)
    spread = np.sqrt(np.maximum(squares / (n + m) - mean * mean, 0.0) * (1 / n + 1 / m))
    gap = np.abs(sums[0] / n - sums[1] / m)
    found: NDArray[np.float64] = np.divide(gap, spread, out=np.zeros_like(gap), where=spread > 1e-9)
    return found


@dataclass(frozen=True)
class Clause:
    """A column that has a value, or does not have it."""

    column: int
    value: int
    holds: bool


def never_found(one: Table, other: Table) -> list[Clause] | None:
    """Return clauses that many rows of `one` fulfil together and none of `other`; None if there are none.

    The clauses are searched, one after another, in every second row of both samples, and must then hold
    in the rest. The samples may weight their rows differently: `MANY` would be expected, and none is found.
    """
    varying = _varying(one, other)
    learn = _Clauses(one[::2, varying], other[::2, varying])
    clauses = [Clause(int(varying[c.column]), c.value, c.holds) for c in learn.search()]
    rest = len(one[1::2]), len(other[1::2])
    if not clauses or not rest[0]:
        return None
    share = _fulfilled(one[1::2], clauses).sum() / rest[0]
    if share * rest[1] < MANY or _fulfilled(other, clauses).any():
        return None
    return clauses


def _fulfilled(table: Table, clauses: list[Clause]) -> NDArray[np.bool_]:
    """Return which rows fulfil all clauses."""
    found = np.ones(len(table), np.bool_)
    for clause in clauses:
        found &= (table[:, clause.column] == clause.value) == clause.holds
    return found


class _Clauses:
    """A greedy search for clauses that keep rows of one table and lose those of another."""

    def __init__(self, one: Table, other: Table) -> None:
        self._sizes = len(one), len(other)
        values, counts = np.unique(one, return_counts=True)
        self._values = [int(v) for v in values[np.argsort(-counts, kind="stable")][:VALUES]]
        self._equal = [[np.packbits(t == v, axis=0) for t in (one, other)] for v in self._values]

    def search(self) -> list[Clause]:
        """Return clauses that no row of the other table fulfils; none if the search fails."""
        left = [np.packbits(np.ones((n, 1), np.bool_), axis=0) for n in self._sizes]
        clauses: list[Clause] = []
        weight = 1.0  # of a row of the other table that is left
        while self._equal and len(clauses) < CLAUSES and left[1].any() and weight < HEAVY:
            if _count(left[0])[0] / self._sizes[0] * self._sizes[1] < MANY / 2:
                return []  # too few are left to say anything
            clause = self._best(left, weight)
            if clause in clauses:  # nothing is gained any more
                weight *= 2
                continue
            clauses.append(clause)
            for rows, equal in zip(left, self._equal[self._values.index(clause.value)], strict=True):
                column = equal[:, clause.column : clause.column + 1]
                rows &= column if clause.holds else ~column
        return [] if left[1].any() or not left[0].any() else clauses

    def _best(self, left: list[NDArray[np.uint8]], weight: float) -> Clause:
        """Return the clause after which the shares that are left differ most."""
        best, found = -np.inf, Clause(0, 0, True)
        for value, equal in zip(self._values, self._equal, strict=True):
            kept = [_count(rows & table) / n for rows, table, n in zip(left, equal, self._sizes, strict=True)]
            lost = [_count(rows) / n - k for rows, k, n in zip(left, kept, self._sizes, strict=True)]
            for holds, (mine, theirs) in ((True, kept), (False, lost)):
                gain = mine - weight * theirs
                column = int(gain.argmax())
                if gain[column] > best:
                    best, found = float(gain[column]), Clause(column, value, holds)
        return found


def _count(rows: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return how many bits are set in each column."""
    found: NDArray[np.int64] = np.bitwise_count(rows).sum(0, dtype=np.int64)
    return found
