"""One WebSocket: a bounded output queue, checked and rate-limited input, a heartbeat.

A client that is too slow is disconnected and may reconnect with its version. Close codes:
1011 internal error, 1012 the cookie was renewed, 4401 signed out, 4403 page of another site,
4404 no such table, 4408 no heartbeat, 4410 banned by the operator,
4429 too slow or too much sent, 4503 the hall is full.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from enum import Enum
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from qipai.core import WATCHER, QipaiError

from ..logs import log
from ..refusals import BadMessage, TooFast, TooLarge
from ..store.guests import Guest
from ..table import requests
from ..wire import (
    Act,
    Block,
    Commit,
    Describe,
    Described,
    Done,
    FromClient,
    Ping,
    Pong,
    Ready,
    Refused,
    Remove,
    Report,
    Return,
    Reveal,
    Say,
    SetBot,
    Sit,
    Stand,
)
from .limits import Bucket, counted

if TYPE_CHECKING:
    from ..hall import Hall
    from ..lobby import Notice
    from ..table.table import Table

FAULT, OTHER_SITE, UNKNOWN, SILENT, SLOW, FULL = 1011, 4403, 4404, 4408, 4429, 4503
PATIENCE = 200  # bad messages before a socket is closed
# carries out a request; returns the answer if it is not `done`
Handle = Callable[[Any], Awaitable[Described | None]]
READER: TypeAdapter[Any] = TypeAdapter(FromClient)
PING = Ping().model_dump_json()


class Phase(Enum):
    """The phases of a socket's life."""

    OPEN = 1
    CLOSING = 2
    CLOSED = 3


class Socket:
    """One connection. `send` never waits; `serve` runs until the connection ends."""

    def __init__(self, hall: Hall, socket: WebSocket, guest: Guest, packs: bool = False) -> None:
        self.hall = hall
        self.guest = guest
        self.packs = packs  # the client unpacks notices
        self.phase = Phase.OPEN
        self.address = counted(socket.client.host) if socket.client else ""
        self._socket = socket
        self._out: asyncio.Queue[str | bytes] = asyncio.Queue(hall.settings.queue)
        self._bucket = Bucket(hall.settings.rate, hall.settings.burst)
        self._ended = asyncio.Event()
        self._bad = 0
        self._heard = time.monotonic()
        self._code = 1000

    def send(self, text: str) -> None:
        """Queue a message; a client whose queue is full is disconnected."""
        self._queue(text)

    def notify(self, notice: Notice) -> None:
        """Queue a notice, packed if the client asked for that and it is worth it."""
        packed = notice.packed if self.packs else None
        self._queue(notice.text if packed is None else packed)

    def _queue(self, message: str | bytes) -> None:
        if self.phase is not Phase.OPEN:
            return
        try:
            self._out.put_nowait(message)
        except asyncio.QueueFull:
            self.hall.metrics.slow += 1
            self.close(SLOW)

    def close(self, code: int) -> None:
        """Close the connection, whatever it is doing."""
        if self.phase is Phase.OPEN:
            self.phase = Phase.CLOSING
            self._code = code
            self._ended.set()  # regardless of what the client has not read

    async def serve(self, handle: Handle | None = None) -> None:
        """Read, write and send heartbeats until one of them ends. `handle` receives checked messages."""
        work = (self._read(handle), self._write(), self._beat(), self._ended.wait())
        jobs: list[asyncio.Task[Any]] = [asyncio.create_task(job) for job in work]
        try:
            await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.phase = Phase.CLOSED
            for job in jobs:
                job.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)
            if self._socket.client_state is WebSocketState.CONNECTED:
                with suppress(Exception):
                    async with asyncio.timeout(2):
                        await self._socket.close(self._code)

    async def _write(self) -> None:
        while True:
            message = await self._out.get()
            if isinstance(message, str):
                await self._socket.send_text(message)
            else:
                await self._socket.send_bytes(message)
            self.hall.metrics.messages_out += 1

    async def _beat(self) -> None:
        settings = self.hall.settings
        missed = 0
        while True:
            await asyncio.sleep(settings.ping)
            sent = time.monotonic()
            self.send(PING)
            await asyncio.sleep(settings.pong)
            missed = 0 if self._heard >= sent else missed + 1
            if missed >= 2:
                self.close(SILENT)
                return

    async def _read(self, handle: Handle | None) -> None:
        with suppress(WebSocketDisconnect):
            while True:
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                self._heard = time.monotonic()
                self.hall.metrics.messages_in += 1
                text = message.get("text")
                if not self._bucket.take() or not self.hall.may_send(self.address):
                    self.refuse(_ref(text), TooFast("too many messages"))
                elif text is None or len(text) > self.hall.settings.message:
                    self.refuse(0, TooLarge("a message must be text of a few kilobytes"))
                else:
                    await self._take(text, handle)
                if self._bad > PATIENCE:
                    self.close(SLOW)
                    return

    async def _take(self, text: str, handle: Handle | None) -> None:
        try:
            message = READER.validate_json(text)
        except (ValidationError, ValueError, RecursionError):
            self.refuse(_ref(text), BadMessage("unknown kind of message"))
            return
        if isinstance(message, Pong):
            return
        if handle is None:
            self.refuse(message.ref, BadMessage("the lobby accepts no requests"))
            return
        try:
            if isinstance(message, Say):
                self.hall.check_talk(self.guest, self.address)
            elif isinstance(message, Block | Report):
                self.hall.check_report(self.guest, self.address)
            answer = await handle(message)
        except QipaiError as error:
            self.refuse(message.ref, error)
        except Exception as error:
            self.hall.metrics.errors += 1
            log("socket/fault", logging.ERROR, error, request=message.type)
            self.refuse(message.ref, BadMessage("internal error"))
        else:
            self.send((answer or Done(ref=message.ref)).model_dump_json())

    def refuse(self, ref: int, error: QipaiError) -> None:
        """Send a refusal with its code."""
        self._bad += isinstance(error, BadMessage | TooFast | TooLarge)
        self.hall.metrics.refuse(error.code)
        self.send(Refused(ref=ref, code=error.code, message=str(error)).model_dump_json())


