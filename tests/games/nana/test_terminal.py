"""The terminal screen shows what the view says and reads what a player types."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from qipai.core import LANGUAGES, State
from qipai.core.errors import BadText
from qipai.games.nana import GAME
from qipai.games.nana.bots.exact import chances
from qipai.games.nana.terminal import SCREEN, chances_of
from tests.games.nana.tables import random_states


def scene(s: State, lang: str = "en", hint: bool = False) -> Any:
    seat = int(s["seat"])
    names = [f"player {k}" for k in range(int(s["seats"]))]
    return SimpleNamespace(
        game=GAME,
        view=GAME.rules.view(s, seat),
        legal=GAME.legal_actions(s),
        names=names,
        titles=names,
        lang=lang,
        seat=seat,
        hint=hint,
    )


def shown(part: Any) -> str:
    console = Console(width=120, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    with console.capture() as capture:
        console.print(part)
    console.file.close()
    return capture.get()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("seats", [2, 6])
def test_the_table_moves_and_events_are_drawn(lang: str, seats: int) -> None:
    for s in random_states(5, seats, seed=7):
        at = scene(s, lang)
        text = shown(SCREEN.table(at))
        assert all(f"player {k}" in text for k in range(seats))
        moves = SCREEN.moves(at)
        assert [m[2][0] for m in moves] == GAME.legal_actions(s)
        assert all(SCREEN.read(key, at) == list(actions) for key, _, actions in moves)
        assert SCREEN.ask(at)
        for event in GAME.rules.narrate(s, at.legal[0], 0):
            assert SCREEN.tell(event, at) == GAME.tell(event, lang, at.names, at.seat)
    assert shown(SCREEN.welcome(lang))


def test_hints_are_the_agents_chances() -> None:
    for s in random_states(8, 3, seed=5):
        seat = int(s["seat"])
        counted, hinted = chances(s, seat, GAME), chances_of(GAME.rules.view(s, seat))
        for move in hinted:
            slot = move - 12
            if move >= 12 and not int(s["shown"]) >> slot & 1:
                continue  # the agent keeps one dark centre card for all
            assert hinted[move] == pytest.approx(counted[move], abs=1e-9)
    at = scene(s, hint=True)
    assert all("%" in str(text) for _, text, _ in SCREEN.moves(at))
    with pytest.raises(BadText, match="Chance of a trio"):
        SCREEN.read("%", at)


def test_the_end_is_explained() -> None:
    s = GAME.new(layout={"hands": [[1, 2, 7], [1, 2, 7]], "centre": [1, 2, 7]})
    for action in (1, 3):
        GAME.rules.apply(s, action)
    events = GAME.rules.narrate(s, 14, 0)
    at = scene(s)
    GAME.rules.apply(s, 14)
    at.view = GAME.rules.view(s, 0)
    assert SCREEN.explain(at, events) == ["You win: the three sevens", "You: 7", "player 1: no trio"]
    at.lang = "ja"
    assert SCREEN.explain(at, events) == ["あなたの勝ち：7が三枚", "あなた：7", "player 1：獲得なし"]
    assert "7·7·7" in shown(SCREEN.closing(at))


def test_cards_are_named_by_owner_and_counted_from_one() -> None:
    at = scene(GAME.new(seats=3))
    named = [str(text) for _, text, _ in SCREEN.moves(at)]
    assert named[0].startswith("Your lowest card (")
    assert named[3] == "player 1’s highest card (?)"
    assert named[6] == "Centre card 1 (?)"
    assert SCREEN.read("centre 1", at) == [12]


@pytest.mark.parametrize("text", ["", "99", "0", "xyz", "tail 9", "centre 77", "centre 0", "²"])
def test_what_names_no_move_is_refused(text: str) -> None:
    at = scene(GAME.new())
    with pytest.raises(BadText):
        SCREEN.read(text, at)
