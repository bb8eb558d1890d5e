"""Security headers, and requests of other sites."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.datastructures import Headers
from websockets.exceptions import ConnectionClosed

from qipai.server.http.headers import SECURITY, known_host
from tests.server.live import Live, Visit, live, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(tmp_path_factory.mktemp("server"), tables_per_minute=30, rate=20.0, burst=40) as found:
        until(lambda: found.hall.catalog.ready("nana"))
        yield found


@pytest.fixture(scope="module")
def http(server: Live) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address) as client:
        yield client


def test_every_answer_carries_the_security_headers(http: httpx.Client) -> None:
    for path in ("/", "/api/games", "/api/nothing", "/healthz", "/metrics", "/api/openapi.json", "/table/x"):
        headers = http.get(path).headers
        assert {name: headers.get(name) for name in SECURITY} == SECURITY, path
    assert "unsafe" not in SECURITY["content-security-policy"]


def test_other_sites_may_not_ask(server: Live, http: httpx.Client) -> None:
    answer = http.post("/api/tables", json={"game": "nana"}, headers={"origin": "http://evil.example"})
    assert (answer.status_code, answer.json()["code"]) == (403, "origin/other")
    assert http.post("/api/me", json={"name": "A"}, headers={"origin": server.address}).status_code == 200
    visit = Visit(server.port, None, "/ws/lobby", Origin="http://evil.example")
    with pytest.raises(ConnectionClosed) as closed:
        visit.read()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4403
    visit.close()
    Visit(server.port, None, "/ws/lobby", Origin=server.address).close()


def test_only_known_names_reach_the_server() -> None:
    """A page whose name points to this machine sends that name, also as its origin."""
    for host, known in {
        "localhost:8140": True,
        "127.0.0.1:8140": True,
        "[::1]:8140": True,
        "evil.example:8140": False,
        "localhost.evil.example": False,
        "": False,
        "[": False,
    }.items():
        assert known_host(Headers({"host": host}), ("localhost",)) is known, host
    assert known_host(Headers({"host": "any.example"}), ())


def test_requests_under_another_name_are_refused(tmp_path: Path) -> None:
    with live(tmp_path, hosts=("localhost",)) as server:
        evil = {"host": "evil.example", "origin": "http://evil.example"}
        answer = httpx.get(f"{server.address}/api/me", headers=evil)
        assert (answer.status_code, answer.json()["code"]) == (403, "origin/other")
        assert "set-cookie" not in answer.headers
        assert httpx.get(f"{server.address}/api/me").status_code == 200
