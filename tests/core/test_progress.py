"""The progress line: on a terminal only, and gone when all is done."""

from __future__ import annotations

import io
import sys

import pytest

from qipai.core.progress import progress_line


class Terminal(io.StringIO):
    """Standard error of someone who watches."""

    def isatty(self) -> bool:
        return True


def test_the_line_counts_and_is_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Terminal()
    monkeypatch.setattr(sys, "stderr", seen)
    show = progress_line("Hush")
    show(10, 20, "deal")
    assert "compiling Hush " + "█" * 10 + "░" * 10 + " 10/20 deal" in seen.getvalue()
    show(20, 20, "")
    assert seen.getvalue().endswith("\r\033[K")


def test_few_rules_are_not_worth_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Terminal()
    monkeypatch.setattr(sys, "stderr", seen)
    progress_line("Hush")(1, 11, "deal")
    assert seen.getvalue() == ""


def test_a_file_gets_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", seen)
    progress_line("Hush")(10, 20, "deal")
    assert seen.getvalue() == ""
