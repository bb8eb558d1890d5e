"""What a server is started with: where it keeps things, its limits and its paces."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """One place for every number. Seconds, unless said otherwise."""

    database: str = ""  # a SQLAlchemy URL; empty: SQLite in the user's state folder
    full_sync: bool = False  # every commit is on the disk, not only in the system's hands
    workers: int = 1
    tidy: bool = False  # a process of our own: what is loaded at the start is kept out of garbage collection

    # --- paces: drawn without a look at the position
    bot_pace: tuple[float, float] = (0.5, 1.2)  # a bot's move
    alone_hold: tuple[float, float] = (0.4, 0.9)  # a window at a table of one person
    claim_spread: float = 0.5  # a window is held for claim to claim + this
    rest: float = 8.0  # between hands of a table of bots alone
    bots: tuple[str, ...] = ()  # files of weights, offered as bots beside those of the games
    stand_in: str = ""  # who plays for the absent; empty: the strongest
    drive_unwatched: bool = False  # tables of bots play on without a watcher (tests)

    # --- people
    grace: float = 10.0  # a lost socket, until a bot plays on
    unseat: float = 120.0  # a lost socket while nothing is played, until the seat is free
    sleep: float = 1800.0  # a table without anyone, until it is put to sleep
    ping: float = 30.0
    pong: float = 10.0

    # --- bounds
    tables: int = 2000  # in memory
    tables_per_minute: int = 20  # a guest may open
    guests_per_minute: int = 2000  # new cookies for one address
    watchers: int = 100  # at one table
    sockets: int = 4000
    sockets_per_address: int = 1000  # a school behind one address, but not the whole server
    queue: int = 200  # messages waiting for one slow client
    message: int = 8192  # bytes, from a client
    rate: float = 20.0  # messages a second from one socket
    burst: int = 40
    chat: int = 50  # lines kept and sent
    chat_rate: float = 1.0  # lines a second from one guest
    chat_burst: int = 8
    listed: int = 100  # tables in the lobby
    lease: float = 4.0  # a worker drives a table until this long after its last sign of life
    threads: int = 4  # bots at the same time

    @property
    def url(self) -> str:
        """The database's URL."""
        return self.database or f"sqlite:///{state_file()}"


def state_file() -> Path:
    """The default database: XDG_STATE_HOME/qipai/server.db, by default below ~/.local/state."""
    root = os.environ.get("XDG_STATE_HOME")
    base = Path(root) if root and Path(root).is_absolute() else Path.home() / ".local" / "state"
    return base / "qipai" / "server.db"
