"""A Ray cluster writes the same dataset."""

from __future__ import annotations

from pathlib import Path

from qipai.data import write


def test_a_cluster_changes_no_row(tmp_path: Path, ray_address: str) -> None:
    one = write("xianqi", tmp_path / "one", 20)
    two = write("xianqi", tmp_path / "two", 20, workers=None, address=ray_address)
    assert one["digest"] == two["digest"]
