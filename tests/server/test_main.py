"""Starting the server: what cannot be is refused in a sentence before anything listens."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from qipai.server.main import SETTINGS, Options, read_settings, serve
from qipai.server.refusals import BadServer


def never() -> None:
    raise AssertionError("the server must not listen")


@pytest.mark.parametrize(("port", "workers"), [(0, 1), (65536, 1), (8140, 0), (8140, 65), (8140, 2)])
def test_impossible_wishes_are_refused(port: int, workers: int, tmp_path: Path) -> None:
    options = Options("127.0.0.1", port, f"sqlite:///{tmp_path}/a.db", workers)
    with pytest.raises(BadServer):
        serve(options, never)


def test_a_port_in_use_is_refused(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(BadServer, match=str(port)):
            serve(Options("127.0.0.1", port, f"sqlite:///{tmp_path}/a.db"), never)


def test_workers_read_the_settings_of_the_first_process(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"database": "sqlite:///x.db", "bot_pace": [0.1, 0.2], "unknown": 3}
    monkeypatch.setenv(SETTINGS, json.dumps(given))
    settings = read_settings({"workers": 2, "database": ""})
    assert (settings.database, settings.bot_pace, settings.workers) == ("sqlite:///x.db", (0.1, 0.2), 2)
