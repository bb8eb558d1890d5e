"""Any game at the table: the described screen, and screens that games provide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from qipai.core import Game, Line, Messages, State, get, names, seat_value
from qipai.core.errors import BadGame, BadText
from qipai.games.xianqi import GAME
from qipai.games.xianqi.terminal import SCREEN
from qipai.match import check_record, read_record
from qipai.terminal.manual import rules_text
from qipai.terminal.screen import DescribedScreen, Scene, Screen, screen_of

from .scripted import Shown, play, tables

LAYOUT = {
    "hands": [
        {"R_SHI": 2, "B_SHI": 2, "R_MA": 2, "R_NIU": 2},
        {"R_XIANG": 1, "B_MA": 2, "R_CHE": 2, "B_CHE": 2, "R_GOU": 1},
        {"R_XIANG": 1, "B_XIANG": 2, "B_GOU": 1, "R_NIU": 1, "B_NIU": 3},
    ],
    "first": 0,
    "actions": ["RS2"],
}


def scene_at(game: Game, seat: int, lang: str = "en") -> Scene:
    return scene_of(game, game.new(layout=LAYOUT), seat, lang)


def scene_of(game: Game, s: State, seat: int, lang: str) -> Scene:
    people = [f"P{i}" for i in range(int(s["seats"]))]
    legal = game.legal_actions(s)
    return Scene(
        game, seat, game.rules.view(s, seat), legal, people, people, lang, lambda: game.drawing(s, seat, lang)
    )


def test_a_game_with_a_screen_is_drawn_by_it_and_one_without_is_described() -> None:
    theirs: Screen = SCREEN
    assert screen_of(GAME) is theirs
    assert (
        screen_of(replace(GAME, terminal=replace(GAME.terminal, screen="qipai.games.xianqi.terminal:SCREEN")))
        is theirs
    )
    without = screen_of(replace(GAME, terminal=replace(GAME.terminal, screen=None)))
    assert isinstance(without, DescribedScreen)


@pytest.mark.parametrize("place", ["no.such.module:SCREEN", "qipai.games.xianqi.terminal:NOTHING", "qipai"])
def test_a_screen_that_cannot_be_loaded_is_a_bad_game(place: str) -> None:
    with pytest.raises(BadGame):
        screen_of(replace(GAME, terminal=replace(GAME.terminal, screen=place)))


def test_the_described_screen_numbers_the_moves_and_reads_notation_too() -> None:
    scene, screen = scene_at(GAME, 1), DescribedScreen(GAME)
    moves = screen.moves(scene)
    assert [key for key, _, _ in moves] == [str(i + 1) for i in range(len(scene.legal))]
    assert screen.read("2", scene) == list(moves[1][2])
    assert screen.read(" under BM ", scene) == [GAME.words.parse("under BM")]
    with pytest.raises(BadText):
        screen.read("nothing", scene)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("typed", ["xyzzy", "x" * 60, "9 9 9 x"])
def test_what_cannot_be_read_is_said_in_the_persons_language(name: str, typed: str) -> None:
    game = get(name)
    s = game.new()
    for screen in (screen_of(game), DescribedScreen(game)):
        said = {}
        for lang in ("en", "zh"):
            with pytest.raises(BadText) as error:
                screen.read(typed, scene_of(game, s, int(s["seat"]), lang))
            said[lang] = str(error.value)
        assert not re.search("[\u4e00-\u9fff]", said["en"])
        rest = said["zh"].replace(typed[:20], "")
        assert re.search("[\u4e00-\u9fff]", rest) and not re.search("[A-Za-z]{3}", rest)


def test_a_notation_of_numbers_is_its_own_key() -> None:
    numbers = replace(
        GAME, words=replace(GAME.words, say=lambda a: str(a + 100), parse=lambda t: int(t) - 100)
    )
    scene, screen = scene_at(numbers, 1), DescribedScreen(numbers)
    assert [key for key, _, _ in screen.moves(scene)] == [str(a + 100) for a in scene.legal]
    assert screen.read(str(scene.legal[1] + 100), scene) == [scene.legal[1]]


def test_a_whole_deal_is_played_on_the_described_screen(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """A compound move is typed part by part; u takes it back; nothing shows before it is whole."""
    monkeypatch.setattr("qipai.terminal.session.screen_of", DescribedScreen)

    def keys(shown: Shown) -> Iterator[str]:
        took_back = False
        while True:
            if "chosen so far" in shown.getvalue()[-90:] and not took_back:
                took_back = True
                yield "u"
            yield "1"

    _, text, _ = play(keys, seed="plain 5", hands=4, bots="random")
    assert " chosen so far; u takes it back." in text and "Chips after 4 hands" in text
    assert re.search(r"> u\n(.*\n)* > 1\n", text)
    (folder,) = tables(home)
    for deal in range(1, 5):
        match, wrong = check_record(read_record(folder / f"hand-00{deal}.jsonl"))
        assert match.over and not wrong


def test_many_moves_are_cut_to_a_list_that_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qipai.terminal.session.MOST_MOVES", 2)
    _, text, _ = play([], seed="7", seat=1)
    assert "more: type one by name" in text


def test_every_registered_game_of_ours_tells_its_rules() -> None:
    for lang in ("en", "zh"):
        assert rules_text(get("xianqi"), lang).startswith("#")
    assert "三柱" in rules_text(GAME, "zh") and "pillars" in rules_text(GAME, "en")
    assert rules_text(GAME, "fr") == rules_text(GAME, "en")


def test_rules_given_in_the_record_come_first() -> None:
    assert rules_text(replace(GAME, words=replace(GAME.words, rules_text={"en": "# Mine"})), "en") == "# Mine"


def test_labels_are_shown_with_names_and_the_notation_is_still_read() -> None:
    def label(action: int, seat: int, seats: int) -> Line:
        return "ask", {"of": seat_value((seat + 1) % seats), "n": action}

    words = replace(GAME.words, messages=Messages({"en": {"ask": "ask {of} for {n}"}}), label=label)
    game = replace(GAME, words=words, terminal=replace(GAME.terminal, screen=None))
    scene, screen = scene_at(game, 1), screen_of(game)
    action = scene.legal[0]
    assert screen.moves(scene)[0] == ("1", f"ask P2 for {action}", (action,))
    assert screen.read(game.words.say(action), scene) == [action]
    assert screen.name([action], scene) == f"ask P2 for {action}"
