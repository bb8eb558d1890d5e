"""A server on the loopback in a thread of the test, and people who play at it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx
import uvicorn
from websockets.sync.client import connect

from qipai.core import Player
from qipai.server.hall import Hall
from qipai.server.http.app import make_app
from qipai.server.main import uvicorn_arguments
from qipai.server.settings import Settings
from qipai.server.store.guests import COOKIE
from tests.server.contributing import Contributor

QUICK: dict[str, Any] = {
    "bot_pace": (0.0, 0.0),
    "alone_hold": (0.0, 0.01),
    "claim_spread": 0.05,
    "rest": 0.0,
    "share_time": 0.0,
    "stand_in": "random",
    "bot_processes": 0,
    "tables_per_minute": 100_000,
    "tables_per_address_minute": 100_000,
    "names_per_minute": 100_000,
    "names_per_address_minute": 100_000,
    "connects_burst": 100_000,
    "requests_per_address": 100_000.0,
    "messages_per_address": 100_000.0,
    "rate": 100_000.0,
    "burst": 100_000,
    "frames": 100_000.0,
    "frames_burst": 100_000,
    "frames_per_address": 100_000.0,
    "socket_bytes": 1e9,
    "socket_bytes_burst": 1_000_000_000,
    "chat_rate": 100_000.0,
    "chat_burst": 100_000,
    "reports_per_minute": 100_000,
}
WAIT = 60.0  # seconds, for what must come


class Live:
    """A running server. `hall` is its inside."""

    def __init__(self, server: uvicorn.Server, thread: threading.Thread, app: Any, port: int) -> None:
        self._server, self._thread, self._app = server, thread, app
        self._people: list[Person] = []
        self.port = port
        self.address = f"http://127.0.0.1:{port}"

    @property
    def hall(self) -> Hall:
        found: Hall = self._app.state.hall
        return found

    def person(self, name: str = "") -> Person:
        self._people.append(Person(self.port, name))
        return self._people[-1]

    def stop(self) -> None:
        for person in self._people:
            person.http.close()
        self._server.should_exit = True
        self._thread.join(30)


@contextmanager
def live(folder: Path, **given: Any) -> Iterator[Live]:
    """Yield a server that keeps its tables in `folder`."""
    found = start(folder, **given)
    try:
        yield found
    finally:
        found.stop()


def start(folder: Path, **given: Any) -> Live:
    settings = Settings(**{"database": f"sqlite:///{folder}/server.db", **QUICK, **given})
    app = make_app(settings)
    config = uvicorn.Config(
        app,
        port=0,
        log_level="error",
        timeout_graceful_shutdown=1,
        **uvicorn_arguments(settings),
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started)
    port = server.servers[0].sockets[0].getsockname()[1]
    return Live(server, thread, app, port)


def until(holds: Callable[[], Any], seconds: float = WAIT) -> Any:
    """Wait for something to become true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := holds():
            return found
        time.sleep(0.01)
    raise AssertionError("it did not come to pass")


class Person:
    """A person with their own cookie."""

    def __init__(self, port: int, name: str = "") -> None:
        self.port = port
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60)
        self.id = self.http.get("/api/me").json()["id"]
        if name:
            assert self.http.post("/api/me", json={"name": name}).status_code == 200

    def open(self, game: str, **wish: Any) -> str:
        answer = self.http.post("/api/tables", json={"game": game, **wish})
        assert answer.status_code == 200, answer.text
        return str(answer.json()["table"])

    def at(self, table: str, query: str = "") -> Visit:
        return Visit(self.port, self.http.cookies[COOKIE], f"/ws/table/{table}{query}")

    def __enter__(self) -> Person:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.http.close()


class Visit:
    """One socket, and everything it has been sent."""

    def __init__(self, port: int, cookie: str | None, path: str, **headers: str) -> None:
        sent = {**({"Cookie": f"{COOKIE}={cookie}"} if cookie else {}), **headers}
        address = f"ws://127.0.0.1:{port}{path}"
        self._stack = ExitStack()
        self.socket = self._stack.enter_context(
            connect(address, additional_headers=sent, max_size=None, max_queue=None)
        )
        self.texts: list[str] = []
        self.table: dict[str, Any] = {}
        self.state: dict[str, Any] = {}
        self.contributor: Contributor | None = Contributor()  # None: withholds
        self._ref = 0

    def read(self, seconds: float = WAIT) -> dict[str, Any]:
        """Return the next message; raise TimeoutError if none arrives."""
        text = self.socket.recv(timeout=seconds)
        assert isinstance(text, str)
        self.texts.append(text)
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "table":
            self.table = message
        elif message["type"] == "state":
            self.state = message
        elif message["type"] == "shares" and self.contributor is not None:
            wish = self.contributor.answer(message, self.table["you"])
            if wish is not None:
                self.send(**wish)
        return message

    def wait(self, holds: Callable[[dict[str, Any]], Any], seconds: float = WAIT) -> dict[str, Any]:
        """Return the next message for which `holds`."""
        end = time.monotonic() + seconds
        while True:
            message = self.read(max(0.01, end - time.monotonic()))
            if holds(message):
                return message

    def drain(self, seconds: float = 0.3) -> list[dict[str, Any]]:
        """Return everything that arrives until it is quiet."""
        found = []
        with suppress(TimeoutError):
            while True:
                found.append(self.read(seconds))
        return found

    def settle(self) -> list[dict[str, Any]]:
        """Return everything that was sent until now: the answer to a bad request comes after it."""
        first = len(self.texts)
        assert self.ask(type="settle")["code"] == "message/bad"
        return [json.loads(text) for text in self.texts[first:-1]]

    def send(self, **message: Any) -> int:
        self._ref += 1
        self.socket.send(json.dumps({**message, "ref": self._ref}))
        return self._ref

    def ask(self, **message: Any) -> dict[str, Any]:
        """Send, and wait for `done` or `refused`."""
        return self.answer(self.send(**message))

    def answer(self, ref: int) -> dict[str, Any]:
        """Return the answer to a request that was sent."""
        return self.wait(lambda m: m.get("ref") == ref and m["type"] in ("done", "refused"))

    def act(self, *actions: int, **other: Any) -> dict[str, Any]:
        here = {"hand": self.state["hand"], "version": self.state["version"]}
        return self.ask(type="act", actions=list(actions), **{**here, **other})

    def until_asked(self, seconds: float = WAIT) -> dict[str, Any]:
        """Wait until there is something to decide, or the hand is over."""
        if self.state and (self.state["legal"] or self.state["over"]):
            return self.state
        return self.wait(lambda m: m["type"] == "state" and (m["legal"] or m["over"]), seconds)

    def play(self, server: Live, seed: int = 0, most: int = 3000) -> dict[str, Any]:
        """Play at random to the end of the hand."""
        table = server.hall.tables[self.table["table"]["id"]]
        player = None
        for _ in range(most):
            state = self.until_asked()
            if state["over"]:
                return state
            assert table.match is not None
            player = player or Player(table.match.game, "random", seed)
            window = table.window
            record = table.match.state if window is None else window.asked[state["seat"]]
            answer = self.act(*player.move(record))
            assert answer["type"] == "done", answer
            if self.state is state:
                self.state = {**state, "legal": []}
        raise AssertionError("the hand does not end")

    def close(self) -> None:
        self._stack.close()

    def __enter__(self) -> Visit:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
