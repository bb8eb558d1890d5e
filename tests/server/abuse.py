"""Attacks on a server on the loopback, bounded in count and time, and what other clients notice of them.

The server and the attackers are separate processes. Attackers come from 127.0.0.1, the person whose waiting
time is measured from 127.0.0.2. `python -m tests.server.abuse NAME AIM` is one attacker.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from qipai.core import Player
from qipai.match import Match
from qipai.server.http.gate import files
from qipai.server.settings import Settings
from qipai.server.store import ledger
from qipai.server.store.guests import COOKIE
from qipai.server.store.store import Store
from tests.server.live import QUICK, live
from tests.server.processes import Process

ATTACKER, PERSON = "127.0.0.1", "127.0.0.2"
ROOT = Path(__file__).parents[2]
LIMITS = {name: getattr(Settings(), name) for name in QUICK if name != "stand_in"}  # as an operator has them
EMPTY = {"more": b"\x00\x80abcd", "ping": b"\x89\x80abcd"}
CALM = 15.0  # seconds at most for which the person is measured without an attack
PAUSE = 0.05  # seconds between two questions of the person
LOST = (OSError, EOFError, ConnectionClosed, InvalidHandshake, httpx.HTTPError, TimeoutError)
MEMORY = 300  # megabytes that the server may gain
LINES = 1500  # lines of log about one attack
WAIT = 250.0  # milliseconds, of which 99 % of answers must take less
SIT = 1.0  # seconds in which a person sits down
HISTORY = 1.0  # seconds in which a person reads their history
LIMITED = ("tables_per_address_minute", "names_per_address_minute")  # of an attacker with many cookies
RENAMES = 4  # by each guest who opened a table
Tally = dict[str, int]  # what an attacker achieved


@dataclass(frozen=True)
class Aim:
    """What an attacker attacks, with how many connections or cookies, and until when (monotonic time)."""

    port: int
    count: int
    until: float
    table: str = ""  # where a hand was played, and by whom
    cookie: str = ""


# --- attackers ------------------------------------------------------------------------


async def flood(aim: Aim) -> Tally:
    """Send empty continuation frames and pings from `count` sockets as fast as they go; return how many."""

    async def one(kind: bytes) -> int:
        sent = 0
        while time.monotonic() < aim.until:
            with suppress(*LOST):
                reader, writer = await asyncio.open_connection(ATTACKER, aim.port)
                writer.write(_upgrade())
                await reader.read(1024)
                writer.write(b"\x01\x80abcd")
                try:
                    while time.monotonic() < aim.until:
                        writer.write(kind * 1000)
                        await asyncio.wait_for(writer.drain(), 1)
                        sent += 1000
                        await asyncio.sleep(0.001)
                finally:
                    writer.transport.abort()
            await asyncio.sleep(0.01)
        return sent

    kinds = list(EMPTY.values())
    return {"frames": sum(await asyncio.gather(*(one(kinds[k % 2]) for k in range(aim.count))))}


async def idle(aim: Aim) -> Tally:
    """Hold `count` connections, half of them with half a request; return how often they were closed."""

    async def one(number: int) -> int:
        closed = 0
        await asyncio.sleep(random.uniform(0, 1))
        while time.monotonic() < aim.until:
            with suppress(*LOST):
                reader, writer = await asyncio.open_connection(ATTACKER, aim.port)
                if number % 2:
                    writer.write(b"GET /livez HTTP/1.1\r\nHost: local")
                with suppress(TimeoutError):
                    await asyncio.wait_for(reader.read(65536), max(0.1, aim.until - time.monotonic()))
                    closed += 1
                writer.transport.abort()
            await asyncio.sleep(0.5)
        return closed

    return {"closed": sum(await asyncio.gather(*(one(k) for k in range(aim.count))))}


async def slow(aim: Aim) -> Tally:
    """Send bodies one byte at a time, and read nothing of large answers; return how often it was closed."""

    async def body() -> int:
        closed = 0
        while time.monotonic() < aim.until:
            with suppress(*LOST):
                _, writer = await asyncio.open_connection(ATTACKER, aim.port)
                head = "POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                writer.write(f"{head}Content-Length: 60000\r\n\r\n".encode())
                while time.monotonic() < aim.until and not writer.transport.is_closing():
                    writer.write(b" ")
                    await writer.drain()
                    await asyncio.sleep(0.5)
                closed += 1
            await asyncio.sleep(0.2)
        return closed

    async def reader() -> int:
        closed = 0
        while time.monotonic() < aim.until:
            with suppress(*LOST):
                _, writer = await asyncio.open_connection(ATTACKER, aim.port, limit=1)
                writer.transport.pause_reading()  # type: ignore[attr-defined]
                writer.write(_upgrade())
                for _ in range(40):
                    writer.write(b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n")
                while time.monotonic() < aim.until and not writer.transport.is_closing():
                    await asyncio.sleep(0.5)
                writer.transport.abort()
                closed += 1
        return closed

    half = max(1, aim.count // 2)
    jobs = (*(body() for _ in range(half)), *(reader() for _ in range(half)))
    return {"closed": sum(await asyncio.gather(*jobs))}


async def lobby(aim: Aim) -> Tally:
    """Read the lobby with `count` visitors while tables open and change; return the bytes that arrived."""
    got = 0

    async def visitor(number: int) -> None:
        nonlocal got
        await asyncio.sleep(number * min(0.01, 2 / aim.count))
        while time.monotonic() < aim.until:
            with suppress(*LOST):
                address = f"ws://{ATTACKER}:{aim.port}/ws/lobby?packed={number % 2}"
                async with connect(address, max_size=None, open_timeout=20) as socket:
                    while time.monotonic() < aim.until:
                        left = max(0.1, aim.until - time.monotonic())
                        message = await asyncio.wait_for(socket.recv(), left)
                        got += len(message)

    async def stirrer() -> None:
        async with httpx.AsyncClient(base_url=f"http://{ATTACKER}:{aim.port}", timeout=30) as http:
            while time.monotonic() < aim.until:
                with suppress(*LOST):
                    await http.post("/api/tables", json={"game": "nana", "seats": 2})
                await asyncio.sleep(0.5)

    await asyncio.gather(stirrer(), *(visitor(k) for k in range(aim.count)))
    return {"bytes": got}


async def history(aim: Aim) -> Tally:
    """Ask for a history, a record and a replay over `count` connections at the same time, again and again."""
    found = {"answered": 0, "refused": 0}
    hand = f"/api/tables/{aim.table}"
    paths = ("/api/history?count=200", f"{hand}/record/0", f"{hand}/replay/0?count=200")

    async def one(number: int) -> None:
        cookies = {COOKIE: aim.cookie}
        async with httpx.AsyncClient(base_url=f"http://{ATTACKER}:{aim.port}", cookies=cookies) as http:
            while time.monotonic() < aim.until:
                with suppress(*LOST):
                    answer = await http.get(paths[number % 3], timeout=max(0.1, aim.until - time.monotonic()))
                    assert answer.status_code in (200, 429), answer.text
                    found["answered" if answer.status_code == 200 else "refused"] += 1

    await asyncio.gather(*(one(k) for k in range(aim.count)))
    return found


async def cookies(aim: Aim) -> Tally:
    """Open a table with each of `count` new or made-up cookies; rename, and stay with a socket."""
    found = dict.fromkeys(("tried", "opened", "renamed", "held"), 0)
    left = iter(range(aim.count))
    held: list[asyncio.Task[None]] = []

    async def hold(table: str, cookie: str) -> None:
        headers = {"Cookie": f"{COOKIE}={cookie}"}
        with suppress(*LOST):
            address = f"ws://{ATTACKER}:{aim.port}/ws/table/{table}"
            async with connect(address, additional_headers=headers, open_timeout=30) as socket:
                found["held"] += 1
                async for text in socket:
                    if text == '{"type":"ping"}':
                        await socket.send('{"type":"pong"}')

    async def one() -> None:
        async with httpx.AsyncClient(base_url=f"http://{ATTACKER}:{aim.port}", timeout=30) as http:
            for number in left:
                if time.monotonic() > aim.until:
                    return
                rng = random.Random(number)
                http.cookies.clear()
                if rng.random() < 0.5:
                    http.cookies.set(COOKIE, "".join(rng.choice("abcXYZ012_-") for _ in range(43)))
                with suppress(*LOST):
                    answer = await http.post("/api/tables", json={"game": "nana", "seats": 2})
                    found["tried"] += 1
                    if answer.status_code != 200:
                        continue
                    found["opened"] += 1
                    cookie = answer.cookies[COOKIE]
                    held.append(asyncio.create_task(hold(answer.json()["table"], cookie)))
                    http.cookies.clear()
                    http.cookies.set(COOKIE, cookie)
                    for k in range(RENAMES):
                        named = await http.post("/api/me", json={"name": f"x{number} {k}"})
                        found["renamed"] += named.status_code == 200

    await asyncio.gather(*(one() for _ in range(16)))
    for task in held:
        task.cancel()
    await asyncio.gather(*held, return_exceptions=True)
    return found


ATTACKS: dict[str, Callable[[Aim], Awaitable[Tally]]] = {
    "flood": flood,
    "idle": idle,
    "slow": slow,
    "lobby": lobby,
    "history": history,
    "cookies": cookies,
}


def _upgrade() -> bytes:
    return (
        b"GET /ws/lobby HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )


# --- the person ---------------------------------------------------------------------------


class Person:
    """A person from another address: what each question and each durable request takes, in seconds."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.answers: list[float] = []
        self.sat: list[float] = []  # until a table was open and the person sat at it
        self.read: list[float] = []  # until a page of the history arrived
        self.faults: list[str] = []

    @asynccontextmanager
    async def _http(self) -> Any:
        transport = httpx.AsyncHTTPTransport(local_address=PERSON)
        base = f"http://{ATTACKER}:{self.port}"
        async with httpx.AsyncClient(base_url=base, transport=transport, timeout=30) as http:
            yield http

    async def ask(self, going: Callable[[], bool]) -> None:
        """Ask over HTTP, and have a request made durable, again and again."""
        async with self._http() as http:
            await http.get("/api/me")
            table = (await http.post("/api/tables", json={"game": "nana", "seats": 2})).json()["table"]
            headers = {"Cookie": f"{COOKIE}={http.cookies[COOKIE]}"}
            address = f"ws://{ATTACKER}:{self.port}/ws/table/{table}"
            async with connect(
                address, additional_headers=headers, max_size=None, local_addr=(PERSON, 0)
            ) as socket:
                ref = 0
                while going():
                    await _time(self.answers, http.get("/livez"))
                    ref += 1
                    await _time(self.answers, self._ready(socket, ref))
                    await asyncio.sleep(PAUSE)

    async def _ready(self, socket: Any, ref: int) -> None:
        await socket.send(json.dumps({"type": "ready", "ready": bool(ref % 2), "ref": ref}))
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), 30))
            if message["type"] == "ping":
                await socket.send('{"type":"pong"}')
            elif message.get("ref") == ref:
                assert message["type"] == "done", message
                return

    async def look(self, going: Callable[[], bool]) -> None:
        """Read this person's history, again and again."""
        async with self._http() as http:
            while going():
                answer = await _time(self.read, http.get("/api/history"))
                assert answer.status_code == 200, answer.text
                await asyncio.sleep(5 * PAUSE)

    async def sit(self, going: Callable[[], bool]) -> None:
        """Open a table as a new guest, and see it, again and again."""
        while going():
            started = time.monotonic()
            async with self._http() as http:
                await http.get("/api/me")
                answer = await http.post("/api/tables", json={"game": "nana", "seats": 2})
                if answer.status_code != 200:
                    self.faults.append(answer.text)
                    return
                headers = {"Cookie": f"{COOKIE}={http.cookies[COOKIE]}"}
                address = f"ws://{ATTACKER}:{self.port}/ws/table/{answer.json()['table']}"
                async with connect(address, additional_headers=headers, local_addr=(PERSON, 0)) as socket:
                    message = json.loads(await asyncio.wait_for(socket.recv(), 30))
                    assert message["type"] == "table" and message["you"] == 0, message
            self.sat.append(time.monotonic() - started)
            await asyncio.sleep(1.0)

    def at(self, share: float) -> float:
        """Return a quantile of the waiting times, in milliseconds."""
        assert self.answers, "the person has asked nothing"
        found = sorted(self.answers)
        return round(1e3 * found[min(len(found) - 1, int(share * len(found)))], 1)


