"""The single compiled calls do what the calls they are made of do, one after the other."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.core import copy_state, get, pick, same
from qipai.core.calls import AFTER, BEFORE, OWN, uniform
from qipai.core.rule import plain_function
from qipai.core.state import one_of, rows

WORDS = (11, 22, 33, 44)


@pytest.mark.parametrize("name", ["xianqi", "nana"])
def test_take_keys_applies_and_gives_the_next_mask(name: str) -> None:
    game = get(name)
    s = game.new()
    old, new = rows(s, 3), rows(s, 3)
    for _ in range(40):
        if s["seat"] < 0:
            break
        action, seat = game.legal_actions(s)[-1], int(s["seat"])
        old[OWN] = s
        mask = np.zeros(game.width, np.uint8)
        found = game.calls.take(old, new, mask, action, *WORDS)
        game.key(s, WORDS)
        assert same(new[BEFORE], s)
        game.rules.apply(s, action)
        assert same(new[AFTER], s) and same(new[OWN], s)
        assert mask.tolist() == game.mask(s).tolist()
        assert (found >> 1) - 1 == int(s["seat"])
        assert bool(found & 1) == game.unfinished(s)
        assert (found >> 1) - 1 != seat or bool(found & 1) != game.ends_move(s, seat)


def test_redraw_keys_and_redraws_one_state() -> None:
    game = get("xianqi")
    s = game.new()
    copy, array = copy_state(s), one_of(s)
    game.calls.redraw(array, 1, *WORDS)
    game.key(copy, WORDS)
    game.rules.determinize(copy, 1)
    assert same(array[0], copy) and same(game.redrawn(s, 1, WORDS), copy)
    assert not same(copy, s)


def test_uniform_is_a_random_legal_action() -> None:
    mask = np.zeros(32, np.uint8)
    mask[[3, 17, 30]] = 1
    one, other = (np.array([1, 2, 3, 4], np.uint32) for _ in range(2))
    chosen = [int(plain_function(uniform)(None, mask, 3, one, None)) for _ in range(60)]
    assert chosen == [int(pick(other, mask, 3)) for _ in range(60)]
    assert set(chosen) == {3, 17, 30}