def _ref(text: str | None) -> int:
    """Return the reference number of a bad message, if it has one, so that its sender can identify it."""
    try:
        found = json.loads(text or "").get("ref")
    except (ValueError, AttributeError, RecursionError):
        return 0
    return found if type(found) is int and abs(found) < 1 << 53 else 0


async def serve_lobby(hall: Hall, web: WebSocket, guest: Guest, packs: bool) -> None:
    """Serve /ws/lobby: send the lobby now, and what changes as it changes."""
    socket = Socket(hall, web, guest, packs)
    socket.notify(hall.whole_lobby())
    hall.lobby.add(socket)
    hall.stir()
    try:
        await socket.serve()
    finally:
        hall.lobby.discard(socket)


async def serve_table(
    hall: Hall, web: WebSocket, guest: Guest, table: Table, told: tuple[int, int] | None
) -> None:
    """Serve /ws/table/<id>: send the table and the hand as the guest may know them, then handle requests."""
    socket = Socket(hall, web, guest)
    seat = table.viewer(guest)
    if seat == WATCHER and table.watchers >= hall.settings.watchers:
        await web.close(FULL)
        return
    table.join(socket, told)
    if seat != WATCHER and table.seating.seats[seat].away and not table.seating.seats[seat].left:
        with suppress(QipaiError):  # a person who reconnects takes their seat back
            await requests.take_back(table, guest)

    async def handle(message: Any) -> Described | None:
        started = time.monotonic()
        answer = await carry_out(table, guest, message)
        if isinstance(message, Act):
            hall.metrics.acted(time.monotonic() - started)
        return answer

    try:
        await socket.serve(handle)
    finally:
        table.part(socket)


async def carry_out(table: Table, guest: Guest, message: Any) -> Described | None:
    """Carry out one checked message; return the answer if it requests information."""
    match message:
        case Describe():
            return requests.describe(table, guest, message)
        case Act():
            await requests.act(table, guest, message)
        case Commit():
            await requests.commit(table, guest, message)
        case Reveal():
            await requests.reveal(table, guest, message)
        case Sit():
            await requests.sit(table, guest, message.seat)
        case Stand():
            await requests.stand(table, guest)
        case Return():
            await requests.take_back(table, guest)
        case Ready():
            await requests.ready(table, guest, message.ready)
        case SetBot():
            await requests.set_bot(table, guest, message.seat, message.agent)
        case Remove():
            await requests.remove(table, guest, message.seat)
        case Say():
            await requests.say(table, guest, message.text)
        case Block():
            await requests.block(table, guest, message.line)
        case Report():
            await requests.report(table, guest, message.line, message.reason)
    return None
