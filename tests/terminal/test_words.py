"""What the terminal says: every language, and names in play order."""

from __future__ import annotations

import pytest

from qipai.core.message import people
from qipai.terminal.words import MESSAGES, say, seat_names


@pytest.mark.parametrize("lang", ["en", "zh", "ja"])
def test_every_language_names_every_seat_once(lang: str) -> None:
    assert lang in MESSAGES.languages
    names = seat_names(8, 0, lang)
    assert len(set(names)) == 8 and all(names)
    assert names[1:] == people(lang)[:7] == seat_names(7, -1, lang)
    assert say("illegal", lang)


def test_the_others_follow_the_person_in_play_order() -> None:
    first = seat_names(4, 0, "en")
    assert seat_names(4, 2, "en") == [first[2], first[3], first[0], first[1]]
    assert first[0] not in seat_names(4, -1, "en")
