"""Lessons: every file plays from its first move to its last, and a wrong one is refused by its move."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from qipai.core import get
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
