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
from qipai.server.store.guests import COOKIE, DAY, HOST_COOKIE
from tests.server.live import WAIT, Live, Visit, live, until


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


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"cap": 301}, "cap: 301 is not one of 300, 500, 800"),
        ({"cap": -5}, "cap: -5 is not a whole number from"),
        ({"cap": "much"}, "cap: 'much' is not a whole number from"),
    ],
)
def test_a_wrong_number_of_an_option_is_answered_with_the_reason(
    options: dict[str, object], reason: str, http: httpx.Client
) -> None:
    answer = http.post("/api/tables", json={"game": "wuhan_mahjong", "options": options})
    assert answer.status_code == 400 and answer.json()["code"] == "option/bad"
    assert reason in answer.json()["message"]


def test_with_https_the_cookie_belongs_to_this_host_alone(tmp_path: Path) -> None:
    with live(tmp_path, proxies=("127.0.0.1",)) as server, httpx.Client(base_url=server.address) as plain:
        secure = {"x-forwarded-proto": "https"}
        other = plain.get("/api/me").json()["id"]
        planted = {**secure, "cookie": f"{COOKIE}={plain.cookies[COOKIE]}"}  # another host could have set it
        answer = httpx.get(f"{server.address}/api/me", headers=planted)
        who = answer.json()["id"]
        assert who != other
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith(f"{HOST_COOKIE}=") and "Secure" in cookie and "Path=/" in cookie
        assert "Domain" not in cookie
        held = {**secure, "cookie": cookie.partition(";")[0]}
        again = httpx.get(f"{server.address}/api/me", headers=held)
        assert again.json()["id"] == who and "set-cookie" not in again.headers


def test_who_signs_out_is_forgotten(tmp_path: Path) -> None:
    with live(tmp_path) as server, server.person("Ann") as ann:
        token = ann.http.cookies[COOKIE]
        with ann.at(ann.open("nana", seats=2)) as visit, Visit(server.port, token, "/ws/lobby") as lobby:
            visit.wait(lambda m: m["type"] == "table")
            lobby.read()
            other = {"origin": "https://elsewhere.example"}
            assert ann.http.post("/api/logout", headers=other).json()["code"] == "origin/other"
            answer = ann.http.post("/api/logout")
            assert answer.status_code == 200 and COOKIE not in ann.http.cookies
            for one in (visit, lobby):
                with pytest.raises(ConnectionClosed) as closed:
                    one.drain(WAIT)
                assert closed.value.rcvd is not None and closed.value.rcvd.code == 4401
        stolen = httpx.get(f"{server.address}/api/me", headers={"cookie": f"{COOKIE}={token}"})
        assert stolen.json()["id"] != ann.id  # the old token makes nobody Ann
        assert httpx.post(f"{server.address}/api/logout").status_code == 200  # nobody signs out


def test_a_renewed_cookie_signs_out_every_copy(tmp_path: Path) -> None:
    with live(tmp_path) as server, server.person("Ann") as ann:
        token = ann.http.cookies[COOKIE]
        with Visit(server.port, token, "/ws/lobby") as thief:
            thief.read()
            assert ann.http.post("/api/renew").json() == {"id": ann.id, "name": "Ann"}
            assert ann.http.cookies[COOKIE] != token
            with pytest.raises(ConnectionClosed) as closed:
                thief.drain(WAIT)
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012
        assert ann.http.get("/api/me").json() == {"id": ann.id, "name": "Ann"}
        copy = httpx.get(f"{server.address}/api/me", headers={"cookie": f"{COOKIE}={token}"})
        assert copy.json()["id"] != ann.id


