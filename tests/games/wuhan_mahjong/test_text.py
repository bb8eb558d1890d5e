"""Words: every event has a line in every language, actions read back, and message files hold together."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qipai.core import WATCHER, copy_state
from qipai.core.errors import BadText
from qipai.core.message import LANGUAGES
from qipai.games.wuhan_mahjong import GAME
from qipai.games.wuhan_mahjong.examples import EXAMPLES, TWINS, position
from qipai.games.wuhan_mahjong.text import action_name, line, parse, row, say, tile_name
from qipai.games.wuhan_mahjong.tiles import CHOW, CONCEALED, EXPOSED, PASS, PONG, SUPPLEMENT, WIN
from qipai.games.wuhan_mahjong.view import headline

from .test_rules import play

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "src/qipai/games/wuhan_mahjong"
PAGE = ROOT / "front/src/tables/wuhan_mahjong"
NAMES = ["Ann", "Bob", "You", "{by}"]
SILENT = ("ask", "draw")  # questions, and what others draw, take no line
PLATFORM = ("title", "pitch", "option.", "bot.")  # read by the platform


# --- message files --------------------------------------------------------------------


def test_the_files_say_the_same_in_every_language() -> None:
    messages = GAME.words.messages
    assert messages.faults(LANGUAGES) == []
    keys = [list(messages.texts(lang)) for lang in LANGUAGES]
    assert all(one == other for one, other in pairwise(keys))


def sources() -> str:
    files = [*PACKAGE.rglob("*.py"), *PAGE.rglob("*.ts"), *PAGE.rglob("*.svelte")]
    return "\n".join(path.read_text("utf-8") for path in files)


def is_used(key: str, text: str) -> bool:
    """Return whether a key is in the sources, whole or as `family.{name}` (`${name}` in TypeScript)."""
    if key.startswith(PLATFORM) or re.search(rf"[\"'`]{re.escape(key)}[\"'`]", text):
        return True
    parts = key.split(".")
    families = [".".join(parts[:n]) + "." for n in range(1, len(parts))]
    families += [f"{key[: i + 1]}" for i, letter in enumerate(key) if letter == "_"]
    return any(f'"{family}{{' in text or f"`{family}${{" in text for family in families)


def test_every_key_is_used() -> None:
    text = sources()
    assert [key for key in GAME.words.messages.texts("en") if not is_used(key, text)] == []


def test_an_unused_key_would_be_noticed() -> None:
    text = sources()
    for key in ("log_of.surprise", "ask.surprise", "table.surprise", "surprise"):
        assert not is_used(key, text)


# --- events ---------------------------------------------------------------------------


def check_lines(events: list[dict[str, Any]], viewer: int) -> set[str]:
    """Check that every event has a sentence in every language; return the kinds of events."""
    for event in events:
        told = [GAME.tell(event, lang, NAMES, viewer) for lang in LANGUAGES]
        if (event["event"] in SILENT and event.get("tile") is None) or event["event"] == "ask":
            assert told == [""] * len(LANGUAGES)
        else:
            assert all(text.strip() for text in told)
            assert len(set(told)) == len(LANGUAGES)
    return {event["event"] for event in events}


def test_every_event_of_random_hands_has_a_line_for_everyone() -> None:
    rng = np.random.default_rng(6)
    seen = set()
    for number in range(8):
        s = GAME.new(words=(3, 1, 4, number))
        while int(s["seat"]) >= 0:
            action = int(rng.choice(GAME.legal_actions(s)))
            for viewer in (WATCHER, 0, 1, 2, 3):
                seen |= check_lines(GAME.rules.narrate(copy_state(s), action, viewer), viewer)
            GAME.rules.apply(s, action)
    assert {"discard", "chow", "pong", "kong_red", "kong_skin", "kong_lazy", "draw", "ask", "end"} <= seen


@pytest.mark.parametrize("example", EXAMPLES, ids=[e.about for e in EXAMPLES])
def test_every_event_of_the_examples_has_a_line_for_everyone(example: Any) -> None:
    s = GAME.new(layout=example.layout)
    for action in example.actions:
        for viewer in (WATCHER, 0, 1, 2, 3):
            check_lines(GAME.rules.narrate(copy_state(s), action, viewer), viewer)
        GAME.rules.apply(s, action)


DRAW = {"event": "draw", "seat": 0, "tail": False, "tile": "1p", "wall_left": 79}
PONGED = {"event": "pong", "seat": 2, "from": 0, "tile": "1p", "tiles": ["1p"] * 3}


@pytest.mark.parametrize(
    ("event", "lang", "said"),
    [
        (DRAW, "en", "You draw 1 dots (79 left)"),
        ({**DRAW, "seat": 1, "tile": None}, "en", ""),
        (PONGED, "en", "Bo pongs 1 dots from you"),
        ({**PONGED, "seat": 0, "from": 3}, "en", "You pong 1 dots from Mei"),
        (PONGED, "zh", "Bo碰你的一筒"),
        (PONGED, "ja", "Boがあなたの一筒をポン"),
        ({"event": "kong_lazy", "seat": 1, "tile": "5z"}, "en", "Lan kongs the laizi Red (×4)"),
    ],
)
def test_sentences_speak_to_the_viewer(event: dict[str, Any], lang: str, said: str) -> None:
    assert GAME.tell(event, lang, ["Ann", "Lan", "Bo", "Mei"], viewer=0) == said


def test_a_name_that_looks_like_a_placeholder_stays_a_name() -> None:
    assert GAME.tell({**PONGED, "from": 3}, "en", NAMES, viewer=0) == "You pongs 1 dots from {by}"


def test_a_concealed_kong_is_told_without_its_tile() -> None:
    s = GAME.new(layout=position("PLAYER_DECISION", 0, {0: "2224444m 569s 13p 47z"}, wall=82))
    own, other = (GAME.rules.narrate(s, CONCEALED + 3, seat)[0] for seat in (0, 1))
    assert line(other) == ("log.kong_concealed", {"by": {"seat": 0}})
    assert [GAME.tell(own, lang, viewer=0) for lang in LANGUAGES] == [
        "You lay a concealed kong of 4 characters",
        "你暗杠四万",
        "あなたが四萬を暗槓",
    ]


def test_the_end_names_the_contract_and_every_score() -> None:
    s = GAME.new(layout=EXAMPLES[1].layout)
    for action in EXAMPLES[1].actions[:-1]:
        play(s, action)
    end = GAME.rules.narrate(s, EXAMPLES[1].actions[-1], WATCHER)[-1]
    assert GAME.tell(end, "en", ["Ann", "Bo", "Cy", "Di"], 1) == (
        "Ann won by robbing your kong: hard win, robbed kong. "
        "You pay for all three. Ann +160, you −160, Cy 0, Di 0"
    )


@pytest.mark.parametrize(
    ("way", "lang", "said"),
    [
        ("DISCARD", "en", "Ann won on Cy’s discard: hard win"),
        ("DISCARD", "zh", "Ann胡，Cy点炮：硬胡"),
        ("DISCARD", "ja", "Annのロン和了（Cyの放銃）：硬胡"),
        ("ROB_KONG", "zh", "Ann抢杠胡，Cy被抢杠：硬胡"),
        ("SELF_DRAW", "zh", "Ann自摸：硬胡"),
    ],
)
def test_the_end_names_the_winner_first_and_then_who_discarded(way: str, lang: str, said: str) -> None:
    source = None if way == "SELF_DRAW" else 2
    ended = {"winner": 0, "win_way": way, "from": source, "types": ["HARD_WIN"]}
    assert GAME.words.messages.tell(headline(ended), lang, ["Ann", "Bo", "Cy", "Di"], 3) == said


# --- actions --------------------------------------------------------------------------


def test_every_action_reads_back_from_its_text() -> None:
    for action in range(GAME.rules.actions):
        assert parse(say(action)) == action
        for lang in LANGUAGES:
            assert parse(action_name(action, lang)) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("5m", 4),
        ("打五万", 4),
        ("打5m", 4),
        ("5万", 4),
        ("红中", 31),
        ("东", 27),
        ("东风", 27),
        ("east", 27),
        ("吃 左", CHOW),
        ("Chow Right", CHOW + 2),
        ("碰", PONG),
        ("明杠", EXPOSED),
        ("kong", EXPOSED),
        ("补杠 5万", SUPPLEMENT + 4),
        ("add 5m", SUPPLEMENT + 4),
        ("暗杠白板", CONCEALED + 33),
        ("暗槓 五萬", CONCEALED + 4),
        ("五萬を切る", 4),
        ("胡", WIN),
        ("ロン", WIN),
        ("过", PASS),
    ],
)
def test_actions_are_read_in_every_language(text: str, action: int) -> None:
    assert parse(text) == action


@pytest.mark.parametrize("text", ["", "0m", "10m", "8z", "chow", "kong 5m 6m", "吃", None, 3])
def test_what_names_no_action_is_refused(text: Any) -> None:
    with pytest.raises(BadText):
        parse(text)


@pytest.mark.parametrize("action", [-1, 113])
def test_there_is_no_text_for_what_is_no_action(action: int) -> None:
    with pytest.raises(BadText):
        say(action)


# --- the table ------------------------------------------------------------------------


def test_tiles_are_gathered_by_suit_where_they_are_codes() -> None:
    hand = ["1m", "2m", "5s", "5s", "6z"]
    assert row(hand, "en") == "12m 55s 6z"
    assert row(hand, "zh") == "一万 二万 五条 五条 发"
    assert tile_name("5z", "ja") == "中"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("twins", TWINS, ids=[t.about for t in TWINS])
def test_twins_are_drawn_alike(twins: Any, lang: str) -> None:
    one, other = (GAME.new(layout=layout) for layout in (twins.one, twins.other))
    assert GAME.drawing(one, twins.seat, lang) == GAME.drawing(other, twins.seat, lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_finished_hand_is_drawn_open(lang: str) -> None:
    s = play(GAME.new(layout=EXAMPLES[0].layout), WIN)
    drawn = GAME.drawing(s, WATCHER, lang)
    assert "+64" in drawn
    assert row(GAME.rules.view(s, WATCHER)["hands"][2], lang) in drawn
