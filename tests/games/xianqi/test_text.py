"""Xianqi as text: notation, sentences, drawing."""

from __future__ import annotations

import re
from typing import Any

import pytest

from qipai.core.errors import BadText
from qipai.games.xianqi import GAME, state
from qipai.games.xianqi.text import draw, parse, read_cards, say, tell
from qipai.games.xianqi.view import ENDS, narrate
from qipai.games.xianqi.words import SENTENCES, cards_name, cover_name

from .test_view import OPTION_SETS, position, random_games

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


def test_every_event_of_play_is_told_in_both_languages() -> None:
    used: set[str] = set()
    for options in OPTION_SETS:
        for _, steps in random_games(40, options):
            for before, action in steps:
                for event in narrate(before, action, 0):
                    used.add(event["event"])
                    for lang in ("en", "zh"):
                        for names in (None, ["You", "Bei", "Xi"]):
                            told = tell(event, lang, names)
                            assert told.endswith((".", "。")) and not re.search(r"[{}\[\]|]", told)
    expected = "play cover buckle reveal pass round end pay barred spared settlement"
    assert used == set(expected.split())


def test_both_languages_have_the_same_sentences_and_every_ending() -> None:
    assert SENTENCES["en"].keys() == SENTENCES["zh"].keys()
    assert {f"end/{reason}" for reason in ENDS if reason} <= SENTENCES["en"].keys()


def test_you_take_the_verb_of_the_second_person() -> None:
    event = narrate(position(), parse("RS2"), 0)[0]
    assert tell(event, "en", ["You", "Bei", "Xi"]) == "You lead a pair of red shi."
    assert tell(event, "en") == "Seat 0 leads a pair of red shi."
    assert tell(event, "zh", ["你", "北", "西"]) == "你领出一对红士。"


def test_a_cover_is_told_by_count_to_others_and_by_cards_to_its_owner() -> None:
    s = position("RS2, under BC")
    assert tell(narrate(s, parse("under BC"), 0)[0], "en") == "Seat 1 covers two cards."
    assert tell(narrate(s, parse("under BC"), 1)[0], "en") == "Seat 1 covers two black che."
    assert tell(narrate(s, parse("under BC"), 1)[0], "zh") == "1号位垫两个黑车。"


def test_the_settlement_is_told_line_by_line() -> None:
    s = position(PAIR + ", buckle, reveal, BS2, under BM, under BM, under BX, under BX, buckle, pass")
    told = [tell(e, "en") for e in narrate(s, state.PASS, -1)]
    assert told == [
        "Seat 2 passes.",
        "Nobody reveals: the game ends here.",
        "Seat 1 pays seat 0 1 chip: below 3 pillars against enough.",
        "Seat 2 pays seat 0 1 chip: below 3 pillars against enough.",
        "Seat 1 pays seat 0 1 chip: revealed against seat 0 and stayed below 3 pillars.",
        "Chips: Seat 0 +3, Seat 1 −2, Seat 2 −1.",
    ]


def test_the_drawing_hides_what_the_view_hides() -> None:
    s = position(PAIR)
    assert "Covered: BC BC" in draw(s, 1, "en")
    for seat in (-1, 0, 2):
        assert "BC" not in draw(s, seat, "en")
    assert "黑车 黑车" in draw(s, 1, "zh") and "黑车" not in draw(s, 0, "zh")


def test_the_drawing_has_no_control_codes_and_shows_the_end() -> None:
    for lang in ("en", "zh"):
        for final, steps in random_games(5, {}):
            for s, _ in steps:
                assert "\x1b" not in draw(s, 0, lang)
            text = draw(final, -1, lang)
            assert tell({"event": "settlement", "payoff": final["payoff"].tolist()}, lang) in text


def test_cards_are_named_alike_in_lists_and_sentences() -> None:
    assert cards_name({"R_GOU": 1, "B_GOU": 1}, "en") == "the dog pair"
    assert cards_name({"R_NIU": 2, "B_MA": 1}, "en") == "two red niu and a black ma"
    assert cards_name({"R_NIU": 3}, "zh") == "三个红牛"
    assert cards_name({}, "en") == "nothing"
    assert cover_name({"R_GOU": 1, "B_GOU": 1}, "zh") == "红狗、黑狗"


def test_the_game_record_offers_these_functions() -> None:
    assert GAME.words.say(state.DOG_PAIR) == "dog" and GAME.words.parse("dog") == state.DOG_PAIR
