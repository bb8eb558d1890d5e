"""The beginner: what pays at once, and chance among equals."""

from __future__ import annotations

import pytest

from qipai.bots.beginner import SPEC, Beginner
from qipai.core import State, copy_state, get, names, sight, sparring_of
from qipai.core.agent import agent_words
from tests.games.skill_gomoku.bots.playing import action, position, row
from tests.games.skill_gomoku.positions import P, T
from tests.toys_check.hush import GAME, HANDS


def test_it_plays_every_game() -> None:
    assert all(sparring_of(get(name))["beginner"] is SPEC for name in names())


@pytest.mark.parametrize("lane", range(4))
def test_it_takes_a_win_that_lies_open(lane: int) -> None:
    one, s = position([P, T], white=row(0, 0, 1, 2, 3), black="8,8 7,7 6,8 5,8")
    one.rules.apply(s, 0)  # the card that places a stone
    agent = Beginner(one, agent_words(one, 1, lane))
    assert agent.act(sight(one, s, int(s["seat"]), agent_words(one, 2, lane))) == action(9, 4, 0)


def test_equal_actions_are_equally_likely() -> None:
    s: State = GAME.new(seats=3, layout={"hand": HANDS})
    legal = GAME.legal_actions(s)
    for one in legal:
        after = copy_state(s)
        GAME.rules.apply(after, one)
        assert not after["payoff"].any()  # nothing pays at once here
    agent = Beginner(GAME, agent_words(GAME, 5, 0))
    seen = sight(GAME, s, int(s["seat"]), agent_words(GAME, 5, 1))
    assert {agent.act(seen) for _ in range(100)} == set(legal)


def test_the_world_that_it_is_given_stays_as_it_was() -> None:
    s = GAME.new(seats=3, layout={"hand": HANDS})
    seen = sight(GAME, s, int(s["seat"]), agent_words(GAME, 5, 1))
    before = seen.state.tobytes()
    Beginner(GAME, agent_words(GAME, 5, 0)).act(seen)
    assert seen.state.tobytes() == before
