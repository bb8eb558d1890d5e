"""`qipai backup`: says what it copied, or what is wrong, by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from qipai.cli import main
from qipai.server.main import DATABASE
from qipai.server.store.store import Store


def test_a_backup_is_written_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"sqlite:///{tmp_path}/server.db"
    Store(url).close()
    path = tmp_path / "a.backup"
    assert main(["backup", str(path), "--database", url]) == 0
    assert "0 tables, 0 hands" in capsys.readouterr().out
    assert main(["backup", str(path), "--database", url]) == 2
    assert "[backup/exists]" in capsys.readouterr().err


def test_the_database_of_the_environment_is_the_one_that_the_server_uses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A backup of the default file instead would be empty, and nobody would notice."""
    Store(f"sqlite:///{tmp_path}/tables.db").close()
    monkeypatch.setenv(DATABASE, f"sqlite:///{tmp_path}/tables.db")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "nowhere"))
    assert main(["backup", str(tmp_path / "a.backup")]) == 0
    assert "0 tables, 0 hands" in capsys.readouterr().out


@pytest.mark.parametrize("url", ["mysql://x/y", "sqlite://", "nonsense", "sqlite:////nowhere/at/all.db"])
def test_a_database_that_is_not_there_is_named(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", str(tmp_path / "a.backup"), "--database", url]) == 2
    assert "[database/bad]" in capsys.readouterr().err
    assert not (tmp_path / "a.backup").exists()
