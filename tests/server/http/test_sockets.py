"""One connection: its limits, its queue and its close codes."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from qipai.server.http.sockets import Phase
from qipai.server.store.guests import COOKIE, Guest
from tests.server.live import Live, Visit, live, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(tmp_path_factory.mktemp("server"), tables_per_minute=30, rate=20.0, burst=40) as found:
        until(lambda: found.hall.catalog.ready("nana"))
        yield found


def test_an_unknown_table_closes_the_socket_by_its_code(server: Live) -> None:
    for path in ("/ws/table/nosuchtabl", "/ws/table/%2e%2e"):
        visit = Visit(server.port, None, path)
        with pytest.raises(ConnectionClosed) as closed:
            visit.read()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404
        visit.close()


@pytest.mark.usefixtures("no_refill")
def test_too_many_and_too_large_messages_are_refused(server: Live) -> None:
    person = server.person()
    table = person.open("nana", seats=2)
    with person.at(table) as visit:
        visit.socket.send(json.dumps({"type": "say", "text": "x" * 9000}))
        assert visit.wait(lambda m: m["type"] == "refused")["code"] == "message/size"
        visit.socket.send(b"\x00\x01")
        assert visit.wait(lambda m: m["type"] == "refused")["code"] == "message/size"
        for _ in range(80):
            visit.send(type="return")
        assert visit.wait(lambda m: m.get("code") == "message/rate")
    with person.at(table) as visit:
        visit.socket.send("x" * 20_000)
        with pytest.raises(ConnectionClosed):
            while True:
                visit.read()


@pytest.mark.usefixtures("no_refill")
def test_the_sockets_of_an_address_share_a_limit_whoever_opens_them(tmp_path: Path) -> None:
    """Each socket stays below its own limit; neither a new socket nor a new cookie begins again."""
    with live(tmp_path, proxies=("127.0.0.1",), messages_per_address=1.0) as server:
        table = server.person().open("nana", seats=2)

        def visit(address: str) -> Visit:
            guest = server.person().http.cookies[COOKIE]
            return Visit(server.port, guest, f"/ws/table/{table}", **{"X-Forwarded-For": address})

        codes = []
        for _ in range(3):
            with visit("203.0.113.1") as one:
                codes += [one.ask(type="return")["code"] for _ in range(3)]
                one.socket.send("x" * 9000)
                codes.append(one.wait(lambda m: m["type"] == "refused" and not m["ref"])["code"])
        assert codes[:4] == ["seat/none"] * 3 + ["message/size"]
        assert codes[4:] == ["message/rate"] * 8
        with visit("203.0.113.2") as other:
            assert other.ask(type="return")["code"] == "seat/none"


def test_a_client_that_does_not_read_is_closed_and_comes_back(tmp_path: Path) -> None:
    """Its queue is bounded; the server continues for the others."""
    with live(tmp_path, queue=20) as server:
        ann, eve = server.person(), server.person()
        table = ann.open("nana", seats=2)
        with ann.at(table) as visit:
            deaf = eve.at(table)
            deaf.socket.recv_bufsize = 1
            until(lambda: len(server.hall.tables[table].presence.sockets) == 2)
            inside = next(s for s in server.hall.tables[table].presence.sockets if s.guest.id == eve.id)

            def flood() -> None:  # in one breath: nothing is written meanwhile
                for _ in range(30):
                    inside.send("x" * 1000)

            server.hall.loop.call_soon_threadsafe(flood)
            until(lambda: len(server.hall.tables[table].presence.sockets) == 1)
            assert inside.phase is not Phase.OPEN and server.hall.metrics.slow == 1
            assert visit.ask(type="say", text="hi")["type"] == "done"
            deaf.close()


def test_sockets_that_come_at_once_do_not_pass_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them were checked before the first one was counted, which happened after a query."""
    with live(tmp_path, sockets_per_address=2) as server, ExitStack() as stack:
        known, find = threading.Event(), server.hall.guests.find

        async def slow(token: str | None) -> Guest | None:
            await asyncio.to_thread(known.wait, 60)
            return await find(token)

        monkeypatch.setattr(server.hall.guests, "find", slow)
        visits = [stack.enter_context(Visit(server.port, None, "/ws/lobby")) for _ in range(5)]
        known.set()
        codes = []
        for visit in visits:
            try:
                codes.append(visit.read()["type"])
            except ConnectionClosed as closed:
                codes.append(closed.rcvd and closed.rcvd.code)
        assert codes == ["lobby"] * 2 + [4503] * 3


def test_one_address_cannot_take_all_sockets(tmp_path: Path) -> None:
    with live(tmp_path, sockets_per_address=2) as server:
        ann = server.person()
        table = ann.open("nana", seats=2)
        first, second = ann.at(table), ann.at(table)
        first.read(), second.read()
        late = ann.at(table)
        with pytest.raises(ConnectionClosed) as closed:
            late.read()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4503
        first.close()
        until(lambda: sum(server.hall.addresses.values()) == 1)
        again = ann.at(table)
        assert again.read()
        for visit in (again, second, late):
            visit.close()
        until(lambda: not server.hall.addresses)
