"""What an operator does next to a running server."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from websockets.exceptions import ConnectionClosed

from qipai.server import admin
from qipai.server import hall as hall_module
from qipai.server.refusals import BadDatabase, UnknownGuest
from qipai.server.store import ledger
from qipai.server.store.rows import META
from qipai.server.store.store import Store, beside
from tests.server.live import WAIT, live, until


def test_a_banned_guest_is_out_within_seconds_and_back_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall_module, "BANS", 0.05)
    url = f"sqlite:///{tmp_path}/server.db"
    with live(tmp_path) as server, server.person("Ann") as ann, server.person("Eve") as eve:
        table = ann.open("nana", seats=2)
        with ann.at(table) as visit, eve.at(table) as rude:
            rude.wait(lambda m: m["type"] == "table")
            with beside(url) as connection:
                (found,) = admin.guests(connection, "eve")
                assert (found.id, found.name, found.banned) == (eve.id, "Eve", None)
                admin.ban(connection, eve.id, 1.0, "rude")
            with pytest.raises(ConnectionClosed) as closed:
                rude.drain(WAIT)
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 4410
            assert eve.http.post("/api/me", json={"name": "Evil"}).json()["code"] == "guest/banned"
            assert eve.http.post("/api/tables", json={"game": "nana"}).json()["code"] == "guest/banned"
            with eve.at(table) as again, pytest.raises(ConnectionClosed):
                again.read()
            assert visit.ask(type="say", text="hello")["type"] == "done"  # nobody else is
            with beside(url) as connection:
                assert admin.guests(connection, eve.id)[0].banned is not None
                admin.unban(connection, eve.id)
            until(lambda: not server.hall._bans)
            assert eve.http.post("/api/me", json={"name": "Eva"}).status_code == 200


def everything(connection: Connection) -> str:
    return "".join(str([tuple(r) for r in connection.execute(t.select())]) for t in META.sorted_tables)


def test_nothing_of_a_deleted_guest_stays_but_the_hands_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall_module, "BANS", 0.05)
    url = f"sqlite:///{tmp_path}/server.db"
    with live(tmp_path) as server, server.person("Ann") as ann, server.person("Yvonne") as eve:
        table = ann.open("nana", seats=2)
        with ann.at(table) as visit, eve.at(table) as rude:
            assert rude.ask(type="sit", seat=1)["type"] == "done"
            assert eve.http.post("/api/me", json={"name": "Yvette"}).status_code == 200
            assert rude.ask(type="say", text="rude words")["type"] == "done"
            line = visit.wait(lambda m: m["type"] == "chat")["id"]
            assert visit.ask(type="report", line=line, reason="insult")["type"] == "done"
            assert visit.ask(type="block", line=line)["type"] == "done"
            setup = server.hall.tables[table].setup

            def end(connection: Connection) -> None:
                ledger.add_hand(connection, table, 0, {}, ["Ann", "Yvette"])
                people, names = {0: ann.id, 1: eve.id}, ["Ann", "Yvette"]
                ledger.end_hand(connection, setup, ledger.Ended(0, [1, -1], "", ""), people, names)
                body = server.hall.tables[table].seating.to_json()
                ledger.keep_snapshot(connection, table, body["entries"], body)

            with beside(url) as connection:
                end(connection)
            assert len(eve.http.get("/api/history").json()["results"]) == 1
            with beside(url) as connection:
                assert "Yvette" in everything(connection)
                admin.forget(connection, eve.id)
            with beside(url) as connection:
                left = everything(connection).replace(f"'{eve.id}', ", "", 1)  # the short ban
                for gone in ("Yvonne", "Yvette", "rude words", eve.id):
                    assert gone not in left, gone
            (result,) = ann.http.get("/api/history").json()["results"]
            assert result["names"] == ["Ann", "Guest"]
            until(lambda: not server.hall.guests.known(eve.id))
            assert eve.http.get("/api/me").json()["name"] not in ("Yvette", "Yvonne")
            assert eve.http.get("/api/history").json() == {"results": [], "totals": {}, "more": None}


def test_reports_are_listed_until_they_are_closed(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/a.db")
    row = "INSERT INTO reports (at, reporter, guest, name, table_id, line, text, reason) VALUES "
    with store.engine.begin() as connection:
        connection.execute(text(row + "(1, 'a', 'e', 'Eve', 't', 1, 'rude', 'insult')"))
        connection.execute(text(row + "(2, 'b', 'e', 'Eve', 't', 1, 'rude', 'spam')"))
        assert [r.id for r in admin.reports(connection)] == [2, 1]
        admin.close_report(connection, 2)
        assert [r.id for r in admin.reports(connection)] == [1]
        assert [(r.id, r.closed) for r in admin.reports(connection, closed=True)] == [(2, True), (1, False)]
        for task in (admin.unban, admin.forget):
            with pytest.raises(UnknownGuest):
                task(connection, "nobody")
        with pytest.raises(UnknownGuest):
            admin.close_report(connection, 9)
        with pytest.raises(UnknownGuest):
            admin.ban(connection, "nobody", 1.0)
    store.close()


def test_a_database_that_is_not_a_servers_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(BadDatabase, match="no such"), beside(f"sqlite:///{tmp_path}/none.db"):
        pass
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "empty.db").touch()
    with pytest.raises(BadDatabase, match="start the server"), beside(f"sqlite:///{tmp_path}/empty.db"):
        pass
