"""Xianqi as text: notation, the message files, drawing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from qipai.core.errors import BadText
from qipai.core.message import LANGUAGES
from qipai.games.xianqi import GAME, state
from qipai.games.xianqi.text import MESSAGES, action_line, draw, parse, read_cards, read_cover, say

from .positions import position, random_games

PAIR = "RS2, under BC, under BC, under RN, under BN"


def test_every_action_reads_back_from_its_notation() -> None:
    assert [parse(say(a)) for a in range(state.ACTIONS)] == list(range(state.ACTIONS))
    assert len({say(a) for a in range(state.ACTIONS)}) == state.ACTIONS


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("rs", "RS"),
        (" Rs ", "RS"),
        ("R_SHI", "RS"),
        ("red shi", "RS"),
        ("红士", "RS"),
        ("紅仕", "RS"),
        ("黑象", "BX"),
        ("黑卒", "BN"),
        ("红帅", None),
        ("RS RS", "RS2"),
        ("rs×2", "RS2"),
        ("红士对", "RS2"),
        ("一对红士", "RS2"),
        ("红士红士", "RS2"),
        ("RN3", "RN3"),
        ("三个红牛", "RN3"),
        ("黑牛×3", "BN3"),
        ("RG BG", "dog"),
        ("bg+rg", "dog"),
        ("狗脚对", "dog"),
        ("红炮黑炮", "dog"),
        ("扣", "buckle"),
        ("掀", "reveal"),
        ("过", "pass"),
        ("不掀", "pass"),
        ("垫黑牛", "under BN"),
        ("cover bn", "under BN"),
        ("ＲＳ２", "RS2"),
        ("赤士", "RS"),
        ("黒馬の対", "BM2"),
        ("赤牛三枚", "RN3"),
        ("狗の対", "dog"),
        ("赤車を伏せる", "under RC"),
        ("パス", "pass"),
        ("扣しない", "pass"),
        ("the dog pair", "dog"),
        ("a pair of red shi", "RS2"),
        ("rs twice", "RS2"),
        ("cover a black niu", "under BN"),
    ],
)
def test_actions_are_read_in_several_spellings(text: str, notation: str | None) -> None:
    if notation is None:
        with pytest.raises(BadText):
            parse(text)
    else:
        assert say(parse(text)) == notation


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "xx",
        "RS4",
        "RS3",
        "RG2",
        "rs23",
        "RS BS",
        "RN RN BN",
        "under",
        "under RS BS",
        "28",
        "-1",
        "士",
        "\0",
    ],
)
def test_what_names_no_action_is_bad_text(text: str) -> None:
    with pytest.raises(BadText):
        parse(text)


@pytest.mark.parametrize("text", [None, 3, b"RS", ["RS"]])
def test_what_is_not_text_is_bad_text(text: Any) -> None:
    with pytest.raises(BadText):
        parse(text)


@pytest.mark.parametrize("action", [-1, state.ACTIONS, 10**9])
def test_a_number_that_is_no_action_has_no_notation(action: int) -> None:
    with pytest.raises(BadText):
        say(action)


def test_an_endless_line_is_refused_in_a_short_sentence() -> None:
    with pytest.raises(BadText) as error:
        parse("RS" * 100_000)
    assert len(str(error.value)) < 200


def test_several_cards_are_read_in_any_mixture() -> None:
    assert read_cards("RS BN2, 红马") == [state.R_SHI, state.B_NIU, state.B_NIU, state.R_MA]


def test_every_action_reads_back_from_its_words_in_every_language() -> None:
    for lang in LANGUAGES:
        for action in range(state.ACTIONS):
            for asked in (True, False):
                assert parse(MESSAGES.tell(action_line(action, asked), lang)) == action


@pytest.mark.parametrize("text", ["RS BN2", "under RS BN2", "垫红士黑牛对", "cover red shi, black niu x2"])
def test_a_cover_is_read_with_or_without_the_word_for_it(text: str) -> None:
    assert read_cover(text) == [state.R_SHI, state.B_NIU, state.B_NIU]


# --- the message files ----------------------------------------------------------------


def test_the_message_files_agree() -> None:
    assert GAME.words.messages.faults(LANGUAGES) == []
    keys = [list(MESSAGES.texts(lang)) for lang in LANGUAGES]
    assert keys[0] == keys[1] == keys[2]


ROOT = Path(__file__).parents[3]
SOURCES = [
    path
    for folder, kinds in (("src/qipai/games/xianqi", ("py",)), ("front/src/tables/xianqi", ("ts", "svelte")))
    for kind in kinds
    for path in (ROOT / folder).rglob(f"*.{kind}")
    if not path.name.endswith(".test.ts")
]


def keys_of_the_platform() -> Iterator[str]:
    """Yield the keys that the platform needs from every game."""
    yield from ("title", "pitch")
    for option in GAME.rules.options:
        yield f"option.{option.name}"
        yield from (f"option.{option.name}.{choice}" for choice in option.choices or ())
    for agent in GAME.agents:
        yield from (f"bot.{agent.name}", f"bot.{agent.name}.about")


def test_every_key_of_the_message_files_is_used() -> None:
    literal = re.compile(r"""["'`]([a-z]+\.[\w.]*)""")
    found = {key for path in SOURCES for key in literal.findall(path.read_text("utf-8"))}
    found |= {f"{key}.about" for key in found} | set(keys_of_the_platform())
    beginnings = tuple(key for key in found if key.endswith("."))  # the rest is filled in
    assert not {"log.", "ask.", "refuse.", "draw.", "terminal.", "table.", "key."} & set(beginnings)
    unused = [key for key in MESSAGES.texts("en") if key not in found and not key.startswith(beginnings)]
    assert unused == []


