"""The loops of a game are made once for each set of policies."""

from __future__ import annotations

from qipai.core import get
from qipai.search.loops import FLAT, OWN, TREE, loops_for

from .policies import CARDS


def test_loops_are_made_once_for_a_game_and_its_policies() -> None:
    game = get("kuhn_poker")
    assert loops_for(game) is loops_for(game, OWN)
    assert loops_for(game) is not loops_for(game, CARDS)
    assert set(loops_for(game)) == {*TREE, *FLAT}


def test_plain_loops_need_no_compiler() -> None:
    loops = loops_for(get("kuhn_poker"), variant="plain")
    assert not any(hasattr(loop, "py_func") for loop in loops.values())
