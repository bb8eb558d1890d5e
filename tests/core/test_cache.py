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
    monkeypatch.setattr(cache, "_safe", {})
    return tmp_path


@pytest.mark.parametrize("empty", ["", " "])
def test_an_empty_setting_is_not_the_working_directory(
    empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("QIPAI_CACHE_DIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, empty)
    assert cache.cache_root() == Path.home() / ".cache" / "qipai"
    monkeypatch.setenv("NUMBA_CACHE_DIR", "numba")
    assert cache.cache_root() == tmp_path / "numba" / "qipai"


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


def test_a_folder_that_others_can_write_to_is_not_used(
    root: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Its code would be loaded and run."""
    shared = root / "shared"
    monkeypatch.setenv("QIPAI_CACHE_DIR", str(shared))
    assert cache.safe_root() == shared and shared.stat().st_mode & 0o777 == 0o700  # made for us alone
    for mode, group in ((0o777, None), (0o775, os.getgid() + 4711)):
        monkeypatch.setattr(cache, "_safe", {})
        shared.chmod(mode)
        if group is not None and os.geteuid() == 0:
            os.chown(shared, -1, group)
        elif group is not None:
            continue
        found = cache.safe_root()
        assert found != shared and found.stat().st_mode & 0o777 == 0o700
        assert cache.safe_root() == found and len(caplog.records) == 1  # said once
        assert str(shared) in caplog.text and "can be written by" in caplog.text
        caplog.clear()
    shared.chmod(0o755)
    assert cache.unsafe(shared) is None


def test_a_folder_of_another_user_is_not_used(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    if owner == 0:
        assert cache.unsafe(root) is None  # root may write anyway, and may provide code for all
        os.chown(root, 4711, -1)
    assert cache.unsafe(root) == "belongs to another user"
