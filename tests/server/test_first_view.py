"""The first view in small: one game; all of them are in proof.py, with the time that they may take."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.first_view import measure


@pytest.mark.slow
def test_a_game_is_seen_and_played_before_it_is_compiled(tmp_path: Path) -> None:
    found = measure("wuhan_mahjong", tmp_path)  # the slowest to compile
    assert found["answer"] == "done" and not found["compiled by then"]
    assert found["first view, s"] > 0
