"""Action notation, drawings, and lines: every event is told in every language, every key is used."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qipai.core import LANGUAGES, QipaiError, bots_of, get
from qipai.games.skill_gomoku import GAME
from qipai.games.skill_gomoku.state import IDS, Phase
from qipai.games.skill_gomoku.text import MESSAGES

from .positions import PI, SG, TF, P, T

NAMES = ["Yu", "Lan"]
SILENT = ("turnStarted", "turnEnded", "targetSelected", "winChecked")  # another event says it
ROOT = Path(__file__).parents[3]
PLACES = (ROOT / "src/qipai/games/skill_gomoku", ROOT / "front/src/tables/skill_gomoku")


# --- actions and drawings -------------------------------------------------------------


def test_say_and_parse_name_cells_as_players_do() -> None:
    assert GAME.words.say(3 + 7 * 15 + 7) == "h8"
    assert GAME.words.say(3) == "a15"
    assert GAME.words.parse(" H8 ") == 115
    assert [GAME.words.parse(w) for w in ("left", "r", "opponent", "左", "对手")] == [0, 1, 2, 0, 2]
    for text in ("p1", "a0", "a16", "h08", "", "8h", "hh", "a１"):
        with pytest.raises(QipaiError) as refusal:
            GAME.words.parse(text)
        assert refusal.value.code == "text/bad"


def test_the_drawing_marks_the_last_stone_and_the_winning_line() -> None:
    layout = {"board": ["11110" + "0" * 10, *["0" * 15] * 14], "deck": {"drawPile": [T, P]}}
    s = GAME.new({}, layout=layout)
    GAME.rules.apply(s, 0)
    GAME.rules.apply(s, 3 + 4)
    text = GAME.drawing(s, 0, "en")
    assert text.splitlines()[0].count("*●*") == 5
    assert "Seat 0 (black) has five in a row and wins!" in text
    assert "Black has 5 in a row, from a15 to e15." in text
    assert "胜" in GAME.drawing(s, 1, "zh")
    s = GAME.new({}, layout={"deck": {"drawPile": [T, T, T, P]}})
    GAME.rules.apply(s, 0)
    GAME.rules.apply(s, 115)
    assert "[●]" in GAME.drawing(s, 0, "en")


def test_the_drawing_shows_what_both_cards_do() -> None:
    s = GAME.new({}, layout={"deck": {"drawPile": [TF, SG]}})
    text = GAME.drawing(s, 0, "en")
    assert "Five stones of random colours" in text
    assert "next turn is skipped" in text
    assert "2 cards drawn" in GAME.drawing(s, 1, "en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_drawing_speaks_every_language(lang: str) -> None:
    s = GAME.new({}, layout={"deck": {"drawPile": [TF, SG]}, "status": {"skipNextTurns": {"2": 1}}})
    text = GAME.drawing(s, 0, lang)
    for key in (f"card.{TF}", f"card.{SG}.about", "side.white", "phase.choose"):
        assert MESSAGES.say(key, lang) in text


# --- events ---------------------------------------------------------------------------


def told(events: list[dict[str, Any]], lines: set[str]) -> None:
    """Check that every event has a line for everyone in every language, or is silent."""
    for event in events:
        line = GAME.words.line(event)
        drawn = event["event"] == "cardsDrawn"
        quiet = event["event"] in SILENT or (drawn and not event["data"]["reshuffled"])
        assert (line is None) == quiet
        if line is None:
            continue
        lines.add(line[0])
        json.dumps(line)
        for lang in LANGUAGES:
            for viewer in (-1, 0, 1):
                for names in (None, NAMES):
                    text = GAME.tell(event, lang, names, viewer)
                    assert text and not set(text) & set("{}")
                    assert viewer < 0 or names is None or names[viewer] not in text


def test_every_event_of_random_games_is_told_in_every_language() -> None:
    rng, lines = np.random.default_rng(7), set[str]()
    for k in range(12):
        options = {"deck": ("default", "source-early")[k % 2]}
        s = GAME.new(options, words=(k, 7, 7, 7))
        while s["seat"] >= 0:
            action = int(rng.choice(GAME.legal_actions(s)))
            for viewer in (-1, 0, 1):
                told(GAME.rules.narrate(s, action, viewer), lines)
            GAME.rules.apply(s, action)
    usual = {"skip", "shuffle", "choose", "place", "take", "swap", "freeze", "grow", "won"}
    assert {f"log.{name}" for name in usual} <= lines


BOTH = {"deck": {"drawPile": [T, PI]}, "board": ["1" * 5 + "0" * 10, "2" * 5 + "0" * 10]}
RARE: list[tuple[str, dict[str, Any], dict[str, Any], list[int]]] = [
    ("log.fizzle", {}, {"deck": {"drawPile": [P, P, T, T]}}, [0]),
    ("log.choose_only", {}, {"deck": {"drawPile": [], "discardPile": [P]}}, [0]),
    ("log.draw_limit", {"max_turns": 1}, {"deck": {"drawPile": [P, PI]}}, [0]),
    ("log.won_both", {}, BOTH, [0]),
    ("log.draw_both", {"five_policy": "draw"}, BOTH, [0]),
]


@pytest.mark.parametrize(("key", "options", "layout", "actions"), RARE, ids=[row[0] for row in RARE])
def test_rare_events_are_told(
    key: str, options: dict[str, Any], layout: dict[str, Any], actions: list[int]
) -> None:
    rows = layout.get("board", [])
    s = GAME.new(options, layout={**layout, "board": [*rows, *["0" * 15] * (15 - len(rows))]})
    lines = set[str]()
    for action in actions:
        told(GAME.rules.narrate(s, action, 0), lines)
        GAME.rules.apply(s, action)
    assert key in lines


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_match_without_cards_is_a_draw_and_told_so(lang: str) -> None:
    s = GAME.new({}, layout={"deck": {"drawPile": []}})
    ended = {"event": "matchEnded", "winner": "draw", "reason": "noCards"}
    assert GAME.tell(ended, lang) in GAME.drawing(s, 0, lang)


def test_the_log_names_people_and_says_you() -> None:
    s = GAME.new({}, layout={"deck": {"drawPile": [P, P, T, TF]}})
    chosen = GAME.rules.narrate(s, 0, 1)[0]
    assert GAME.tell(chosen, "en", NAMES, 1) == "Yu plays Time Freeze, throwing away Take Stone."
    assert GAME.tell(chosen, "en", NAMES, 0) == "You play Time Freeze, throwing away Take Stone."
    assert GAME.tell(chosen, "zh", NAMES) == "Yu打出时间冻结，弃掉飞沙走石。"
    GAME.rules.apply(s, 0)
    said = [GAME.tell(e, "en", NAMES, 0) for e in GAME.rules.narrate(s, 2, 0)]
    assert [text for text in said if text] == [
        "Lan’s next turn will be skipped.",
        "Lan is frozen: the turn is skipped.",
    ]


def test_a_hidden_draw_is_not_told() -> None:
    s = GAME.new({}, layout={"deck": {"drawPile": [PI, TF], "discardPile": [P, P, T, T]}})
    (drawn,) = (e for e in GAME.rules.narrate(s, 1, 0) if e["event"] == "cardsDrawn")
    assert drawn["data"]["cards"] is None
    assert GAME.words.line(drawn) == ("log.shuffle", {})


# --- message files --------------------------------------------------------------------


def test_the_message_files_agree() -> None:
    assert GAME.words.messages.faults(LANGUAGES) == []
    keys = [list(MESSAGES.texts(lang)) for lang in LANGUAGES]
    assert keys[0] == keys[1] == keys[2]  # in the same order too


def families() -> set[str]:
    """Return the keys that are put together from the names of cards, phases, options and so on."""
    found = {"title"}
    found |= {f"card.{card}{part}" for card in IDS for part in ("", ".about")}
    found |= {f"refuse.card.{card}" for card in (P, T, SG)}  # the others can always be played
    found |= {f"{part}.{colour}" for part in ("side", "colour") for colour in ("black", "white")}
    found |= {f"phase.{phase.name}" for phase in Phase}
    found |= {f"action.{name}" for name in ("left", "right", "opponent", "cursor")}
    levels = {f"level{k}" for k in range(1, 7)}
    own = set(bots_of(GAME)) - {"random", "net", "search"} - levels  # the platform's messages name those
    found |= {f"bot.{name}{part}" for name in own for part in ("", ".about")}
    for option in GAME.rules.options:
        found.add(f"option.{option.name}")
        found |= {f"option.{option.name}.{c}" for c in option.choices or () if c not in ("on", "off")}
        if GAME.names_lowest(option):
            found.add(f"option.{option.name}.{option.low}")
    return found


def test_every_key_is_used() -> None:
    kinds = {".py", ".ts", ".svelte"}
    sources = "".join(
        path.read_text("utf-8")
        for place in PLACES
        for path in place.rglob("*")
        if path.suffix in kinds and ".test." not in path.name
    )
    quoted = set(re.findall(r"""["'`]([a-z]+\.[\w.]+|pitch)["'`]""", sources))
    assert families() <= set(MESSAGES.texts("en"))
    assert set(MESSAGES.texts("en")) - families() - quoted == set()


def test_words_of_every_language_can_be_typed() -> None:
    for action, name in enumerate(("left", "right", "opponent")):
        for text in MESSAGES.everywhere(f"action.{name}").values():
            assert {GAME.words.parse(word) for word in text.split()} == {action}


def test_a_smaller_board_names_its_own_points() -> None:
    small = get("skill_gomoku", {"board_size": 9})
    s = small.new({"board_size": 9}, layout={"deck": {"drawPile": [T, P]}})
    small.rules.apply(s, 0)
    event = next(e for e in small.rules.narrate(s, 3, 0) if e["event"] == "effectResolved")
    assert "a9" in small.tell(event, "en")
