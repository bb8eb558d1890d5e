"""Actions as text, the drawing."""

from __future__ import annotations

import pytest

from qipai.core.errors import BadText
from qipai.games.paipai_rensa import GAME
from qipai.games.paipai_rensa.layout import read_board
from qipai.games.paipai_rensa.state import ACTIONS
from qipai.games.paipai_rensa.text import board_text, parse, say, tell
from qipai.games.paipai_rensa.tiles import Box
from qipai.games.paipai_rensa.view import view

from .positions import bottom


@pytest.mark.parametrize("action", range(ACTIONS))
def test_actions_read_back(action: int) -> None:
    assert parse(say(action)) == action and parse(say(action).upper()) == action


def test_text_that_names_no_action_is_refused() -> None:
    for bad in ("", "7 up", "0", "up", "keep it", "x" * 50, "1 up 2", "3 diagonal"):
        with pytest.raises(BadText):
            parse(bad)
    for number in (-1, 26):
        with pytest.raises(BadText):
            say(number)
    with pytest.raises(BadText):
        tell({"type": "nothing"}, "en")


def test_board_text_reads_back() -> None:
    rows = bottom("m0 p1 s2 zE zC ..", "m1 p0 s0 zS zP zF")
    s = GAME.new(layout={"board": rows, "pair": "m2 m3"})
    text = board_text(view(s, 0)["board"])
    assert text.splitlines() == rows
    assert read_board(text, Box()) == read_board(rows, Box()) == s["board"].tolist()


def test_the_drawing_shows_board_hand_and_list() -> None:
    s = GAME.new(layout={"phase": "alloc", "hand": "zE", "collected": "m1 m2 m3 m4", "deck": "p1 p2"})
    text = GAME.drawing(s, 0, "en")
    assert "[zE]" in text and "next p1 p2" in text and "hand (1/14)" in text
    assert "弃牌" in GAME.drawing(s, 0, "zh")
