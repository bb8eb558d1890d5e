"""Limits on connections, below the application: how many, how long a request may take, frames and bytes.

uvicorn parses every frame that arrives and waits forever for the rest of a request. The two protocols of
this module stand in front of its own: `Requests` for HTTP, and `Frames` for a connection that became a
WebSocket. `Gate` counts the connections of a worker; the lifespan of the application hands it to them.
`Loop` accepts them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from ipaddress import IPv4Network, IPv6Network, ip_network
from types import ModuleType
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from ..refusals import BadServer
from ..settings import Settings
from .limits import Bucket, Buckets, counted, unmapped

resource: ModuleType | None
try:
    import resource
except ImportError:  # not a POSIX system
    resource = None

FILES = 65536  # open files that the server asks for
UNLIMITED = 1 << 20
RESERVE = 128  # file descriptors for the database, for files, and for connections that are not counted yet
ACCEPTED = 16  # connections that are accepted at once; they are counted two rounds of the event loop later
QUEUED = 2048  # connections that wait in the kernel until they are accepted
LINE = 8190  # maximum bytes of a header line of a WebSocket request; its parser stops at 8192
LINGER = 5.0  # seconds for a close frame to leave
ABUSE = b"\x88\x02" + (4429).to_bytes(2, "big")  # a close frame; a server does not mask
TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
Connection = Any  # `Requests` or `Frames`
Network = IPv4Network | IPv6Network


class Gate:
    """The connections of one worker, and which of them are waiting for a request."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.most = min(settings.connections, files() - RESERVE)
        self._proxies = networks(settings.proxies)  # one address for many people: not limited
        self.count = 0
        self.addresses: Counter[str] = Counter()
        self.evicted = 0
        self.flooded = 0  # WebSockets closed because of too many frames or bytes
        self._waiting: dict[str, dict[Connection, None]] = {}  # by address, oldest first
        self._arrivals = Buckets(settings.connects, settings.connects_burst)
        self._frames = Buckets(settings.frames_per_address, 4 * settings.frames_per_address)

    def counted(self, address: str) -> str:
        """Return what an address counts as: a proxy as itself, others as in all limits."""
        return address if within(address, self._proxies) else counted(address)

    def enter(self, connection: Connection, address: str) -> bool:
        """Count a new connection; return False if there is no room even after evicting an idle one."""
        own = not within(address, self._proxies)
        if own and not self._arrivals.take(address):
            return False
        if own and self.addresses[address] >= self.settings.connections_per_address:
            if not self._evict(address):
                return False
        elif self.count >= self.most and not self._evict(self._greediest()):
            return False
        self.add(connection, address)
        self.wait(connection, address)
        return True

    def add(self, connection: Connection, address: str) -> None:
        """Count a connection."""
        self.count += 1
        self.addresses[address] += 1

    def wait(self, connection: Connection, address: str) -> None:
        """Note that a connection waits for a request, or for the rest of one."""
        self._waiting.setdefault(address, {})[connection] = None

    def busy(self, connection: Connection, address: str) -> None:
        """Note that a connection has a request that the server works on."""
        waiting = self._waiting.get(address)
        if waiting is not None:
            waiting.pop(connection, None)
            if not waiting:
                del self._waiting[address]

    def leave(self, connection: Connection, address: str) -> None:
        """Stop counting a connection."""
        self.busy(connection, address)
        self.count -= 1
        self.addresses[address] -= 1
        if self.addresses[address] <= 0:
            del self.addresses[address]

    def take_frames(self, address: str, frames: int) -> bool:
        """Return whether an address may send this many more frames, over all of its sockets."""
        return within(address, self._proxies) or self._frames.take(address, frames)

    def _evict(self, address: str | None) -> bool:
        """Close the connection of an address that has waited longest."""
        waiting = self._waiting.get(address or "")
        if not waiting:
            return False
        self.evicted += 1
        next(iter(waiting)).end()
        return True

    def _greediest(self) -> str | None:
        """Return the address with the most connections among those that have a waiting one."""
        return max(self._waiting, key=lambda address: self.addresses[address], default=None)


def networks(given: Iterable[str]) -> list[Network]:
    """Return addresses and networks, read; raise `BadServer` if one is neither."""
    try:
        return [ip_network(text) for text in given]
    except ValueError as error:
        raise BadServer(f"proxies must be addresses or networks: {error}") from error


def within(address: str, known: Iterable[Network]) -> bool:
    """Return whether an address belongs to one of these networks."""
    try:
        return any(unmapped(address) in network for network in known)
    except ValueError:  # not an IP address: a socket file
        return False


def files() -> int:
    """Return how many files this process may open, after raising the limit as far as it goes."""
    if resource is None:
        return UNLIMITED
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return UNLIMITED
    wanted = FILES if hard == resource.RLIM_INFINITY else min(hard, FILES)
    if soft >= wanted:
        return int(soft)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):
        return int(soft)
    return int(wanted)


class Loop(asyncio.SelectorEventLoop):
    """An event loop that accepts a few connections at a time, so that `Gate` counts them before more come.

    asyncio accepts all that wait, and when it has no file descriptor left, logs every attempt of that round.
    """

    async def create_server(self, *args: Any, **given: Any) -> asyncio.Server:
        """Listen with the queue that is asked for, and accept a few connections from it at a time."""
        queued = given.pop("backlog", QUEUED)
        server = await super().create_server(*args, **given, backlog=min(queued, ACCEPTED))
        for listening in server.sockets:
            with listening.dup() as same:
                same.listen(queued)
        return server


