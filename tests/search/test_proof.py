"""The proofs of the search, at small counts."""

from __future__ import annotations

from . import proof


def test_a_search_runs_under_bounds_checks() -> None:
    assert proof.checked("leduc_poker", 2000)["simulations"] >= 2000


def test_twins_are_searched_alike() -> None:
    assert proof.twins("kuhn_poker", 20)["different"] == 0
