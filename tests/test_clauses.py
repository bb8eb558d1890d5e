"""Every clause that code, tests and docs cite (§4.3) is in the game's README or its specification."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from qipai.core.registry import OURS

ROOT = Path(__file__).parents[1]
CITED = re.compile(r"(?:§ ?|\b[Cc]lauses? |\b[Ss]pec(?:'s section)? )(\d+(?:\.\d+)*)")
HEADING = re.compile(r"^#+ (\d+(?:\.\d+)*)\b", re.M)
CLAUSE = re.compile(r"(?:\*\*|^|[.:] )(\d+\.\d+)(?:\*\*| [A-Z`*(“])", re.M)
BOLD = re.compile(r"\*\*(\d+(?:\.\d+)+)\b")


def clauses(text: str) -> set[str]:
    """Return the numbers of the sections and clauses of a page."""
    return {*HEADING.findall(text), *CLAUSE.findall(text), *BOLD.findall(text)}


def citing(game: str) -> list[Path]:
    """Return the files that cite clauses of a game."""
    folders = [ROOT / "src" / "qipai" / "games" / game, ROOT / "tests" / "games" / game]
    found = [path for folder in folders for path in folder.rglob("*.py")]
    found += [
        *(ROOT / "tests" / "naive").glob(f"{game}*.py"),
        *(ROOT / "src" / "qipai" / "envs").glob(f"{game}*.py"),
    ]
    found += [
        *(ROOT / "front" / "src" / "tables" / game).rglob("*.ts"),
        ROOT / "docs" / "games" / f"{game}.md",
    ]
    return found


def known(game: str) -> set[str]:
    """Return the clauses that may be cited of a game."""
    readme = ROOT / "src" / "qipai" / "games" / game / "README.md"
    specification = ROOT / "docs" / "specs" / f"{game}.md"
    found = clauses(readme.read_text("utf-8")) | clauses(specification.read_text("utf-8"))
    return found | {one.partition(".")[0] for one in found}


@pytest.mark.parametrize("game", OURS)
def test_every_cited_clause_is_there(game: str) -> None:
    there = known(game)
    missing = [
        f"{path.relative_to(ROOT)}: §{number}"
        for path in citing(game)
        for number in CITED.findall(path.read_text("utf-8"))
        if number not in there
    ]
    assert missing == []


@pytest.mark.parametrize("game", OURS)
def test_clauses_are_cited_by_the_rules_and_by_tests(game: str) -> None:
    """Or this file would check nothing."""
    texts = [path.read_text("utf-8") for path in citing(game)]
    assert sum(len(CITED.findall(text)) for text in texts) > 10


@pytest.mark.parametrize("game", OURS)
def test_the_translations_have_the_same_sections(game: str) -> None:
    package = ROOT / "src" / "qipai" / "games" / game
    sections = [
        {one for one in HEADING.findall((package / name).read_text("utf-8")) if "." not in one}
        for name in ("README.md", "README.zh.md", "README.ja.md")
    ]
    assert sections[0] == sections[1] == sections[2]


def test_clauses_are_found_however_they_are_written() -> None:
    text = "## 1. Words\n\n**2.1 The pieces.** x\n\n3.1 Nobody may pass. 3.2 `turn` grows.\n\n"
    text += "- **4.4** Place\n\n### 5.5 Runs\n"
    assert clauses(text) >= {"1", "2.1", "3.1", "3.2", "4.4", "5.5"}
    assert CITED.findall("§4.3, clause 2 and spec §15.5 but not 7.7; spec 9.5") == ["4.3", "2", "15.5", "9.5"]
