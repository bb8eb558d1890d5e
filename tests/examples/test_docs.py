"""The examples in docs/training.md run, and it shows the picture that is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "training.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_an_example_runs(block: str) -> None:
    exec(compile(block, "training.md", "exec"), {})


def test_there_are_examples_and_every_picture_is_there() -> None:
    assert len(BLOCKS) == 3
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", TEXT)
    assert pictures and all((DOCS / picture).is_file() for picture in pictures)
