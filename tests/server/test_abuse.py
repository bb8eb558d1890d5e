"""Attacks end at their limits; the full counts and waiting times are in proof.py."""

from __future__ import annotations

import signal
import socket
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server import abuse
from tests.server.abuse import LIMITED, LINES, MEMORY, allowed, attacked
from tests.server.processes import Process, resource

SMALL: dict[str, tuple[int, float]] = {
    "flood": (1, 2.0),
    "idle": (20, 2.0),
    "slow": (4, 2.0),
    "lobby": (5, 2.0),
    "history": (30, 2.0),
    "cookies": (300, 60.0),  # the time is a limit
}
CROWDED: dict[str, Any] = {"tables": 30, "tables_per_address": 20}  # so few that idle sockets could fill them


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_an_attack_stays_within_its_limits(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(abuse, "CALM", 1.0)
    given = CROWDED if name == "cookies" else {}
    found = attacked(name, *SMALL[name], tmp_path, compiled=False, request_time=1.0, **given)
    assert found["asked"] > 0 and found["refused to sit"] == []
    assert found["errors"] == 0
    assert found["log lines"] < LINES and found["memory gained, MB"] < MEMORY
    if name == "flood":
        assert found["flooded"] > 0
    elif name == "idle":
        assert found["closed"] > 0  # what was never finished was closed
    elif name == "lobby":
        assert found["bytes"] > 0
    elif name == "history":
        assert found["answered"] > 0
    elif name == "cookies":
        assert found["tried"] == 300
        tables, names = (allowed(found["seconds"], limit) for limit in LIMITED)
        assert 0 < found["opened"] <= tables and 0 < found["renamed"] <= names
        assert found["tables"] <= 30


@pytest.mark.slow
@pytest.mark.skipif(resource is None, reason="needs a limit on open files")
def test_connections_that_come_at_once_do_not_use_up_all_files(tmp_path: Path) -> None:
    """They wait in the kernel; without files the event loop would log every one that it cannot accept."""
    log = tmp_path / "server.log"
    server = Process(f"sqlite:///{tmp_path}/server.db", log, files=256, request_time=60.0)
    try:
        server.wait()
        with ExitStack() as stack:
            server.process.send_signal(signal.SIGSTOP)
            for _ in range(600):
                stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=10))
            server.process.send_signal(signal.SIGCONT)
            for _ in range(5):
                assert httpx.get(f"http://127.0.0.1:{server.port}/livez", timeout=10).status_code == 200
            text = httpx.get(f"http://127.0.0.1:{server.port}/metrics", timeout=10).text
            assert "qipai_connections_evicted 0" not in text
        assert "out of system resource" not in log.read_text()
    finally:
        server.stop()
