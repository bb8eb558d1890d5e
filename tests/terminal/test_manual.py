"""The rules in words, in the reader's language or in English."""

from __future__ import annotations

import pytest

from qipai.core import get, names
from qipai.terminal.manual import rules_text, without_commands


@pytest.mark.parametrize("game", names())
def test_every_game_has_rules_and_an_unknown_language_gets_english(game: str) -> None:
    assert rules_text(get(game), "en").startswith("#")
    assert rules_text(get(game), "xx") == rules_text(get(game), "en")


def test_commands_are_left_out_where_there_is_no_shell() -> None:
    text = "Play (`qipai play nana`).\n\n```\nqipai play nana\n```\n\nEnd."
    assert without_commands(text) == "Play.\n\nEnd."
