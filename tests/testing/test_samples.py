"""Two samples: what chance alone does is let pass, what it cannot do is found."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from qipai.testing.samples import SURE, Clause, largest_gap, never_found

ROWS, COLUMNS = 1000, 40


def hands(seed: int, rows: int = ROWS) -> NDArray[np.int8]:
    """Rows with five cards of 40, one column per card."""
    rng = np.random.default_rng(seed)
    found = np.zeros((rows, COLUMNS), np.int8)
    for row in found:
        row[rng.permutation(COLUMNS)[:5]] = 1
    return found


@pytest.mark.parametrize("seed", range(8))
def test_samples_of_one_distribution_are_not_told_apart(seed: int) -> None:
    one, other = hands(2 * seed), hands(2 * seed + 1)
    assert largest_gap(one, other).size < SURE
    assert never_found(one, other) is None


def test_a_card_that_never_moves_is_found_in_its_column() -> None:
    one, other = hands(1), hands(2)
    other[:, 7] = 1
    gap = largest_gap(one, other)
    assert gap.size > SURE and gap.column == 7


def test_a_shift_that_is_small_in_every_column_is_found_in_their_sum() -> None:
    """Every second row exchanges a card for a lower one."""
    one, other = hands(3), hands(4)
    for row in other[::2]:
        high = int(np.flatnonzero(row)[-1])
        low = int(np.flatnonzero(row == 0)[0])
        row[high], row[low] = 0, 1
    assert largest_gap(one, other).size > SURE


def test_columns_that_agree_each_but_not_together_are_found() -> None:
    rng = np.random.default_rng(5)
    one = rng.integers(0, 2, (ROWS, 2), np.int8)
    other = np.repeat(rng.integers(0, 2, (ROWS, 1), np.int8), 2, axis=1)
    gap = largest_gap(one, other)
    assert gap.size > SURE and gap.column == -1


def test_equal_tables_and_wide_numbers_are_no_problem() -> None:
    same = np.full((10, 3), 1 << 40)
    assert largest_gap(same, same).size == 0
    assert never_found(same, same) is None
    other = same.copy()
    other[:, 1] += 1 << 20
    assert largest_gap(np.repeat(same, 20, 0), np.repeat(other, 20, 0)).column == 1


def test_rows_that_cannot_be_are_described() -> None:
    """In `fits` every row has a card of the last ten; a fifth of the others has none."""
    drawn = hands(6, 2 * ROWS)
    fits = drawn[drawn[:, 30:].any(1)]
    clauses = never_found(drawn, fits)
    assert clauses is not None
    assert all(c.column >= 30 and (c.value == 0) == c.holds for c in clauses)
    assert never_found(fits, drawn) is None


def test_a_value_that_is_never_found_is_one_clause() -> None:
    one, other = hands(7, 2 * ROWS), hands(8, 2 * ROWS)
    other[:, 3] = 0
    assert never_found(one, other) in ([Clause(3, 1, True)], [Clause(3, 0, False)])


def test_too_few_rows_say_nothing() -> None:
    one, other = hands(9)[:90], hands(10)[:90]
    other[:, 3] = 0
    assert never_found(one, other) is None
