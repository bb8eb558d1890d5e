"""The docs keep up: every game, option, phase and feature, and every command, has a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from qipai.cli import COMMANDS
from qipai.commands.games import reference
from qipai.core import get
from qipai.core.registry import OURS

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("name", OURS)
def test_a_game_has_a_page_with_its_options_phases_and_observation(name: str) -> None:
    """The section is what `qipai games NAME --markdown` prints."""
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text()
    assert "\n## Reference\n\n" + reference(get(name)) in page


@pytest.mark.parametrize("name", OURS)
def test_the_rules_can_be_read_in_two_languages(name: str) -> None:
    package = ROOT / "src" / "qipai" / "games" / name
    for page in ("README.md", "README.zh.md", "README.ja.md"):
        assert len((package / page).read_text()) > 1000


def test_every_command_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    for command in COMMANDS:
        assert f"qipai {command}" in readme
