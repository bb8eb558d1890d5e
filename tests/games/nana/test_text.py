"""NANA in words."""

from __future__ import annotations

from qipai.games.nana import GAME
from tests.games.nana.tables import random_states


def test_actions_and_events_have_words_in_both_languages() -> None:
    for action in range(GAME.rules.actions):
        assert GAME.words.parse(GAME.words.say(action)) == action
    for text, action in (("头1", 2), ("tail", 1), ("T2", 5), ("中3", 15), ("center 3", 15), ("min", 0)):
        assert GAME.words.parse(text) == action
    for s in random_states(10, 3, seed=2):
        for action in GAME.legal_actions(s)[::3]:
            for event in GAME.rules.narrate(s, action, 0):
                assert GAME.tell(event, "en") != GAME.tell(event, "zh")
