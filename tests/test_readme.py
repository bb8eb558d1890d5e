"""The README's examples run as they stand, its table of games is the registry, and it stays short."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from qipai.cli import COMMANDS
from qipai.core import get, names

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
SHELL = [line for block in re.findall(r"```shell\n(.*?)```", README, re.S) for line in block.splitlines()]


def test_it_is_short() -> None:
    assert len(README.splitlines()) < 150


def test_its_programs_run(capsys: pytest.CaptureFixture[str]) -> None:
    programs = re.findall(r"```python\n(.*?)```", README, re.S)
    assert programs
    for code in programs:
        exec(compile(code, "README.md", "exec"), {})
    assert "decisions=1024000" in capsys.readouterr().out


@pytest.mark.parametrize("line", SHELL)
def test_its_commands_exist_and_take_these_arguments(line: str) -> None:
    """Parsed, not run: each command has its own tests."""
    words = shlex.split(line, comments=True)
    if words[0] == "qipai":
        assert words[1] in COMMANDS
        if words[1] == "play" and words[2] != "my_game.py":
            assert words[2] in names()
    elif words[0] == "make":
        assert f"\n{words[1]}:" in (ROOT / "Makefile").read_text()
    else:
        assert words[:2] == ["pip", "install"]
        extras = words[2].partition("[")[2].strip("]").split(",")
        project = (ROOT / "pyproject.toml").read_text()
        assert all(re.search(rf"^{extra} = \[", project, re.M) for extra in extras)


def test_the_table_of_games_is_the_registry() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \|(.*)\|$", README, re.M))
    for name in names():
        game = get(name)
        assert name in rows, f"{name} is not in the README"
        assert f"| {game.rules.actions} |" in rows[name] + "|"
        assert f"{game.rules.State.itemsize} bytes" in rows[name]


def test_the_figures_are_those_of_the_benchmarks() -> None:
    page = (ROOT / "benchmarks" / "README.md").read_text("utf-8")
    for figure in re.findall(r"\d[\d,]+ \([\d,]+\)", README):
        speed, _, observed = figure.partition(" (")
        assert f"| {speed} | {observed.rstrip(')')} |" in page, figure
    assert "ahead in all 46 pairs" in page


def test_the_badges_are_true() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    badges = dict(re.findall(r"!\[([^\]:]+): [^\]]*\]\((https://img\.shields\.io/badge/[^)]+)\)", README))
    assert set(badges) == {"License", "Python", "Typed"}
    assert 'license = "Apache-2.0"' in project and "Apache--2.0" in badges["License"]
    assert 'requires-python = ">=3.11"' in project and "3.11%2B" in badges["Python"]
    assert "strict = true" in project
