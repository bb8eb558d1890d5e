"""The examples go where they say, and twins look the same to their seat."""

from __future__ import annotations

import pytest

from qipai.core import Example, Twins
from qipai.games.nana import GAME
from qipai.games.nana.examples import EXAMPLES, TWINS
from tests.games.nana.tables import world_of

ENDS = {
    "the three sevens win at once": "sevens",
    "the cap ends the game after a failure": "cap",
    "a trio, and the cap ends the game": "cap",
    "a custom deal without sevens is used up: nobody wins": "exhausted",
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.about)
def test_an_example_is_played_with_legal_actions_to_the_end_it_names(example: Example) -> None:
    s = GAME.new(example.options, example.seats, layout=example.layout)
    for action in example.actions:
        assert action in GAME.legal_actions(s)
        GAME.rules.apply(s, action)
    assert GAME.rules.view(s, 0)["end"] == ENDS.get(example.about)


@pytest.mark.parametrize("twins", TWINS, ids=lambda t: t.about)
def test_twins_differ_and_look_the_same(twins: Twins) -> None:
    one, other = (GAME.new(twins.options, twins.seats, layout=layout) for layout in (twins.one, twins.other))
    assert world_of(one) != world_of(other)
    assert GAME.rules.view(one, twins.seat) == GAME.rules.view(other, twins.seat)
