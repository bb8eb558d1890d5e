"""Bots at tables: they think in separate processes and only receive what their seat may know.

A bot's process starts when a game is first played with bots, and compiles it in the background; until it is
ready, and in a server with `bot_processes` 0, bots think in threads of the server.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import subprocess
import sys
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from typing import Any

import numpy as np

from qipai.bots.levels import playing
from qipai.core import Agent, AgentSpec, Game, Player, Sight, State, names
from qipai.core.agent import make_agent

from ..logs import log

WARM = 600.0  # seconds for a process to start and to compile one game
MODULE = "qipai.server.table.thinker"


class Bots:
    """The threads and processes that all tables of a worker share.

    `files` are weights that the processes load; `seconds` is the time for one action. A bot that takes longer
    is ended together with its process, and a legal action is drawn for it.
    """

    def __init__(
        self, threads: int, processes: int = 0, seconds: float = 10.0, files: Iterable[str] = ()
    ) -> None:
        self._pool = ThreadPoolExecutor(max(threads, processes), thread_name_prefix="bot")
        self._minds = [Mind(tuple(files), seconds) for _ in range(processes)]
        self._turn = count()

    async def move(self, crew: Crew, seat: int, agent: str, state: State) -> list[int]:
        """Return a whole move for the seat to move in `state`."""
        mind = self._minds[next(self._turn) % len(self._minds)] if self._minds else None
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, crew.move, seat, agent, state, mind)

    @property
    def processes(self) -> int:
        """The number of processes that are running."""
        return sum(mind.running for mind in self._minds)

    @property
    def late(self) -> int:
        """How many actions were drawn because a process did not answer."""
        return sum(mind.late for mind in self._minds)

    def close(self) -> None:
        """Stop the threads and processes without waiting for bots that are still thinking."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for mind in self._minds:
            mind.close()


