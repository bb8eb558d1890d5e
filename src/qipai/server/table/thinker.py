"""A process in which bots think: `python -m qipai.server.table.thinker`.

It reads requests from standard input and answers on standard output, one at a time, and ends with its input.
A request is a line of JSON and the bytes of a sight: one world that is consistent with what the bot's seat
has seen, and the mask of legal actions. The true state never leaves the server's process.
"""

from __future__ import annotations

import json
import os
import sys
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO

import numpy as np

from qipai.bots.find import add_file
from qipai.core import Agent, Game, Sight, get
from qipai.core.agent import make_agent
from qipai.core.state import copy_state, new_states

NICE = 5  # bots give way to the tables
KEPT = 2000  # agents in memory; one that was dropped starts again without its memory of the hand


def main() -> int:
    """Answer until the input ends."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever a bot prints must not become an answer
    with suppress(OSError, AttributeError):
        os.nice(NICE)
    thinker = Thinker()
    for asked in requests(sys.stdin.buffer):
        try:
            answer = thinker.answer(*asked)
        except Exception as error:
            answer = {"fault": type(error).__name__}
        answers.write(json.dumps(answer).encode() + b"\n")
    return 0


def requests(source: BinaryIO) -> Iterator[tuple[dict[str, Any], bytes, bytes]]:
    """Yield the header, the state and the mask of each request."""
    while line := source.readline():
        header: dict[str, Any] = json.loads(line)
        state, mask = source.read(header.get("state", 0)), source.read(header.get("mask", 0))
        yield header, state, mask


class Thinker:
    """The agents of one process."""

    def __init__(self) -> None:
        self._agents: OrderedDict[tuple[str, str], Agent] = OrderedDict()

    def answer(self, header: dict[str, Any], state: bytes, mask: bytes) -> dict[str, Any]:
        """Carry out one request: `bot` adds a file of weights, `warm` compiles a game, otherwise think."""
        if "bot" in header:
            add_file(header["bot"])
            return {}
        game = get(header["game"], header["options"])
        if header.get("warm"):
            from ..compiler import make_ready

            make_ready(game)
            return {}
        sight = Sight(game, header["seat"], read_state(game, state), np.frombuffer(mask, np.uint8).copy())
        return {"action": int(self._agent(header, game).act(sight))}

    def _agent(self, header: dict[str, Any], game: Game) -> Agent:
        key = (header["key"], header["agent"])
        if key not in self._agents:
            self._agents[key] = make_agent(game, header["agent"], header["seed"], header["lane"])
            while len(self._agents) > KEPT:
                self._agents.popitem(last=False)
        self._agents.move_to_end(key)
        return self._agents[key]


def read_state(game: Game, data: bytes) -> Any:
    """Return the state that these bytes hold."""
    states = new_states(game.rules.State, 1)
    states.view(np.uint8).reshape(-1)[:] = np.frombuffer(data, np.uint8)
    return copy_state(states[0])


if __name__ == "__main__":
    sys.exit(main())
