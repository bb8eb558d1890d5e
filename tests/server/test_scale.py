"""The measurements of `scale.py` at a small count; the proof runs them at the stated one."""

from __future__ import annotations

from pathlib import Path

from tests.server import scale


def test_a_long_past_is_read_page_by_page_and_its_totals_are_exact(tmp_path: Path) -> None:
    found = scale.long_history(tmp_path, 3000, fresh=True)
    assert found["totals exact"] and found["hands"] == 3000


def test_visitors_of_a_full_lobby_are_sent_little(tmp_path: Path) -> None:
    found = scale.full_lobby(tmp_path, visitors=5, tables=20, changes=2)
    assert found["a change, bytes"] < scale.CHANGE < found["the whole lobby, bytes"]
