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

from qipai.core.registry import OURS
from tests.server import abuse, bad_clients, scale
from tests.server.first_view import measure
from tests.server.killing import kill_and_restart
from tests.server.postgres import postgres
from tests.server.soak import check_flat, soak

KILLS = 50
TABLES = 200
PEOPLE = 40  # of them with a person who remembers every acknowledged move
MESSAGES = 100_000
HANDS = 1_000_000
CROWD = Namespace(clients=500, rate=300.0, seconds=60.0, database="", full_sync=False)
LIMIT = 150  # milliseconds
ATTACKS: dict[str, tuple[int, float]] = {
    "flood": (8, 30.0),
    "idle": (2000, 40.0),
    "slow": (400, 40.0),
    "lobby": (500, 30.0),
    "history": (120, 30.0),
}
FILES = 1024  # `ulimit -n` of the server with idle connections
COOKIES = (10_000, 240.0)  # the time is a limit: all of them must be tried
SOAK = (100, 1800.0)  # tables of bots, seconds
FIRST_VIEW = 2.0  # seconds from opening a game to its first view, and to the answer to the first move


def proofs() -> list[tuple[str, Callable[[], dict[str, Any]]]]:
    """Return the proofs: kills, bad clients, load, a long past, idle tables, attacks, the first view."""
    return [
        ("kill_sqlite", kill_sqlite),
        ("kill_postgresql", kill_postgresql),
        ("bad_clients", bad_messages),
        ("load", load),
        ("history", history),
        ("lobby", lobby),
        ("idle", idle),
        ("soak", soaked),
        ("abuse", abused),
        ("abuse_cookies", many_cookies),
        ("first_view", first_views),
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


def history() -> dict[str, Any]:
    """Read a history of a million hands at one table, and load that table."""
    with tempfile.TemporaryDirectory() as name:
        figures = scale.long_history(Path(name), HANDS, fresh=True)
    assert figures["others wait, most ms"] < 250, figures
    with tempfile.TemporaryDirectory() as name:
        old = scale.long_history(Path(name), HANDS // 10, fresh=False)
    assert old["others wait, most ms"] < 250, old
    figures["of an earlier version with 100,000 hands, first time, ms"] = old["a table loads, ms"]
    figures["others wait meanwhile, most ms"] = old["others wait, most ms"]
    return figures


def lobby() -> dict[str, Any]:
    """Count what 500 visitors of a full lobby are sent when tables are opened."""
    with tempfile.TemporaryDirectory() as name:
        figures = scale.full_lobby(Path(name), visitors=500, tables=100, changes=20)
    assert figures["a change, bytes"] < scale.CHANGE, figures
    return figures


def idle() -> dict[str, Any]:
    """Measure what 500 idle tables make PostgreSQL write."""
    with tempfile.TemporaryDirectory() as name, postgres() as database:
        figures = scale.idle_tables(Path(name), database, tables=500, seconds=60.0)
    assert figures["bytes of WAL per second"] < 500, figures
    return figures


def soaked() -> dict[str, Any]:
    """Let bots play for half an hour; memory and open files must stay flat."""
    with tempfile.TemporaryDirectory() as name:
        found = soak(f"sqlite:///{name}/server.db", Path(name), *SOAK)
    samples = found.pop("samples")
    assert found["errors"] == 0, found
    return {"tables": SOAK[0], "seconds": SOAK[1], **found, **check_flat(samples)}


def abused() -> dict[str, Any]:
    """Attack with frames, connections, slow clients, visitors and replays; others must hardly notice."""
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name:
        for attack, size in ATTACKS.items():
            found = abuse.attacked(attack, *size, Path(name), files=FILES if attack == "idle" else 0)
            figures[f"{attack} ({size[0]} clients, {size[1]:.0f} s)"] = _shown(found)
            assert found["p99, ms"] < abuse.WAIT, found
            assert found["a history, at most s"] < abuse.HISTORY, found
            _within_bounds(found)
    return figures


def many_cookies() -> dict[str, Any]:
    """Open tables with 10,000 new cookies of one address; a person of another one still sits down."""
    with tempfile.TemporaryDirectory() as name:
        found = abuse.attacked("cookies", *COOKIES, Path(name))
    _within_bounds(found)
    tables, names = (abuse.allowed(found["seconds"], limit) for limit in abuse.LIMITED)
    assert found["tried"] == COOKIES[0], found
    assert 0 < found["opened"] <= tables and 0 < found["renamed"] <= names, found
    assert found["held"] == found["opened"], found
    assert found["sat down, at most s"] < abuse.SIT, found
    return {**found, "tables that the settings allow": tables, "names that the settings allow": names}


def first_views() -> dict[str, Any]:
    """Open each game on a server that has compiled nothing; it is seen and played at once."""
    figures: dict[str, Any] = {}
    for game in OURS:
        with tempfile.TemporaryDirectory() as name:
            found = measure(game, Path(name))
        figures |= {f"{game}, {what}": value for what, value in found.items()}
        assert not found["compiled by then"], found
        assert max(found["first view, s"], found["first move, s"]) < FIRST_VIEW, found
    return figures


def _within_bounds(found: dict[str, Any]) -> None:
    assert found["errors"] == 0 and found["refused to sit"] == [], found
    assert found["log lines"] < abuse.LINES and found["memory gained, MB"] < abuse.MEMORY, found


def _shown(found: dict[str, Any]) -> str:
    times = ["p99 before, ms", "p50, ms", "p99, ms", "most, ms"]
    waits = ["sat down, at most s", "a history, at most s"]
    bounds = ["memory gained, MB", "log lines", "flooded", "evicted"]
    return "; ".join(f"{key} {found[key]}" for key in times + waits + bounds)


def _benchmark() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "serve.py"
    spec = util.spec_from_file_location("benchmarks_serve", path)
    assert spec is not None and spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