async def _time(times: list[float], question: Awaitable[Any]) -> Any:
    started = time.monotonic()
    answer = await question
    times.append(time.monotonic() - started)
    return answer


# --- one attack ---------------------------------------------------------------------------


def attacked(
    name: str, count: int, seconds: float, folder: Path, compiled: bool = True, files: int = 0, **given: Any
) -> dict[str, Any]:
    """Attack a new server, and return what a person noticed, its memory and its log.

    The person is measured for half of the time before the attack as well (at most `CALM`), for comparison; if
    `compiled`, not before the games are. With `files`, the server may have so many open.
    """
    database, log = f"sqlite:///{folder}/{name}.db", folder / f"{name}.log"
    game: tuple[str, dict[str, Any]] = ("wuhan_mahjong", {}) if compiled else ("nana", {"max_turns": 5})
    table, cookie = played(*game, database, folder) if name == "history" else ("", "")
    server = Process(database, log, files=files, **{**LIMITS, "bot_processes": 0, **given})
    try:
        server.wait()
        if compiled:
            _compiled(server.port)
        before = Person(server.port)
        quiet = time.monotonic() + min(CALM, seconds / 2)
        asyncio.run(before.ask(lambda: time.monotonic() < quiet))
        memory, lines = _memory(server.process.pid, "RSS"), _lines(log)
        person = Person(server.port)
        aim = json.dumps(asdict(Aim(server.port, count, seconds, table, cookie)))
        command = [sys.executable, "-m", "tests.server.abuse", name, aim]
        started = time.monotonic()
        attacker = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)
        try:

            def going() -> bool:
                return attacker.poll() is None and time.monotonic() < started + seconds + 60

            async def live() -> None:
                await asyncio.gather(person.ask(going), person.sit(going), person.look(going))

            asyncio.run(live())
            result = attacker.communicate(timeout=1)[0]
            assert attacker.returncode == 0, "the attacker has failed"
        finally:
            attacker.kill()
            attacker.wait()
        took = time.monotonic() - started
        gained = _memory(server.process.pid, "HWM") - memory
        metrics = _metrics(server.port)
        assert server.process.poll() is None
    finally:
        server.stop()
    assert person.sat and person.read, "the person never sat down, or never read a history"
    return {
        "count": count,
        "seconds": round(took, 1),
        **json.loads(result),
        "asked": len(person.answers),
        "p99 before, ms": before.at(0.99),
        "p50, ms": person.at(0.5),
        "p99, ms": person.at(0.99),
        "most, ms": person.at(1.0),
        "sat down": len(person.sat),
        "sat down, at most s": round(max(person.sat), 2),
        "refused to sit": person.faults,
        "histories": len(person.read),
        "a history, at most s": round(max(person.read), 2),
        "memory gained, MB": gained,
        "log lines": _lines(log) - lines,
        "errors": metrics["qipai_errors_total"],
        "flooded": metrics["qipai_sockets_flooded"],
        "evicted": metrics["qipai_connections_evicted"],
        "tables": metrics["qipai_tables"],
    }


