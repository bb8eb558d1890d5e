"""docs/operate/attacks.md names a test for every fault that was found by attack."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "operate" / "attacks.md"
FAULTS = 21


def rows(text: str) -> dict[int, list[str]]:
    """Return the tests that a page names, by fault."""
    found = re.findall(r"^(\d+)\. .*\n(?:    [^-].*\n)*((?:    - .*(?:\n|$))*)", text, re.MULTILINE)
    return {int(number): re.findall(r"`([^`]+)`", entries) for number, entries in found}


@cache
def names_in(file: Path) -> frozenset[str]:
    """Return the names of the test functions of a file."""
    nodes = ast.parse(file.read_text("utf-8")).body
    functions = (n.name for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(name for name in functions if name.startswith("test_"))


def missing(text: str) -> list[str]:
    """Return the tests that a page names and that do not exist."""
    wrong = []
    for names in rows(text).values():
        for name in names:
            file, _, test = name.partition("::")
            if not (TESTS / file).is_file() or test not in names_in(TESTS / file):
                wrong.append(name)
    return wrong


@pytest.mark.parametrize("number", range(1, FAULTS + 1))
def test_every_fault_has_a_test(number: int) -> None:
    assert rows(PAGE.read_text("utf-8")).get(number), f"name a test for fault {number}"


def test_every_test_of_the_page_exists() -> None:
    text = PAGE.read_text("utf-8")
    assert len(rows(text)) == FAULTS
    assert missing(text) == []


def test_a_test_that_is_gone_is_noticed() -> None:
    here = "docs/test_attacks.py"
    names = ("test_gone", "test_every_fault_has_a_test")
    entry = "1. **A.** B\n    and more.\n" + "".join(f"    - `{here}::{name}`\n" for name in names)
    assert missing(entry + "    - `docs/gone.py::test_a`") == [f"{here}::test_gone", "docs/gone.py::test_a"]
