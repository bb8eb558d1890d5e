"""`hard`: legal, blind to what is hidden, with reasons; its strength at small counts (48)."""

from __future__ import annotations

import pytest

from qipai.core import LANGUAGES, bots_of, sight
from qipai.core.agent import agent_words
from qipai.games.nana import GAME
from qipai.games.nana.bots.hard import HardAgent
from tests.games.nana.tables import contest, random_states

SEED_AGAINST_RANDOM = 0.99


def test_the_bots_are_registered_by_strength() -> None:
    assert list(bots_of(GAME)) == [
        "random",
        *(f"level{k}" for k in range(1, 7)),
        "search",
        "forgetful",
        "hard",
        "exact",
        "net",
    ]


@pytest.mark.parametrize("seats", [2, 3, 5, 6])
def test_it_answers_with_legal_actions_the_same_in_every_world(seats: int) -> None:
    words = agent_words(GAME, 1, 2)
    agent = HardAgent(GAME, words)
    for s in random_states(6, seats, seed=4):
        seat = int(s["seat"])
        answers = {agent.act(sight(GAME, s, seat, words)) for _ in range(3)}
        assert len(answers) == 1
        assert answers <= set(GAME.legal_actions(s))
        assert agent.why is not None
        assert all(GAME.words.messages.tell(agent.why, lang) for lang in LANGUAGES)


def test_48_hard_beats_random() -> None:
    table = contest("hard", "random", 2, 5)
    assert table.rows[0].won.mean >= SEED_AGAINST_RANDOM