def allowed(seconds: float, limit: str = "tables_per_address_minute") -> int:
    """Return how many tables, or what else, the settings let one address have in this time."""
    most = int(getattr(Settings(), limit))
    return int(most + most * seconds / 60) + 1


def played(game: str, options: dict[str, Any], database: str, folder: Path) -> tuple[str, str]:
    """Write a finished hand; return its table, and the cookie of a guest with a thousand of them."""
    with live(folder, database=database) as server, server.person("Ann") as ann:
        table, guest, cookie = ann.open(game, options=options), ann.id, ann.http.cookies[COOKIE]
    match = Match(game, options, seed=bytes(32))
    players = [Player(match.game, "random", 1, seat) for seat in range(match.seats)]
    while not match.over:
        match.act(match.seat, players[match.seat].move(match.state))
    assert match.payoff is not None
    store = Store(database)
    with store.engine.begin() as connection:
        setup = ledger.find_setup(connection, table)
        assert setup is not None
        ledger.add_hand(connection, table, 0, match.head(), ["Ann"] * match.seats)
        ledger.add_moves(connection, table, 0, 0, 0, match.moves)
        for hand in range(1000):
            ended = ledger.Ended(hand, match.payoff, match.digest, match.chain)
            ledger.end_hand(connection, setup, ended, {0: guest}, ["Ann"] * match.seats)
    store.close()
    return table, cookie


