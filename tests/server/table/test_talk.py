"""Chat is kept, bounded and slowed down."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.live import Live, Visit, live, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(tmp_path_factory.mktemp("server"), grace=0.3) as found:
        until(lambda: found.hall.catalog.ready("nana"))
        yield found


def code(answer: dict[str, Any]) -> str:
    return str(answer.get("code", answer["type"]))


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
            lines = [m["text"] for m in late.drain() if m["type"] == "chat"]
            assert lines == [f"line {n}" for n in range(10, 60)]
