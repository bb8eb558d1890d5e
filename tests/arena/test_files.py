"""Files of results: resumed where they were cut off, refused where they are of something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from qipai.arena.files import add_line, open_lines, read_lines
from qipai.core.errors import BadContest

HEAD = {"format": "toy/1", "qipai": "0.1", "seed": 7}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "folder" / "games.jsonl"
    assert open_lines(path, HEAD) == []
    with path.open("a", encoding="utf-8") as file:
        add_line(file, [1, 2])
        add_line(file, {"a": None})
    return path


def test_a_file_is_read_as_it_was_written(path: Path) -> None:
    assert read_lines(path, "toy/1") == (HEAD, [[1, 2], {"a": None}])


def test_a_line_that_was_cut_off_is_removed(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole + b"[3, ")
    assert open_lines(path, HEAD) == [[1, 2], {"a": None}]
    assert path.read_bytes() == whole


def test_only_the_version_of_the_program_may_differ(path: Path) -> None:
    assert len(open_lines(path, {**HEAD, "qipai": "0.2"})) == 2
    before = path.read_bytes()
    with pytest.raises(BadContest, match="other seed: '7'"):
        open_lines(path, {**HEAD, "seed": 8})
    with pytest.raises(BadContest, match="other seats"):
        open_lines(path, {**HEAD, "seats": 2})
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", ["", "[]\n", "{}\n", '{"format": "toy/2"}\n', '{"format": "toy/1"}\n{\n'])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(BadContest, match=r"games\.jsonl cannot be read"):
        read_lines(path, "toy/1")
