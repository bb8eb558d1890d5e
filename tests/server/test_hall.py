"""All tables of a worker: how many, how fast they open, and what the lobby lists."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy.exc import OperationalError
from websockets.exceptions import ConnectionClosed

from qipai.server import hall as hall_module
from qipai.server.hall import Hall
from qipai.server.refusals import BadDatabase
from qipai.server.store.guests import COOKIE
from qipai.server.table.table import Table
from tests.server.live import Live, Visit, live, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(tmp_path_factory.mktemp("server"), tables_per_minute=30, rate=20.0, burst=40) as found:
        until(lambda: found.hall.catalog.ready("nana"))
        yield found


def code(answer: dict[str, Any]) -> str:
    return str(answer.get("code", answer["type"]))


@pytest.mark.parametrize(
    "fault",
    [BadDatabase("the database is away"), OperationalError("", {}, Exception("locked")), MemoryError()],
    ids=lambda fault: type(fault).__name__,
)
def test_the_tables_are_kept_note_of_after_the_database_was_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    monkeypatch.setattr(hall_module, "SWEEP", 0.02)
    monkeypatch.setattr(hall_module, "RESTART", 60.0)  # the round goes on; the task need not start again
    touched = []

    async def touch(hall: Hall, table: Table) -> None:
        touched.append(table.id)
        if len(touched) == 1:
            raise fault

    monkeypatch.setattr(Hall, "_touch", touch)
    with live(tmp_path) as server:
        person = server.person()
        with person.at(person.open("nana", seats=2)):
            until(lambda: len(touched) > 2)
        assert server.hall.metrics.errors == 1


def test_a_task_of_the_hall_starts_again_after_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sweeper that has ended would never put a table to sleep again, and nobody would notice."""
    monkeypatch.setattr(hall_module, "RESTART", 0.01)
    monkeypatch.setattr(hall_module, "SWEEP", 0.02)
    with live(tmp_path, sleep=0.0) as server:
        person = server.person()
        monkeypatch.setattr(hall_module, "SWEEP", "soon")  # a fault of the round itself
        until(lambda: server.hall.metrics.errors > 2)
        monkeypatch.setattr(hall_module, "SWEEP", 0.02)
        person.open("nana", seats=2)
        until(lambda: not server.hall.tables)


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


@pytest.mark.usefixtures("no_refill")
def test_tables_are_opened_at_a_bounded_rate(server: Live) -> None:
    person = server.person()
    answers = [person.http.post("/api/tables", json={"game": "nana", "seats": 2}) for _ in range(33)]
    assert [a.status_code for a in answers] == [200] * 30 + [429] * 3


@pytest.mark.usefixtures("no_refill")
def test_new_cookies_do_not_reset_the_limits_of_an_address(tmp_path: Path) -> None:
    """Nor do forged cookies, which were accepted as guests before."""
    limits = {"tables_per_minute": 20, "tables_per_address_minute": 5, "names_per_address_minute": 5}
    with live(tmp_path, **limits) as server, httpx.Client(base_url=server.address) as http:
        for number in range(8):
            http.cookies.clear()
            http.cookies.set(COOKIE, f"{number}" * 43)
            renamed = http.post("/api/me", json={"name": f"Eve {number}"})
            opened = http.post("/api/tables", json={"game": "nana", "seats": 2})
            assert renamed.status_code == opened.status_code == (200 if number < 5 else 429)
        assert len(server.hall.tables) == 5


@pytest.mark.usefixtures("no_refill")
def test_a_home_made_cookie_is_a_newcomers(tmp_path: Path) -> None:
    with live(tmp_path, guests_per_minute=3) as server, httpx.Client(base_url=server.address) as http:
        codes = []
        for number in range(5):
            http.cookies.clear()
            http.cookies.set(COOKIE, f"{number}" * 43)
            answer = http.get("/api/me")
            codes.append(answer.status_code)
            if answer.status_code == 200:  # and does not become an identity
                assert answer.cookies[COOKIE] != f"{number}" * 43
        assert codes == [200, 200, 200, 429, 429]
        visit = Visit(server.port, "9" * 43, "/ws/lobby")
        with pytest.raises(ConnectionClosed) as closed:
            visit.read()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4429
        visit.close()


