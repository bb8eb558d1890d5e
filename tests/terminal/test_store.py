"""Series on disk: the note is checked, and a note of an older qipai is still read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qipai.core.errors import BadRecord
from qipai.match import read_record
from qipai.terminal.store import NOTE, left_tables, read_note, record_path

from .scripted import any_moves, play, tables


@pytest.mark.parametrize("note", ["", "[]", "{}", '{"game": "xianqi"}', "\0", '{"game": 3}'])
def test_a_broken_note_is_passed_over(home: Path, note: str) -> None:
    play([], seed="7")
    (folder,) = tables(home)
    (folder / NOTE).write_text(note)
    assert "You left a table" not in play([])[1]


def test_a_note_with_impossible_values_is_refused(home: Path) -> None:
    play([], seed="7")
    (folder,) = tables(home)
    good = json.loads((folder / NOTE).read_text())
    for key, value in [("seat", 3), ("chips", [0]), ("bots", []), ("hand", -1), ("seed", "x"), ("done", 1)]:
        (folder / NOTE).write_text(json.dumps({**good, key: value}))
        with pytest.raises(BadRecord):
            read_note(folder)


def test_a_note_of_an_older_version_is_taken_up(home: Path) -> None:
    """Older versions used "deal" for "hand", in fields and in the names of record files."""
    play(["1"], seed="7")
    (folder,) = tables(home)
    note = json.loads((folder / NOTE).read_text())
    note["deal"], note["deals"] = note.pop("hand"), note.pop("hands")
    (folder / NOTE).write_text(json.dumps(note))
    record_path(folder, 0).rename(folder / "deal-001.jsonl")
    assert read_note(folder).hand == 0 and left_tables("xianqi") == [folder]
    held = len(read_record(folder / "deal-001.jsonl").moves)
    _, text, _ = play(["", "1", "1", "1"])
    assert "Resuming hand 1." in text
    assert len(read_record(folder / "deal-001.jsonl").moves) > held
    assert not (folder / "hand-001.jsonl").exists()


def test_the_note_names_the_hand_that_is_played(home: Path) -> None:
    play(any_moves, seed="3", hands=2)
    (folder,) = tables(home)
    note = read_note(folder)
    assert (note.hand, note.hands, note.last, note.done) == (1, 2, True, True)
    assert sorted(p.name for p in folder.glob("*.jsonl")) == ["hand-001.jsonl", "hand-002.jsonl"]
