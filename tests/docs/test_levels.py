"""docs/levels.md describes the levels that the games have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from qipai.core import get
from qipai.core.registry import OURS

PAGE = Path(__file__).parents[2] / "docs" / "levels.md"


@pytest.mark.parametrize("name", OURS)
def test_the_page_names_what_each_level_plays(name: str) -> None:
    game = get(name)
    _, found, rest = PAGE.read_text("utf-8").partition(f"### {game.title('en')}\n")
    if not found:
        unmeasured = rf"^### .*{game.title('en')}.*\n\nNot measured yet"
        assert re.search(unmeasured, PAGE.read_text("utf-8"), re.MULTILINE)
        return
    section = rest.partition("\n### ")[0]
    plays = re.findall(r"^\| level\d \| `([^`]+)` \|", section, re.MULTILINE)
    assert tuple(plays) == game.levels.agents
