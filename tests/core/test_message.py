"""Sentences: the format, the files, and what a faulty one is told."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from qipai.core import Messages
from qipai.core.errors import BadWording
from qipai.core.message import LANGUAGES, parse_text, people, placeholders, signed

GIVEN = json.loads((Path(__file__).parent / "message_cases.json").read_text("utf-8"))
CASES = [
    pytest.param(case, lang, id=f"{case['line'][0]}-{lang}")
    for case in GIVEN["cases"]
    for lang in ("en", "zh")
]


@pytest.mark.parametrize(("case", "lang"), CASES)
def test_a_line_is_filled_in_as_the_page_fills_it_in(case: dict[str, Any], lang: str) -> None:
    """`front/src/lib/message.test.ts` runs the same cases."""
    messages = Messages(GIVEN["texts"])
    assert messages.tell(case["line"], lang, case.get("names"), case.get("viewer", -1)) == case[lang]


@pytest.mark.parametrize("text", GIVEN["malformed"])
def test_a_malformed_text_is_refused(text: str) -> None:
    with pytest.raises(BadWording):
        parse_text(text)


def test_a_player_may_be_called_anything() -> None:
    """Names are values: nothing in them is read as a placeholder, and nothing is replaced in a sentence."""
    messages = Messages(GIVEN["texts"])
    for name in ("{number}", "seat 1", "you", "#", "", "{", "plural"):
        told = messages.tell(
            ("reveal", {"by": {"seat": 0}, "whose": {"seat": 1}, "number": 3}), "en", [name, "B"]
        )
        assert told == f"{name} turns up B’s card: 3"


def test_an_unknown_message_or_value_is_named() -> None:
    messages = Messages(GIVEN["texts"])
    with pytest.raises(BadWording, match=r"there is no message 'nothing\.here'"):
        messages.say("nothing.here")
    with pytest.raises(BadWording, match="uses 'number'"):
        messages.say("reveal", by={"seat": 0}, whose={"seat": 1})


def test_placeholders_are_found_in_cases_too() -> None:
    assert placeholders(GIVEN["texts"]["en"]["nested"]) == {"n", "by"}
    assert placeholders("nothing") == set()


def test_faults_name_the_key_and_the_language() -> None:
    texts = {
        "en": {"a": "{x} and {y}", "b": "only here", "c": "fine {n, plural, other {#}}", "d": "broken {"},
        "zh": {"a": "{x}", "c": "好{n}", "d": "坏"},
    }
    assert Messages(texts).faults(LANGUAGES) == [
        "no file for ja",
        "a: zh lacks {y}",
        "b: missing in zh",
        "d (en): message 'broken {': malformed placeholder at 8",
    ]
    assert Messages(GIVEN["texts"]).faults() == ["only.english: missing in zh"]


def test_the_common_messages_have_no_faults() -> None:
    assert Messages.of_package("qipai.core").faults(LANGUAGES) == []


def test_bots_have_as_many_names_in_every_language() -> None:
    assert people() == ["Lan", "Bo", "Mei", "Jun", "Hua", "Yun", "Tao", "Qing"]
    assert all(len(set(people(lang))) == 8 for lang in LANGUAGES)


def test_messages_remember_their_package() -> None:
    assert Messages.of_package("qipai.core").package == "qipai.core"
    assert Messages({}).package is None


def test_common_messages_stand_behind_a_games_own() -> None:
    messages = Messages({"en": {"bot.random": "Dice"}, "zh": {}})
    assert messages.say("bot.random", "en") == "Dice"
    assert messages.say("bot.random.about", "zh") == "在所有合法的走法里随机选一个"
    assert messages.everywhere("bot.random.about").keys() == set(LANGUAGES)
    assert messages.find("no.such.key") is None


@pytest.mark.parametrize("text", ["{", "[]", '{"a": 1}'])
def test_a_file_that_cannot_be_read_is_named(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "spoken" / "messages"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    (folder / "ja.json").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        with pytest.raises(BadWording, match=r"spoken: messages/ja\.json"):
            Messages.of_package("spoken")
    finally:
        sys.modules.pop("spoken", None)


def test_signed() -> None:
    assert [signed(n) for n in (2, 0, -13)] == ["+2", "0", "−13"]