@pytest.mark.usefixtures("no_refill")
def test_a_guest_changes_names_at_a_bounded_rate(tmp_path: Path) -> None:
    with live(tmp_path, names_per_minute=3) as server, server.person() as ann:
        codes = [ann.http.post("/api/me", json={"name": f"Ann {n}"}).status_code for n in range(5)]
        assert codes == [200, 200, 200, 429, 429]


def test_nobody_takes_the_name_of_a_bot(server: Live) -> None:
    with server.person() as ann:
        title = server.hall.catalog.infos()[0].agents[0].title["zh"]
        for name in ("heuristic", "Ｈeuristic", " RANDOM ", title):
            answer = ann.http.post("/api/me", json={"name": name})
            assert (answer.status_code, answer.json()["code"]) == (422, "message/bad"), name
        assert ann.http.post("/api/me", json={"name": "Ann"}).status_code == 200


def test_one_address_cannot_hold_all_tables(tmp_path: Path) -> None:
    with live(tmp_path, tables=4, tables_per_address=2, proxies=("127.0.0.1",)) as server:
        eve, bo = server.person(), server.person()
        visits = []
        for number in range(3):  # with a socket at each, so that none is quiet
            answer = eve.http.post("/api/tables", json={"game": "nana", "seats": 2})
            assert answer.status_code == (200 if number < 2 else 503)
            if number < 2:
                visits.append(eve.at(answer.json()["table"]))
                visits[-1].read()
        elsewhere = {"x-forwarded-for": "203.0.113.9"}
        wish = {"game": "nana", "seats": 2}
        assert bo.http.post("/api/tables", json=wish, headers=elsewhere).status_code == 200
        for visit in visits:
            visit.close()


def test_asking_for_a_table_that_does_not_exist_puts_none_to_sleep(tmp_path: Path) -> None:
    with live(tmp_path, tables=1) as server, server.person() as ann:
        table = ann.open("nana", seats=2)
        assert ann.http.get("/api/tables/abcdefghjk").status_code == 404
        assert set(server.hall.tables) == {table} and not server.hall._loading


def test_the_lobby_shows_open_tables_and_not_private_ones(server: Live) -> None:
    ann = server.person()
    with Visit(server.port, None, "/ws/lobby") as lobby:
        assert lobby.read()["type"] == "lobby"
        shown, hidden = ann.open("nana", seats=2), ann.open("nana", seats=2, private=True)
        found = lobby.wait(lambda m: shown in [t["id"] for t in m.get("tables", [])])
        assert hidden not in [t["id"] for t in found["tables"]]
        with Visit(server.port, None, "/ws/lobby") as later:
            assert next(g["name"] for g in later.read()["games"]) == "xianqi"
        lobby.socket.send(json.dumps({"type": "stand"}))
        assert code(lobby.wait(lambda m: m["type"] == "refused")) == "message/bad"


def test_visitors_of_the_lobby_are_sent_only_what_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole lobby was sent to everyone at every change: 64 kB when 100 tables are listed."""
    with live(tmp_path) as server:
        games = server.hall.catalog.infos()
        monkeypatch.setattr(server.hall.catalog, "infos", lambda: games)  # not how far each is compiled
        ann = server.person()
        tables = [ann.open("nana", seats=2) for _ in range(20)]
        with Visit(server.port, None, "/ws/lobby") as lobby, Visit(server.port, None, "/ws/lobby") as other:
            first = lobby.read()
            assert {t["id"] for t in first["tables"]} == set(tables)
            other.read()
            lobby.drain(1.0)
            before = len(lobby.texts)
            opened = ann.open("nana", seats=2)
            message = lobby.wait(lambda m: m["type"] == "lobby_change" and m["tables"])
            assert [t["id"] for t in message["tables"]] == [opened] and not message["games"]
            assert sum(map(len, lobby.texts[before:])) < 2000
            assert other.wait(lambda m: m["type"] == "lobby_change" and m["tables"]) == message
            server.hall.loop.call_soon_threadsafe(server.hall._forget, server.hall.tables[tables[0]])
            server.hall.loop.call_soon_threadsafe(server.hall.stir)
            assert lobby.wait(lambda m: m.get("gone"))["gone"] == [tables[0]]
