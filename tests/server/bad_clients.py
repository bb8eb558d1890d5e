"""Bad clients: malformed, oversized, out-of-turn, forged and replayed messages by the thousand.

Each must get a named refusal (or a stated close code), and nothing may
change, leak, crash or grow.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from qipai.core.errors import all_errors
from qipai.server.http.sockets import PATIENCE
from qipai.server.main import FRAME
from qipai.server.refusals import all_refusals
from qipai.server.store.guests import COOKIE
from tests.server.live import Live, live, until

KNOWN = {e.code for e in all_errors()} | {e.code for e in all_refusals()}
CLOSED = {1009, 4403, 4404, 4413, 4429}
BATCH = 50  # messages sent before their answers are read
REST = 2  # requests over HTTP per batch
GROWTH = 64 << 10  # kilobytes that the process may gain; caches are bounded


class Attack:
    """Generates bad messages for a table at which their sender currently may do nothing."""

    def __init__(self, rng: random.Random, seated: bool, place: dict[str, int], accepted: list[str]) -> None:
        self.rng, self.seated, self.place, self.accepted = rng, seated, place, accepted
        self.huge = False  # a message was sent that is too large to be read

    def message(self) -> str | bytes:
        kinds = (self.noise, self.bent, self.shape, self.large, self.move, self.replay, self.seat, self.share)
        return self.rng.choice(kinds)()

    def noise(self) -> str | bytes:
        raw = self.rng.randbytes(self.rng.randrange(1, 200))
        return raw if self.rng.random() < 0.3 else raw.decode("latin-1")

    def bent(self) -> str:
        """Return a good message with a few characters changed."""
        text = list(self.rng.choice(self.accepted))
        for _ in range(self.rng.randrange(1, 4)):
            where = self.rng.randrange(len(text))
            text[where] = self.rng.choice('{}[]",:0-9eE.\\ \x00ÿ夏abc')
        return "".join(text)

    def shape(self) -> str:
        odd: list[Any] = [None, -1, 1 << 70, 1.5, "x", [], {}, True, "9" * 40, [[]] * 50, {"a": {}}]
        value = self.rng.choice(odd)
        keys = ["type", "seat", "ready", "agent", "hand", "version", "actions", "text", "ref", "other"]
        keys += ["lang", "picked", "commitment", "reveal"]
        message: dict[str, Any] = dict.fromkeys(self.rng.sample(keys, self.rng.randrange(1, 5)), value)
        if self.rng.random() < 0.7:
            message["type"] = self.rng.choice(
                [
                    "act",
                    "sit",
                    "bot",
                    "say",
                    "ready",
                    "describe",
                    "commit",
                    "reveal",
                    "shares",
                    "done",
                    "state",
                    "",
                ]
            )
        if message.get("type") == "say" and isinstance(message.get("text"), str):
            message["text"] = ""
        return json.dumps(message)

    def large(self) -> str:
        size = self.rng.choice((8_193, 9_000, 15_000, 15_000, 17_000 if self.rng.random() < 0.02 else 12_000))
        self.huge = self.huge or size > FRAME
        return json.dumps({"type": "say", "text": "x" * size})

    def move(self) -> str:
        """Return a move out of turn, or by someone without a seat."""
        actions = [self.rng.randrange(-2, 300) for _ in range(self.rng.randrange(1, 4))]
        version = self.place["version"] + self.rng.choice((0, 0, 0, -1, 1, 1000))
        place = {"hand": self.place["hand"], "version": version}
        if self.rng.random() < 0.3:
            return json.dumps({"type": "describe", **place, "lang": "en", "picked": actions})
        return json.dumps({"type": "act", **place, "actions": actions})

    def replay(self) -> str:
        return self.rng.choice(self.accepted)

    def share(self) -> str:
        """Return a malformed share of a seed, or one that nobody asks for."""
        odd: list[Any] = ["0" * 64, "f" * 64, "0" * 63, "0" * 65, "x" * 64, "A" * 64, "", None, 7, ["0" * 64]]
        kind, key = self.rng.choice((("commit", "commitment"), ("reveal", "reveal"), ("commit", "reveal")))
        message: dict[str, Any] = {"type": kind, key: self.rng.choice(odd)}
        message["hand"] = self.place["hand"] + self.rng.choice((-1, 0, 0, 1, 1, 1 << 33))
        if self.rng.random() < 0.1:
            message["seat"] = 0
        return json.dumps(message)

    def seat(self) -> str:
        """Return requests that only another may make, or nobody now. Bo may stand up, so that is left out."""
        kinds = ["sit", "bot", "ready"] if self.seated else ["sit", "bot", "ready", "stand", "return"]
        message: dict[str, Any] = {"type": self.rng.choice(kinds)}
        if message["type"] in ("sit", "bot"):
            message["seat"] = self.rng.randrange(-1, 9)
        if message["type"] == "bot":
            message["agent"] = self.rng.choice(("random", None, "x"))
        if message["type"] == "ready":
            message["ready"] = True
        return json.dumps(message)


async def attack(server: Live, count: int, seed: int) -> Counter[str]:
    """Send `count` bad messages; return how often each refusal came."""
    rng = random.Random(seed)
    found: Counter[str] = Counter()
    ann, bo = server.person("Ann"), server.person("Bo")
    table = ann.open("nana", seats=2, options={"first": 0})
    accepted = ['{"type": "ready", "ready": true, "ref": 3}']
    with ann.at(table) as one, bo.at(table) as other:
        assert other.ask(type="sit", seat=1)["type"] == "done"
        for visit in (one, other):
            assert visit.ask(type="ready", ready=True)["type"] == "done"
        shared = {"type": "reveal", "hand": 0, "reveal": ""}
        while not one.state:  # both contribute to the deal
            for visit in (one, other):
                visit.drain(0.05)
        assert one.contributor is not None
        shared["reveal"] = next(iter(one.contributor.secrets.values())).hex()
        accepted.append(json.dumps({**shared, "ref": 5}))
        first = one.until_asked()
        wish = {"hand": 0, "version": first["version"], "actions": [first["legal"][0]]}
        assert one.ask(type="act", **wish)["type"] == "done"
        accepted.append(json.dumps({"type": "act", **wish, "ref": 9}))
        while not other.state:
            other.read()
        inside = server.hall.tables[table]
        assert inside.match is not None
        before = (inside.match.digest, inside.seating.entries, len(inside.talk.lines))
        place = {"hand": 0, "version": inside.telling.version(1) if inside.telling else 0}
        cookies = {"bo": bo.http.cookies[COOKIE], "eve": server.person().http.cookies[COOKIE]}
        secret = inside.match.head()["seed"]
        memory = 0
        done = 0
        async with httpx.AsyncClient(base_url=server.address) as http:
            while done < count:
                who = rng.choice(("bo", "eve", "forged"))
                cookie = cookies.get(who) or "".join(rng.choice("abcXYZ012_-") for _ in range(43))
                bad = Attack(rng, who == "bo", place, accepted)
                done += await _storm(server, table, cookie, bad, found, secret)
                done += await _requests(http, rng, table, found)
                assert (inside.match.digest, inside.seating.entries, len(inside.talk.lines)) == before
                if done > count // 4 and not memory:
                    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory
        assert grown < GROWTH, f"{grown} KiB more"
        assert server.hall.metrics.errors == 0
        assert one.ask(type="say", text="still here")["type"] == "done"
    found["messages"] = done
    return found


async def _storm(server: Live, table: str, cookie: str, bad: Attack, found: Counter[str], secret: str) -> int:
    """Send one socket's worth of bad messages, and check every answer."""
    address = f"ws://127.0.0.1:{server.port}/ws/table/{table}"
    sent = 0
    try:
        headers = {"Cookie": f"{COOKIE}={cookie}"}
        async with connect(address, additional_headers=headers, max_size=None) as socket:
            for _ in range(PATIENCE // BATCH + 1):
                batch = [bad.message() for _ in range(BATCH)]
                for message in batch:
                    await socket.send(message)
                    sent += 1
                answers = 0
                while answers < BATCH:
                    text = await asyncio.wait_for(socket.recv(), 30)
                    assert secret not in text
                    answer = json.loads(text)
                    if answer["type"] == "refused":
                        assert answer["code"] in KNOWN, answer
                        found[answer["code"]] += 1
                        answers += 1
                    elif answer["type"] == "done":
                        raise AssertionError(f"a bad message was carried out: {[m[:60] for m in batch]}")
                    elif answer["type"] == "state":
                        assert answer["seed"] is None and answer["opened"] is None
                        assert answer["seat"] in (-1, 1)
    except ConnectionClosed as closed:
        code = closed.rcvd.code if closed.rcvd is not None else 1006
        # If the server closes while the client is still sending, the reason may be lost.
        assert code in CLOSED or (code == 1006 and (bad.huge or sent > PATIENCE)), code
        found[f"closed {code}"] += 1
    return sent


async def _requests(http: httpx.AsyncClient, rng: random.Random, table: str, found: Counter[str]) -> int:
    """Send bad requests to /api."""
    for _ in range(REST):
        running = f"/api/tables/{table}"
        path = rng.choice((f"{running}/record/0", f"{running}/replay/0", "/api/tables/x", "/api/nothing"))
        body = rng.choice((b"", b"{", b"[1]", b'{"game":"nana","seats":-1}', b"[" * 500, b"\xff"))
        headers = {"content-type": "application/json"}
        if rng.random() < 0.3:
            headers["origin"] = "http://other.example"
        answer = await (
            http.get(path) if rng.random() < 0.5 else http.post("/api/tables", content=body, headers=headers)
        )
        assert 400 <= answer.status_code < 500, answer.text
        assert set(answer.json()) == {"code", "message"}
        found[answer.json()["code"]] += 1
    return REST


def run(folder: Path, count: int, seed: int) -> dict[str, Any]:
    """Attack a fresh server."""
    with live(folder, share_time=5.0, rate=1e9, burst=10**9, guests_per_minute=10**9) as server:
        until(lambda: server.hall.catalog.ready("nana"))
        return dict(sorted(asyncio.run(attack(server, count, seed)).items()))
