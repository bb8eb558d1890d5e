"""The README's examples run as they stand, its table of games is the registry, and it stays short."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from qipai.cli import COMMANDS
from qipai.core import get, names
from qipai.core.registry import OURS

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
    for name in OURS:  # other tests may have registered more
        game = get(name)
        assert name in rows, f"{name} is not in the README"
        assert f"| {game.rules.actions} |" in rows[name] + "|"
        assert f"{game.rules.State.itemsize} bytes" in rows[name]


def rows_of(text: str) -> list[list[str]]:
    """Return the cells of the rows of tables in a text."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"
    ]


def section_of(title: str) -> str:
    """Return a section of the page of benchmarks, without its title."""
    page = (ROOT / "benchmarks" / "README.md").read_text("utf-8")
    _, found, rest = page.partition(f"\n## {title}\n")
    assert found, title
    return rest.partition("\n## ")[0]


FIGURES = README.partition("\n## Figures\n")[2].partition("\n## ")[0]
GAMES_MEASURED = next(cells[1:] for cells in rows_of(FIGURES) if not cells[0])


@pytest.mark.parametrize(
    ("first", "title", "after"), [("one core", "On one CPU core", 2), ("one NVIDIA", "On a GPU", 2)]
)
def test_a_speed_is_that_of_the_benchmarks(first: str, title: str, after: int) -> None:
    """Every cell of the row, in the order of the page's own table: speed, then speed with observation."""
    measured = {cells[0]: cells[after : after + 2] for cells in rows_of(section_of(title))}
    (row,) = [cells[1:] for cells in rows_of(FIGURES) if cells[0].startswith(first)]
    assert sorted(GAMES_MEASURED) == sorted(OURS) and len(row) == len(OURS)
    for name, cell in zip(GAMES_MEASURED, row, strict=True):
        speed, observed = next(
            found for key, found in measured.items() if key.split(",")[0].split(" ")[0] == name
        )
        assert cell == f"{speed} ({observed})", name


def test_the_other_figures_are_those_of_the_benchmarks() -> None:
    cells = dict(found for found in rows_of(FIGURES) if len(found) == 2)
    (equal,) = [value for key, value in cells.items() if key.startswith("CUDA equals CPU")]
    assert equal == "10^7 decisions per game" and equal in section_of("On a GPU")
    gpu = [found for found in rows_of(section_of("On a GPU")) if found[0].split(" ")[0] in OURS]
    assert [found[1] for found in gpu] == ["yes"] * len(OURS)

    pairs = section_of("Against other libraries")
    ratios = [
        found[-1] for found in rows_of(pairs) if len(found) == 5 and re.fullmatch(r"[\d,.]+", found[-1])
    ]
    low, high = (pick(ratios, key=lambda ratio: float(ratio.replace(",", ""))) for pick in (min, max))
    (ahead,) = [value for key, value in cells.items() if key.startswith("against OpenSpiel")]
    assert float(low) > 1 and ahead == f"ahead in all {len(ratios)} pairs, by {low} to {high} times"

    (server,) = [(key, value) for key, value in cells.items() if key.startswith("server, ")]
    load = re.search(
        r"(\d+) clients, (\d+) actions per second .*?\*\*([\d.]+) ms at the 99th",
        section_of("The server"),
        re.S,
    )
    assert load is not None
    assert server[0].startswith(f"server, {load[1]} clients, {load[2]} actions/s (")
    assert server[1] == f"a move reaches everyone within {load[3]} ms (99th percentile)"
    assert "- lost: 0" in (ROOT / "docs" / "proof" / "server.md").read_text("utf-8")


def test_what_longer_observations_cost_is_that_of_the_benchmarks() -> None:
    """The speeds of two games are from before; the sentence under the table says what has changed since."""
    measured = {cells[0]: cells[1] for cells in rows_of(section_of("Comparing two checkouts"))}
    shares = [f"{float(measured[name].split(', ')[1]):.2f}" for name in ("nana", "paipai_rensa")]
    said = " ".join(FIGURES.split())
    assert f"one core reaches {shares[0]} and {shares[1]} of the speed in parentheses" in said


def test_the_speeds_of_training_are_those_of_the_benchmarks() -> None:
    told = " ".join(section_of("Training").split())
    ranges = re.findall(r"([\d.]+)(?: to ([\d.]+))? \((?:xianqi|nana|paipai_rensa|wuhan_mahjong)\)", told)
    speeds = [float(one) for pair in ranges for one in pair if one]
    assert len(ranges) == 4
    said = " ".join(README.split())
    assert f"at {min(speeds):.0f} to {max(speeds):.0f} million decisions per second" in said
    slow = re.search(r"convolution and not this MLP: ([\d.]+) million", told)
    assert slow is not None and f"({slow[1]} million for skill_gomoku" in said


def test_the_badges_are_true() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    badges = dict(re.findall(r"!\[([^\]:]+): [^\]]*\]\((https://img\.shields\.io/badge/[^)]+)\)", README))
    assert set(badges) == {"License", "Python", "Typed"}
    assert 'license = "Apache-2.0"' in project and "Apache--2.0" in badges["License"]
    assert 'requires-python = ">=3.11"' in project and "3.11%2B" in badges["Python"]
    assert "strict = true" in project
