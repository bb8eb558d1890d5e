"""The cautious agent: nothing new while something old is legal."""

from __future__ import annotations

from qipai.bots.cautious import SPEC, Cautious
from qipai.core import get, names, sparring_of
from qipai.core.agent import agent_words, sight
from tests.toys_check.hush import GAME, HANDS


def test_it_plays_every_game() -> None:
    assert all(sparring_of(get(name))["cautious"] is SPEC for name in names())


def test_it_tries_something_new_only_when_it_has_to() -> None:
    s = GAME.new(seats=3, layout={"hand": HANDS})
    seen = sight(GAME, s, int(s["seat"]), agent_words(GAME, 5, 1))
    agent = Cautious(GAME, agent_words(GAME, 5, 0))
    first = agent.act(seen)
    assert {agent.act(seen) for _ in range(20)} == {first}
    seen.mask[first] = 0
    second = agent.act(seen)
    assert second != first and second in GAME.legal_actions(s)
    assert {agent.act(seen) for _ in range(20)} == {second}
    seen.mask[first] = 1
    assert {agent.act(seen) for _ in range(40)} == {first, second}


def test_its_first_action_may_be_any() -> None:
    s = GAME.new(seats=3, layout={"hand": HANDS})
    seen = sight(GAME, s, int(s["seat"]), agent_words(GAME, 5, 1))
    firsts = {Cautious(GAME, agent_words(GAME, 5, lane)).act(seen) for lane in range(60)}
    assert firsts == set(GAME.legal_actions(s))
