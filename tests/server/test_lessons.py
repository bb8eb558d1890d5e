"""Lessons: every file plays from its first move to its last, and a wrong one is refused by its move."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from qipai.core import get
from qipai.games.paipai_rensa import state as rensa
from qipai.games.paipai_rensa.tiles import TILES
from qipai.server import lessons
from qipai.server.catalog import describe
from qipai.server.lessons import FOLDER, Script, lesson, play
from qipai.server.refusals import BadLesson, NoLesson
from tests.toys import PRIZES

FILES = sorted(path.stem for path in FOLDER.glob("*.json"))
WORDS = {"zh": "好", "en": "Good", "ja": "よし"}
SCRIPT: dict[str, Any] = {
    "seats": 2,
    "seed": 7,
    "options": {"first": 0},
    "moves": [{"seat": 0, "actions": [0], "say": WORDS}],
    "close": WORDS,
}


@pytest.mark.parametrize("game", FILES)
def test_a_lesson_plays_and_always_shows_what_to_choose(game: str) -> None:
    found = lesson(game)
    assert found.game == game and len(found.names) > found.seat >= 0
    own = [step for step in found.steps if step.seat == found.seat]
    assert own and all(step.actions[0] in step.legal for step in found.steps)
    assert any(step.say for step in own)
    for step in found.steps:
        assert set(step.frame.views) == {str(found.seat)}  # the learner is shown no more than their seat
        assert step.frame.ply == found.steps.index(step)
    assert found.last.ply == len(found.steps)


def test_a_script_may_name_actions_as_the_game_does() -> None:
    first = play("nana", Script(**SCRIPT))
    text = get("nana").words.say(first.steps[0].actions[0])
    again = play("nana", Script(**{**SCRIPT, "moves": [{"seat": 0, "actions": [text], "say": WORDS}]}))
    assert again == first
    assert again.last.events


@pytest.mark.parametrize(
    "change",
    [
        {"moves": [{"seat": 1, "actions": [0], "say": WORDS}]},
        {"moves": [{"seat": 0, "actions": [999], "say": WORDS}]},
        {"moves": [{"seat": 0, "actions": ["nonsense"], "say": WORDS}]},
        {"moves": [{"seat": 0, "actions": [0], "say": {"en": "only"}}]},
        {"close": {"en": "only"}},
        {"seed": "zz"},
        {"seed": -1},
        {"seats": 40},
        {"layout": {"x": 1}},
        {"options": {"mode": "x"}},
    ],
)
def test_what_does_not_play_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadLesson):
        play("nana", Script(**{**SCRIPT, **change}))


def test_a_lesson_is_offered_only_where_there_is_one() -> None:
    assert [describe(get(game)).lesson for game in FILES] == [True] * len(FILES)
    assert not describe(PRIZES).lesson


def test_a_malformed_file_and_a_missing_one_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lessons, "FOLDER", tmp_path)
    lesson.cache_clear()
    (tmp_path / "nana.json").write_text(json.dumps({**SCRIPT, "more": 1}))
    with pytest.raises(BadLesson, match="malformed"):
        lesson("nana")
    for name in ("xianqi", "../x", ""):
        with pytest.raises(NoLesson):
            lesson(name)
    lesson.cache_clear()


# What a step tells in figures, from the rules and from the position it is told about. The texts are typed:
# each of these figures has to be in every one of them.
def seen(game: str, step: int) -> Any:
    """Return what the learner sees at a step of a lesson."""
    found = lesson(game)
    frame = found.last if step == len(found.steps) else found.steps[step].frame
    return frame.views[str(found.seat)]


def tile_points() -> list[int]:
    """Return a cleared group of the smallest size, the tiles then sorted, and the most that a hand holds."""
    after = seen("paipai_rensa", 1)
    assert after["score"] - seen("paipai_rensa", 0)["score"] == rensa.CLEAR_MIN * rensa.SCORE_PER_TILE
    return [after["score"], len(after["alloc"]["tiles"]), rensa.HAND_MAX]


def columns() -> list[int]:
    """Return the columns where the axis and the rotor of the pair are laid."""
    action = lesson("paipai_rensa").steps[2].actions[0]
    cells = seen("paipai_rensa", 2)["landings"][str(action)]["cells"]
    return [x + 1 for x, _ in cells]


def win_points() -> list[int]:
    """Return the points of the hand that wins the lesson, those of a red five, and the pairs of a game."""
    last = seen("paipai_rensa", 4)
    assert last["playerWins"] == 1
    return [last["score"] - seen("paipai_rensa", 3)["score"], rensa.WIN_PER_RED, TILES // 2]


def round_of(number: int) -> Callable[[], list[int]]:
    """Return the powers that were played in a round of xianqi before the learner's turn."""
    return lambda: [e["power"] for e in seen("xianqi", 21)["rounds"][number]["entries"]]


def payoff_of_xianqi() -> list[int]:
    found = lesson("xianqi").payoff
    assert found is not None and found[0] == -sum(found[1:])
    return [found[0]]


def wuhan_win() -> list[int]:
    """Return the winner's fan, the limits, and what the losers pay."""
    view, payoff = seen("wuhan_mahjong", 17), lesson("wuhan_mahjong").payoff
    assert payoff is not None
    return [view["fans"][0], view["options"]["cap"], view["options"]["min_win"], -payoff[1]]


def trio() -> list[int]:
    """Return the two connected numbers, and what they add up to."""
    found = seen("nana", 13)["collections"][0]
    return [*found, sum(found)]


FIGURES: dict[tuple[str, int], Callable[[], list[int]]] = {
    ("paipai_rensa", 0): lambda: [seen("paipai_rensa", 0)["falling"]["x"] + 1],
    ("paipai_rensa", 1): tile_points,
    ("paipai_rensa", 2): columns,
    ("paipai_rensa", 4): win_points,
    ("xianqi", 2): round_of(0),
    ("xianqi", 14): round_of(3),
    ("xianqi", 21): payoff_of_xianqi,
    ("wuhan_mahjong", 17): wuhan_win,
    ("nana", 0): lambda: [min(card["number"] for card in seen("nana", 0)["my_hand"])],
    ("nana", 13): trio,
    ("skill_gomoku", 0): lambda: [seen("skill_gomoku", 0)["turn"]["number"]],
}


@pytest.mark.parametrize(("game", "step"), FIGURES)
def test_the_figures_of_a_lesson_are_those_of_the_rules(game: str, step: int) -> None:
    found = lesson(game)
    texts = [found.close]
    if step < len(found.steps):
        texts = [found.steps[step].say, *filter(None, [found.steps[step].touch])]
    figures = set(FIGURES[game, step]())
    for lang, text in ((lang, text) for words in texts for lang, text in words.items()):
        told = set(map(int, re.findall(r"\d+", text)))
        assert figures <= told, (lang, figures - told)


def test_what_the_lesson_keeps_is_what_the_page_suggests() -> None:
    """The spare tiles that the last step of Paipai Rensa names are those without a place in the hand."""
    step = lesson("paipai_rensa").steps[3]
    alloc = seen("paipai_rensa", 3)["alloc"]
    spare = [
        tile for tile, action in zip(alloc["tiles"], step.actions, strict=True) if action == rensa.DISCARD
    ]
    assert sorted(spare) == ["m1", "p9", "zN", "zP"]
    assert [action == rensa.KEEP for action in step.actions] == alloc["suggest"]
    for lang, names in {
        "zh": "一万、九筒、北、白",
        "ja": "一萬・九筒・北・白",
        "en": "1 man, 9 pin, North and White",
    }.items():
        assert names in step.say[lang] and names in step.touch[lang]
