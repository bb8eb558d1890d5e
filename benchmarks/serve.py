"""Measure a server under load: python benchmarks/serve.py [--clients 500] [--rate 300] [--seconds 30].

Starts `qipai serve`, seats four people at each table of NANA, and lets them act at the given rate. Prints the
time from sending an action until everyone at its table has received the result (the slowest of the four), and
what an action costs: processor time of the server, of its bots and of PostgreSQL, bytes on the wire, rows and
write-ahead log.

`--postgres` starts a PostgreSQL for the run, from the installed binaries. `--workers` starts several workers;
`--routing table` sends all people of a table to the same worker, as a proxy in front of them does that
hashes the address, and `--routing any` leaves it to chance. `--bots` adds tables at which only bots play.

`--source` measures another checkout with the same load: alternate the two to compare them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

Figures = dict[str, Any]

SEATS = 4
COOKIE = "qipai_guest"
SOURCE = Path(__file__).parents[1] / "src"
# What a share of the tables has, one after the other; none of it changes how often people act.
FEATURES: tuple[dict[str, Any], ...] = (
    {},
    {"goal": "hands", "count": 3},
    {"clock": 600},
    {"aid": True},
    {"goal": "hands", "count": 2, "clock": 300, "pace": "fast", "aid": True},
)
SETTINGS = {
    "grace": 3600.0,
    "unseat": 3600.0,
    "share_time": 0.0,  # actions are measured, and these clients contribute nothing to a deal
    "guests_per_minute": 1_000_000,  # everyone comes from one address here
    "tables_per_address_minute": 1_000_000,
    "tables_per_address": 1_000_000,
    "sockets_per_address": 1_000_000,
    "connections_per_address": 1_000_000,
    "connects_burst": 1_000_000,
    "frames_per_address": 1_000_000.0,
    "requests_per_address": 1_000_000.0,
    "messages_per_address": 1_000_000.0,
}


class Table:
    """Four people, one of whom is asked; one action at a time."""

    def __init__(self, ports: list[int], name: str, cookies: list[str]) -> None:
        self.port = ports[zlib.crc32(name.encode()) % len(ports)]
        self.name, self.cookies = name, cookies
        self.bytes = 0  # to and from everyone, without the headers of frames
        self.sockets: list[ClientConnection] = []
        self.states: list[dict[str, Any]] = [{} for _ in cookies]
        self.news = asyncio.Event()
        self.pending: set[int] = set()  # seats that have not received the last action
        self.sent = 0.0
        self.latencies: list[float] = []
        self.acks: list[float] = []
        self.refused = 0

    async def join(self) -> None:
        """Seat everyone and mark them as ready."""
        for seat, cookie in enumerate(self.cookies):
            address = f"ws://127.0.0.1:{self.port}/ws/table/{self.name}"
            headers = {"Cookie": f"{COOKIE}={cookie}"}
            opened = await connect(address, additional_headers=headers, max_size=None, compression=None)
            self.sockets.append(opened)
            if seat > 0:
                await opened.send(json.dumps({"type": "sit", "seat": seat}))
            await opened.send(json.dumps({"type": "ready", "ready": True}))

    async def listen(self, seat: int) -> None:
        """Record what a seat receives, and when."""
        async for text in self.sockets[seat]:
            now = time.perf_counter()
            self.bytes += len(text)
            if text.startswith('{"type":"state"'):
                self.states[seat] = json.loads(text)
                self.pending.discard(seat)
                if not self.pending and self.sent:
                    self.latencies.append(now - self.sent)
                    self.sent = 0.0
                self.news.set()
            elif text.startswith('{"type":"done"') and self.sent:
                self.acks.append(now - self.sent)
            elif text.startswith('{"type":"refused"'):
                self.refused += 1
            elif text.startswith('{"type":"ping"'):
                await self.sockets[seat].send('{"type":"pong"}')

    async def play(self, pause: float, rng: random.Random) -> None:
        """Act every `pause` seconds on average, after the last action has reached everyone."""
        due = time.perf_counter() + rng.uniform(0, pause)
        while True:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            due = max(due + rng.uniform(0.5, 1.5) * pause, time.perf_counter())
            while self.pending or not any(s.get("legal") or s.get("over") for s in self.states):
                self.news.clear()
                await self.news.wait()
            if all(s.get("over") for s in self.states):
                self.states = [{} for _ in self.states]
                for opened in self.sockets:
                    await opened.send('{"type":"ready","ready":true}')
                continue
            seat = next((k for k, s in enumerate(self.states) if s.get("legal")), None)
            if seat is None:
                continue
            state = self.states[seat]
            self.pending = set(range(SEATS))
            wish = {"type": "act", "hand": state["hand"], "version": state["version"], "ref": 1}
            self.sent = time.perf_counter()
            asked = json.dumps({**wish, "actions": [rng.choice(state["legal"])]})
            self.bytes += len(asked)
            await self.sockets[seat].send(asked)


async def crowd(
    servers: Servers, clients: int, rate: float, seconds: float, bots: int, agent: str
) -> Figures:
    """Let `clients` people act `rate` times per second in total, next to `bots` tables without people."""
    tables = await open_tables(servers.ports, clients // SEATS)
    await open_bots(servers.ports, bots, agent)
    for table in tables:
        await table.join()
    tasks = [asyncio.create_task(t.listen(seat)) for t in tables for seat in range(SEATS)]
    rng = random.Random(1)
    pause = len(tables) / rate
    tasks += [asyncio.create_task(table.play(pause, rng)) for table in tables]
    await asyncio.sleep(5 if bots == 0 else 30)  # warm-up; bots' processes compile
    for table in tables:
        table.latencies.clear()
        table.acks.clear()
        table.bytes = 0
    before, spent, own = time.perf_counter(), servers.spent(), time.process_time()
    await asyncio.sleep(seconds)
    took = time.perf_counter() - before
    after, own = servers.spent(), time.process_time() - own
    used = {key: after[key] - spent[key] for key in spent}
    times = sorted(x for t in tables for x in t.latencies)
    acks = sorted(x for t in tables for x in t.acks)
    wire = sum(t.bytes for t in tables)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    count = max(len(times), 1)
    # Those of bots as well. Several workers behind one port answer for one of them only.
    every = max(used["actions"], 1) if servers.apart else count
    figures: Figures = {
        "clients": len(tables) * SEATS,
        "workers": servers.workers,
        "actions per second": round(len(times) / took, 1),
        "actions": len(times),
        "to everyone, median ms": _at(times, 0.5),
        "to everyone, 99 % ms": _at(times, 0.99),
        "to everyone, most ms": _at(times, 1.0),
        "durable and acknowledged, 99 % ms": _at(acks, 0.99),
        "refused": sum(t.refused for t in tables),
        "server, processor ms per action": round(1e3 * used["server"] / every, 3),
        "server, share of a core": f"{used['server'] / took:.0%}",
        "crowd, share of a core": f"{own / took:.0%}",
        "wire, bytes per action": round(wire / count),
    }
    if bots:
        figures["actions of bots"] = round(used["actions"] - len(times))
        figures["bots, processor ms per action"] = round(1e3 * used["bots"] / max(every - len(times), 1), 3)
    if "wal" in used:
        figures["database, processor ms per action"] = round(1e3 * used["database"] / every, 3)
        figures["database, rows per action"] = round(used["rows"] / every, 2)
        figures["database, WAL bytes per action"] = round(used["wal"] / every)
    return figures


async def open_tables(ports: list[int], count: int) -> list[Table]:
    found = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{ports[0]}", timeout=60) as http:
        for number in range(count):
            wish = {"game": "nana", "seats": SEATS, **FEATURES[number % len(FEATURES)]}
            cookies = []
            name = ""
            for seat in range(SEATS):
                http.cookies.clear()
                await http.get("/api/me")
                cookies.append(http.cookies[COOKIE])
                if seat == 0:
                    answer = await http.post("/api/tables", json=wish)
                    name = answer.json()["table"]
            found.append(Table(ports, name, cookies))
    return found


async def open_bots(ports: list[int], count: int, agent: str) -> None:
    for number in range(count):
        base = f"http://127.0.0.1:{ports[number % len(ports)]}"
        async with httpx.AsyncClient(base_url=base, timeout=60) as http:
            answer = await http.post("/api/tables", json={"game": "nana", "seats": 4, "bots": [agent] * 4})
            answer.raise_for_status()


def _at(times: list[float], share: float) -> float:
    return round(1e3 * times[min(len(times) - 1, int(share * len(times)))], 1) if times else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=500)
    parser.add_argument("--rate", type=float, default=300)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--database", default="")
    parser.add_argument("--postgres", action="store_true", help="start a PostgreSQL for this run")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--routing", choices=["table", "any"], default="table")
    parser.add_argument("--bots", type=int, default=0, help="tables of four bots each")
    parser.add_argument("--agent", default="random", help="the bots at them")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--full-sync", action="store_true")
    parser.add_argument("--source", type=Path, default=SOURCE, help="the src folder of the server's checkout")
    parser.add_argument("--limit", type=float, default=150, help="ms; exit with 1 if the 99 %% is above")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(args, Path(folder))
    if args.json:
        print(json.dumps(figures))
        return 0
    for name, value in figures.items():
        print(f"{name:36} {value}")
    return 0 if figures["to everyone, 99 % ms"] < args.limit else 1


def measure(args: argparse.Namespace, folder: Path) -> Figures:
    """Start the servers, let the crowd in, and return the figures."""
    given = {"bots": 0, "agent": "random", "workers": 1, "routing": "table", "postgres": False, **vars(args)}
    with ExitStack() as stack:
        database = given["database"] or f"sqlite:///{folder}/server.db"
        if given["postgres"]:
            sys.path.insert(0, str(Path(__file__).parents[1]))
            from tests.server.postgres import postgres

            database = stack.enter_context(postgres())
            _without_page_images(database)
        servers = stack.enter_context(started(given, database))
        bots, agent = given["bots"], given["agent"]
        figures = asyncio.run(crowd(servers, args.clients, args.rate, args.seconds, bots, agent))
        for name in ("qipai_store_commits", "qipai_store_writes", "qipai_messages_out_total"):
            figures[name] = round(servers.metric(name))
    return figures


class Servers:
    """Running servers, and what they and their database have spent so far."""

    def __init__(self, processes: list[subprocess.Popen[bytes]], ports: list[int], database: str) -> None:
        self.processes, self.ports, self.database = processes, ports, database
        self.workers = len(processes)
        self.apart = True  # every worker has its own port
        self._backend = _postmaster(database)

    def spent(self) -> dict[str, float]:
        """Return processor seconds by part, actions, and with PostgreSQL rows and bytes of its log."""
        all_processes = [pid for process in self.processes for pid in descendants(process.pid)]
        bots = [pid for pid in all_processes if b"thinker" in _command(pid)]
        found = {
            "server": sum(_cpu(pid) for pid in all_processes if pid not in bots),
            "bots": sum(map(_cpu, bots)),
            "actions": self.metric("qipai_actions_total"),
        }
        if self._backend:
            wal, rows = _written(self.database)
            # PostgreSQL adds the time of connections that ended to that of their parent
            spent = sum(map(_cpu, descendants(self._backend))) + _cpu(self._backend, ended=True)
            found |= {"database": spent, "wal": wal, "rows": rows}
        return found

    def metric(self, name: str) -> float:
        """Return the sum of a metric over the servers. One with several workers answers for one of them."""
        found = 0.0
        for port in self.ports:
            text = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=30).text
            found += sum(float(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name} "))
        return found


@contextmanager
def started(given: dict[str, Any], database: str) -> Iterator[Servers]:
    """Start one process per worker with its own port (`table`), or all workers on one port (`any`)."""
    together = given["routing"] == "any" and given["workers"] > 1
    ports = [_port() for _ in range(1 if together else given["workers"])]
    settings = {**SETTINGS, "drive_unwatched": given["bots"] > 0}
    environment = {**os.environ, "QIPAI_SERVER_SETTINGS": json.dumps(settings)}
    environment["PYTHONPATH"] = str(given.get("source", SOURCE))
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for port in ports:
            command = [sys.executable, "-m", "qipai.cli", "serve", "--no-open", "--port", str(port)]
            command += ["--database", database, *(["--full-sync"] if given["full_sync"] else [])]
            command += ["--workers", str(given["workers"])] if together else []
            quiet = subprocess.DEVNULL
            processes.append(subprocess.Popen(command, env=environment, stdout=quiet, stderr=quiet))
            _wait(f"http://127.0.0.1:{port}")
        servers = Servers(processes, ports, database)
        servers.workers, servers.apart = given["workers"], not together
        yield servers
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait()


def _port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _written(database: str) -> tuple[float, float]:
    """Return the bytes of PostgreSQL's log and the rows inserted and updated so far."""
    import psycopg

    with psycopg.connect(database) as connection:
        wal = connection.execute("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn").fetchone()
        rows = connection.execute("SELECT sum(n_tup_ins + n_tup_upd) FROM pg_stat_user_tables").fetchone()
    return float(wal[0] if wal else 0), float((rows and rows[0]) or 0)


