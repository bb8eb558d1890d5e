"""The cloning example learns from a small dataset, and finds the same figure twice."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from qipai.data import write

PLACE = Path(__file__).parents[2] / "examples" / "clone_heuristic.py"


def test_the_clone_agrees_more_often_than_chance(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("clone_heuristic", PLACE)
    assert spec is not None and spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    write("xianqi", tmp_path / "set", 150, ["heuristic"])
    words = [str(tmp_path / "set"), "--passes", "3"]
    found = example.main(words)
    assert found["agreed"] > found["chance"] + 0.05
    assert example.main(words) == found
