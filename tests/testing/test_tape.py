"""Deals from a tape: the first is the true one, the others look the same and are not."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.core import next_word
from qipai.core.rule import plain_function
from qipai.testing.tape import Tape, deals_like
from tests.toys_check import embers, hush

WORDS = (1, 2, 3, 4)


def test_a_tape_records_what_the_generator_says_and_plays_it_again() -> None:
    rng, same = np.arange(1, 5, dtype=np.uint32), np.arange(1, 5, dtype=np.uint32)
    tape = Tape()
    recorded = [int(tape(rng)) for _ in range(5)]
    assert recorded == [int(plain_function(next_word)(same)) for _ in range(5)]
    tape.rewind([7, *recorded[1:]])
    assert [tape(rng) for _ in range(3)] == [7, *recorded[1:3]]
    assert tape.cut() == [7, *recorded[1:3]]


@pytest.mark.parametrize("viewer", [-1, 0, 1])
def test_other_deals_show_a_viewer_the_same_and_are_not_the_same(viewer: int) -> None:
    game = embers.GAME
    first, others = deals_like(game, game.blank(), viewer, WORDS)
    true = game.new(words=WORDS)
    assert all(np.array_equal(first[f], true[f]) for f in embers.STATE.names or () if f != "rng")
    assert len(others) > 0
    for s in others:
        assert game.rules.view(s, viewer) == game.rules.view(true, viewer)
        assert embers.pieces(s) == embers.pieces(true)
    assert any(s["burnt"] != true["burnt"] for s in others)


def test_a_deal_that_is_over_has_no_others() -> None:
    game = hush.GAME
    over = next(w for w in range(200) if int(game.new(seats=3, words=(w, 0, 0, 0))["seat"]) < 0)
    first, others = deals_like(game, game.blank(seats=3), 0, (over, 0, 0, 0))
    assert int(first["seat"]) < 0 and len(others) == 0
