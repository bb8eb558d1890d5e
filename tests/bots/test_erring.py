"""Agents that err: their descriptions, and what forgetting, overlooking and misjudging do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.bots.erring import Erring, Errors, parts_of
from qipai.bots.find import find_agent
from qipai.core import AgentSpec, Game, Player, Sight, get, make_agent, sight
from qipai.core.agent import agent_words
from qipai.core.errors import BadAgent, UnknownAgent

GAME = get("xianqi")


class Scorer:
    """Rates every legal action one point above the one before it."""

    def __init__(self, game: Game, words: Any) -> None:
        pass

    def act(self, sight: Sight) -> int:
        """Return the highest legal action."""
        return int(np.flatnonzero(sight.mask)[-1])

    def scores(self, sight: Sight) -> Any:
        """Return the place of every action among the legal ones."""
        return np.cumsum(sight.mask[: sight.game.rules.actions])


SCORER = AgentSpec("scorer", 1, Scorer)


def choices(errors: Errors, count: int = 400) -> list[int]:
    """Return what an erring agent chooses at one position, by place among the legal actions."""
    s = GAME.new(words=(1, 2, 3, 4))
    seen = sight(GAME, s, int(s["seat"]), agent_words(GAME, 1, 1))
    legal = np.flatnonzero(seen.mask).tolist()
    agent = Erring(GAME, agent_words(GAME, 1, 0), SCORER, errors)
    return [legal.index(agent.act(seen)) - len(legal) for _ in range(count)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("net", None),
        ("net~x1", None),
        ("~t1", None),
        ("net~t1.5~o0.2~m0.9", ("net", Errors(1.5, 0.2, 0.9))),
        ("net~m0.5", ("net", Errors(0.0, 0.0, 0.5))),
        ("a.py:SPEC~t2", ("a.py:SPEC", Errors(2.0))),
    ],
)
def test_a_description_is_read(text: str, parts: Any) -> None:
    assert parts_of(text) == parts


@pytest.mark.parametrize("text", ["net~t11", "net~o1.5", "net~m2", "net~t1~t2", "net~t1.2.3", "net~o."])
def test_a_bad_description_is_refused(text: str) -> None:
    with pytest.raises(BadAgent, match="each once"):
        find_agent(GAME, text)


def test_an_unknown_base_is_refused() -> None:
    with pytest.raises(UnknownAgent):
        find_agent(GAME, "nobody~t1")


def test_what_the_base_cannot_do_is_refused() -> None:
    with pytest.raises(BadAgent, match="does not score actions"):
        make_agent(GAME, find_agent(GAME, "heuristic~o0.1"))
    with pytest.raises(BadAgent, match="not a game of memory"):
        make_agent(GAME, find_agent(GAME, "net~m0.5"))


def test_without_errors_it_plays_like_its_base() -> None:
    assert set(choices(Errors())) == {-1}


def test_overlooking_takes_the_best_action_that_it_notices() -> None:
    """The best is noticed with probability 1 - o, the second best with (1 - o) o, and so on."""
    counts = np.bincount([-k for k in choices(Errors(oversight=0.3), 2000)], minlength=4)
    expected = 2000 * np.array([0.7, 0.21, 0.063])
    assert (abs(counts[1:4] - expected) < 4 * np.sqrt(expected)).all()


def test_misjudging_is_a_draw_from_the_softmax() -> None:
    counts = np.bincount([-k for k in choices(Errors(temperature=1.0), 2000)], minlength=4)
    chance = np.exp(-np.arange(20.0))
    expected = 2000 * (chance / chance.sum())[:3]
    assert (abs(counts[1:4] - expected) < 4 * np.sqrt(expected) + 3).all()


def test_the_same_words_err_in_the_same_way() -> None:
    spec = find_agent(GAME, "net~t2~o0.4")
    s = GAME.new(words=(1, 2, 3, 4))
    assert Player(GAME, spec, seed=5).move(s) == Player(GAME, spec, seed=5).move(s)
    assert len({tuple(Player(GAME, spec, seed=k).move(s)) for k in range(30)}) > 1
