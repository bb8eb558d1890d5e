"""Modules that are imported from a file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from qipai.core.files import import_file


def test_a_file_becomes_a_module_that_others_can_import(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text("VALUE = 7\n", "utf-8")
    try:
        assert import_file("qipai_test_own", path).VALUE == 7
        assert sys.modules["qipai_test_own"].VALUE == 7
    finally:
        sys.modules.pop("qipai_test_own", None)


@pytest.mark.parametrize("source", ["1 / 0\n", "raise SystemExit\n", "def (\n"])
def test_a_file_that_raises_leaves_no_module(tmp_path: Path, source: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(source, "utf-8")
    with pytest.raises((ZeroDivisionError, SystemExit, SyntaxError)):
        import_file("qipai_test_bad", path)
    assert "qipai_test_bad" not in sys.modules
