"""What people may ask of a table."""

from __future__ import annotations

from collections.abc import Iterator
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


def test_a_seat_belongs_to_its_cookie(server: Live) -> None:
    with server.person() as ann, server.person() as eve:
        table = ann.open("nana", bots=["random"], options={"first": 0})
        with ann.at(table) as visit, eve.at(table) as rail:
            state = visit.until_asked()
            here = {"hand": 0, "version": state["version"], "actions": [state["legal"][0]]}
            for request in ({"type": "act", **here}, {"type": "stand"}, {"type": "return"}):
                assert code(rail.ask(**request)) == "seat/none"
            assert rail.state["seat"] == -1 and rail.state["legal"] == [] and rail.state["opened"] is None
            forged = Visit(server.port, "A" * 43, f"/ws/table/{table}")
            assert forged.wait(lambda m: m["type"] == "table")["you"] == -1
            assert code(forged.ask(type="act", **here)) == "seat/none"
            forged.close()
            assert code(visit.ask(type="act", **here)) == "done"


def test_a_refused_move_does_not_take_the_seat_back(server: Live) -> None:
    with server.person("Ann") as ann, server.person("Bo") as bo:
        table = ann.open("nana", seats=2, options={"first": 0})
        with ann.at(table) as here, bo.at(table) as there:
            assert code(there.ask(type="sit", seat=1)) == "done"
            for visit in (here, there):
                assert code(visit.ask(type="ready", ready=True)) == "done"
            here.until_asked()
            there.wait(lambda m: m["type"] == "state")
            assert code(there.ask(type="stand")) == "done"
            seat = server.hall.tables[table].seating.seats[1]
            assert not seat.played
            assert code(there.act(0)) == "action/turn"
            assert server.hall.tables[table].seating.seats[1] == seat and not seat.played
