"""The repeater: one order of actions for the whole game."""

from __future__ import annotations

from itertools import combinations

from qipai.bots.repeater import SPEC, Repeater
from qipai.core import get, names, sparring_of
from qipai.core.agent import agent_words, sight
from tests.toys_check.hush import GAME, HANDS


def test_it_plays_every_game() -> None:
    assert all(sparring_of(get(name))["repeater"] is SPEC for name in names())


def test_it_always_plays_the_same_action_where_the_same_are_legal() -> None:
    s = GAME.new(seats=3, layout={"hand": HANDS})
    seen = sight(GAME, s, int(s["seat"]), agent_words(GAME, 5, 1))
    agents = [Repeater(GAME, agent_words(GAME, 5, lane)) for lane in range(40)]
    choices = [{agent.act(seen) for _ in range(5)} for agent in agents]
    assert all(len(made) == 1 for made in choices)
    assert set.union(*choices) == set(GAME.legal_actions(s))  # another order in another game


def test_it_prefers_by_one_order_whatever_else_is_legal() -> None:
    s = GAME.new(seats=3, layout={"hand": HANDS})
    seen = sight(GAME, s, int(s["seat"]), agent_words(GAME, 5, 1))
    agent = Repeater(GAME, agent_words(GAME, 5, 0))
    order = []
    while seen.mask.any():
        order.append(agent.act(seen))
        seen.mask[order[-1]] = 0
    for first, second in combinations(order, 2):
        seen.mask[[first, second]] = 1
        assert agent.act(seen) == first
        seen.mask[[first, second]] = 0
