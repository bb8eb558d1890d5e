"""Addresses of /api: shapes, refusals, cookies, internal errors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from qipai.core import names
from qipai.server import replay as replays
from qipai.server.http.headers import SECURITY
from qipai.server.refusals import BadDatabase
from qipai.server.store.guests import COOKIE, HOST_COOKIE
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


def test_a_newcomer_is_given_a_secret_that_pages_cannot_read(http: httpx.Client) -> None:
    with httpx.Client(base_url=http.base_url) as fresh:
        answer = fresh.get("/api/me")
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=lax" in cookie and "Path=/" in cookie
        again = fresh.get("/api/me")
        assert again.json() == answer.json() and "set-cookie" not in again.headers
        assert fresh.cookies["qipai_guest"] not in answer.text
        renamed = fresh.post("/api/me", json={"name": "  小  明\u200b "})
        assert renamed.json()["name"] == "小 明"
        assert fresh.get("/api/me").json()["name"] == "小 明"
        for name in ("\u3164", "\u2800 \u2800", "\u0301", "\u200b"):  # nobody would see it
            assert fresh.post("/api/me", json={"name": name}).json()["code"] == "message/bad"


def test_with_https_the_cookie_belongs_to_this_host_alone(tmp_path: Path) -> None:
    with live(tmp_path, proxies=("127.0.0.1",)) as server, httpx.Client(base_url=server.address) as old:
        secure = {"x-forwarded-proto": "https"}
        who = old.get("/api/me").json()["id"]
        token = old.cookies[COOKIE]
        answer = httpx.get(f"{server.address}/api/me", headers={**secure, "cookie": f"{COOKIE}={token}"})
        assert answer.json()["id"] == who  # a cookie of an earlier version goes on under the new name
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith(f"{HOST_COOKIE}={token};") and "Secure" in cookie and "Path=/" in cookie
        assert "Domain" not in cookie
        held = {**secure, "cookie": f"{HOST_COOKIE}={token}"}
        again = httpx.get(f"{server.address}/api/me", headers=held)
        assert again.json()["id"] == who and "set-cookie" not in again.headers


def test_refusals_have_one_shape(http: httpx.Client) -> None:
    cases = {
        ("GET", "/api/nothing"): 404,
        ("GET", "/api/tables/nosuchtabl"): 404,
        ("GET", "/api/tables/..%2f..%2f"): 404,
        ("GET", "/api/tables/nosuchtabl/record/0"): 404,
        ("GET", "/api/tables/nosuchtabl/replay/0?count=9999"): 422,
        ("GET", "/api/lessons/chess"): 404,
        ("GET", "/api/lessons/..%2fx"): 404,
        ("GET", "/api/rules/chess"): 400,
        ("GET", "/api/rules/nana?lang=xx"): 422,
        ("GET", "/assets/../app.py"): 404,
        ("GET", "/assets/%2e%2e/app.py"): 404,
        ("GET", "/assets/" + "a/" * 3000): 404,
        ("GET", "/" + "a" * 5000): 404,
        ("GET", "/%00"): 404,
        ("GET", "/api/tables/%00/record/0"): 404,
        ("DELETE", "/api/games"): 405,
    }
    for (method, path), status in cases.items():
        answer = http.request(method, path)
        assert answer.status_code == status, (path, answer.text)
        assert set(answer.json()) == {"code", "message"}
        assert "Traceback" not in answer.text
    bodies: list[object] = [
        {},
        {"game": "chess"},
        {"game": "nana", "seats": 99},
        {"game": "nana", "options": {"mode": "x"}},
        {"game": "nana", "more": 1},
        {"game": "nana", "bots": ["nobody"]},
        {"game": "nana", "bots": ["random"] * 9},
        {"game": "nana", "claim": 1e9},
        [],
        "x",
    ]
    for body in bodies:
        answer = http.post("/api/tables", json=body)
        assert answer.status_code in (400, 409, 422), (body, answer.text)
        assert set(answer.json()) == {"code", "message"}
    for raw in (b"[" * 60_000, b'{"game":"nana","seats":' + b"9" * 5000 + b"}", b"\xff\xfe", b""):
        answer = http.post("/api/tables", content=raw, headers={"content-type": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (422, "message/bad"), raw[:20]
    large = http.post("/api/tables", content=b" " * 100_000, headers={"content-type": "application/json"})
    assert (large.status_code, large.json()["code"]) == (413, "message/size")


def test_a_fault_of_the_server_is_answered_like_a_refusal_and_logged_without_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a secret")

    with live(tmp_path) as server, server.person() as person:
        monkeypatch.setattr(replays, "history", fail)
        answer = person.http.get("/api/history")
        assert (answer.status_code, answer.json()["code"]) == (500, "server/fault")
        assert {name: answer.headers.get(name) for name in SECURITY} == SECURITY
        assert server.hall.metrics.errors == 1
    assert "a secret" not in "".join(capfd.readouterr())


def test_a_socket_that_fails_at_the_door_is_not_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise BadDatabase("the database is away")

    with live(tmp_path) as server:
        monkeypatch.setattr(server.hall.guests, "find", fail)
        visit = Visit(server.port, None, "/ws/lobby")
        with pytest.raises(ConnectionClosed) as closed:
            visit.read()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1011
        visit.close()
        assert server.hall.sockets == 0


@pytest.mark.parametrize("lang", ["zh", "en", "ja"])
def test_the_rules_can_be_read(http: httpx.Client, lang: str) -> None:
    for game in names():
        answer = http.get(f"/api/rules/{game}?lang={lang}")
        assert answer.status_code == 200 and answer.text.startswith("#")
        assert answer.headers["content-type"].startswith("text/markdown")
        assert "qipai play" not in answer.text  # a browser has no shell