def test_the_cookie_of_a_guest_who_comes_back_is_renewed_for_a_year(tmp_path: Path) -> None:
    with live(tmp_path) as server, server.person("Ann") as ann:
        assert "set-cookie" not in ann.http.get("/api/me").headers
        (guest,) = server.hall.guests.known(ann.id)
        guest.seen -= 2 * DAY
        cookie = ann.http.get("/api/me").headers["set-cookie"]
        assert f"{COOKIE}={ann.http.cookies[COOKIE]}" in cookie and "Max-Age=31536000" in cookie
        assert "set-cookie" not in ann.http.get("/api/me").headers


def test_refusals_have_one_shape(http: httpx.Client) -> None:
    cases = {
        ("GET", "/api/nothing"): 404,
        ("GET", "/api/tables/nosuchtabl"): 404,
        ("GET", "/api/tables/..%2f..%2f"): 404,
        ("GET", "/api/tables/nosuchtabl/record/0"): 404,
        ("GET", "/api/tables/nosuchtabl/replay/0?count=9999"): 422,
        ("GET", "/api/history?before=x"): 422,
        ("GET", "/api/history?count=0"): 422,
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


@pytest.mark.usefixtures("no_refill")
def test_a_site_cannot_reset_its_limits_with_another_address(tmp_path: Path) -> None:
    """Every computer with IPv6 has 2^64 addresses of its own."""
    proxied = {"proxies": ("127.0.0.1",), "tables_per_address_minute": 2, "sockets_per_address": 1}
    with live(tmp_path, **proxied) as server, httpx.Client(base_url=server.address) as http:

        def open_from(address: str) -> int:
            http.cookies.clear()
            asked = {"json": {"game": "nana", "seats": 2}, "headers": {"X-Forwarded-For": address}}
            return http.post("/api/tables", **asked).status_code  # type: ignore[arg-type]

        assert [open_from(f"2001:db8::{n}") for n in range(1, 5)] == [200, 200, 429, 429]
        assert open_from("2001:db8:0:1::1") == 200
        with Visit(server.port, None, "/ws/lobby", **{"X-Forwarded-For": "2001:db8::1"}) as first:
            assert first.read()["type"] == "lobby"
            with Visit(server.port, None, "/ws/lobby", **{"X-Forwarded-For": "2001:db8::2"}) as second:
                with pytest.raises(ConnectionClosed) as closed:
                    second.read()
                assert closed.value.rcvd is not None and closed.value.rcvd.code == 4503


@pytest.mark.usefixtures("no_refill")
def test_an_address_cannot_reset_its_requests_with_another_cookie(tmp_path: Path) -> None:
    """Behind a proxy no connection is limited, and every request may bring another cookie or none."""
    with live(tmp_path, proxies=("127.0.0.1",), requests_per_address=0.1) as server:

        def ask(path: str, address: str, token: str = "") -> httpx.Response:
            sent = {"X-Forwarded-For": address, **({"cookie": f"{COOKIE}={token}"} if token else {})}
            return httpx.get(f"{server.address}{path}", headers=sent)

        known = ask("/api/me", "203.0.113.1").cookies[COOKIE]
        assert ask("/api/games", "203.0.113.1", known).status_code == 200  # twenty times 0.1 at once
        for path, token in (("/api/me", ""), ("/api/me", "x" * 43), ("/api/games", known), ("/", known)):
            refused = ask(path, "203.0.113.1", token)
            assert (refused.status_code, refused.json()["code"]) == (429, "message/rate")
            assert "set-cookie" not in refused.headers
        assert {name: refused.headers.get(name) for name in SECURITY} == SECURITY
        assert ask("/livez", "203.0.113.1").status_code == 200  # a monitor must not restart the server
        headers = {"X-Forwarded-For": "203.0.113.1"}
        with (
            Visit(server.port, None, "/ws/lobby", **headers) as late,
            pytest.raises(ConnectionClosed) as closed,
        ):
            late.read()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4429
        assert ask("/api/games", "203.0.113.2", known).status_code == 200  # the guest moves to another place
        assert server.hall.metrics.refused["message/rate"] == 4 and server.hall.sockets == 0