def _without_page_images(database: str) -> None:
    """Leave out of the log the whole pages after a checkpoint: how many there are depends on its time."""
    import psycopg

    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET full_page_writes = off")
        connection.execute("SELECT pg_reload_conf()")


def _postmaster(database: str) -> int:
    """Return the first process of a PostgreSQL on this machine, 0 if there is none."""
    if not database.startswith("postgresql"):
        return 0
    import psycopg

    with psycopg.connect(database) as connection:
        row = connection.execute("SELECT pg_backend_pid()").fetchone()
        return int(_stat(row[0])[1]) if row else 0


def descendants(pid: int) -> list[int]:
    """Return a process and all that it started, if Linux reports them."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*"):
        fields = _stat(int(path.name))
        if fields:
            parents[int(path.name)] = int(fields[1])
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def _stat(pid: int) -> list[str]:
    """Return the fields of a process after its name."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _cpu(pid: int, ended: bool = False) -> float:
    """Return seconds of processor time, of a process or of its children that ended."""
    fields = _stat(pid)
    first = 13 if ended else 11
    return sum(map(int, fields[first : first + 2])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def _wait(address: str) -> None:
    """Wait until the server answers and NANA is compiled."""
    for _ in range(1200):
        try:
            games = httpx.get(f"{address}/api/games", timeout=5).json()
            if all(game["ready"] for game in games):
                return
        except (httpx.HTTPError, ValueError):
            pass
        time.sleep(0.1)
    raise SystemExit("the server does not start")


if __name__ == "__main__":
    sys.exit(main())
