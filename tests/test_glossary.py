"""The glossary defines each word once, and what it points to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "glossary.md").read_text("utf-8")
# A word, what it means, and at the end where it lives.
ENTRY = re.compile(r"^- \*\*(.+?)\*\*: (.+?)\s+`([\w./]+)`$", re.MULTILINE | re.DOTALL)
FOUND = [(m[1], m[2], m[3]) for m in (ENTRY.match(part) for part in re.split(r"\n(?=- |\n)", PAGE)) if m]


def test_every_entry_is_read() -> None:
    assert len(FOUND) == PAGE.count("\n- **") > 60


def test_every_word_is_defined_once() -> None:
    words = [word for word, _, _ in FOUND]
    assert len(set(words)) == len(words)


@pytest.mark.parametrize(("word", "meaning", "place"), FOUND, ids=[word for word, _, _ in FOUND])
def test_a_word_lives_where_the_glossary_says(word: str, meaning: str, place: str) -> None:
    path = ROOT / place if place.startswith(("front/", "tests/")) else ROOT / "src" / "qipai" / place
    assert path.is_file(), place
    for name in re.findall(r"[Cc]lass `(\w+)`", meaning):
        assert re.search(rf"^class {name}\b", path.read_text("utf-8"), re.MULTILINE), f"{place} has no {name}"
    for name in re.findall(r"`(?:Rules|Words)\.(\w+)`", meaning):
        assert re.search(rf"^    {name}: ", path.read_text("utf-8"), re.MULTILINE) or place != "core/parts.py"
