"""The page of the game: its example runs, its tables are those of the code; cited clauses exist."""

from __future__ import annotations

import re
from pathlib import Path

from qipai.games.skill_gomoku import GAME, rules
from qipai.games.skill_gomoku.state import State

PAGE = (Path(__file__).parents[3] / "docs" / "games" / "skill_gomoku.md").read_text("utf-8")


def test_the_example_runs() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(block, "skill_gomoku.md", "exec"), {})


def test_every_field_of_the_observation_is_on_the_page_where_it_starts() -> None:
    rows = re.findall(r"^\| ([\d., ]+?) \| ([\w, ]+?) \|", PAGE.partition("## Observation")[2], re.M)
    told: dict[str, int] = {}
    for numbers, names in rows:
        starts = [int(n) for n in re.findall(r"\d+", numbers)]
        if ".." in numbers:
            starts = starts[:1]
        for name, start in zip(names.split(", "), starts, strict=False):
            told[name] = start
    for feature in GAME.rules.observation:
        if feature.start > 32:
            assert feature.name in PAGE
        else:
            assert told[feature.name] == feature.start


def test_the_page_tells_the_size_of_the_record() -> None:
    assert f"one record of {State.itemsize} bytes" in PAGE
    for heading in ("Play", "Rules", "Phases", "Actions", "View", "Score", "End", "Observation", "Versions"):
        assert f"\n## {heading}\n" in PAGE


def test_the_readme_cites_no_clause_that_is_not_there() -> None:
    package = Path(rules.__file__).parent
    for name in ("README.md", "README.zh.md", "README.ja.md"):
        clauses = set(re.findall(r"^#+ (\d+(?:\.\d+)?)", (package / name).read_text("utf-8"), re.M))
        clauses |= set(re.findall(r"^- \*\*(\d+\.\d+)\*\*", (package / name).read_text("utf-8"), re.M))
        for path in package.rglob("*.py"):
            for cited in re.findall(r"§(\d+(?:\.\d+)?)", path.read_text("utf-8")):
                assert cited in clauses, f"{path.name} cites §{cited}, which {name} does not have"
