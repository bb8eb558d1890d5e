"""Compiles games in a separate process, so that the server's threads never wait for a compiler.

The compiled code goes to the cache folder; the server then loads it from there. The process
(`python -m qipai.server.compiler`) reads one request per line and answers in lines, all JSON. It ends when
its input does, which is when the server ends.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

from qipai.core import Game, Player, bots_of, get
from qipai.core.progress import Progress

COMMAND = [sys.executable, "-m", "qipai.server.compiler"]
NICE = 5  # people at tables come first


class Compiler:
    """The process, started when the first game is asked for. For one thread."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def compile(self, name: str, options: Mapping[str, Any], progress: Progress) -> bool:
        """Fill the cache with a game; return False if the process failed."""
        try:
            process = self._started()
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(json.dumps({"game": name, "options": dict(options)}) + "\n")
            process.stdin.flush()
            for line in process.stdout:
                told = json.loads(line)
                if "done" in told:
                    return bool(told["done"])
                progress(*told["progress"])
        except (OSError, ValueError):
            pass
        return False

    def close(self) -> None:
        """End the process, whatever it does."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(
                COMMAND, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
            )
        return self._process


def make_ready(
    game: Game, progress: Progress | None = None, ended: Callable[[], bool] = lambda: False
) -> None:
    """Compile everything that a table needs: the rules, the rules used by views and texts, and the bots.

    Stop early once `ended` returns true.
    """
    game.compile(progress)
    s = game.new()
    game.rules.view(s, 0)
    game.rules.narrate(s, game.legal_actions(s)[0], 0)
    game.drawing(s, 0, "en")
    for agent in bots_of(game):
        if ended():
            return
        Player(game, agent).move(s)


def main() -> int:
    """Serve requests until the input ends."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    wishes: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_read, args=(wishes,), daemon=True).start()
    while True:
        wish = json.loads(wishes.get())
        try:
            make_ready(get(wish["game"], wish["options"]), _tell)
        except Exception:  # the server tries itself, and logs the reason
            _say({"done": False})
        else:
            _say({"done": True})


def _read(wishes: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        wishes.put(line)
    os._exit(0)  # also in the middle of a game


def _tell(done: int, total: int, what: str) -> None:
    _say({"progress": [done, total, what]})


def _say(doc: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(doc) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
