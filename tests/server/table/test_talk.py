"""Chat is kept, bounded and slowed down."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from qipai.server import admin
from qipai.server.table.talk import pseudonym
from tests.server.live import Live, Visit, live, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(tmp_path_factory.mktemp("server"), grace=0.3) as found:
        until(lambda: found.hall.catalog.ready("nana"))
        yield found


def code(answer: dict[str, Any]) -> str:
    return str(answer.get("code", answer["type"]))


@pytest.mark.usefixtures("no_refill")
def test_chat_is_slowed_down(tmp_path: Path) -> None:
    with live(tmp_path, chat_rate=0.1, chat_burst=3) as server:
        person = server.person()
        with person.at(person.open("nana", seats=2)) as visit:
            answers = [visit.ask(type="say", text="hello") for _ in range(4)]
            assert [a.get("code") for a in answers] == [None, None, None, "message/rate"]
            assert visit.ask(type="say", text="\u200b\u0007")["code"] == "message/rate"


@pytest.mark.usefixtures("no_refill")
def test_chat_is_slowed_down_through_however_many_sockets(tmp_path: Path) -> None:
    with live(tmp_path, chat_rate=0.1, chat_burst=3) as server:
        person = server.person()
        table = person.open("nana", seats=2)
        with person.at(table) as one, person.at(table) as other:
            answers = [visit.ask(type="say", text="hello") for visit in (one, other, one, other)]
            assert [a.get("code") for a in answers] == [None, None, None, "message/rate"]


@pytest.mark.usefixtures("no_refill")
def test_a_crowd_of_watchers_is_slowed_down_and_those_who_sit_are_not(tmp_path: Path) -> None:
    with live(tmp_path, chat_rate=0.01, chat_burst=3) as server:
        person = server.person()
        table = person.open("nana", seats=2)
        codes = []
        for _ in range(8):  # each a different guest
            visit = Visit(server.port, None, f"/ws/table/{table}")
            codes.append(visit.ask(type="say", text="hello").get("code"))
            visit.close()
        assert codes == [None] * 6 + ["message/rate"] * 2
        with person.at(table) as visit:
            assert visit.ask(type="say", text="hello")["type"] == "done"


def test_chat_is_kept_and_bounded(server: Live) -> None:
    with server.person("Ann") as ann, server.person("Bo") as bo:
        table = ann.open("nana", seats=2)
        with ann.at(table) as visit, bo.at(table) as rail:
            assert code(visit.ask(type="say", text="<b>你好</b>")) == "done"
            line = rail.wait(lambda m: m["type"] == "chat")
            assert (line["seat"], line["name"], line["text"]) == (0, "Ann", "<b>你好</b>")
            assert code(visit.ask(type="say", text="x" * 201)) == "message/bad"
            assert code(visit.ask(type="say", text="")) == "message/bad"
            for number in range(60):
                rail.ask(type="say", text=f"line {number}")
        with bo.at(table) as late:
            lines = [m["text"] for m in late.settle() if m["type"] == "chat"]
            assert lines == [f"line {n}" for n in range(10, 60)]


def test_writers_are_told_apart_at_one_table_only(server: Live) -> None:
    with server.person("Ann") as ann, server.person("Bo") as bo:
        tables = [ann.open("nana", seats=2) for _ in range(2)]
        seen = []
        for table in tables:
            with ann.at(table) as visit, bo.at(table) as rail:
                for one in (visit, rail, visit):
                    assert code(one.ask(type="say", text="hello")) == "done"
                rail.settle()
                lines = [m for m in map(json.loads, rail.texts) if m["type"] == "chat"]
                assert [m["who"] for m in lines] == [pseudonym(table, g) for g in (ann.id, bo.id, ann.id)]
                assert ann.id not in str(rail.texts) and len({m["id"] for m in lines}) == 3
                seen.append(lines[0]["who"])
        assert seen[0] != seen[1]


def test_a_blocked_guest_is_not_heard_at_any_table(server: Live) -> None:
    with server.person("Ann") as ann, server.person("Eve") as eve:
        tables = [ann.open("nana", seats=2) for _ in range(2)]
        with ann.at(tables[0]) as visit, eve.at(tables[0]) as rude:
            assert code(rude.ask(type="say", text="rude")) == "done"
            line = visit.wait(lambda m: m["type"] == "chat")
            assert code(rude.ask(type="block", line=line["id"])) == "chat/unknown"  # one's own
            for number in (0, -1, 1 << 40, 10**6):
                assert code(visit.ask(type="block", line=number)) == "chat/unknown"
            assert code(visit.ask(type="block", line=line["id"])) == "done"
            assert code(visit.ask(type="block", line=line["id"])) == "done"
            assert code(rude.ask(type="say", text="again")) == "done"
            assert not [m for m in visit.settle() if m["type"] == "chat"]
        with eve.at(tables[1]) as rude:
            assert code(rude.ask(type="say", text="here too")) == "done"
        with ann.at(tables[1]) as visit, eve.at(tables[1]) as rude:
            assert not [m for m in visit.settle() if m["type"] == "chat"]
            assert [m["text"] for m in rude.settle() if m["type"] == "chat"] == ["here too"]
        (blocked,) = ann.http.get("/api/blocks").json()
        assert blocked["name"] == "Eve" and eve.http.get("/api/blocks").json() == []
        assert eve.http.post("/api/unblock", json={"id": blocked["id"]}).json() == []  # not Eve's to end
        assert len(ann.http.get("/api/blocks").json()) == 1
        assert ann.http.post("/api/unblock", json={"id": blocked["id"]}).json() == []
        with ann.at(tables[1]) as visit:
            assert [m["text"] for m in visit.settle() if m["type"] == "chat"] == ["here too"]


def test_a_reported_line_is_kept_for_the_operator_once(server: Live) -> None:
    with server.person("Ann") as ann, server.person("Eve") as eve:
        table = ann.open("nana", seats=2)
        with ann.at(table) as visit, eve.at(table) as rude:
            assert code(rude.ask(type="say", text="rude")) == "done"
            line = visit.wait(lambda m: m["type"] == "chat")
            assert code(visit.ask(type="report", line=line["id"], reason="boring")) == "message/bad"
            for _ in range(2):
                assert code(visit.ask(type="report", line=line["id"], reason="insult")) == "done"
        found = [r for r in server.hall.store.read_now(admin.reports) if r.table == table]
        assert [(r.guest, r.reporter, r.text, r.reason) for r in found] == [
            (eve.id, ann.id, "rude", "insult")
        ]


@pytest.mark.usefixtures("no_refill")
def test_reports_are_slowed_down(tmp_path: Path) -> None:
    with live(tmp_path, reports_per_minute=2) as server, server.person() as ann, server.person() as eve:
        table = ann.open("nana", seats=2)
        with ann.at(table) as visit, eve.at(table) as rude:
            rude.ask(type="say", text="rude")
            line = visit.wait(lambda m: m["type"] == "chat")["id"]
            codes = [code(visit.ask(type="report", line=line, reason="spam")) for _ in range(3)]
            assert codes == ["done", "done", "message/rate"]
