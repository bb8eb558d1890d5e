"""`qipai data` writes and checks a dataset."""

from __future__ import annotations

from pathlib import Path

import pytest

from qipai.cli import main
from qipai.data import load


def test_a_dataset_is_written_and_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "set")
    words = [
        "data",
        "xianqi",
        "--games",
        "20",
        "--agents",
        "heuristic,random",
        "--out",
        out,
        "--workers",
        "1",
    ]
    assert main(words) == 0
    assert "20 games" in capsys.readouterr().out
    assert main(["data", "xianqi", "--out", out, "--check"]) == 0
    assert "every game replays" in capsys.readouterr().out
    assert main(["data", "nana", "--out", out, "--check"]) == 2
    assert main(words) == 2  # the folder is not empty
    assert "folder/bad" in capsys.readouterr().err


def test_values_are_written_where_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["data", "xianqi", "--out", str(tmp_path / "set"), "--games", "2", "--workers", "1"]
    assert main([*words, "--values", "-1"]) == 2
    assert main([*words, "--values", "20"]) == 0
    assert load(tmp_path / "set").card["values"] == 20
    assert main(["data", "xianqi", "--out", str(tmp_path / "set"), "--check"]) == 0
    assert "every game replays" in capsys.readouterr().out
