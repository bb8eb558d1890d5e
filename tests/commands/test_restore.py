"""`qipai restore`: checks a backup, fills an empty database, and says what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from qipai.cli import main
from qipai.server.store.store import Store


def test_a_backup_is_checked_and_restored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url, other = f"sqlite:///{tmp_path}/server.db", f"sqlite:///{tmp_path}/other.db"
    Store(url).close()
    path = str(tmp_path / "a.backup")
    assert main(["backup", path, "--database", url]) == 0
    assert main(["restore", path, "--check"]) == 0
    assert "intact" in capsys.readouterr().out
    assert main(["restore", path, "--database", url]) == 2
    assert "[backup/target]" in capsys.readouterr().err
    assert main(["restore", path, "--database", other]) == 0
    assert "no signing key" in capsys.readouterr().out
    Store(other).close()
