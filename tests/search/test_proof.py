"""The proofs of the search, at small counts."""

from __future__ import annotations

import pytest

from qipai.core import names

from . import proof
from .test_tree import POKER

SMALL = 100  # positions: 1 % of the proof's


def test_a_search_runs_under_bounds_checks() -> None:
    for plain in (False, True):
        assert (
            sum(proof.checked_share("leduc_poker", other, 1000, 0, plain) for other in (False, True)) >= 2000
        )


@pytest.mark.parametrize("name", [*names(), *POKER])
def test_twins_that_differ_in_hidden_things_are_searched_alike(name: str) -> None:
    assert proof.twins_share(name, SMALL, 0) == {"positions": SMALL, "different": 0}


@pytest.mark.parametrize("name", [*names(), *POKER])
def test_equal_words_give_twins_the_same_world(name: str) -> None:
    assert proof.canonical_share(name, SMALL, 0) == {"positions": SMALL, "different": 0}


def test_a_search_that_peeks_is_found_out() -> None:
    assert proof.peeking("kuhn_poker", 20)["different"] > 0
