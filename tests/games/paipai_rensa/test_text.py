"""Sentences in every language, actions as text, the drawing."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from qipai.core import LANGUAGES, Event
from qipai.core.errors import BadText
from qipai.games.paipai_rensa import GAME
from qipai.games.paipai_rensa.layout import read_board
from qipai.games.paipai_rensa.state import ACTIONS, DISCARD, KEEP
from qipai.games.paipai_rensa.text import MESSAGES, board_text, line, name, parse, say
from qipai.games.paipai_rensa.tiles import Box
from qipai.games.paipai_rensa.view import hold_result, view

from .positions import AC01, AC10_BOARD, bottom, heights_board


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
        line({"type": "nothing"})


@pytest.mark.parametrize("lang", LANGUAGES)
def test_moves_in_words_read_back(lang: str) -> None:
    assert [parse(name(action, lang)) for action in range(ACTIONS)] == list(range(ACTIONS))
    assert [name(action, lang) for action in (8, KEEP)] == {
        "en": ["3 up", "keep"],
        "zh": ["3 上", "留"],
        "ja": ["3 上", "残す"],
    }[lang]


def test_short_words_of_every_language_are_read() -> None:
    for word in ("k", "keep", "hand", "留", "手", "残す"):
        assert parse(word) == KEEP
    for word in ("d", "x", "discard", "弃", "捨", "捨てる"):
        assert parse(word) == DISCARD
    assert parse("c3u") == parse("column 3") == parse("3上") == 8 and parse("2 l") == 7


def test_the_message_files_agree() -> None:
    assert MESSAGES.faults(LANGUAGES) == []
    assert len({tuple(MESSAGES.texts(lang)) for lang in LANGUAGES}) == 1  # the same keys in the same order


def narrated(count: int, seed: int) -> list[Event]:
    """Return the events of random games; some pile up in the middle, so that tiles are crushed."""
    rng = random.Random(seed)
    events: list[Event] = []
    for k in range(count):
        s = GAME.new(words=(k, seed, 0, 1))
        while int(s["seat"]) >= 0:
            legal = GAME.legal_actions(s)
            action = 8 if k % 3 == 0 and 8 in legal and rng.random() < 0.7 else rng.choice(legal)
            events += GAME.rules.narrate(s, action, 0)
            GAME.rules.apply(s, action)
    return events


def test_every_event_is_told_in_every_language_to_everyone() -> None:
    told: dict[str, set[str]] = {}
    for event in narrated(4, 6):
        for lang in LANGUAGES:
            for viewer in (0, -1):
                text = GAME.tell(event, lang, ["Lan"], viewer)
                assert bool(text) == (line(event) is not None)
                told.setdefault(event["type"], set()).add(text)
    assert {kind for kind, texts in told.items() if texts == {""}} == {"spawn", "alloc", "close"}
    assert set(told) == {"land", "clear", "alloc", "allocate", "hold", "close", "spawn", "over"}


def test_sentences_name_the_player_and_the_tiles() -> None:
    s = GAME.new(layout={"board": heights_board((0, 0, 12, 0, 0, 0)), "pair": "m0 zE", "deck": "p1 p2"})
    land = GAME.rules.narrate(s, 8, 0)[0]
    lost = [MESSAGES.say(f"tile.{code}") for code in land["lost"]]
    said = GAME.tell(land, "en", ["Lan"], 0)
    assert said == f"You drop red 5 man into column 3, with East above it, crushing {', '.join(lost)}."
    assert GAME.tell(land, "ja", ["蘭"], -1).startswith("蘭が赤五萬を3列目に落としました。東はその上です。")
    s = GAME.new(layout={"pair": "m1 p1", "score": 100})
    over = GAME.rules.narrate(s, 8, 0)[-1]
    assert GAME.tell(over, "en", ["Lan"], 0) == "The supply is used up, 100 to 0. You win."
    assert GAME.tell(over, "zh", ["小梅"], -1) == "牌已发完，100 比 0，小梅赢了。"


def test_both_sides_may_complete_a_hand_in_one_sentence() -> None:
    s = GAME.new(
        layout={"phase": "supply", "hand": AC01.replace("m4", "m9"), "board": AC10_BOARD, "discards": "zC zC"}
    )
    assert int(s["seat"]) < 0
    event = {"type": "over", **hold_result(s), "playerTotal": 2000, "cpuTotal": 2000, "winner": "draw"}
    said = GAME.tell(event, "en", ["Lan"], 0)
    assert said.startswith("You complete a hand, +2000: 1 man, 2 man, 3 man, ")
    assert ". The CPU completes a hand, +2000: " in said and said.endswith("2000 to 2000. A draw.")


ROOT = Path(__file__).parents[3]
SOURCES = (
    ROOT / "src" / "qipai" / "games" / "paipai_rensa",
    ROOT / "front" / "src" / "tables" / "paipai_rensa",
)
BY_NAME = ("title", "pitch", "option.", "bot.", "phase.")  # what every game has; the platform reads them
BUILT = re.compile(r"""[f`"'](\w+(?:\.\w+)*\.)\$?\{""")  # f"tile.{code}", `table.pace.${pace}`


def test_every_message_is_used() -> None:
    files = [p for folder in SOURCES for p in folder.rglob("*") if p.suffix in (".py", ".ts", ".svelte")]
    text = "".join(p.read_text(encoding="utf-8") for p in files if not p.name.endswith(".test.ts"))
    built = set(BUILT.findall(text))
    drawn = {f"draw.{word}" for word in re.findall(r'put\("(\w+)"', text)}
    for key in MESSAGES.texts("en"):
        quoted = f'"{key}"' in text or f"'{key}'" in text
        prefix = key[: key.rindex(".") + 1] if "." in key else ""
        assert quoted or key.startswith(BY_NAME) or key in drawn or prefix in built - {"draw."}, key


def test_board_text_reads_back() -> None:
    rows = bottom("m0 p1 s2 zE zC ..", "m1 p0 s0 zS zP zF")
    s = GAME.new(layout={"board": rows, "pair": "m2 m3"})
    text = board_text(view(s, 0)["board"])
    assert text.splitlines() == rows
    assert read_board(text, Box()) == read_board(rows, Box()) == s["board"].tolist()


def test_the_drawing_shows_board_hand_and_list() -> None:
    s = GAME.new(layout={"phase": "alloc", "hand": "zE", "collected": "m1 m2 m3 m4", "deck": "p1 p2"})
    text = GAME.drawing(s, 0, "en")
    assert "[zE]" in text and "NEXT p1 p2" in text and "hand (1/14)" in text
    assert "弃牌" in GAME.drawing(s, 0, "zh") and "捨て牌" in GAME.drawing(s, 0, "ja")
