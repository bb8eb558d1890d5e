"""Pages and /api: shapes, refusals, headers, limits."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

import wire_types
from qipai.core import QipaiError, names
from qipai.server import hall as hall_module
from qipai.server import replay as replays
from qipai.server import wire
from qipai.server.hall import Hall
from qipai.server.http import pages
from qipai.server.http.headers import SECURITY
from qipai.server.http.sockets import Phase
from qipai.server.refusals import BadDatabase, all_refusals
from qipai.server.store import store as store_module
from qipai.server.table.table import Table
from qipai.server.wire import GameInfo, History
from tests.server.live import Live, Visit, live, until

ROOT = Path(__file__).parents[2]


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


def test_every_answer_carries_the_security_headers(http: httpx.Client) -> None:
    for path in ("/", "/api/games", "/api/nothing", "/healthz", "/metrics", "/api/openapi.json", "/table/x"):
        headers = http.get(path).headers
        assert {name: headers.get(name) for name in SECURITY} == SECURITY, path
    assert "unsafe" not in SECURITY["content-security-policy"]


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


def test_an_unknown_table_closes_the_socket_by_its_code(server: Live) -> None:
    for path in ("/ws/table/nosuchtabl", "/ws/table/%2e%2e"):
        visit = Visit(server.port, None, path)
        with pytest.raises(ConnectionClosed) as closed:
            visit.read()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404
        visit.close()


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
        codes = {m.get("code") for m in visit.drain(1.0)}
        assert "message/rate" in codes
    with person.at(table) as visit:
        visit.socket.send("x" * 20_000)
        with pytest.raises(ConnectionClosed):
            while True:
                visit.read()


def test_chat_is_slowed_down(tmp_path: Path) -> None:
    with live(tmp_path, chat_rate=0.1, chat_burst=3) as server:
        person = server.person()
        with person.at(person.open("nana", seats=2)) as visit:
            answers = [visit.ask(type="say", text="hello") for _ in range(4)]
            assert [a.get("code") for a in answers] == [None, None, None, "message/rate"]
            assert visit.ask(type="say", text="\u200b\u0007")["code"] == "message/rate"


def test_chat_is_slowed_down_through_however_many_sockets(tmp_path: Path) -> None:
    with live(tmp_path, chat_rate=0.1, chat_burst=3) as server:
        person = server.person()
        table = person.open("nana", seats=2)
        with person.at(table) as one, person.at(table) as other:
            answers = [visit.ask(type="say", text="hello") for visit in (one, other, one, other)]
            assert [a.get("code") for a in answers] == [None, None, None, "message/rate"]


def test_a_crowd_of_watchers_is_slowed_down_and_those_who_sit_are_not(tmp_path: Path) -> None:
    with live(tmp_path, chat_rate=0.01, chat_burst=3) as server:
        person = server.person()
        table = person.open("nana", seats=2)
        codes = []
        for _ in range(8):  # each a guest of their own
            visit = Visit(server.port, None, f"/ws/table/{table}")
            codes.append(visit.ask(type="say", text="hello").get("code"))
            visit.close()
        assert codes == [None] * 6 + ["message/rate"] * 2
        with person.at(table) as visit:
            assert visit.ask(type="say", text="hello")["type"] == "done"


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


def test_the_tables_are_kept_note_of_after_the_database_was_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall_module, "SWEEP", 0.02)
    touched = []

    async def touch(hall: Hall, table: Table) -> None:
        touched.append(table.id)
        if len(touched) == 1:
            raise BadDatabase("the database is away")

    monkeypatch.setattr(Hall, "_touch", touch)
    with live(tmp_path) as server:
        person = server.person()
        with person.at(person.open("nana", seats=2)):
            until(lambda: len(touched) > 2, 10)


def test_replays_take_their_turn_and_no_table_waits_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "PATIENT", 6)
    gate = threading.Event()

    def slow(*_: object) -> History:
        gate.wait(30)
        return History(results=[], totals={})

    monkeypatch.setattr(replays, "history", slow)
    with live(tmp_path) as server, ThreadPoolExecutor(6) as pool:
        person = server.person()
        table = person.open("nana", seats=2)
        try:
            asked = [pool.submit(server.person().http.get, "/api/history") for _ in range(6)]
            until(lambda: server.hall.store._slowly == 6)
            answer = person.http.get("/api/history")
            assert (answer.status_code, answer.json()["code"]) == (429, "message/rate")
            with person.at(table) as visit:
                assert visit.wait(lambda m: m["type"] == "table", 10)["you"] == 0
            assert person.http.get("/healthz", timeout=10).status_code == 200
        finally:
            gate.set()
        assert [a.result().status_code for a in asked] == [200] * 6


def test_a_client_that_does_not_read_is_closed_and_comes_back(tmp_path: Path) -> None:
    """Its queue is bounded; the server goes on for the others."""
    with live(tmp_path, queue=20) as server:
        ann, eve = server.person(), server.person()
        table = ann.open("nana", seats=2)
        with ann.at(table) as visit:
            deaf = eve.at(table)
            deaf.socket.recv_bufsize = 1
            until(lambda: len(server.hall.tables[table].presence.sockets) == 2)
            inside = next(s for s in server.hall.tables[table].presence.sockets if s.guest.id == eve.id)
            for _ in range(30):
                inside.send("x" * 1000)  # in one breath: nothing is written meanwhile
            assert inside.phase is Phase.CLOSING and server.hall.metrics.slow == 1
            until(lambda: len(server.hall.tables[table].presence.sockets) == 1)
            assert visit.ask(type="say", text="hi")["type"] == "done"
            deaf.close()


def test_a_full_hall_puts_the_longest_left_table_to_sleep(tmp_path: Path) -> None:
    with live(tmp_path, tables=2) as server:
        ann = server.person()
        tables = [ann.open("nana", seats=2) for _ in range(3)]
        assert set(server.hall.tables) == set(tables[1:])
        assert ann.http.get(f"/api/tables/{tables[0]}").json()["id"] == tables[0]
        visits = [ann.at(t) for t in server.hall.tables]
        until(lambda: all(t.presence.sockets for t in server.hall.tables.values()))
        answer = ann.http.post("/api/tables", json={"game": "nana", "seats": 2})
        assert (answer.status_code, answer.json()["code"]) == (503, "hall/full")
        late = ann.at(next(t for t in tables if t not in server.hall.tables))
        with pytest.raises(ConnectionClosed) as closed:
            late.read()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4503
        for visit in (late, *visits):
            visit.close()


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


def test_tables_are_opened_at_a_bounded_rate(server: Live) -> None:
    person = server.person()
    answers = [person.http.post("/api/tables", json={"game": "nana", "seats": 2}) for _ in range(33)]
    assert [a.status_code for a in answers[:30]] == [200] * 30
    assert answers[-1].status_code == 429


def test_the_games_are_described_in_three_languages(http: httpx.Client) -> None:
    games = [GameInfo.model_validate_json(json.dumps(g)) for g in http.get("/api/games").json()]
    assert [g.name for g in games][:5] == ["xianqi", "nana", "wuhan_mahjong", "skill_gomoku", "paipai_rensa"]
    for game in games:
        for words in (game.title, *(o.about for o in game.options), *(a.about for a in game.agents)):
            assert set(words) == {"zh", "en", "ja"}
            assert all(words.values())
        answer = http.get(f"/api/lessons/{game.name}")
        assert game.lesson == (answer.status_code == 200)


@pytest.mark.parametrize("lang", ["zh", "en", "ja"])
def test_the_rules_can_be_read(http: httpx.Client, lang: str) -> None:
    for game in names():
        answer = http.get(f"/api/rules/{game}?lang={lang}")
        assert answer.status_code == 200 and answer.text.startswith("#")
        assert answer.headers["content-type"].startswith("text/markdown")
        assert "qipai play" not in answer.text  # a browser has no shell


def test_health_metrics_and_the_api_document(http: httpx.Client) -> None:
    assert http.get("/healthz").json() == {"status": "ok"}
    lines = http.get("/metrics").text.splitlines()
    assert any(line.startswith("qipai_actions_total ") for line in lines)
    assert all(line.startswith(("#", "qipai_")) for line in lines)
    document = http.get("/api/openapi.json").json()
    assert {"/api/tables", "/api/me", "/api/history", "/api/lessons/{game}"} <= set(document["paths"])
    for path, methods in document["paths"].items():
        for method in methods.values():
            assert method["responses"]["200"]["content"], path
            problem = method["responses"]["default"]["content"]["application/json"]["schema"]
            assert problem == {"$ref": "#/components/schemas/Problem"}, path
    assert http.get("/docs").status_code == 404


def test_metrics_are_for_the_servers_own_machine(http: httpx.Client) -> None:
    """Rows written and messages sent would tell other players that somebody is asked in a window."""
    answer = http.get("/metrics", headers={"x-forwarded-for": "203.0.113.9"})
    assert answer.status_code == 404 and "qipai_" not in answer.text


def test_every_address_of_the_page_answers_with_it(http: httpx.Client, server: Live) -> None:
    for path in ("/", "/play/nana", "/table/abc", "/replay/abc", "/rules/nana", "/history", "/learn/nana"):
        answer = http.get(path)
        if (pages.SITE / "index.html").exists():
            assert answer.status_code == 200 and "<html" in answer.text
        else:
            assert answer.status_code == 503 and "npm" in answer.text


def test_the_typescript_has_every_message() -> None:
    made = wire_types.typescript(wire)
    for model in wire_types.models(wire):
        assert f"export interface {model.__name__} {{" in made
    assert 'type: "act";' in made and "export type FromServer = " in made
    assert "seats: [number, number];" in made
    assert "unknown" in made and "undefined" not in made


def test_every_refusal_has_a_code_of_its_own_and_a_line_of_docs() -> None:
    codes = [error.code for error in all_refusals()]
    assert len(set(codes)) == len(codes)
    page = (ROOT / "docs" / "server.md").read_text()
    for error in all_refusals():
        assert issubclass(error, QipaiError) and error.__doc__
        assert f"`{error.code}`" in page, error.code
