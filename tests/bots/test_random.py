"""The random agent: every legal action equally often, and nothing else."""

from __future__ import annotations

import numpy as np

from qipai.bots.random import SPEC, RandomAgent
from qipai.core import agents_of, get, names
from qipai.core.agent import agent_words, sight
from tests.toys_check.hush import GAME, HANDS


def test_it_plays_every_game() -> None:
    assert all(agents_of(get(name))["random"] is SPEC for name in names())


def test_every_legal_action_comes_equally_often_and_no_other_ever() -> None:
    s = GAME.new(seats=3, layout={"hand": HANDS})
    legal = GAME.legal_actions(s)
    agent = RandomAgent(GAME, agent_words(GAME, 5, 0))
    seen = sight(GAME, s, int(s["seat"]), agent_words(GAME, 5, 1))
    counts = np.bincount([agent.act(seen) for _ in range(4000)], minlength=GAME.rules.actions)
    assert np.flatnonzero(counts).tolist() == legal
    expected = 4000 / len(legal)
    assert abs(counts[legal] - expected).max() < 5 * np.sqrt(expected)


def test_the_same_words_choose_the_same_actions() -> None:
    s = GAME.new(seats=3, layout={"hand": HANDS})
    seen = sight(GAME, s, int(s["seat"]), agent_words(GAME, 5, 1))

    def choices(lane: int) -> list[int]:
        agent = RandomAgent(GAME, agent_words(GAME, 5, lane))
        return [agent.act(seen) for _ in range(20)]

    assert choices(0) == choices(0)
    assert choices(0) != choices(2)
