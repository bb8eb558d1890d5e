"""The paths of an action on the page about the architecture lead through functions that are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
PATHS = ("In the browser", "In the terminal", "In a rollout", "In the arena")
ROW = re.compile(r"^\| (?:→ )?`([\w./]+)` \| `([\w.]+)` \| (.+) \|$", re.MULTILINE)


def rows(path: str) -> list[tuple[str, str, str]]:
    """Return the file, the function and the text of every row of a path."""
    return ROW.findall(re.split(r"\n##+ ", PAGE.partition(f"\n### {path}\n")[2])[0])


def defined(file: Path) -> set[str]:
    """Return the functions of a Python module, those of a class as `Class.name`."""
    found: set[str] = set()
    for node in ast.parse(file.read_text("utf-8")).body:
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        before = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        found |= {
            before + one.name for one in inside if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
        }
    return found


def place(file: str) -> Path:
    """Return where a file is: below the repository for the page's, below the package otherwise."""
    return ROOT / file if file.startswith("front/") else ROOT / "src" / "qipai" / file


def is_there(file: str, function: str) -> bool:
    """Return whether a file has a function: a module of the package, or one of the page."""
    if file.startswith("front/"):
        return re.search(rf"\b{function}\(", place(file).read_text("utf-8")) is not None
    return function in defined(place(file))


@pytest.mark.parametrize("path", PATHS)
def test_every_function_of_a_path_is_where_its_row_says(path: str) -> None:
    found = rows(path)
    assert len(found) >= 7
    assert [(file, function) for file, function, _ in found if not is_there(file, function)] == []


@pytest.mark.parametrize("path", PATHS)
def test_what_a_row_mentions_is_there(path: str) -> None:
    """A row may name functions of any module of its path, and other modules."""
    modules = "".join(place(file).read_text("utf-8") for file, _, _ in rows(path))
    for file, _, text in rows(path):
        for name in re.findall(r"`([\w./]+)`", text):
            found = place(name).exists() if "/" in name else name.split(".")[-1] in modules
            assert found, f"{file}: {name}"


def test_every_row_of_the_paths_is_read() -> None:
    part = PAGE.partition("\n### In the browser\n")[2].partition("\n## ")[0]
    tables = [line for line in part.splitlines() if line.startswith("| ") and not line.startswith("| where")]
    assert len(tables) == sum(len(rows(path)) for path in PATHS)


def test_a_function_that_has_gone_would_be_seen() -> None:
    assert is_there("match/match.py", "Match.act") and is_there("core/agent.py", "choose_action")
    assert not is_there("match/match.py", "act") and not is_there("core/agent.py", "choose_actions")
    assert not is_there("front/src/lib/session.svelte.ts", "acted")
