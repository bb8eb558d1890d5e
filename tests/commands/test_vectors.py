"""`qipai vectors`: what differs from a file of conformance vectors, and a status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qipai.cli import main

VECTORS = Path(__file__).parents[1] / "vectors" / "nana.json"


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """Return a file with the first vectors of NANA."""
    data = json.loads(VECTORS.read_text("utf-8"))
    data["vectors"] = data["vectors"][:3]
    path = tmp_path / "few.json"
    path.write_text(json.dumps(data), "utf-8")
    return path


def test_a_file_that_agrees_is_a_line_and_status_0(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vectors", str(few)]) == 0
    assert capsys.readouterr().out == f"{few}: 3 vectors, all agree\n"


def test_a_difference_is_printed_with_its_vector(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(few.read_text("utf-8"))
    data["vectors"][1]["expect"] = {"nonsense": 1}
    few.write_text(json.dumps(data), "utf-8")
    assert main(["vectors", str(few)]) == 1
    out = capsys.readouterr().out
    assert out.startswith(data["vectors"][1]["id"])
    assert out.endswith(f"{few}: 3 vectors, 1 differ\n")


def test_a_file_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vectors", str(tmp_path / "none.json")]) == 2
    assert "[vectors/bad]" in capsys.readouterr().err
