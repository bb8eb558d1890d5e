"""Work divided over processes."""

from __future__ import annotations

import operator

import pytest

from tests.spread import spread, total


def test_results_come_in_the_order_of_the_calls() -> None:
    assert spread(operator.sub, [(5, 1), (2, 7), (9, 9)]) == [4, -5, 0]


def test_a_share_that_fails_fails_the_whole() -> None:
    with pytest.raises(ZeroDivisionError):
        spread(operator.floordiv, [(4, 2), (1, 0)])


def test_figures_are_added_by_name() -> None:
    assert total([{"games": 2, "wins": 1}, {"games": 3}]) == {"games": 5, "wins": 1}
