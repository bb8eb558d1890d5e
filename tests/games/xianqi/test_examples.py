"""Xianqi's example positions are what they say."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core import Example
from qipai.games.xianqi import GAME, state
from qipai.games.xianqi.examples import EXAMPLES, TWINS


def played(example: Example) -> Any:
    s = GAME.new(example.options, layout=example.layout)
    for action in example.actions:
        assert action in GAME.legal_actions(s)
        GAME.rules.apply(s, action)
    return s


def test_the_examples_show_a_black_hand_a_buckle_and_a_reveal() -> None:
    black, buckled, revealed = map(played, EXAMPLES)
    assert int(black["end"]) == state.END_BLACK
    assert int(buckled["end"]) == state.END_BUCKLED
    assert int(revealed["links"]) == 1 and int(revealed["phase"]) == state.IN_ROUND


@pytest.mark.parametrize("twins", TWINS, ids=lambda t: t.about)
def test_twins_differ_and_look_alike(twins: Any) -> None:
    one, other = (GAME.new(twins.options, layout=layout) for layout in (twins.one, twins.other))
    assert one["hand"].tolist() != other["hand"].tolist() or one["under"].tolist() != other["under"].tolist()
    assert GAME.rules.view(one, twins.seat) == GAME.rules.view(other, twins.seat)
