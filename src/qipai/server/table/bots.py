"""Bots at tables: they think in threads and only receive what their seat may know."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor

from qipai.core import Game, Player, State, bots_of, strongest


class Bots:
    """The threads that all tables of a worker share."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="bot")

    async def move(self, crew: Crew, seat: int, agent: str, state: State) -> list[int]:
        """Return a whole move for the seat to move in `state`."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, crew.move, seat, agent, state)

    def close(self) -> None:
        """Stop the threads without waiting for bots that are still thinking."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class Crew:
    """The bots of one hand. `Player` redraws what the seat cannot know, with its own generator."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._seed = secrets.randbits(63)
        self._players: dict[tuple[int, str], Player] = {}

    def move(self, seat: int, agent: str, state: State) -> list[int]:
        """Compute a move. Called in a thread, one call at a time per seat."""
        key = (seat, agent)
        if key not in self._players:
            self._players[key] = Player(self.game, playing(self.game, agent), self._seed, seat)
        return self._players[key].move(state)


def playing(game: Game, agent: str) -> str:
    """Return `agent`, or the strongest agent if it cannot play this game (any more)."""
    return agent if agent in bots_of(game) else strongest(game)
