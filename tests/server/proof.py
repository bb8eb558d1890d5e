"""The server's claims at their stated counts."""

from __future__ import annotations

import asyncio
import tempfile
from argparse import Namespace
from collections.abc import Callable
from importlib import util
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.server import bad_clients
from tests.server.killing import kill_and_restart
from tests.server.postgres import postgres

KILLS = 50
TABLES = 200
PEOPLE = 40  # of them with a person who remembers every acknowledged move
MESSAGES = 100_000
CROWD = Namespace(clients=500, rate=300.0, seconds=60.0, database="", full_sync=False)
LIMIT = 150  # milliseconds


def proofs() -> list[tuple[str, Callable[[], dict[str, Any]]]]:
    """Return the proofs: kills, bad clients, load."""
    return [
        ("kill_sqlite", kill_sqlite),
        ("kill_postgresql", kill_postgresql),
        ("bad_clients", bad_messages),
        ("load", load),
    ]


def kill_sqlite() -> dict[str, Any]:
    """Kill every process of the server repeatedly with SIGKILL."""
    with tempfile.TemporaryDirectory() as name:
        database = f"sqlite:///{name}/server.db"
        return asyncio.run(kill_and_restart(database, Path(name), KILLS, TABLES, PEOPLE))


def kill_postgresql() -> dict[str, Any]:
    """Do the same with the tables in PostgreSQL."""
    with tempfile.TemporaryDirectory() as name, postgres() as database:
        return asyncio.run(kill_and_restart(database, Path(name), KILLS, TABLES, PEOPLE))


def bad_messages() -> dict[str, Any]:
    """Send malformed, oversized, out-of-turn, forged and replayed messages."""
    with tempfile.TemporaryDirectory() as name:
        return bad_clients.run(Path(name), MESSAGES, seed=1)


def load() -> dict[str, Any]:
    """Measure the time from an action to everyone's update, with a crowd at one worker."""
    with tempfile.TemporaryDirectory() as name:
        figures: dict[str, Any] = _benchmark().measure(CROWD, Path(name))
    assert figures["clients"] >= CROWD.clients
    assert figures["actions per second"] >= 0.98 * CROWD.rate, figures
    assert figures["to everyone, 99 % ms"] < LIMIT, figures
    return figures


def _benchmark() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "serve.py"
    spec = util.spec_from_file_location("benchmarks_serve", path)
    assert spec is not None and spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