class Timer:
    """Calls a function once, unless it is stopped before."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float, call: Callable[[], None]) -> None:
        self._loop, self._seconds, self._call = loop, seconds, call
        self._handle: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start, unless it runs already: later bytes do not gain time."""
        if self._handle is None:
            self._handle = self._loop.call_later(self._seconds, self._fire)

    def stop(self) -> None:
        """Stop."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _fire(self) -> None:
        self._handle = None
        self._call()


class Requests(H11Protocol):
    """An HTTP connection: counted, with a time limit for each request and for a client that does not read."""

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.gate: Gate = self.app_state["gate"]
        settings = self.gate.settings
        self.address = ""
        self._entered = False
        self._late = Timer(self.loop, settings.request_time, self._too_late)
        self._stalled = Timer(self.loop, settings.stall_time, lambda: self.transport.abort())

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, or close it if there is no room."""
        super().connection_made(transport)
        self.address = self.gate.counted(self.client[0]) if self.client else ""
        self._entered = self.gate.enter(self, self.address)
        if self._entered:
            self._late.start()
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        """Parse; start the time limit with the first byte of a request, stop it with the last one."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if not self._entered:  # a WebSocket now
            return
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._late.start()
        else:
            self._late.stop()
            self.gate.busy(self, self.address)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        if self._entered and not self.transport.is_closing():
            self._late.stop()
            self.gate.wait(self, self.address)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection to `Frames`, unless a header is longer than its parser accepts."""
        if any(len(name) + len(value) + 2 > LINE for name, value in self.headers) or len(event.target) > LINE:
            self.transport.write(TOO_LONG)
            self.transport.close()
            return
        self._leave()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._leave()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Give a client that does not read limited time."""
        self._stalled.start()
        super().pause_writing()  # type: ignore[no-untyped-call, unused-ignore]

    def resume_writing(self) -> None:
        """Stop that time."""
        self._stalled.stop()
        super().resume_writing()  # type: ignore[no-untyped-call, unused-ignore]

    def end(self) -> None:
        """Close the connection without an answer, to make room for another one."""
        self._leave()
        self.transport.abort()

    def _leave(self) -> None:
        self._late.stop()
        self._stalled.stop()
        if self._entered:
            self._entered = False
            self.gate.leave(self, self.address)

    def _too_late(self) -> None:
        if self.conn.our_state is h11.IDLE or self.conn.our_state is h11.SEND_RESPONSE:
            self.transport.write(LATE)
        self.transport.close()


class Frames(WebSocketsSansIOProtocol):
    """A WebSocket: frames and bytes are counted before they are parsed."""

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.gate: Gate = self.app_state["gate"]
        settings = self.gate.settings
        self.address = ""
        self._counter = FrameCounter()
        self._frames = Bucket(settings.frames, settings.frames_burst)
        self._bytes = Bucket(settings.socket_bytes, settings.socket_bytes_burst)
        self._asked = False  # the request has been parsed
        self._stalled = Timer(self.loop, settings.stall_time, lambda: self.transport.abort())

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection."""
        super().connection_made(transport)
        self.address = self.gate.counted(self.client[0]) if self.client else ""
        self.gate.add(self, self.address)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._stalled.stop()
        self.gate.leave(self, self.address)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse the bytes, or close a connection that sends too many frames or bytes."""
        if not self._asked:  # the request, from `Requests`
            self._asked = True
        elif self.transport.is_closing() or not self._within(data):
            return
        super().data_received(data)

    def _sender(self) -> str:
        """Return the address that frames count on: behind a known proxy, the one that it names.

        uvicorn puts it into the scope before the application runs, and only for addresses in `proxies`.
        """
        client = self.scope["client"]
        return self.gate.counted(client[0]) if client else self.address

    def _within(self, data: bytes) -> bool:
        """Return whether the limits allow this; close the connection if not."""
        frames = self._counter.count(data, self.gate.settings.frames_burst)
        allowed = self._frames.take(frames) and self._bytes.take(len(data))
        if allowed and self.gate.take_frames(self._sender(), frames):
            return True
        self.gate.flooded += 1
        self.transport.write(ABUSE)
        self.transport.close()
        self.loop.call_later(LINGER, self.transport.abort)
        return False

    def pause_writing(self) -> None:
        """Give a client that does not read limited time."""
        self._stalled.start()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Stop that time."""
        self._stalled.stop()
        super().resume_writing()


class FrameCounter:
    """Counts the frames of a stream by their headers, without looking at what they carry."""

    def __init__(self) -> None:
        self._head = b""  # the start of a header that has not arrived as a whole
        self._skip = 0  # bytes of the current frame that have not arrived

    def count(self, data: bytes, most: int) -> int:
        """Return how many frames begin in `data`; stop after `most` + 1."""
        data = self._head + data
        at, size, found = self._skip, len(data), 0
        while at < size and found <= most:
            length = _frame_length(data, at)
            if length == 0:
                break
            at += length
            found += 1
        self._head = data[at:] if at < size else b""
        self._skip = max(0, at - size)
        return found


def _frame_length(data: bytes, at: int) -> int:
    """Return the length of the frame that begins at `at`, or 0 if its header is incomplete."""
    if len(data) < at + 2:
        return 0
    short = data[at + 1] & 127
    masked = 4 if data[at + 1] & 128 else 0
    extra = {126: 2, 127: 8}.get(short, 0)
    if len(data) < at + 2 + extra:
        return 0
    payload = int.from_bytes(data[at + 2 : at + 2 + extra], "big") if extra else short
    return 2 + extra + masked + payload
