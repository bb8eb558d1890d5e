"""The frames of live play: faces and the falling pair."""

from __future__ import annotations

import re

import pytest

from qipai.games.paipai_rensa.api import PaipaiGame
from qipai.games.paipai_rensa.terminal.frame import BLUE, GREEN, RED, tile
from qipai.games.paipai_rensa.terminal.live import Session
from qipai.games.paipai_rensa.tiles import copies_of

from ..positions import bottom


def ink(colour: tuple[int, int, int]) -> str:
    return f"\x1b[38;2;{colour[0]};{colour[1]};{colour[2]}m"


@pytest.mark.parametrize(
    ("code", "numeral", "sign", "numeral_red", "sign_colour"),
    [
        ("m5", "五", "萬", False, RED),
        ("m0", "五", "萬", True, RED),
        ("p5", "⑤", "筒", False, BLUE),
        ("p0", "⑤", "筒", True, BLUE),
        ("s1", "Ⅰ", "索", False, GREEN),
        ("s0", "Ⅴ", "索", True, GREEN),
    ],
)
def test_faces_have_the_colours_of_the_spec(
    code: str, numeral: str, sign: str, numeral_red: bool, sign_colour: tuple[int, int, int]
) -> None:
    face = tile(copies_of(code)[0])
    before_numeral, _, rest = face.partition(numeral)
    assert before_numeral.endswith(ink(RED) + "\x1b[1m") == numeral_red
    assert rest.partition(sign)[0].strip() == ink(sign_colour)


def test_honours_are_single_characters() -> None:
    faces = {code: tile(copies_of(code)[0]) for code in ("zE", "zP", "zF", "zC")}
    assert "東" in faces["zE"] and "白" in faces["zP"]
    assert ink(GREEN) in faces["zF"] and ink(RED) in faces["zC"]


def test_the_falling_pair_is_drawn_where_it_is() -> None:
    session = Session(PaipaiGame(1))
    session.game.load({"board": bottom("m1 p1 .. .. .. .."), "pair": "zE zC"})
    rows = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in session.lines()]
    assert "中" in rows[1] and "東" in rows[2] and "一萬" in rows[12]
