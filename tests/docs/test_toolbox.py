"""The page of every library has a program, which runs; the table of libraries leads to each page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

RESEARCH = Path(__file__).parents[2] / "docs" / "research"
PAGES = sorted((RESEARCH / "tools").glob("*.md"))
PROGRAMS = [
    (page.stem, program)
    for page in PAGES
    for program in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
]


# Libraries warn about their own deprecations and about tiny settings. Our warnings remain errors.
@pytest.mark.filterwarnings("ignore", "error:::qipai")
@pytest.mark.parametrize(("page", "program"), PROGRAMS, ids=[page for page, _ in PROGRAMS])
def test_a_program_runs(page: str, program: str, ray_address: str) -> None:
    exec(compile(program, page, "exec"), {"__name__": page})


def test_every_page_has_a_program() -> None:
    assert {page for page, _ in PROGRAMS} == {page.stem for page in PAGES}


def test_the_table_leads_to_every_page() -> None:
    rows = re.findall(r"^\| \[.*?\]\(tools/(\w+)\.md\) \| .*\d", (RESEARCH / "toolbox.md").read_text(), re.M)
    assert sorted(rows) == [page.stem for page in PAGES]