def test_every_phase_has_a_name_and_every_piece_a_face() -> None:
    for lang in LANGUAGES:
        for phase in state.Phase:
            assert MESSAGES.say(f"phase.{phase.name.lower()}", lang)
        for card in state.CARDS:
            assert len(MESSAGES.say(f"face.{card[2:]}", lang)) == 1


def test_every_option_and_agent_has_words_in_every_language() -> None:
    keys = [key for key in keys_of_the_platform() if not key.endswith((".on", ".off"))]
    for lang in LANGUAGES:
        assert [key for key in keys if not MESSAGES.texts(lang).get(key)] == []


# --- the drawing ----------------------------------------------------------------------


def test_the_drawing_hides_what_the_view_hides() -> None:
    s = position(PAIR)
    assert "Covered: BC BC" in draw(s, 1, "en")
    for seat in (-1, 0, 2):
        assert "BC" not in draw(s, seat, "en")
    for lang, name in (("zh", "黑车"), ("ja", "黒車")):
        assert f"{name} {name}" in draw(s, 1, lang) and name not in draw(s, 0, lang)


def test_the_drawing_has_no_control_codes_and_shows_the_end() -> None:
    for lang in LANGUAGES:
        for final, steps in random_games(5, {}):
            for s, _ in steps:
                assert "\x1b" not in draw(s, 0, lang)
            settlement = {"event": "settlement", "payoff": final["payoff"].tolist()}
            assert GAME.tell(settlement, lang) in draw(final, -1, lang)


def test_the_drawing_says_what_is_going_on() -> None:
    s = position(PAIR + ", buckle")
    lines = draw(s, 1, "en").splitlines()
    assert lines[0] == "Xianqi · round 2 · reveal or pass"
    assert lines[1] == "  Seat 0  pieces 6  pillars 2  buckled"
    assert lines[2] == "> Seat 1  pieces 6  pillars 0  decides"
    assert lines[3] == "  Seat 2  pieces 6  pillars 0  asked"
    assert lines[4] == "  1. Seat 0 RS RS · Seat 1 covers 2 (BC BC) · Seat 2 covers 2 · Seat 0 wins 2"
    assert lines[5] == "  2. Seat 0 to lead"


def test_the_game_record_offers_these_functions() -> None:
    assert GAME.words.say(state.DOG_PAIR) == "dog" and GAME.words.parse("dog") == state.DOG_PAIR
    assert GAME.words.draw is draw
