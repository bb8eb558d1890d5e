"""The openings that a bot has tried in vain."""

from __future__ import annotations

from qipai.games.nana import BotDecision
from qipai.games.nana.bots.openings import Openings
from tests.games.nana.tables import fixture, reveal

OWN_HEAD = BotDecision("reveal-player-card", "bot-1", "min")
MY_TAIL = BotDecision("reveal-player-card", "me", "max")
CENTRE = BotDecision("reveal-public-card", card_id="p3")


def test_the_openings_of_other_turns_have_failed_oldest_first() -> None:
    openings, memory = Openings(), fixture()
    for turn, decision in ((0, OWN_HEAD), (2, CENTRE), (4, MY_TAIL)):
        openings.failed(memory, turn)
        openings.note(turn, decision)
    assert openings.failed(memory, 6) == ["2-a", "p3", "m6"]
    openings.note(6, OWN_HEAD)
    assert openings.failed(memory, 8) == ["p3", "m6", "2-a"]


def test_the_opening_of_this_turn_has_not_failed_yet() -> None:
    openings, memory = Openings(), fixture()
    openings.failed(memory, 3)
    openings.note(3, CENTRE)
    assert openings.failed(memory, 3) == []
    assert openings.failed(memory, 5) == ["p3"]


def test_what_is_learned_opens_everything_again() -> None:
    openings, memory = Openings(), fixture()
    openings.failed(memory, 0)
    openings.note(0, CENTRE)
    assert openings.failed(fixture(), 2) == ["p3"]  # equal memories: nothing was learned
    assert openings.failed(reveal(memory, "m0", 4), 4) == []
    assert openings.failed(memory, 6) == []
