"""The folder of a ladder: figures that follow from its games, and changes of either that are noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from qipai.arena.ladder import climb, ladder_of
from qipai.arena.publish import check_figures, publish
from qipai.cluster import open_pool


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ladder")
    ladder = ladder_of("kuhn_poker", ("random", "repeater", "beginner"), seed=4, meetings=3, rounds=2)
    with open_pool(1) as pool:
        climb(ladder, folder / "games.jsonl", pool)
    publish(folder)
    return folder


def test_a_flipped_byte_of_the_games_is_always_detected(folder: Path, tmp_path: Path) -> None:
    games = (folder / "games.jsonl").read_bytes()
    (tmp_path / "ladder.json").write_bytes((folder / "ladder.json").read_bytes())
    path = tmp_path / "games.jsonl"
    path.write_bytes(games)
    assert check_figures(path) == ""
    for place in range(0, len(games), 7):
        path.write_bytes(games[:place] + bytes([games[place] ^ 1]) + games[place + 1 :])
        assert "SHA-256" in check_figures(path)


def test_a_flipped_byte_of_the_figures_is_always_detected(folder: Path, tmp_path: Path) -> None:
    figures = (folder / "ladder.json").read_bytes()
    (tmp_path / "games.jsonl").write_bytes((folder / "games.jsonl").read_bytes())
    for place in range(3, len(figures), len(figures) // 25):
        changed = figures[:place] + bytes([figures[place] ^ 1]) + figures[place + 1 :]
        (tmp_path / "ladder.json").write_bytes(changed)
        assert check_figures(tmp_path / "games.jsonl")


def test_games_without_figures_are_only_played_again(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_bytes((folder / "games.jsonl").read_bytes())
    assert check_figures(tmp_path / "games.jsonl") == ""
