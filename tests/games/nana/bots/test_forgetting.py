"""Forgetting at NANA: a card that was shown looks as if it never was, and nothing else changes."""

from __future__ import annotations

import numpy as np

from qipai.bots.find import find_agent
from qipai.core import NOBODY, Player, State, copy_state, get, make_agent
from qipai.core.agent import agent_words, sight
from qipai.games.nana.bots.forgetting import forget, shown

GAME = get("nana")


def later(seed: int, moves: int = 14) -> State:
    """Return a position after some random moves."""
    s = copy_state(GAME.new(seats=3, words=(seed, 2, 3, 4)))
    player = Player(GAME, "random", seed)
    for _ in range(moves):
        if int(s["seat"]) == NOBODY:
            break
        for action in player.move(s):
            GAME.rules.apply(s, action)
    return s


def known(s: State, seat: int) -> set[str]:
    """Return the slots whose number the seat knows because everyone has seen it."""
    return set(GAME.rules.view(s, seat)["known"])


def test_what_is_forgotten_is_not_known_and_the_rest_is() -> None:
    checked = 0
    for seed in range(40):
        s = later(seed)
        seat = int(s["seat"])
        if seat == NOBODY or not (facts := shown(s, seat)):
            continue
        one = min(facts)
        hidden = copy_state(s)
        forget(hidden, {one})
        assert one not in shown(hidden, seat)
        assert known(hidden, seat) < known(s, seat)
        assert np.array_equal(GAME.mask(hidden), GAME.mask(s))
        GAME.observation_of(GAME.redrawn(hidden, seat, (1, 2, 3, 4)), seat)
        checked += 1
    assert checked > 10


def test_everything_can_be_forgotten() -> None:
    for seed in range(40):
        s = later(seed)
        if (seat := int(s["seat"])) != NOBODY:
            forget(s, set(shown(s, seat)))
            assert not shown(s, seat)
            world = GAME.redrawn(s, seat, (seed, 2, 3, 4))
            assert np.array_equal(GAME.observation_of(world, seat), GAME.observation_of(s, seat))


def test_an_agent_without_memory_plays_unlike_one_with_it() -> None:
    differ = 0
    for seed in range(30):
        s = later(seed, 20)
        if (seat := int(s["seat"])) == NOBODY:
            continue
        answers = []
        for text in ("net", "net~m0"):
            agent, words = make_agent(GAME, find_agent(GAME, text), 1), agent_words(GAME, 1, 1)
            agent.act(sight(GAME, s, seat, words))  # facts are new at the first decision
            answers.append(agent.act(sight(GAME, s, seat, words)))
        differ += answers[0] != answers[1]
    assert differ > 0
