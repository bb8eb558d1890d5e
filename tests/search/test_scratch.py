"""Scratch is lent to one search at a time and used again."""

from __future__ import annotations

import numpy as np

from qipai.core import get
from qipai.search.scratch import lend_scratch


def test_scratch_is_lent_once_at_a_time_and_comes_back() -> None:
    game = get("nana")
    with lend_scratch(game) as one, lend_scratch(game) as other:
        assert one is not other and len(one) == game.search.work
    with lend_scratch(game) as again:
        assert again is one or again is other


def test_a_game_without_scratch_gets_an_entry_all_the_same() -> None:
    with lend_scratch(get("kuhn_poker")) as array:
        assert len(array) == 1


def test_tables_are_lent_as_copies() -> None:
    game = get("kuhn_poker")
    tables = np.arange(3)
    with lend_scratch(game, tables) as one, lend_scratch(game, tables) as other:
        assert one.tolist() == other.tolist() == [0, 1, 2]
        assert one is not tables and one is not other
    with lend_scratch(game, np.arange(2)) as another:
        assert another.tolist() == [0, 1]
