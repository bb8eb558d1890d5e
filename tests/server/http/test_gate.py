"""Floods of frames, requests that never end and too many connections close their own connection only."""

from __future__ import annotations

import os
import random
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from qipai.server.http.gate import FrameCounter, Gate, files, networks, within
from qipai.server.refusals import BadServer
from qipai.server.settings import Settings
from tests.server.live import Live, Visit, live, until

LIMITS = {"frames": 100.0, "frames_burst": 400, "socket_bytes": 200_000.0, "socket_bytes_burst": 1_000_000}
CLOSED = b"\x88\x02" + (4429).to_bytes(2, "big")
EMPTY = {"first": b"\x01\x80abcd", "more": b"\x00\x80abcd", "ping": b"\x89\x80abcd", "pong": b"\x8a\x80abcd"}


@contextmanager
def raw(server: Live, text: str = "") -> Iterator[socket.socket]:
    """Yield a TCP connection that has sent `text`."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as found:
        found.sendall(text.encode())
        yield found


def upgrade(cookie: str = "x", address: str = "") -> str:
    return (
        "GET /ws/lobby HTTP/1.1\r\nHost: qipai\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        f"Cookie: {cookie}\r\n" + (f"X-Forwarded-For: {address}\r\n" if address else "") + "\r\n"
    )


def more(connection: socket.socket) -> bytes:
    """Return what arrives next; the connection must not have ended."""
    found = connection.recv(65536)
    assert found, "closed"
    return found


def rest(connection: socket.socket) -> bytes:
    """Return what arrives until the connection is closed."""
    found = b""
    try:
        while more := connection.recv(65536):
            found += more
    except ConnectionResetError:
        pass
    return found


def frame(payload: int) -> bytes:
    head = bytes([0x82, 0x80 | min(payload, 126)] if payload < 126 else [0x82, 0xFE])
    return head + (payload.to_bytes(2, "big") if payload >= 126 else b"") + b"abcd" + b"x" * payload


@pytest.mark.parametrize("kind", ["more", "ping", "pong"])
def test_a_flood_of_empty_frames_closes_its_socket(tmp_path: Path, kind: str) -> None:
    """They are no messages, so that no limit on messages counts them."""
    with live(tmp_path, **LIMITS) as server, raw(server, upgrade()) as flood:
        until(lambda: server.hall.lobby)
        flood.recv(65536)
        flood.sendall(EMPTY["first"])
        for _ in range(4):
            flood.sendall(EMPTY[kind] * 90)
        assert server.hall.gate.flooded == 0  # a burst is allowed
        with suppress(ConnectionError):
            flood.sendall(EMPTY[kind] * 2000)
        assert until(lambda: server.hall.gate.flooded) == 1
        until(lambda: not server.hall.sockets)
        rest(flood)
        assert server.hall.gate.count == 0
        assert httpx.get(f"{server.address}/api/games").status_code == 200


@pytest.mark.usefixtures("no_refill")
def test_a_socket_may_not_send_megabytes(tmp_path: Path) -> None:
    with (
        live(tmp_path, **{**LIMITS, "socket_bytes_burst": 50_000}) as server,
        raw(server, upgrade()) as flood,
    ):
        until(lambda: server.hall.lobby)
        flood.sendall(frame(8000) * 9)
        assert until(lambda: server.hall.gate.flooded) == 1
        assert CLOSED in rest(flood)


@pytest.mark.usefixtures("no_refill")
def test_the_sockets_of_an_address_share_a_limit(tmp_path: Path) -> None:
    limits = {**LIMITS, "frames_per_address": 100.0}
    with (
        live(tmp_path, **limits) as server,
        raw(server, upgrade()) as one,
        raw(server, upgrade()) as other,
    ):
        until(lambda: len(server.hall.lobby) == 2)
        one.sendall(EMPTY["ping"] * 300)
        other.sendall(EMPTY["ping"] * 300)
        assert until(lambda: server.hall.gate.flooded) == 1


@pytest.mark.usefixtures("no_refill")
@pytest.mark.parametrize(("proxies", "closed"), [(("127.0.0.1",), [1]), ((), [1, 2])])
def test_frames_through_a_known_proxy_count_on_the_address_that_it_names(
    tmp_path: Path, proxies: tuple[str, ...], closed: list[int]
) -> None:
    """One client behind a proxy must not use up what the others may send, nor be without a limit."""
    limits = {**LIMITS, "frames_per_address": 100.0}
    with live(tmp_path, proxies=proxies, **limits) as server, ExitStack() as stack:
        places = ("203.0.113.1", "203.0.113.1", "203.0.113.2")
        for number, place in enumerate(places):
            flood = stack.enter_context(raw(server, upgrade(address=place)))
            heard = b""
            while b'"type":"lobby' not in heard:
                heard += more(flood)
            flood.sendall(EMPTY["ping"] * 300)
            heard = b""
            # News of the lobby may come between pongs.
            while heard.count(b"\x8a\x00") < 300 and CLOSED not in heard:
                heard += more(flood)
            assert (CLOSED in heard) == (number in closed), number
        assert server.hall.gate.flooded == len(closed)


def test_frames_are_counted_however_they_are_cut() -> None:
    rng = random.Random(4)
    sizes = [rng.choice((0, 0, 1, 125, 126, 127, 300, 65535)) for _ in range(60)]
    stream = b"".join(frame(size) for size in sizes) + b"\x82\xff" + (70000).to_bytes(8, "big") + bytes(70004)
    assert FrameCounter().count(stream, 10_000) == 61
    for _ in range(20):
        counter, at, found = FrameCounter(), 0, 0
        while at < len(stream):
            step = rng.choice((1, 2, 3, 7, 1000, 70000))
            found += counter.count(stream[at : at + step], 10_000)
            at += step
        assert found == 61
    assert FrameCounter().count(b"\x89\x80abcd" * 5000, 400) == 401  # no more than needed is counted


def test_a_request_must_arrive_in_time(tmp_path: Path) -> None:
    """Neither a head nor a body may be sent byte by byte, and a connection may not stay silent."""
    body = "POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
    with live(tmp_path, request_time=0.4) as server:
        for text in ("", "GET / HTTP/1.1\r\nHost:", body):
            with raw(server, text) as slow:
                answer = rest(slow)
                assert answer.startswith(b"HTTP/1.1 408"), text
        until(lambda: server.hall.gate.count == 0)
        assert server.hall.metrics.errors == 0
        with httpx.Client(base_url=server.address) as client:  # a connection that is kept may rest
            for _ in range(3):
                assert client.get("/api/games").status_code == 200


def test_idle_connections_make_room_for_others(tmp_path: Path) -> None:
    with live(tmp_path, connections=20) as server:
        server.hall.gate.most = 20
        idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(60)]
        until(lambda: server.hall.gate.evicted >= 40)
        assert server.hall.gate.count <= 20
        assert httpx.get(f"{server.address}/api/games").status_code == 200
        for one in idle:
            one.close()
        until(lambda: server.hall.gate.count == 0)
        assert not server.hall.gate.addresses and not server.hall.gate._waiting


def test_idle_connections_do_not_push_out_sockets(tmp_path: Path) -> None:
    with live(tmp_path, connections_per_address=5) as server, raw(server, upgrade()) as player:
        until(lambda: server.hall.lobby)
        idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
        until(lambda: server.hall.gate.evicted >= 16)
        assert server.hall.sockets == 1 and server.hall.gate.addresses["127.0.0.1"] == 5
        assert player.recv(1)
        for one in idle:
            one.close()


def test_an_address_connects_at_a_bounded_rate(tmp_path: Path) -> None:
    with live(tmp_path, connects=0.001, connects_burst=10) as server:
        for _ in range(10):
            assert httpx.get(f"{server.address}/api/games").status_code == 200
        with pytest.raises(httpx.HTTPError):
            httpx.get(f"{server.address}/api/games")


def test_a_long_cookie_is_answered(tmp_path: Path) -> None:
    with live(tmp_path) as server, raw(server, upgrade("a=" + "x" * 9000)) as client:
        assert rest(client).startswith(b"HTTP/1.1 431")
        until(lambda: server.hall.gate.count == 0)


@pytest.mark.skipif(os.name != "posix", reason="needs a limit on open files")
def test_open_files_bound_the_connections(tmp_path: Path) -> None:
    with live(tmp_path, connections=10**9) as server:
        assert server.hall.gate.most <= 1 << 20


def test_proxies_are_addresses_or_networks() -> None:
    known = networks(["10.0.0.0/8", "::1"])
    assert within("10.2.3.4", known) and within("::1", known)
    assert not within("11.0.0.1", known) and not within("", known)
    assert within("::ffff:10.2.3.4", known) and not within("::2", known)
    with pytest.raises(BadServer):
        networks(["nginx"])


@pytest.mark.parametrize(("proxies", "seen"), [((), "127.0.0.1"), (("127.0.0.0/8",), "203.0.113.9")])
def test_only_known_proxies_name_the_address(tmp_path: Path, proxies: tuple[str, ...], seen: str) -> None:
    with live(tmp_path, proxies=proxies) as server:
        visit = Visit(server.port, None, "/ws/lobby", **{"X-Forwarded-For": "203.0.113.9"})
        assert visit.read()["type"] == "lobby"
        assert dict(server.hall.addresses) == {seen: 1}
        visit.close()


def test_the_addresses_of_a_site_share_its_connections() -> None:
    """One /64 has 2^64 addresses; a proxy within it is not counted with the others."""

    gate = Gate(Settings(connections_per_address=2, proxies=("2001:db8::9",)))
    ended: list[str] = []

    class Idle:
        def __init__(self, address: str) -> None:
            self.name, self.address = address, gate.counted(address)
            assert gate.enter(self, self.address)

        def end(self) -> None:
            ended.append(self.name)
            gate.leave(self, self.address)

    for number in range(1, 5):
        Idle(f"2001:db8::{number}")
    assert ended == ["2001:db8::1", "2001:db8::2"]
    Idle("2001:db8:0:1::1")
    Idle("2001:db8::9")
    assert dict(gate.addresses) == {"2001:db8::/64": 2, "2001:db8:0:1::/64": 1, "2001:db8::9": 1}
    assert len(ended) == 2


@pytest.mark.skipif(os.name != "posix", reason="needs a limit on open files")
@pytest.mark.parametrize(
    ("limits", "most"), [((1024, 1024), 1024), ((1024, 4096), 4096), ((1024, -1), 65536), ((-1, -1), 1 << 20)]
)
def test_the_limit_on_open_files_is_raised_as_far_as_it_goes(
    monkeypatch: pytest.MonkeyPatch, limits: tuple[int, int], most: int
) -> None:
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr("resource.getrlimit", lambda _: limits)
    monkeypatch.setattr("resource.RLIM_INFINITY", -1)
    monkeypatch.setattr("resource.setrlimit", lambda _, wanted: asked.append(wanted))
    assert files() == most
    assert all(wanted == (most, limits[1]) for wanted in asked)  # the hard limit stays
