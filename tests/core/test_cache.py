"""The folders of compiled code: where they lie, and that unused ones go after a month."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from qipai.core import cache, compile_rules, rule
from qipai.core.state import header, state_dtype

OLD, YOUNG = 40 * cache.DAY, 10 * cache.DAY


def folder(root: Path, name: str, age: float) -> Path:
    made = root / name
    (made / "inside").mkdir(parents=True)
    (made / "inside" / "code.nbc").write_bytes(b"code")
    os.utime(made, (time.time() - age,) * 2)
    return made


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QIPAI_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache, "_used", set())
    return tmp_path


def test_only_old_folders_of_ours_go(root: Path) -> None:
    gone = [folder(root, "a" * 24, OLD), folder(root, "b" * 24 + "-checked", OLD)]
    kept = [folder(root, "c" * 24, YOUNG), folder(root, "notes", OLD), folder(root, "A" * 24, OLD)]
    file = root / ("d" * 24)
    file.write_text("a file")
    os.utime(file, (0, 0))
    away = folder(root / "away", "mine", OLD)
    link = root / ("e" * 24)
    link.symlink_to(away)
    cache.prune()
    assert not any(path.exists() for path in gone)
    assert all(path.exists() for path in [*kept, file, link, away / "inside" / "code.nbc"])


def test_what_is_used_stays(root: Path) -> None:
    old = folder(root, "a" * 24, OLD)
    assert cache.use(old) == old
    cache.prune()
    assert (old / "inside" / "code.nbc").exists()


def test_a_folder_that_is_not_there_is_no_fault(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.use(root / "none")
    monkeypatch.setenv("QIPAI_CACHE_DIR", str(root / "nowhere"))
    cache.prune()


def test_compiling_prunes(root: Path) -> None:
    old = folder(root, "a" * 24, OLD)

    @rule
    def first_ply(s):  # type: ignore[no-untyped-def]
        return s.ply

    compile_rules([first_ply], state_dtype(header(seats=1)), "prunes")
    assert not old.exists()


def test_the_root_is_ours_then_numbas_then_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("QIPAI_CACHE_DIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/ann")
    assert cache.cache_root() == Path("/home/ann/.cache/qipai")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert cache.cache_root() == Path("/xdg/qipai")
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/numba")
    assert cache.cache_root() == Path("/numba/qipai")
    monkeypatch.setenv("QIPAI_CACHE_DIR", "/own")
    assert cache.cache_root() == Path("/own")