class Mind:
    """One process in which bots think, one action at a time."""

    def __init__(self, files: tuple[str, ...], seconds: float) -> None:
        self._files, self._seconds = files, seconds
        self._lock = threading.Lock()  # of the process: one request at a time
        self._state = threading.Lock()  # of the sets below
        self._process: subprocess.Popen[bytes] | None = None
        self._wanted: dict[str, dict[str, Any]] = {}  # by name and options: games to be compiled
        self._warm: set[str] = set()
        self._warmer: threading.Thread | None = None
        self._closed = False
        self.late = 0

    @property
    def running(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def ready(self, game: Game, options: dict[str, Any]) -> bool:
        """Return whether the process plays this game; if not, let it load the game in the background.

        It is only asked once the game is compiled here, so that it finds everything in the cache.
        """
        if not game.compiled:
            return False
        key = json.dumps([game.name, options])
        with self._state:
            if key in self._warm and self._warmer is None:
                return True
            if key not in self._wanted and not self._closed:
                self._wanted[key] = {"game": game.name, "options": options, "warm": True}
            if self._warmer is None and not self._closed:
                self._warmer = threading.Thread(target=self._warm_all, name="bot-warm", daemon=True)
                self._warmer.start()
        return False

    def think(self, header: dict[str, Any], sight: Sight) -> int:
        """Return the action of an agent; raise `ValueError` if its process gives none in time."""
        answer = self._ask(header, sight.state.tobytes(), sight.mask.tobytes(), self._seconds)
        action = answer.get("action")
        if not isinstance(action, int):
            self.late += 1
            raise ValueError(str(answer.get("fault", "no answer")))
        return action

    def close(self) -> None:
        """End the process."""
        with self._state:
            self._closed = True
        if self._process is not None:
            self._process.kill()  # a thread that waits for its answer continues
            with self._lock:
                _bury(self._process)

    def _warm_all(self) -> None:
        """Compile what is wanted; a game that cannot be compiled is asked for again by the next bot."""
        while True:
            with self._state:
                key = next((key for key in self._wanted if key not in self._warm), None)
                if key is None or self._closed:
                    self._warmer = None
                    return
                wish = self._wanted[key]
            answer = self._ask(wish, b"", b"", WARM)
            with self._state:
                if answer:
                    log("bot/fault", logging.ERROR, cause=answer.get("fault"))
                    del self._wanted[key]
                else:
                    self._warm.add(key)

    def _ask(self, header: dict[str, Any], state: bytes, mask: bytes, seconds: float) -> dict[str, Any]:
        """Return the answer to one request; end the process if it takes too long or answers nonsense."""
        with self._lock:
            if not self.running:
                fault = self._start()
                if fault is not None:
                    return fault
            return self._exchange(header, state, mask, seconds)

    def _start(self) -> dict[str, Any] | None:
        """Start the process and hand it the files of weights; what was compiled before is lost."""
        if self._closed:
            return {"fault": "closed"}
        if self._process is not None:
            _bury(self._process)
        with self._state:
            self._warm.clear()
        self._process = subprocess.Popen(
            [sys.executable, "-m", MODULE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, close_fds=True
        )
        for path in self._files:
            self._exchange({"bot": path}, b"", b"", WARM)
        return None

    def _exchange(self, header: dict[str, Any], state: bytes, mask: bytes, seconds: float) -> dict[str, Any]:
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        line = json.dumps({**header, "state": len(state), "mask": len(mask)}).encode()
        try:
            process.stdin.write(line + b"\n" + state + mask)
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            return answer if isinstance(answer, dict) else {"fault": "nonsense"}
        except (OSError, ValueError) as error:  # its end, or half a line
            _bury(process)
            with self._state:
                self._warm.clear()
            return {"fault": type(error).__name__}
        finally:
            timer.cancel()


def _bury(process: subprocess.Popen[bytes]) -> None:
    """End a process and close its pipes."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):  # a request that it did not read
                pipe.close()


class Crew:
    """The bots of one hand. `Player` redraws what the seat cannot know, with its own generator."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name = secrets.token_hex(8)
        self._seed = secrets.randbits(63)
        self._players: dict[tuple[int, str], Player] = {}

    def move(self, seat: int, agent: str, state: State, mind: Mind | None = None) -> list[int]:
        """Compute a move. Called in a thread, one call at a time per seat."""
        key = (seat, agent)
        if key not in self._players:
            name = playing(self.game, agent)
            self._players[key] = Player(self.game, self._spec(name, seat, mind), self._seed, seat)
        return self._players[key].move(state)

    def _spec(self, name: str, seat: int, mind: Mind | None) -> str | AgentSpec:
        if mind is None or self.game.name not in names():  # a game that only this process knows
            return name
        header = {"agent": name, "seed": self._seed, "lane": 2 * seat, "key": f"{self.name}/{seat}"}
        return AgentSpec(name, 0, lambda game, words: Elsewhere(game, header, mind))


class Elsewhere:
    """An agent that thinks in another process; here only until that process is ready.

    Its hand is played in one process, because some agents remember what they did.
    """

    def __init__(self, game: Game, header: dict[str, Any], mind: Mind) -> None:
        self._game, self._header, self._mind = game, header, mind
        self._here: Agent | None = None
        self._failed = False

    def act(self, sight: Sight) -> int:
        """Return the agent's action; a random legal one if its process failed."""
        header = self._header
        options = self._game.options_of(sight.state)
        if self._mind.ready(self._game, options):
            try:
                there = {"game": self._game.name, "options": options, "seat": sight.seat}
                return self._mind.think({**header, **there}, sight)
            except ValueError as error:
                self._failed = True
                log("bot/fault", logging.ERROR, agent=header["agent"], cause=str(error))
        if self._failed:
            return int(secrets.choice(np.flatnonzero(sight.mask)))
        if self._here is None:
            self._here = make_agent(self._game, header["agent"], header["seed"], header["lane"])
        return self._here.act(sight)
