"""Learning curves as a table and as a picture."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

import pytest

from qipai.learn.curve import COLUMNS, draw, write

ROWS: list[dict[str, Any]] = [
    {"seconds": 2.0, "updates": 1, "decisions": 1000, "entropy": 1.5},
    {"seconds": 4.0, "updates": 2, "decisions": 2000, "entropy": 1.25, "random": 0.5, "random half": 0.25},
]


def test_every_row_is_written_and_read_back(tmp_path: Path) -> None:
    write(ROWS, tmp_path / "curve.csv")
    with (tmp_path / "curve.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert list(found[0]) == [*COLUMNS, "random", "random half"]
    assert found[0]["random"] == "" and found[1]["random half"] == "0.25"
    assert [path.name for path in tmp_path.iterdir()] == ["curve.csv"]


@pytest.mark.filterwarnings("default", "error:::qipai")  # of matplotlib's own
def test_a_picture_is_drawn_also_from_what_was_read_back(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (pip install 'qipai[plot]')")
    write(ROWS, tmp_path / "curve.csv")
    with (tmp_path / "curve.csv").open(encoding="utf-8", newline="") as file:
        again = list(csv.DictReader(file))
    for rows in (ROWS, again):
        assert draw(rows, tmp_path / "curve.png", "xianqi")
        assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
        (tmp_path / "curve.png").unlink()


def test_without_matplotlib_there_is_no_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert not draw(ROWS, tmp_path / "curve.png", "xianqi")
    assert list(tmp_path.iterdir()) == []
