"""Refusals."""

from __future__ import annotations

from pathlib import Path

from qipai.core import QipaiError
from qipai.server.refusals import all_refusals

ROOT = Path(__file__).parents[2]


def test_every_refusal_has_a_code_of_its_own_and_a_line_of_docs() -> None:
    codes = [error.code for error in all_refusals()]
    assert len(set(codes)) == len(codes)
    page = (ROOT / "docs" / "errors.md").read_text("utf-8")
    for error in all_refusals():
        assert issubclass(error, QipaiError) and error.__doc__
        assert f"| `{error.code}` |" in page, error.code
