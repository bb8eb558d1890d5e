"""A dataset is the same however many workers write it, and bad plans are refused by name."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from pyarrow.parquet import ParquetFile

from qipai.bots.random import SPEC as RANDOM
from qipai.cli import main
from qipai.core.errors import BadCount, BadFolder, BadOption, BadSeats, BadSeed, QipaiError, UnknownAgent
from qipai.data import load, write
from qipai.data.write import CARD


def test_workers_change_no_row(tmp_path: Path) -> None:
    one = write("xianqi", tmp_path / "one", 1200, seed=4, seats=3)
    two = write("xianqi", tmp_path / "two", 1200, seed=4, seats=3, workers=2)
    assert one["digest"] == two["digest"] and one["decisions"] == two["decisions"]
    assert [file["games"] for file in one["files"]] == [1000, 200]
    other = write("xianqi", tmp_path / "other", 1200, seed=5, seats=3)
    assert other["digest"] != one["digest"]


def test_a_large_block_is_written_in_groups_of_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = write("xianqi", tmp_path / "one", 40)
    module = sys.modules["qipai.data.write"]  # a function hides it in the package
    monkeypatch.setattr(module, "GROUP", 200 * one["decisions"] // 4)  # a row has 180 cells
    other = write("xianqi", tmp_path / "other", 40)
    assert other["digest"] == one["digest"] and load(tmp_path / "other").verify() == one["decisions"]
    groups = [ParquetFile(tmp_path / name / "data-00000.parquet").num_row_groups for name in ("one", "other")]
    assert groups == [1, 4]


def test_the_card_says_what_it_is(tmp_path: Path) -> None:
    card = write(
        "xianqi", tmp_path, 5, ["heuristic", "random"], seed=1, options={"dog_pair": "equal_red_shi"}
    )
    assert card == json.loads((tmp_path / CARD).read_text())
    assert card["licence"] == "Apache-2.0" and card["agents"] == ["heuristic", "random"]
    text = (tmp_path / "README.md").read_text()
    assert card["digest"] in text and "5 games of xianqi" in text and "heuristic" in text


@pytest.mark.parametrize(
    ("error", "given"),
    [
        (BadCount, {"games": 0}),
        (BadCount, {"games": True}),
        (BadSeed, {"seed": -1}),
        (BadSeats, {"seats": 9}),
        (BadOption, {"options": {"colour": 1}}),
        (UnknownAgent, {"agents": []}),
        (UnknownAgent, {"agents": ["nobody"]}),
        (UnknownAgent, {"agents": [3]}),
        (UnknownAgent, {"agents": [RANDOM]}),
        (UnknownAgent, {"agents": 7}),
        (BadCount, {"agents": ["random"] * 128}),
    ],
)
def test_a_bad_plan_writes_nothing(tmp_path: Path, error: type[QipaiError], given: dict[str, Any]) -> None:
    with pytest.raises(error):
        write(**{"game": "xianqi", "folder": tmp_path / "new", "games": 2, **given})
    assert not (tmp_path / "new").exists()


def test_a_folder_with_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep")
    with pytest.raises(BadFolder):
        write("xianqi", tmp_path, 2)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("name", ["file/inside", "nul\0"])
def test_a_folder_that_cannot_be_made_is_refused_by_name(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFolder):
        write("xianqi", tmp_path / name, 2)


def test_the_command_of_the_card_writes_the_same_rows(tmp_path: Path) -> None:
    options = {"dog_pair": "equal_red_shi"}
    one = write("xianqi", tmp_path / "one", 3, ["heuristic"], seed=6, options=options, seats=3)
    text = (tmp_path / "one" / "README.md").read_text()
    words = shlex.split(next(line for line in text.splitlines() if line.startswith("    qipai data")))
    words[words.index("DIR")] = str(tmp_path / "two")
    assert main([*words[1:], "--workers", "1"]) == 0
    two = json.loads((tmp_path / "two" / CARD).read_text())
    assert two["digest"] == one["digest"] and two["seats"] == 3 and two["options"] == options


def test_progress_counts_games(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    write("xianqi", tmp_path / "set", 1003, progress=lambda done, total: told.append((done, total)))
    assert told == [(1000, 1003), (1003, 1003)]
