"""The claims of proof.py at a hundredth of their count or less."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.data.whole import check

GAMES = {"xianqi": 1005, "nana": 20, "wuhan_mahjong": 30, "skill_gomoku": 10, "paipai_rensa": 10}


@pytest.mark.parametrize("game", GAMES)
def test_a_dataset_is_replayed_without_a_batch(game: str, tmp_path: Path) -> None:
    found = check(game, GAMES[game], 5, 1, tmp_path)
    assert found["differences"] == 0 and not (tmp_path / "game.jsonl").exists()
