"""Options (§2): values out of range are refused by name, and each board size is a separate game."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core import get
from qipai.core.errors import BadOption
from qipai.games.skill_gomoku import GAME, game

BAD_OPTIONS: list[dict[str, Any]] = [
    {"board_size": 4}, {"board_size": 20}, {"board_size": "x"}, {"max_turns": 30001}, {"max_turns": 0},
    {"deck": "none"}, {"places": 65}, {"first_seat": 2}, {"unknown": 1}, {"paced": True},
    {"places": 0, "takes": 1, "inversions": 0, "freezes": 0, "generations": 0}, {"places": 64},
]  # fmt: skip


@pytest.mark.parametrize("options", BAD_OPTIONS)
def test_options_are_refused_by_name(options: dict[str, Any]) -> None:
    with pytest.raises(BadOption):
        get("skill_gomoku", options).new(options)


def test_a_game_of_one_size_refuses_another() -> None:
    with pytest.raises(BadOption, match="board_size"):
        GAME.new({"board_size": 9})
    with pytest.raises(BadOption, match="max_turns"):
        GAME.new({"max_turns": -1})
    unlimited = get("skill_gomoku", {"max_turns": -1})
    assert unlimited.rules.length > 10**9
    assert int(unlimited.new({"max_turns": -1})["max_turns"]) == -1
    assert get("skill_gomoku") is GAME
    assert get("skill_gomoku", {"board_size": 9}) is game({"board_size": 9})
