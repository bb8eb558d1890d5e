"""NANA's sparring partners: legal, blind to what is hidden, and true to their kind."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core import LANGUAGES, make_agent, sight, sparring_of
from qipai.core.agent import agent_words
from qipai.games.nana import GAME
from qipai.games.nana.bots.sparring import SPARRING, sources
from tests.games.nana.tables import random_states

OWN = {spec.name for spec in SPARRING}
DEAL = {"hands": [[1, 2, 7], [1, 2, 7]], "centre": [1, 2, 7]}
CENTRE = 12


def act(agent: Any, s: Any) -> int:
    return int(agent.act(sight(GAME, s, int(s["seat"]), agent_words(GAME, 3, 3))))


def test_they_are_sparring_partners_with_a_name_in_every_language() -> None:
    assert set(sparring_of(GAME)) > OWN
    assert all(GAME.agent_about(name, lang) for name in sparring_of(GAME) for lang in LANGUAGES)


@pytest.mark.parametrize("name", sorted(OWN))
def test_they_answer_with_legal_actions_the_same_in_every_world(name: str) -> None:
    words = agent_words(GAME, 1, 2)
    for s in random_states(12, 3, seed=4):
        seat = int(s["seat"])
        answers = {make_agent(GAME, name, seed=7).act(sight(GAME, s, seat, words)) for _ in range(3)}
        assert len(answers) == 1
        assert answers <= set(GAME.legal_actions(s))


def test_stubborn_opens_every_turn_with_the_same_card() -> None:
    s = GAME.new(layout={**DEAL, "hands": [[1, 1, 2], [1, 2, 7]], "centre": [2, 7, 7]})
    agent = make_agent(GAME, "stubborn", seed=1)
    opened = set()
    for _ in range(6):
        opened.add(act(agent, s))
        GAME.rules.apply(s, 0)  # own cards 1, 1, then 2: fails
        GAME.rules.apply(s, 0)
        GAME.rules.apply(s, 0)
        GAME.rules.apply(s, 0)  # the other seat: 1, 2
        GAME.rules.apply(s, 0)
        assert int(s["current"]) == 0
    assert len(opened) == 1


def test_stubborn_takes_what_it_knows_to_match() -> None:
    s = GAME.new(layout=DEAL)
    for action in (CENTRE + 2, 0, CENTRE, 1):  # 7, 1: fails; 1, 7: fails
        GAME.rules.apply(s, action)
    GAME.rules.apply(s, 1)  # its own 7
    agent = make_agent(GAME, "stubborn", seed=1)
    for _ in range(2):
        GAME.rules.apply(s, act(agent, s))
    assert int(s["winner"]) == 0


def test_miser_shows_nothing_new_while_it_can_avoid_it() -> None:
    agent = make_agent(GAME, "miser")
    looked_at = 0
    for s in random_states(60, 2, seed=9):
        cards = sources(GAME.rules.view(s, int(s["seat"])))
        chosen = next(c for c in cards if c.action == act(agent, s))
        alike = sum(c.number == chosen.number for c in cards) + int(s["links"])
        if alike < 3 and any(c.is_public for c in cards):
            looked_at += 1
            assert chosen.is_public
        assert chosen.number is not None or not any(c.is_own for c in cards)
    assert looked_at > 20


def test_miser_takes_a_trio_that_lies_open_to_it() -> None:
    s = GAME.new(layout=DEAL)
    for action in (CENTRE + 2, 0, 1, CENTRE):  # 7, 1: fails; the other seat's 7, 1: fails
        GAME.rules.apply(s, action)
    agent = make_agent(GAME, "miser")
    for _ in range(3):
        GAME.rules.apply(s, act(agent, s))
    assert int(s["trios"]) == 1 and int(s["taker"][0]) == 0


def test_forgetful_opens_with_its_lowest_card_and_remembers_the_last_attempt_only() -> None:
    s = GAME.new(layout=DEAL)
    agent = make_agent(GAME, "forgetful", seed=1)
    assert act(agent, s) == 0
    for action in (CENTRE, 1, CENTRE + 1, 1):  # c0 = 1 is shown, then another attempt: 2, 7
        GAME.rules.apply(s, action)
    GAME.rules.apply(s, 0)
    lanes = {act(make_agent(GAME, "forgetful", seed=k), s) for k in range(40)}
    assert {2, 3, CENTRE, CENTRE + 1, CENTRE + 2} == lanes  # it has forgotten c0, and guesses
    s = GAME.new(layout=DEAL)
    for action in (1, 0, CENTRE, 1):  # 7, 1: fails; the other seat's attempt shows c0 = 1 and its 7
        GAME.rules.apply(s, action)
    GAME.rules.apply(s, 0)
    assert {act(make_agent(GAME, "forgetful", seed=k), s) for k in range(10)} == {CENTRE}
