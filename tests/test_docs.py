"""The docs keep up: every game has its pages, and every command a line in the README."""

from __future__ import annotations

from pathlib import Path

import pytest

from qipai.cli import COMMANDS
from qipai.core.registry import OURS

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("name", OURS)
def test_a_game_has_a_page_that_leads_to_its_layout(name: str) -> None:
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text("utf-8")
    assert f"(../research/layouts/{name}.md)" in page.partition("\n## Reference\n")[2]


@pytest.mark.parametrize("name", OURS)
def test_the_rules_can_be_read_in_two_languages(name: str) -> None:
    package = ROOT / "src" / "qipai" / "games" / name
    for page in ("README.md", "README.zh.md", "README.ja.md"):
        assert len((package / page).read_text()) > 1000


def test_every_command_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    for command in COMMANDS:
        assert f"qipai {command}" in readme
