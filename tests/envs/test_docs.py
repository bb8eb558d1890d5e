"""The examples in the docs of environments and arena run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def examples() -> list[tuple[str, str]]:
    return [
        (page, block)
        for page in ("envs.md", "arena.md")
        for block in re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
    ]


@pytest.mark.parametrize(("page", "block"), examples(), ids=lambda x: x if x.endswith(".md") else "")
def test_an_example_runs(page: str, block: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block, page, "exec"), {})


def test_there_are_examples() -> None:
    assert len(examples()) == 4
