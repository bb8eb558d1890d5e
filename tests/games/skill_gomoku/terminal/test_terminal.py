"""The terminal table: what is shown, what may be typed, why something is refused, the cursor."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from qipai.core import LANGUAGES
from qipai.core.errors import BadText
from qipai.games.skill_gomoku import GAME
from qipai.games.skill_gomoku import terminal as module
from qipai.games.skill_gomoku.terminal import SCREEN, board_text, why_not
from qipai.games.skill_gomoku.terminal.cursor import can_move_cursor
from qipai.games.skill_gomoku.text import MESSAGES
from qipai.terminal.screen import Scene, screen_of

from ..positions import PI, SG, TF, P, T


def scene(s: Any, seat: int = 0, lang: str = "en") -> Scene:
    legal = GAME.legal_actions(s) if int(s["seat"]) == seat else []
    names = ["You", "Lan"]
    return Scene(
        GAME, seat, GAME.rules.view(s, seat), legal, names, names, lang, lambda: GAME.drawing(s, seat, lang)
    )


def shown(part: Any) -> str:
    console = Console(file=StringIO(), width=110)
    with console.capture() as capture:
        console.print(part)
    return capture.get()


def at_choice(cards: list[str], rows: list[str] | None = None) -> Any:
    layout: dict[str, Any] = {"deck": {"drawPile": [T, T, *reversed(cards)]}}
    if rows is not None:
        layout["board"] = rows
    return GAME.new({}, layout=layout)


STONES = ["12" + "0" * 13, *["0" * 15] * 14]


def test_the_table_brings_its_own_screen() -> None:
    assert screen_of(GAME) is SCREEN


@pytest.mark.parametrize("lang", LANGUAGES)
def test_both_cards_are_shown_with_what_they_do(lang: str) -> None:
    seen = scene(at_choice([TF, PI]), lang=lang)
    text = shown(SCREEN.hand(seen))
    for card in (TF, PI):
        assert MESSAGES.say(f"card.{card}", lang) in text
        assert MESSAGES.say(f"card.{card}.about", lang) in text
    assert [key for key, _, _ in SCREEN.moves(seen)] == ["1", "2"]
    assert SCREEN.ask(seen)
    assert shown(SCREEN.welcome(lang)).strip()


def test_the_other_seat_is_shown_how_many_cards_only() -> None:
    text = shown(SCREEN.hand(scene(at_choice([TF, PI]), seat=1)))
    assert "2 cards drawn" in text
    assert "Freeze" not in text


def test_the_board_shows_stones_and_the_side_what_is_left() -> None:
    s = at_choice([P, T], STONES)
    text = shown(SCREEN.table(scene(s)))
    assert text.splitlines()[0].startswith(" 15  ●  ○")
    assert "Take Stone" in text
    assert "You to move" in text


@pytest.mark.parametrize(
    ("lang", "wanted"), [("en", "already has a stone"), ("zh", "已经有子"), ("ja", "もう石があります")]
)
def test_an_illegal_target_says_why(lang: str, wanted: str) -> None:
    s = at_choice([P, T], STONES)
    GAME.rules.apply(s, 0)
    seen = scene(s, lang=lang)
    with pytest.raises(BadText, match=wanted):
        SCREEN.read("a15", seen)
    assert SCREEN.read("H8", seen) == [115]
    with pytest.raises(BadText):
        SCREEN.read("left", seen)
    with pytest.raises(BadText):
        SCREEN.read("z99", seen)


def test_an_illegal_card_says_why() -> None:
    seen = scene(at_choice([T, P]))
    with pytest.raises(BadText, match="Take Stone cannot be played: the opponent has no stone"):
        SCREEN.read("1", seen)
    assert SCREEN.read("2", seen) == [1]
    with pytest.raises(BadText, match="Choose a card first"):
        SCREEN.read("h8", seen)
    single = GAME.new({}, layout={"deck": {"drawPile": [], "discardPile": [P]}})
    with pytest.raises(BadText, match="no such card"):
        SCREEN.read("2", scene(single))


def test_taking_and_freezing_are_asked_for_in_their_own_words() -> None:
    s = at_choice([T, P], STONES)
    GAME.rules.apply(s, 0)
    assert "Which stone" in SCREEN.ask(scene(s))
    assert "CellEmpty" not in why_not(scene(s), 115)
    with pytest.raises(BadText, match="no stone"):
        SCREEN.read("h8", scene(s))
    s = at_choice([TF, P])
    GAME.rules.apply(s, 0)
    assert SCREEN.moves(scene(s))[0][2] == (2,)
    assert SCREEN.read("o", scene(s)) == [2]
    with pytest.raises(BadText, match="no cursor"):
        SCREEN.read("c", scene(s))


def test_without_a_terminal_there_is_no_cursor() -> None:
    assert not can_move_cursor()
    s = at_choice([P, T])
    GAME.rules.apply(s, 0)
    assert [key for key, _, _ in SCREEN.moves(scene(s))] != ["c"]
    with pytest.raises(BadText, match="no cursor"):
        SCREEN.read("c", scene(s))


def test_the_cursor_plays_a_legal_cell_and_refuses_another(monkeypatch: pytest.MonkeyPatch) -> None:
    s = at_choice([P, T], STONES)
    GAME.rules.apply(s, 0)
    monkeypatch.setattr(module, "can_move_cursor", lambda: True)

    def pick(cell: tuple[int, int] | None) -> Any:
        def moved(size: int, start: Any, frame: Any, lang: str) -> Any:
            part, note = frame(*(cell or start))
            assert "[" in shown(part)
            assert note
            return cell

        monkeypatch.setattr(module, "move_cursor", moved)

    pick((7, 7))
    assert SCREEN.read("c", scene(s)) == [115]
    pick((0, 0))
    with pytest.raises(BadText, match="already has a stone"):
        SCREEN.read("c", scene(s))
    pick(None)
    with pytest.raises(BadText, match="put away"):
        SCREEN.read("c", scene(s))


def test_the_end_marks_the_line_and_says_who_won() -> None:
    s = at_choice([P, T], ["11110" + "0" * 10, *["0" * 15] * 14])
    GAME.rules.apply(s, 0)
    last = GAME.rules.narrate(s, 7, 0)
    GAME.rules.apply(s, 7)
    seen = scene(s)
    assert SCREEN.explain(seen, last) == [
        "You (black) have five in a row and win!",
        "Black has 5 in a row, from a15 to e15.",
    ]
    assert "●" in shown(SCREEN.closing(seen))
    assert any(str(span.style).endswith(module.WON) for span in board_text(seen.view).spans)
    told = [SCREEN.tell(event, seen) for event in last]
    assert told[-1] == "You (black) have five in a row and win!"
    assert "You place a black stone at e15." in told
    assert SCREEN.hand(seen) is None
    assert SCREEN.name([0], scene(at_choice([SG, P]))) == "1 Spontaneous Generation"
    assert SCREEN.name([115], scene(at_choice([SG, P]))) == "h8"
