"""Writing a match while it is played, and resuming it after any interruption."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from qipai.core.errors import BadRecord, IllegalAction, QipaiError
from qipai.match import Match, RecordWriter, read_record, restore, resume
from qipai.match.record import LINE_LIMIT
from tests.toys import PRIZES, SEED, WHISPER, play, random_move


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.jsonl"


def test_every_move_is_in_the_file_once_it_is_acknowledged(path: Path) -> None:
    match, rng = Match(PRIZES, seed=SEED), Random(1)
    with RecordWriter(path, match) as writer:
        while not match.over:
            writer.act(match.seat, random_move(match, rng))
            assert restore(read_record(path)).dump() == match.dump()
    record = read_record(path)
    assert record.end is not None and list(record.end.payoff) == match.payoff


def test_every_move_is_synced_unless_told_not_to(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    for sync, wanted in ((True, 4), (False, 0)):
        synced.clear()
        match = Match(PRIZES, seed=SEED)
        writer = RecordWriter(path, match, sync)  # the file and its folder
        play(match, Random(1), 1)
        writer.save()
        play(match, Random(1), 1)
        writer.save()
        writer.save()  # nothing new
        writer.close()
        assert len(synced) == wanted
        path.unlink()


def test_the_file_is_for_its_owner_alone(path: Path) -> None:
    before = os.umask(0)
    try:
        RecordWriter(path, Match(PRIZES)).close()
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_refused_move_leaves_the_file_as_it_was(path: Path) -> None:
    match = Match(PRIZES, seed=SEED)
    with RecordWriter(path, match) as writer:
        before = path.read_bytes()
        with pytest.raises(IllegalAction):
            writer.act(match.seat, [15, 15, 15])
        assert path.read_bytes() == before and match.moves == []


def test_an_existing_file_is_never_written_over(path: Path, tmp_path: Path) -> None:
    path.write_text("precious")
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    for place in (path, tmp_path / "link", tmp_path, tmp_path / "no" / "folder"):
        with pytest.raises(BadRecord):
            RecordWriter(place, Match(PRIZES))
    assert path.read_text() == "precious" and not (tmp_path / "elsewhere").exists()


def test_a_match_is_taken_up_where_it_was_left(path: Path) -> None:
    match, rng = Match(PRIZES, seed=SEED), Random(4)
    RecordWriter(path, match).close()
    twin = match.copy()
    while not match.over:
        match, writer, dropped = resume(path)
        assert dropped == 0 and match.dump() == twin.dump()
        move = random_move(match, rng)
        twin.act(twin.seat, move)
        writer.act(match.seat, move)
        writer.close()
    assert resume(path).match.dump() == twin.dump()
    assert restore(read_record(path)).over


def test_a_torn_last_line_is_dropped_and_said_so(path: Path) -> None:
    match = play(Match(PRIZES, seed=SEED), Random(2))
    RecordWriter(path, match).close()
    whole = path.read_bytes()
    for size in range(len(whole.splitlines(True)[0]), len(whole)):
        path.write_bytes(whole[:size])
        kept = whole[: whole[:size].rfind(b"\n") + 1]
        back, writer, dropped = resume(path, sync=False)
        writer.close()
        assert dropped == size - len(kept)
        assert path.read_bytes().startswith(kept)
        assert back.moves == match.moves[: len(back.moves)]
        if not back.over:
            assert path.read_bytes() == kept


def test_a_missing_closing_line_is_written_on_resuming(path: Path) -> None:
    RecordWriter(path, play(Match(PRIZES, seed=SEED), Random(2))).close()
    whole = path.read_bytes()
    path.write_bytes(b"".join(whole.splitlines(True)[:-1]))
    resume(path).writer.close()
    assert path.read_bytes() == whole


def test_a_refused_file_is_left_as_it_was(path: Path) -> None:
    RecordWriter(path, play(Match(PRIZES, seed=SEED), Random(2), 5)).close()
    lines = path.read_bytes().splitlines(True)
    for data in (b"", lines[0][:-1], lines[0] + lines[2] + b"{", b"".join([*lines, lines[1], b"{"]), b"x\n{"):
        path.write_bytes(data)
        with pytest.raises(BadRecord):
            resume(path)
        assert path.read_bytes() == data
    for place in (path.parent, path.parent / "none", "/dev/null"):
        with pytest.raises(BadRecord):
            resume(place)


def test_one_file_has_one_writer(path: Path) -> None:
    writer = RecordWriter(path, Match(PRIZES))
    with pytest.raises(BadRecord, match="another process"):
        resume(path)
    writer.close()
    writer.close()
    resume(path).writer.close()


def test_a_full_disk_leaves_no_half_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(PRIZES, seed=SEED)
    writer = RecordWriter(path, match)
    before = path.read_bytes()
    play(match, Random(1), 1)
    write = os.write

    def full(fd: int, data: memoryview) -> int:
        if len(data) > 10:
            return write(fd, data[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(os, "write", lambda fd, data: full(fd, data[: len(data) - 1]))
        with pytest.raises(BadRecord, match="No space left"):
            writer.save()
    assert path.read_bytes() == before
    writer.save()  # there is room again
    writer.close()
    assert restore(read_record(path)).dump() == match.dump()


def test_a_closed_writer_writes_no_more(path: Path) -> None:
    match = Match(PRIZES, seed=SEED)
    writer = RecordWriter(path, match)
    writer.close()
    play(match, Random(0), 1)
    with pytest.raises(BadRecord, match="closed"):
        writer.save()


def test_a_head_too_long_to_be_read_is_not_written(path: Path) -> None:
    match = Match(WHISPER, seed=SEED, layout={"holds": [1, 1, 0], "why": "x" * LINE_LIMIT})
    with pytest.raises(BadRecord, match="at most"):
        RecordWriter(path, match)
    assert not path.exists()


def test_a_match_that_is_over_at_once_is_a_whole_record(path: Path) -> None:
    match = Match(WHISPER, seed=SEED, layout={"holds": [0, 0, 0]})
    RecordWriter(path, match).close()
    record = read_record(path)
    assert record.moves == () and record.end is not None and record.end.payoff == (0, 0, 0)
    assert restore(record).over


def test_what_was_acknowledged_survives_a_kill(path: Path) -> None:
    """A process plays, prints the ply after each acknowledged move, and is killed at some point."""
    code = f"""
import os, sys
from random import Random
from qipai.match import Match, RecordWriter
from tests.toys import PRIZES, SEED, random_move
match, rng = Match(PRIZES, seed=SEED), Random(5)
writer = RecordWriter({str(path)!r}, match)
while not match.over:
    writer.act(match.seat, random_move(match, rng))
    print(match.ply, flush=True)
    if match.ply == 7:
        os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == -9, done.stderr
    match, writer, dropped = resume(path)
    assert match.ply == int(done.stdout.split()[-1]) == 7 and dropped == 0
    rng = Random(6)
    while not match.over:
        writer.act(match.seat, random_move(match, rng))
    writer.close()
    assert restore(read_record(path)).over


def test_an_error_of_a_record_names_the_file(tmp_path: Path) -> None:
    places: list[Any] = [tmp_path / "x" / "y", "odd\udcff/name", tmp_path]
    for place in places:
        with pytest.raises(QipaiError) as caught:
            RecordWriter(place, Match(PRIZES))
        str(caught.value).encode()  # can be printed
        assert caught.value.code == "record/bad"
