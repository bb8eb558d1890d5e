"""NANA in words: every event in every language, actions and back, the drawing, and no unused message."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from qipai.core import LANGUAGES, Event
from qipai.core.errors import BadText
from qipai.games.nana import GAME
from tests.games.nana.tables import random_states

ROOT = Path(__file__).parents[3]
SOURCES = (ROOT / "src/qipai/games/nana", ROOT / "front/src/tables/nana", ROOT / "docs/sitemaker/guides")
NAMES = ["Ann", "Bob", "Cem", "Dai", "Eve", "Fay"]
PLATFORM = ("title", "pitch", "option.", "bot.")  # asked for by name outside the game's folders


def events() -> Iterator[tuple[int, Event]]:
    """Yield every event of the examples and of random games, with the number of seats."""
    for example in GAME.checks.examples:
        s = GAME.new(example.options, example.seats, layout=example.layout)
        for action in example.actions:
            yield from ((int(s["seats"]), event) for event in GAME.rules.narrate(s, action, 0))
            GAME.rules.apply(s, action)
    for seats in (2, 4, 6):
        for s in random_states(12, seats, seed=2):
            for action in GAME.legal_actions(s):
                yield from ((seats, event) for event in GAME.rules.narrate(s, action, 0))


def test_the_message_files_agree() -> None:
    assert GAME.words.messages.faults(LANGUAGES) == []
    files = [list(GAME.words.messages.texts(lang)) for lang in LANGUAGES]
    assert all(one == other for one, other in pairwise(files))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_event_is_told_to_everyone(lang: str) -> None:
    kinds = set()
    for seats, event in events():
        kinds.add(event["type"])
        for viewer in range(-1, seats):
            told = GAME.tell(event, lang, NAMES[:seats], viewer)
            assert bool(told) == (event["type"] != "turn")  # the next event says whose turn it was
            assert "{" not in told
    assert kinds == {"reveal", "fail", "collect", "turn", "win", "end"}
    assert GAME.tell({"event": "start"}, lang)


@pytest.mark.parametrize(
    "slot, viewer, told",
    [
        ("c4", 0, "You turn up centre card 5: 7"),
        ("c4", 1, "Ann turns up centre card 5: 7"),
        ("h0.0", 0, "You turn up card 1 of your own hand: 7"),
        ("h0.0", 1, "Ann turns up card 1 of their own hand: 7"),
        ("h1.2", 1, "Ann turns up card 3 of your hand: 7"),
        ("h1.2", 0, "You turn up card 3 of Bob’s hand: 7"),
    ],
)
def test_a_reveal_says_whose_card_it_was_counted_from_one(slot: str, viewer: int, told: str) -> None:
    event = {"type": "reveal", "by": 0, "slot": slot, "number": 7}
    assert GAME.tell(event, "en", NAMES, viewer) == told


def test_a_name_is_never_taken_for_a_part_of_the_sentence() -> None:
    event = {"type": "collect", "by": 1, "number": 7}
    assert GAME.tell(event, "en", ["seat 1", "{number}"], 0) == "{number} collects the three 7s"


def test_actions_are_said_and_read_back() -> None:
    for action in range(GAME.rules.actions):
        assert GAME.words.parse(GAME.words.say(action)) == action


@pytest.mark.parametrize(
    "text, action",
    [
        ("head", 0), ("min", 0), ("low", 0), ("tail", 1), ("T2", 5), ("high +2", 5),
        ("center 4", 15), ("c4", 15),
        ("头1", 2), ("尾", 1), ("中4", 15), ("公共牌 4", 15), ("最小", 0), ("最大2", 5), ("場4", 15),
    ],
)  # fmt: skip
def test_actions_may_be_typed_in_every_language(text: str, action: int) -> None:
    assert GAME.words.parse(text) == action


@pytest.mark.parametrize("text", ["", "head 6", "centre 0", "centre 11", "centre", "x", "头头", "1" * 60])
def test_what_names_no_action_is_refused(text: str) -> None:
    with pytest.raises(BadText):
        GAME.words.parse(text)


def test_the_table_is_drawn_from_the_seat_of_its_viewer() -> None:
    s = GAME.new(layout={"hands": [[1, 2, 7], [1, 2, 7]], "centre": [1, 2, 7]})
    assert GAME.drawing(s, 1, "en").splitlines() == [
        "NANA  turn 1  first card  face up: -",
        "> Seat 0    ??   ??   ?? ",
        "  You       1    2    7  ",
        "  Centre    ??   ??   ?? ",
        "  [5] face up   5 your card   (5) seen by all   ?? never seen   -- collected",
    ]
    for lang in LANGUAGES:
        cells = GAME.drawing(s, -1, lang).replace("?? never", "").count("??")
        assert cells >= 9


def test_every_message_is_used() -> None:
    """A key stands in a source as it is, or begins as a template of one does."""
    files = [
        path for folder in SOURCES for path in folder.rglob("*") if path.suffix in (".py", ".ts", ".svelte")
    ]
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    used = set(re.findall(r"[\"'`]([a-z_.0-9-]+)[\"'`]", code))
    prefixes = set(re.findall(r"[\"'`]([a-z_.]+\.)\$?\{", code))
    keys = GAME.words.messages.texts("en")
    unused = [k for k in keys if k not in used and not k.startswith((*PLATFORM, *prefixes))]
    assert unused == []
