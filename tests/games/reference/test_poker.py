"""What the two poker games share."""

from __future__ import annotations

import pytest

from qipai.core import LANGUAGES, get
from qipai.core.errors import BadText
from qipai.games.reference.poker import words_of


def test_words_name_the_actions_and_read_them_back() -> None:
    words = words_of("kuhn_poker", ("pass", "bet"))
    assert [words.parse(words.say(a)) for a in range(2)] == [0, 1]
    with pytest.raises(BadText, match="pass or bet"):
        words.parse("fold")


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_players_read_title_and_log_in_their_language(name: str) -> None:
    game = get(name)
    assert game.words.messages.faults(LANGUAGES) == []
    assert len({game.title(lang) for lang in LANGUAGES}) == 3
    for action in range(game.rules.actions):
        line = (f"log.{game.words.say(action)}", {"seat": {"seat": 0}})
        told = {game.words.messages.tell(line, lang, ["Ann", "Bo"], 1) for lang in LANGUAGES}
        assert len(told) == 3 and all(text.startswith("Ann") for text in told)
