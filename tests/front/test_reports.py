"""What players reported and were promised is tested: the tables of docs/front.md name tests that exist."""

from __future__ import annotations

import re
from functools import cache

import pytest

from .conftest import ROOT

PAGE = ROOT / "docs" / "front.md"
HEADING = "## What players reported"
PYTHON = re.compile(r"`(test_\w+)`")
SCRIPT = re.compile(r'"([^"]+)"')


def rows() -> list[tuple[str, str]]:
    """Return what each row is about, and the cell with its tests."""
    lines = PAGE.read_text("utf-8").partition(HEADING)[2].partition("\n## ")[0].splitlines()
    cells = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    return [(about, tests) for about, tests in cells if tests != "tests"]


@cache
def functions() -> set[str]:
    """Return the names of all tests in Python."""
    files = (ROOT / "tests").rglob("test_*.py")
    return {name for path in files for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.M)}


@cache
def titles() -> set[str]:
    """Return the titles of all tests in TypeScript."""
    files = (ROOT / "front" / "src").rglob("*.test.ts")
    call = re.compile(r'\b(?:it|test)(?:\.each.*\))?\(\s*"((?:[^"\\]|\\.)+)"')
    return {title for path in files for title in call.findall(path.read_text("utf-8"))}


@pytest.mark.parametrize(("about", "tests"), rows())
def test_each_report_has_its_tests(about: str, tests: str) -> None:
    named, told = PYTHON.findall(tests), SCRIPT.findall(tests)
    assert named or told, about
    assert set(named) <= functions()
    assert set(told) <= titles()


def test_all_eleven_faults_are_listed() -> None:
    first = PAGE.read_text("utf-8").partition("| fault |")[2].partition("| promise |")[0]
    assert first.count("\n|") - 1 == 11


def test_a_test_that_is_missing_is_noticed() -> None:
    for tests in ("`test_nothing_of_this_name`", '"does nothing of this kind"'):
        with pytest.raises(AssertionError):
            test_each_report_has_its_tests("a fault", tests)
