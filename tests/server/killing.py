"""The kill test: a server under live tables is killed at random moments and must have lost nothing.

Every client remembers what it was acknowledged or told: a person their accepted moves,
a watcher the last version. After every start nothing of that may be missing; at the end
every hand in the store replays, to its digest where it is over.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import select
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from qipai.match import Match, Signature, Trust
from qipai.match.document import read_head
from qipai.match.shares import check_shares
from qipai.server.signing import Signer
from qipai.server.store.guests import COOKIE
from qipai.server.store.ledger import as_moves, read_actions
from qipai.server.store.rows import HANDS
from qipai.server.store.store import Store
from tests.server.contributing import Contributor
from tests.server.processes import Process

Kind = tuple[str, int, dict[str, Any]]  # game, seats, options

# Games of single actions for people; bots play all five.
PEOPLE: tuple[Kind, ...] = (("nana", 2, {"max_turns": 40}), ("skill_gomoku", 2, {}))
BOTS: tuple[Kind, ...] = (
    ("xianqi", 3, {}),
    ("nana", 3, {"max_turns": 40}),
    ("wuhan_mahjong", 4, {}),
    ("skill_gomoku", 2, {}),
    ("paipai_rensa", 1, {}),
)
# What a share of the tables has, one after the other.
FEATURES: tuple[dict[str, Any], ...] = (
    {},
    {"goal": "hands", "count": 2},
    {"clock": 60},
    {"pace": "fast"},
    {"aid": True},
    {"goal": "hands", "count": 3, "clock": 30, "pace": "slow", "aid": True},
)
SETTINGS: dict[str, Any] = {
    "drive_unwatched": True,
    "bot_pace": (0.5, 2.5),
    "rest": 0.5,
    "grace": 3600.0,
    "unseat": 3600.0,
    "share_time": 5.0,
}
STALL = 240.0  # seconds after which a table that has not moved is counted as stuck


class Client:
    """One socket at one table, reconnecting; plays at random if it has a seat."""

    def __init__(self, port: int, table: str, cookie: str, seated: bool, seed: int) -> None:
        self.port, self.table, self.cookie, self.seated = port, table, cookie, seated
        self.hand, self.version = -1, 0
        self.moved = 0.0  # when the table last moved, since the start of this process
        self.accepted: dict[int, list[list[int]]] = defaultdict(list)  # by hand
        self.wrong: list[str] = []
        self.over = False
        self.contributor = Contributor()
        self.shares: dict[int, bytes] = {}  # by hand: what this person was acknowledged to have revealed
        self._rng = random.Random(seed)

    async def run(self) -> None:
        """Run until cancelled, reconnecting after a lost connection."""
        while True:
            try:
                await self._visit()
            except (ConnectionClosed, InvalidHandshake, OSError, EOFError, TimeoutError):
                await asyncio.sleep(0.1)

    async def _visit(self) -> None:
        query = f"?since={self.version}&hand={self.hand}" if self.hand >= 0 else ""
        address = f"ws://127.0.0.1:{self.port}/ws/table/{self.table}{query}"
        headers = {"Cookie": f"{COOKIE}={self.cookie}"}
        waiting: dict[int, tuple[int, list[int]]] = {}
        revealing: dict[int, tuple[int, bytes]] = {}
        self.contributor.answers.clear()  # what was not acknowledged is sent again
        ref = 0
        async with connect(address, additional_headers=headers, max_size=None, open_timeout=20) as socket:
            async for text in socket:
                message = json.loads(text)
                kind = message["type"]
                if kind == "ping":
                    await socket.send('{"type":"pong"}')
                elif kind == "done" and message["ref"] in waiting:
                    hand, actions = waiting.pop(message["ref"])
                    self.accepted[hand].append(actions)
                elif kind == "done" and message["ref"] in revealing:
                    hand, share = revealing.pop(message["ref"])
                    self.shares[hand] = share
                elif kind == "shares" and self.seated:
                    share_wish = self.contributor.answer(message, 0)
                    if share_wish is not None:
                        await asyncio.sleep(self._rng.uniform(0.0, 0.2))
                        ref += 1
                        if share_wish["type"] == "reveal":
                            revealing[ref] = (message["hand"], bytes.fromhex(share_wish["reveal"]))
                        await socket.send(json.dumps({**share_wish, "ref": ref}))
                elif kind == "refused":
                    waiting.pop(message["ref"], None)
                elif kind == "state":
                    self._see(message)
                    wish = self._wish(message)
                    if wish is not None:
                        await asyncio.sleep(self._rng.uniform(0.0, 0.5))
                        ref += 1
                        if wish["type"] == "act":
                            waiting[ref] = (wish["hand"], wish["actions"])
                        await socket.send(json.dumps({**wish, "ref": ref}))

    def _see(self, state: dict[str, Any]) -> None:
        place = (state["hand"], state["version"])
        if place < (self.hand, self.version):
            self.wrong.append(f"{self.table}: told {(self.hand, self.version)}, now {place}")
        if place != (self.hand, self.version):
            self.moved = time.monotonic()
        self.hand, self.version = place
        self.over = state["over"]

    def _wish(self, state: dict[str, Any]) -> dict[str, Any] | None:
        if not self.seated:
            return None
        if state["over"]:
            return {"type": "ready", "ready": True}
        if not state["legal"]:
            return None
        action = self._rng.choice(state["legal"])
        return {"type": "act", "hand": state["hand"], "version": state["version"], "actions": [action]}


async def open_tables(port: int, count: int, people: int) -> list[Client]:
    """Return `count` tables of bots, and a person at the first `people` of them."""
    clients = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
        for number in range(count):
            http.cookies.clear()
            await http.get("/api/me")
            seated = number < people
            game, seats, options = (PEOPLE if seated else BOTS)[number % len(PEOPLE if seated else BOTS)]
            bots = ["random"] * (seats - seated)
            wish = {"game": game, "seats": seats, "options": options, "bots": bots}
            wish |= FEATURES[number % len(FEATURES)]
            answer = await http.post("/api/tables", json=wish)
            assert answer.status_code == 200, answer.text
            cookie = http.cookies[COOKIE]
            clients.append(Client(port, answer.json()["table"], cookie, seated, number))
    return clients


async def kill_and_restart(
    database: str, folder: Path, kills: int, tables: int, people: int, seed: int = 1
) -> dict[str, Any]:
    """Kill a server `kills` times under `tables` live tables; fail if anything is lost."""
    rng = random.Random(seed)
    log = folder / "server.log"
    process = Process(database, log, **SETTINGS)
    await asyncio.to_thread(process.wait)
    clients = await open_tables(process.port, tables, people)
    tasks = [asyncio.create_task(client.run()) for client in clients]
    starts: list[float] = []
    try:
        await _all_move(clients, time.monotonic() - 3600)
        for _ in range(kills):
            await asyncio.sleep(rng.uniform(0.0, 2.0))
            process.kill()
            killed = time.monotonic()
            process = Process(database, log, port=process.port, **SETTINGS)
            await asyncio.to_thread(process.wait)
            await _all_move(clients, killed)
            starts.append(time.monotonic() - killed)
            assert not [w for c in clients for w in c.wrong]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        process.kill()
    found = await asyncio.to_thread(check_store, database, clients)
    starts.sort()
    return {
        "kills": kills,
        "tables": tables,
        "lost": 0,
        **found,
        "from the kill until every table had moved again": f"{starts[len(starts) // 2]:.1f} s (median)",
    }


async def _all_move(clients: list[Client], since: float) -> None:
    """Wait until every table has moved since then."""
    end = time.monotonic() + STALL
    while stuck := [c for c in clients if c.moved < since]:
        assert time.monotonic() < end, f"{len(stuck)} tables do not go on, {stuck[0].table} for one"
        await asyncio.sleep(0.05)


def check_store(database: str, clients: list[Client]) -> dict[str, Any]:
    """Check that every hand replays and contains what was told and acknowledged."""
    store = Store(database)
    hands, over, actions, acknowledged, shares = 0, 0, 0, 0, 0
    with store.engine.connect() as connection:
        rows = connection.execute(select(HANDS).order_by(HANDS.c.table_id, HANDS.c.hand)).all()
        by_table: dict[tuple[str, int], list[Any]] = {}
        shared: dict[tuple[str, int], dict[int, bytes | None]] = {}
        keys = Signer(store)
        for row in rows:
            moves = as_moves(read_actions(connection, row.table_id, row.hand))
            match = Match.begin(read_head(json.loads(row.head)))
            for seat, made in moves:
                match.act(seat, made)
            hands += 1
            actions += match.ply
            assert match.over == (row.ended is not None), (row.table_id, row.hand)
            if match.over:
                over += 1
                assert match.digest == row.digest and match.payoff == json.loads(row.payoff)
                assert match.chain == row.chain and keys.knows(row.key)
                assert Signature(row.key, row.signature).check(row.chain) is Trust.SIGNED
            if match.shares is not None:
                assert check_shares(match.shares, bytes.fromhex(match.head()["seed"]), match.seats) == []
                shared[row.table_id, row.hand] = {s.seat: s.reveal for s in match.shares.seats}
            by_table[row.table_id, row.hand] = moves
    store.close()
    for client in clients:
        for hand, accepted in client.accepted.items():
            own = [list(made) for seat, made in by_table[client.table, hand] if seat == 0]
            assert _within(accepted, own), (client.table, hand)
            acknowledged += len(accepted)
        for hand, share in client.shares.items():
            if (client.table, hand) in by_table:  # or it is not dealt yet
                assert shared[client.table, hand][0] == share, (client.table, hand)
                shares += 1
    return {
        "hands": hands,
        "of them over, each at its digest": over,
        "actions": actions,
        "moves acknowledged to people, each found": acknowledged,
        "shares of seeds acknowledged to people, each in its deal": shares,
    }


def _within(small: list[Any], large: list[Any]) -> bool:
    """Return whether all of `small` is in `large`, in its order."""
    rest = iter(large)
    return all(any(item == other for other in rest) for item in small)
