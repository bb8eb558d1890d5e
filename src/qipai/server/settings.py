"""The settings of a server: where it stores data, its limits and its timing."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """All numeric settings in one place. Times are in seconds unless stated otherwise."""

    database: str = ""  # a SQLAlchemy URL; empty: SQLite in the state folder of the account
    full_sync: bool = False  # flush every commit to disk instead of leaving it to the operating system
    workers: int = 1  # processes of the server; more than one needs PostgreSQL
    key_file: str = ""  # signing key; empty: next to a SQLite file, or in PostgreSQL
    disk_free: int = 100_000_000  # bytes below which a server with SQLite is not ready
    tidy: bool = False  # dedicated process: keep what is loaded at the start out of garbage collection

    # --- paces: random, independent of the position
    bot_pace: tuple[float, float] = (0.5, 1.2)  # time for a bot's move
    alone_hold: tuple[float, float] = (0.4, 0.9)  # time that a window is open at a table with one person
    claim_spread: float = 0.5  # a window is open for `claim` seconds plus up to this
    rest: float = 8.0  # pause between hands at a table of bots only
    bots: tuple[str, ...] = ()  # weights files, offered as bots in addition to those of the games
    stand_in: str = ""  # agent that plays for absent people; empty: the strongest
    drive_unwatched: bool = False  # tables of bots play without a watcher (for tests)

    # --- people
    share_time: float = 5.0  # for pages to commit to a share of a seed, and to reveal it; 0: no shares
    grace: float = 10.0  # after a socket is lost, until a bot takes over
    unseat: float = 120.0  # after a socket is lost between hands, until the seat is free
    sleep: float = 1800.0  # after everybody left, until the table is put to sleep
    ping: float = 30.0  # between two pings to a client
    pong: float = 10.0  # for the answer to a ping

    # --- how long data is kept, in days; 0: forever
    keep_guests: float = 400.0  # after the last visit; a cookie lasts 365 days
    keep_chat: float = 90.0  # lines of chat, and reports that are closed
    keep_hands: float = 0.0  # hands that are over; totals keep counting them

    # --- bounds
    tables: int = 2000  # tables in memory
    tables_per_minute: int = 20  # tables that a guest may open per minute
    tables_per_address_minute: int = 120  # tables that one address may open per minute, whatever its cookies
    tables_per_address: int = 500  # tables in memory that one address opened or woke
    names_per_minute: int = 10  # names that a guest may take per minute
    names_per_address_minute: int = 200  # names that one address may take per minute
    guests_per_minute: int = 2000  # new cookies per address per minute
    watchers: int = 100  # watchers at one table
    sockets: int = 4000  # open WebSockets
    sockets_per_address: int = 1000  # enough for a school behind one address, but not the whole server
    connections: int = 6000  # TCP connections; at most the limit on open files less 128
    connections_per_address: int = (
        1500  # when reached, the one that has waited longest for a request is closed
    )
    connects: float = 100.0  # new connections per second from one address
    connects_burst: int = 2000  # new connections from one address at once
    requests_per_address: float = (
        100.0  # HTTP requests and new sockets per second from one address; twenty times as many at once
    )
    request_time: float = 15.0  # for a whole request to arrive
    stall_time: float = 60.0  # for a client that reads nothing
    frames: float = 100.0  # WebSocket frames per second from one socket, of every kind
    frames_burst: int = 400  # frames from one socket at once
    frames_per_address: float = (
        2000.0  # per second, over all sockets of an address; four times as many at once
    )
    socket_bytes: float = 200_000.0  # bytes per second from one socket
    socket_bytes_burst: int = 1_000_000  # bytes from one socket at once
    proxies: tuple[
        str, ...
    ] = ()  # addresses or networks whose X-Forwarded-For and X-Forwarded-Proto are believed
    hosts: tuple[
        str, ...
    ] = ()  # host names that requests may use; empty: any, but `localhost` only on 127.0.0.1
    queue: int = 200  # messages waiting for one slow client
    message: int = 8192  # maximum bytes of a client's message
    rate: float = 20.0  # messages per second from one socket
    burst: int = 40  # messages from one socket at once
    messages_per_address: float = (
        500.0  # per second, over all sockets of an address; four times as many at once
    )
    chat: int = 50  # lines of chat kept and sent
    chat_rate: float = 1.0  # lines of chat per second from one guest; ten times as many from one address
    chat_burst: int = 8  # lines of chat from one guest at once
    reports_per_minute: int = 6  # reports and blocks by one guest; ten times as many from one address
    listed: int = 100  # tables shown in the lobby
    lease: float = 4.0  # a worker's claim on a table expires this long after its last renewal
    threads: int = 4  # bots that think at the same time
    bot_processes: int = 2  # processes of a worker in which bots think; 0: in threads of the worker
    bot_time: float = 10.0  # for one action of a bot; then its process is ended and a legal action drawn

    @property
    def url(self) -> str:
        """The database's URL."""
        return self.database or f"sqlite:///{state_file()}"


def state_file() -> Path:
    """Return the default database: XDG_STATE_HOME/qipai/server.db, by default below ~/.local/state."""
    root = os.environ.get("XDG_STATE_HOME")
    base = Path(root) if root and Path(root).is_absolute() else Path.home() / ".local" / "state"
    return base / "qipai" / "server.db"
