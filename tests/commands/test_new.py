"""`qipai new`: a folder, and what to do with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from qipai.cli import main


def test_it_writes_a_package_and_says_what_comes_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "tiny_prizes", "--dir", str(tmp_path)]) == 0
    assert (tmp_path / "tiny_prizes" / "pyproject.toml").is_file()
    out = capsys.readouterr().out
    assert f"pip install -e '{tmp_path / 'tiny_prizes'}[test]'" in out
    assert "qipai play tiny_prizes" in out and "pytest" in out


def test_a_folder_that_exists_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tiny_prizes").mkdir()
    assert main(["new", "tiny_prizes", "--dir", str(tmp_path)]) == 2
    captured = capsys.readouterr()
    assert "exists already" in captured.err and captured.out == ""


def test_small_is_one_file_and_says_what_comes_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "tiny_dice", "--small", "--dir", str(tmp_path)]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["tiny_dice.py"]
    out = capsys.readouterr().out
    assert f"qipai check {tmp_path / 'tiny_dice.py'}" in out and "qipai play" in out
