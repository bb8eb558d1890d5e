"""Xianqi's events as lines, and the sentences they become."""

from __future__ import annotations

import json
import re

import pytest

from qipai.core import Event
from qipai.core.message import LANGUAGES
from qipai.games.xianqi import GAME, state
from qipai.games.xianqi.lines import combo_line, cover_line, line
from qipai.games.xianqi.text import MESSAGES, parse
from qipai.games.xianqi.view import ENDS, narrate

from .positions import OPTION_SETS, VIEWERS, position, random_games

PAIR = "RS2, under BC, under BC, under RN, under BN"
NAMES = ["Zoe", "Lan", "Bo"]


def test_every_event_of_play_is_told_in_every_language_to_every_viewer() -> None:
    used: set[str] = set()
    for options in OPTION_SETS:
        for _, steps in random_games(40, options):
            for before, action in steps:
                for viewer in VIEWERS:
                    for event in narrate(before, action, viewer):
                        used.add(event["event"])
                        check_told(event, viewer)
    assert used == {
        "play",
        "cover",
        "buckle",
        "reveal",
        "pass",
        "round",
        "end",
        "pay",
        "barred",
        "spared",
        "settlement",
    }


def check_told(event: Event, viewer: int) -> None:
    found = line(event)
    assert found is not None
    assert json.loads(json.dumps(found)) == list(found)
    for lang in LANGUAGES:
        for names in (None, NAMES):
            told = GAME.tell(event, lang, names, viewer)
            assert told.endswith((".", "。")) and not re.search(r"[{}\[\]|#]", told)


@pytest.mark.parametrize("reason", [reason for reason in ENDS if reason])
def test_every_ending_has_a_sentence(reason: str) -> None:
    check_told({"event": "end", "reason": reason, "pillars": [6, 1, 0]}, 0)


def test_an_unknown_event_has_no_line() -> None:
    assert line({"event": "earthquake"}) is None and line({}) is None
    assert GAME.tell({"event": "earthquake"}) == ""


def test_the_viewer_is_told_in_the_second_person() -> None:
    event = narrate(position(), parse("RS2"), 0)[0]
    assert GAME.tell(event, "en", NAMES, 0) == "You lead a pair of red shi."
    assert GAME.tell(event, "en", NAMES, 1) == "Zoe leads a pair of red shi."
    assert GAME.tell(event, "en") == "Seat 0 leads a pair of red shi."
    assert GAME.tell(event, "zh", NAMES, 0) == "你领出一对红士。"
    assert GAME.tell(event, "ja", NAMES, 0) == "あなたが赤士の対で始めました。"


def test_a_player_may_be_called_anything() -> None:
    event = narrate(position(), parse("RS2"), 0)[0]
    for name in ("You", "{seat}", "a|b", "#", "{"):
        assert GAME.tell(event, "en", [name, "Lan", "Bo"], 1) == f"{name} leads a pair of red shi."


def test_a_cover_is_told_by_count_to_others_and_by_pieces_to_its_owner() -> None:
    s = position("RS2, under BC")
    assert GAME.tell(narrate(s, parse("under BC"), 0)[0], "en") == "Seat 1 covers two pieces."
    assert GAME.tell(narrate(s, parse("under BC"), 1)[0], "en") == "Seat 1 covers two black che."
    assert GAME.tell(narrate(s, parse("under BC"), 1)[0], "zh") == "1号位垫两个黑车。"


def test_a_round_says_who_becomes_enough() -> None:
    event = {"event": "round", "round": 1, "winner": 0, "kind": 2, "pillars": [4, 0, 0]}
    assert GAME.tell(event, "en", NAMES, 1) == "Zoe wins the round: 2 pillars, 4 in all, enough."
    more = {**event, "kind": 1}
    assert GAME.tell(more, "en", NAMES, 1) == "Zoe wins the round: 1 pillar, 4 in all."
    most = {**event, "pillars": [6, 0, 0]}
    assert GAME.tell(most, "en", NAMES, 0) == "You win the round: 2 pillars, 6 in all, ceramic."


def test_the_settlement_is_told_line_by_line() -> None:
    s = position(PAIR + ", buckle, reveal, BS2, under BM, under BM, under BX, under BX, buckle, pass")
    told = [GAME.tell(e, "en") for e in narrate(s, state.PASS, -1)]
    assert told == [
        "Seat 2 passes.",
        "Nobody reveals: the hand ends here.",
        "Seat 1 pays 1 chip to seat 0: below 3 pillars against enough.",
        "Seat 2 pays 1 chip to seat 0: below 3 pillars against enough.",
        "Seat 1 pays 1 chip to seat 0: revealed against seat 0 and stayed below 3 pillars.",
        "Chips: seat 0 +3, seat 1 −2, seat 2 −1.",
    ]


def test_one_who_pays_for_both_is_told_why() -> None:
    event = {"event": "pay", "seat": 1, "to": 0, "chips": 6, "why": "ceramic", "liable": True}
    assert GAME.tell(event, "en", NAMES, 1) == (
        "You pay 6 chips to Zoe for both losers: your reveal led to ceramic."
    )
    assert GAME.tell(event, "en", NAMES, 2) == (
        "Lan pays 6 chips to Zoe for both losers: Lan’s reveal led to ceramic."
    )


def test_pieces_are_named_as_combos_and_as_covers() -> None:
    def said(found: list[object], lang: str = "en") -> str:
        return MESSAGES.tell(found, lang)

    dogs = {"R_GOU": 1, "B_GOU": 1}
    assert said(combo_line(dogs)) == "the dog pair"
    assert said(combo_line({"R_NIU": 3}), "zh") == "三个红牛"
    assert said(cover_line({"R_NIU": 2, "B_MA": 1})) == "two red niu and a black ma"
    assert said(cover_line({"R_NIU": 1, "B_MA": 1, "R_SHI": 1})) == "a red niu, a black ma and a red shi"
    assert said(cover_line(dogs), "zh") == "红狗、黑狗"
