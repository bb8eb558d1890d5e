"""Who sits at a table: leaving, returning, owning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.server.live import Live, live, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(tmp_path_factory.mktemp("server"), grace=0.3) as found:
        until(lambda: found.hall.catalog.ready("nana"))
        yield found


def code(answer: dict[str, Any]) -> str:
    return str(answer.get("code", answer["type"]))


def test_leaving_lets_a_bot_play_on_and_the_person_may_return(server: Live) -> None:
    with server.person() as ann:
        table = ann.open("nana", bots=["random"], options={"first": 0, "max_turns": 1000})
        with ann.at(table) as visit:
            visit.until_asked()
            assert code(visit.ask(type="stand")) == "done"
            until(lambda: server.hall.tables[table].seating.seats[0].away)
            assert code(visit.ask(type="return")) == "done"
            assert not server.hall.tables[table].seating.seats[0].left


def test_when_the_owner_leaves_the_earliest_guest_owns(server: Live) -> None:
    people = [server.person() for _ in range(3)]
    table = people[0].open("nana", seats=4)
    visits = [p.at(table) for p in people]
    assert code(visits[2].ask(type="sit", seat=3)) == "done"
    assert code(visits[1].ask(type="sit", seat=1)) == "done"
    assert code(visits[0].ask(type="stand")) == "done"
    assert server.hall.tables[table].seating.owner == 3
    assert code(visits[2].ask(type="bot", seat=0, agent="random")) == "done"
    assert code(visits[2].ask(type="bot", seat=1, agent="random")) == "seat/taken"
    assert code(visits[2].ask(type="bot", seat=2, agent="nobody")) == "agent/unknown"
    assert code(visits[2].ask(type="bot", seat=0, agent=None)) == "done"
    for visit in visits:
        visit.close()
