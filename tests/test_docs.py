"""The docs keep up: every game, option, phase and feature, and every command, has a line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from qipai.cli import COMMANDS
from qipai.core import get
from qipai.core.registry import OURS

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("name", OURS)
def test_a_game_has_a_page_with_its_options_phases_and_observation(name: str) -> None:
    game = get(name)
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text()
    for option in game.options:
        assert f"`{option.name}`" in page, f"option {option.name}"
    for a, b in game.edges:
        for phase in (game.phases(a).name, game.phases(b).name):
            assert f"`{phase}`" in page, f"phase {phase}"
    for f in game.observation:
        where = str(f.start) if f.length == 1 else f"{f.start}-{f.start + f.length - 1}"
        row = rf"^\| *{where} *\| *`{re.escape(f.name)}` *\|"
        assert re.search(row, page, re.M), f"feature {f.name} at {where}"


@pytest.mark.parametrize("name", OURS)
def test_the_rules_can_be_read_in_two_languages(name: str) -> None:
    package = ROOT / "src" / "qipai" / "games" / name
    for page in ("README.md", "README.zh.md"):
        assert len((package / page).read_text()) > 1000


def test_every_command_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    for command in COMMANDS:
        assert f"qipai {command}" in readme


def test_links_between_the_docs_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
