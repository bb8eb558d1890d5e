"""The server's end at any moment loses nothing; the full count is in proof.py."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from tests.server.killing import kill_and_restart
from tests.server.postgres import WHY, binaries, postgres


@pytest.mark.slow
def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/server.db"
    found = asyncio.run(kill_and_restart(database, tmp_path, kills=2, tables=10, people=4))
    assert found["lost"] == 0 and found["moves acknowledged to people, each found"] > 0
    assert found["shares of seeds acknowledged to people, each in its deal"] > 0


@pytest.mark.slow
@pytest.mark.skipif(binaries() is None and os.environ.get("CI") != "true", reason=WHY)
def test_a_killed_server_on_postgresql_loses_nothing(tmp_path: Path) -> None:
    with postgres() as database:
        found = asyncio.run(kill_and_restart(database, tmp_path, kills=1, tables=10, people=4))
    assert found["lost"] == 0 and found["moves acknowledged to people, each found"] > 0
