"""Measure a server under load: python benchmarks/serve.py [--clients 500] [--rate 300] [--seconds 30].

Starts `qipai serve` with one worker, seats four people at each table of NANA, and lets them
act at the given rate. Prints the time from sending an action until everyone at its table
has received the result (the slowest of the four), and the processor time that the server spends per action.

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
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

SEATS = 4
COOKIE = "qipai_guest"
SOURCE = Path(__file__).parents[1] / "src"
SETTINGS = {
    "grace": 3600.0,
    "unseat": 3600.0,
    "guests_per_minute": 1_000_000,  # everyone comes from one address here
    "tables_per_address_minute": 1_000_000,
    "tables_per_address": 1_000_000,
    "sockets_per_address": 1_000_000,
    "connections_per_address": 1_000_000,
    "connects_burst": 1_000_000,
    "frames_per_address": 1_000_000.0,
}


class Table:
    """Four people, one of whom is asked; one action at a time."""

    def __init__(self, port: int, name: str, cookies: list[str]) -> None:
        self.port, self.name, self.cookies = port, name, cookies
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
            await self.sockets[seat].send(json.dumps({**wish, "actions": [rng.choice(state["legal"])]}))


async def crowd(port: int, clients: int, rate: float, seconds: float, pid: int) -> dict[str, Any]:
    """Let `clients` people act `rate` times per second in total."""
    tables = await open_tables(port, clients // SEATS)
    for table in tables:
        await table.join()
    tasks = [asyncio.create_task(t.listen(seat)) for t in tables for seat in range(SEATS)]
    rng = random.Random(1)
    pause = len(tables) / rate
    tasks += [asyncio.create_task(table.play(pause, rng)) for table in tables]
    await asyncio.sleep(5)  # warm-up
    for table in tables:
        table.latencies.clear()
        table.acks.clear()
    before, spent, own = time.perf_counter(), _cpu(pid), time.process_time()
    await asyncio.sleep(seconds)
    took = time.perf_counter() - before
    spent, own = _cpu(pid) - spent, time.process_time() - own
    times = sorted(x for t in tables for x in t.latencies)
    acks = sorted(x for t in tables for x in t.acks)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return {
        "clients": len(tables) * SEATS,
        "actions per second": round(len(times) / took, 1),
        "actions": len(times),
        "to everyone, median ms": _at(times, 0.5),
        "to everyone, 99 % ms": _at(times, 0.99),
        "to everyone, most ms": _at(times, 1.0),
        "durable and acknowledged, 99 % ms": _at(acks, 0.99),
        "refused": sum(t.refused for t in tables),
        "server, processor ms per action": round(1e3 * spent / max(len(times), 1), 3),
        "server, share of a core": f"{spent / took:.0%}",
        "crowd, share of a core": f"{own / took:.0%}",
    }


async def open_tables(port: int, count: int) -> list[Table]:
    found = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
        for _ in range(count):
            cookies = []
            name = ""
            for seat in range(SEATS):
                http.cookies.clear()
                await http.get("/api/me")
                cookies.append(http.cookies[COOKIE])
                if seat == 0:
                    answer = await http.post("/api/tables", json={"game": "nana", "seats": SEATS})
                    name = answer.json()["table"]
            found.append(Table(port, name, cookies))
    return found


def _at(times: list[float], share: float) -> float:
    return round(1e3 * times[min(len(times) - 1, int(share * len(times)))], 1) if times else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=500)
    parser.add_argument("--rate", type=float, default=300)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--database", default="")
    parser.add_argument("--full-sync", action="store_true")
    parser.add_argument("--source", type=Path, default=SOURCE, help="the src folder of the server's checkout")
    parser.add_argument("--limit", type=float, default=150, help="ms; exit with 1 if the 99 %% is above")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(args, Path(folder))
    for name, value in figures.items():
        print(f"{name:36} {value}")
    return 0 if figures["to everyone, 99 % ms"] < args.limit else 1


def measure(args: argparse.Namespace, folder: Path) -> dict[str, Any]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    database = args.database or f"sqlite:///{folder}/server.db"
    source = getattr(args, "source", SOURCE)
    environment = {**os.environ, "PYTHONPATH": str(source), "QIPAI_SERVER_SETTINGS": json.dumps(SETTINGS)}
    command = [sys.executable, "-m", "qipai.cli", "serve", "--no-open", "--port", str(port)]
    command += ["--database", database, *(["--full-sync"] if args.full_sync else [])]
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(f"http://127.0.0.1:{port}")
        figures = asyncio.run(crowd(port, args.clients, args.rate, args.seconds, server.pid))
        for line in httpx.get(f"http://127.0.0.1:{port}/metrics").text.splitlines():
            if line.startswith(("qipai_store_commits", "qipai_store_writes", "qipai_messages_out")):
                figures[line.split()[0]] = line.split()[1]
    finally:
        server.terminate()
        server.wait()
    return figures


def _cpu(pid: int) -> float:
    """Return seconds of processor time, if Linux reports it."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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