def _compiled(port: int) -> None:
    for _ in range(3000):
        games = httpx.get(f"http://{ATTACKER}:{port}/api/games", timeout=30).json()
        if all(game["ready"] for game in games):
            return
        time.sleep(0.1)
    raise AssertionError("the games are not compiled")


def _metrics(port: int) -> dict[str, float]:
    text = httpx.get(f"http://{ATTACKER}:{port}/metrics", timeout=30).text
    return {name: float(value) for name, value in re.findall(r"^(qipai_\w+) ([\d.e+]+)$", text, re.M)}


def _memory(pid: int, kind: str) -> int:
    """Return the megabytes that a process has (RSS) or had at most since this was asked (HWM), on Linux."""
    with suppress(OSError):
        found = re.search(rf"Vm{kind}:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
        if kind == "RSS":
            Path(f"/proc/{pid}/clear_refs").write_text("5")  # the most begins again
        return int(found[1]) >> 10 if found else 0
    return 0


def _lines(log: Path) -> int:
    return log.read_bytes().count(b"\n")


def main(name: str, given: str) -> None:
    """Attack for the time in the aim, and print what came of it."""
    files()
    aim = json.loads(given)
    aim["until"] += time.monotonic()
    print(json.dumps(asyncio.run(_run(ATTACKS[name](Aim(**aim))))))


async def _run(work: Awaitable[Tally]) -> Tally:
    return await work


if __name__ == "__main__":
    main(*sys.argv[1:])
