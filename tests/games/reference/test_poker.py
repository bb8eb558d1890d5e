"""What the two poker games share."""

from __future__ import annotations

import pytest

from qipai.core.errors import BadText
from qipai.games.reference.poker import words_of


def test_words_name_the_actions_and_read_them_back() -> None:
    words = words_of("Test", ("pass", "bet"))
    assert [words.parse(words.say(a)) for a in range(2)] == [0, 1]
    with pytest.raises(BadText, match="pass or bet"):
        words.parse("fold")
