"""How long a newcomer waits for a game that is not compiled: `python -m tests.server.first_view [GAME ...]`.

Each game gets a server of its own with an empty cache of compiled code. A table is opened as soon as the
server answers, as the button of the lobby does it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from qipai.core import bots_of, get
from qipai.core.registry import OURS
from qipai.server.settings import Settings
from tests.server.live import Person
from tests.server.processes import Process

USUAL, SEATS = "level1", 3  # what the lobby's button opens, where the game allows it
AS_SERVED = ("share_time", "bot_processes", "bot_pace", "rest")  # settings that tests otherwise shorten


def measure(game: str, folder: Path) -> dict[str, Any]:
    """Return the seconds until a fresh server answers, and from opening a table to its view and a move."""
    settings = Settings()
    given = {name: getattr(settings, name) for name in AS_SERVED}
    began = time.monotonic()
    server = Process(f"sqlite:///{folder}/server.db", folder / "server.log", cache=folder / "cache", **given)
    try:
        server.wait()
        answered = time.monotonic()
        person = Person(server.port)
        low, high = get(game).rules.seats
        bots = [_bot(game)] * (min(max(SEATS, low), high) - 1)
        opened = time.monotonic()
        with person.at(person.open(game, seats=len(bots) + 1, bots=bots, private=True)) as visit:
            visit.wait(lambda m: m["type"] == "state" and m.get("view"))
            viewed = time.monotonic()
            asked = visit.until_asked()
            if asked["over"]:
                raise RuntimeError(f"the hand of {game} was over at once: measure again")
            before = time.monotonic()
            answer = visit.act(asked["legal"][0])
            moved = time.monotonic() - before
            ready = _ready(server.port, game)
        person.http.close()
    finally:
        server.stop()
    return {
        "server answers after, s": round(answered - began, 2),
        "first view, s": round(viewed - opened, 2),
        "first move, s": round(moved, 2),
        "answer": answer["type"],
        "compiled by then": ready,
    }


def _bot(game: str) -> str:
    """Return the agent that the lobby's button seats."""
    return USUAL if USUAL in bots_of(get(game)) else "random"


def _ready(port: int, game: str) -> bool:
    games = httpx.get(f"http://127.0.0.1:{port}/api/games", timeout=60).json()
    return any(one["name"] == game and one["ready"] for one in games)


def main(games: list[str]) -> int:
    """Print the figures of the named games, or of all."""
    for game in games or OURS:
        with tempfile.TemporaryDirectory() as folder:
            print(game, measure(game, Path(folder)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
