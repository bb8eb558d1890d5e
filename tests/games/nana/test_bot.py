"""The agents: legal, blind to what is hidden, with reasons; their strength at small counts (48)."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.arena import Standings, run
from qipai.core import AgentSpec, agents_of, make_agent, sight
from qipai.core.agent import agent_words
from qipai.games.nana import GAME
from qipai.games.nana.bot import ExactAgent, HardAgent, Thinker, chances
from tests.games.nana.tables import random_states

SEED_AGAINST_RANDOM = 0.99
EXACT_AGAINST_SEED = 0.80


def contest(one: str, other: str, seats: int, deals: int, seed: int = 0) -> Standings:
    """One seat of `one` against `other` in all the others."""
    return run(GAME, [one] + [other] * (seats - 1), deals, seed=seed, seats=seats, threads=1)


def test_the_agents_are_registered_by_strength() -> None:
    assert list(agents_of(GAME)) == ["random", "hard", "exact"]


@pytest.mark.parametrize("seats", [2, 3, 5, 6])
@pytest.mark.parametrize("kind", [HardAgent, ExactAgent])
def test_agents_answer_with_legal_actions_the_same_in_every_world(seats: int, kind: type) -> None:
    words = agent_words(GAME, 1, 2)
    agent = kind(GAME, words)
    for s in random_states(6, seats, seed=4):
        seat = int(s["seat"])
        answers = {agent.act(sight(GAME, s, seat, words)) for _ in range(3)}
        assert len(answers) == 1
        assert answers <= set(GAME.legal_actions(s))
        assert set(agent.why) == {"en", "zh"}
        assert all(agent.why.values())


def test_sampled_chances_lie_near_the_counted_ones() -> None:
    counted, sampled = Thinker(GAME), Thinker(GAME, budget=0, worlds=600)
    for s in random_states(4, 3, seed=6):
        mask, seat = GAME.mask(s), int(s["seat"])
        counted.think(s, seat, mask)
        sampled.think(s, seat, mask)
        assert (counted.sampled, sampled.sampled) == (0, 600)
        assert np.abs(counted.best - sampled.best).max() < 0.11  # five deviations of a share near one half


def test_a_certain_winning_trio_is_taken() -> None:
    layout = {"hands": [[1, 2, 7], [1, 2, 7]], "centre": [1, 2, 7]}
    s = GAME.new(layout=layout)
    for action in (1, 2 + 1, 12, 12 + 2, 0):  # tails, c0: fails; then c2, own head: fails
        if s["seat"] >= 0:
            GAME.rules.apply(s, action)
    seat = int(s["seat"])
    agent = make_agent(GAME, "exact")
    for _ in range(3 - int(s["links"])):
        GAME.rules.apply(s, agent.act(sight(GAME, s, seat, agent_words(GAME, 3, 3))))
    assert int(s["winner"]) == seat


def test_hints_are_the_counted_chances() -> None:
    own = [1, 2, 2, 4, 5, 6, 7, 8, 9, 10]
    deal = {"hands": [own, [1, 1, 3, 3, 4, 6, 7, 8, 9, 10]], "centre": [5, 2, 10, 9, 3, 8, 4, 6, 5, 7]}
    found = chances(GAME.new(layout=deal), 0, GAME)
    assert found[2] == pytest.approx(165 / 646)
    assert found[0] == found[1] == pytest.approx(9 / 38)


def test_48_hard_beats_random() -> None:
    table = contest("hard", "random", 2, 5)
    assert table.rows[0].won.mean >= SEED_AGAINST_RANDOM


@pytest.mark.slow
def test_48_exact_beats_hard_and_no_game_is_capped() -> None:
    table = contest("exact", "hard", 2, 60)
    assert table.rows[0].won.mean >= EXACT_AGAINST_SEED - 0.06  # 120 games: half-width 0.06
    assert table.rows[0].even == 0
    assert contest("exact", "hard", 4, 8).rows[0].won.mean > 0.4


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["hard", "exact"])
@pytest.mark.parametrize("seats", [2, 6])
def test_48_games_among_equals_end(agent: str, seats: int) -> None:
    spec: AgentSpec = agents_of(GAME)[agent]
    assert run(GAME, [spec], 4, seats=seats, threads=1).rows[0].even == 0
