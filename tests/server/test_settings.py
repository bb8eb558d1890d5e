"""Where the server stores data by default."""

from __future__ import annotations

from pathlib import Path

import pytest

from qipai.server.settings import Settings, state_file


def test_the_database_is_in_the_users_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_file() == tmp_path / "qipai" / "server.db"
    assert Settings().url == f"sqlite:///{tmp_path}/qipai/server.db"
    assert Settings(database="postgresql://host/name").url == "postgresql://host/name"


def test_a_state_folder_that_is_not_absolute_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "here")
    assert state_file() == Path.home() / ".local" / "state" / "qipai" / "server.db"
