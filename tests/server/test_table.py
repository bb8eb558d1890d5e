"""Tables: seats, owners, readiness, versions, leaving and coming back."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from qipai.match import Match
from qipai.server.table import requests
from qipai.server.wire import Act
from tests.server.live import Live, Visit, live, until
from tests.server.room import come, deal, hall, seated


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(tmp_path_factory.mktemp("server"), grace=0.3) as found:
        until(lambda: found.hall.catalog.ready("nana"))
        yield found


def code(answer: dict[str, Any]) -> str:
    return str(answer.get("code", answer["type"]))


def together(jobs: list[Callable[[], Any]]) -> list[Any]:
    """Run them at the same time."""
    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(lambda job: job(), jobs))


def status(visit: Visit, wanted: str) -> dict[str, Any]:
    """Wait until the table says so."""
    while visit.table.get("table", {}).get("status") != wanted:
        visit.read()
    return visit.table["table"]  # type: ignore[no-any-return]


def two_seats(server: Live, **wish: Any) -> tuple[Any, Any, str]:
    ann, bo = server.person("Ann"), server.person("Bo")
    return ann, bo, ann.open("nana", seats=2, **wish)


def test_two_people_meet_and_the_last_ready_deals_one_hand(server: Live) -> None:
    ann, bo, table = two_seats(server)
    with ann.at(table) as one, bo.at(table) as other:
        assert one.wait(lambda m: m["type"] == "table")["you"] == 0
        assert other.wait(lambda m: m["type"] == "table")["you"] == -1
        assert code(other.ask(type="ready", ready=True)) == "seat/none"
        assert code(other.ask(type="sit", seat=0)) == "seat/taken"
        assert code(other.ask(type="sit", seat=7)) == "seat/taken"
        assert code(other.ask(type="sit", seat=1)) == "done"
        assert code(other.ask(type="sit", seat=1)) == "seat/taken"
        assert code(other.ask(type="bot", seat=1, agent="random")) == "table/owner"
        together([partial(v.ask, type="ready", ready=True) for v in (one, other)])
        for visit in (one, other):
            assert status(visit, "playing")["hand"] == 0
        assert code(one.ask(type="ready", ready=False)) == "table/playing"
        assert code(one.ask(type="bot", seat=1, agent=None)) == "table/playing"
        assert server.hall.tables[table].seating.hand == 0
    names = [s["name"] for s in ann.http.get(f"/api/tables/{table}").json()["seats"]]
    assert names == ["Ann", "Bo"]


def test_a_stale_version_is_a_conflict_and_never_a_second_move(server: Live) -> None:
    with server.person() as ann:
        table = ann.open("nana", bots=["random"], options={"first": 0})
        with ann.at(table) as visit, ann.at(table) as again:
            first = visit.until_asked()
            again.until_asked()
            here = {"hand": 0, "version": first["version"], "actions": [first["legal"][0]]}
            assert code(visit.ask(type="act", **here)) == "done"
            assert code(again.ask(type="act", **here)) == "match/stale"
            assert code(visit.ask(type="act", **here)) == "match/stale"
            assert code(visit.ask(type="act", **{**here, "hand": 1})) == "hand/none"
            rows = [e for e in visit.state["events"] if e.get("by") == 0]
            assert len(rows) <= 1


def test_of_many_equal_moves_at_once_one_is_made(server: Live) -> None:
    with server.person() as ann:
        table = ann.open("nana", bots=["random"], options={"first": 0})
        visits = [ann.at(table) for _ in range(8)]
        state = visits[0].until_asked()
        for visit in visits[1:]:
            visit.until_asked()
        wish = {"hand": 0, "version": state["version"], "actions": [state["legal"][0]]}
        answers = together([partial(v.ask, type="act", **wish) for v in visits])
        assert sorted(map(code, answers)) == ["done"] + ["match/stale"] * 7
        for visit in visits:
            visit.close()


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


def test_a_lost_socket_leaves_the_seat_to_a_bot_and_coming_back_takes_it(server: Live) -> None:
    with server.person() as ann, server.person() as bo:
        table = ann.open("nana", bots=["random"], options={"first": 0})
        visit = ann.at(table)
        version = visit.until_asked()["version"]
        with bo.at(table) as rail:
            visit.close()
            rail.wait(lambda m: m["type"] == "table" and m["table"]["seats"][0]["away"])
            rail.wait(lambda m: m["type"] == "state" and m["version"] > version + 1)
            with ann.at(table, f"?since={version}&hand=0") as back:
                state = back.wait(lambda m: m["type"] == "state")
                assert len(state["events"]) == state["version"] - version
                back.wait(lambda m: m["type"] == "table" and not m["table"]["seats"][0]["away"])


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


def test_a_hand_that_is_over_is_opened_and_the_next_is_dealt_when_all_are_ready(server: Live) -> None:
    with server.person() as ann, server.person() as bo:
        table = ann.open("nana", bots=["random"], options={"max_turns": 6})
        with ann.at(table) as visit, bo.at(table) as rail:
            visit.read()
            end = visit.play(server)
            assert status(visit, "over")["chips"] == end["payoff"]
            last = rail.wait(lambda m: m["type"] == "state" and m["over"])
            assert last["opened"] == end["opened"] and last["seed"] == end["seed"]
            assert code(visit.ask(type="ready", ready=True)) == "done"
            fresh = visit.wait(lambda m: m["type"] == "state" and m["hand"] == 1)
            assert fresh["events"][0]["event" if "event" in fresh["events"][0] else "type"] == "start"
            assert fresh["seed"] is None and fresh["commitment"] != end["commitment"]


def test_a_missed_clock_hands_the_seat_to_a_bot(server: Live) -> None:
    with server.person() as ann:
        table = ann.open("nana", bots=["random"], options={"first": 0}, clock=1)
        with ann.at(table) as visit:
            state = visit.until_asked()
            assert 0 < state["clock"]["left"] <= state["clock"]["total"] == 1000
            visit.wait(lambda m: m["type"] == "table" and m["table"]["seats"][0]["away"])
            assert code(visit.ask(type="return")) == "done"
            assert not visit.table["table"]["seats"][0]["away"]


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


def test_a_table_of_bots_alone_plays_while_someone_watches(server: Live) -> None:
    with server.person() as ann:
        table = ann.open("nana", seats=2, bots=["random", "random"], options={"max_turns": 4})
        time.sleep(0.2)
        assert server.hall.tables[table].seating.hand == -1
        with ann.at(table) as rail:
            rail.wait(lambda m: m["type"] == "state" and m["over"] and m["hand"] >= 1)
            assert rail.table["you"] == -1


def test_the_lobby_shows_open_tables_and_not_private_ones(server: Live) -> None:
    ann = server.person()
    with Visit(server.port, None, "/ws/lobby") as lobby:
        assert lobby.read()["type"] == "lobby"
        shown, hidden = ann.open("nana", seats=2), ann.open("nana", seats=2, private=True)
        found = lobby.wait(lambda m: shown in [t["id"] for t in m.get("tables", [])])
        assert hidden not in [t["id"] for t in found["tables"]]
        assert next(g["name"] for g in found["games"]) == "xianqi"
        lobby.socket.send(json.dumps({"type": "stand"}))
        assert code(lobby.wait(lambda m: m["type"] == "refused")) == "message/bad"


def test_a_seat_taken_back_after_a_missed_clock_is_kept(tmp_path: Path) -> None:
    """The bot makes that one move: coming back gains no time, and does not cost the seat again."""
    with live(tmp_path, bot_pace=(0.6, 0.6)) as server, server.person() as ann:
        until(lambda: server.hall.catalog.ready("nana"))
        table = ann.open("nana", bots=["random"], options={"first": 0}, clock=1)
        with ann.at(table) as visit:
            version = visit.until_asked()["version"]
            visit.wait(lambda m: m["type"] == "table" and m["table"]["seats"][0]["away"])
            assert code(visit.ask(type="return")) == "done"
            seen = len(visit.texts)
            visit.wait(lambda m: m["type"] == "state" and m["version"] > version)
            tables = [m for m in map(json.loads, visit.texts[seen:]) if m["type"] == "table"]
            assert not any(m["table"]["seats"][0]["away"] for m in tables)


def test_a_move_whose_sender_is_gone_is_told_to_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its row is written; nobody waits until a clock or a bot finds it."""

    async def play() -> None:
        async with hall(tmp_path) as room:
            await room.catalog.wait("nana")
            table, notes = await seated(room, "nana", [0, 1], seats=2, options={"first": 0})
            await deal(table, Match("nana", {"first": 0}, 2, bytes(32)))
            assert table.match is not None
            version, action = notes[0].states[-1]["version"], table.match.legal(0)[0]
            wish = Act(type="act", hand=0, version=version, actions=[action])
            sent = len(notes[1].sent)
            written, write = asyncio.Event(), room.store.write

            async def slow(work: Any) -> Any:
                value = await write(work)
                written.set()
                await asyncio.sleep(0.1)
                return value

            monkeypatch.setattr(room.store, "write", slow)
            task = asyncio.create_task(requests.act(table, notes[0].guest, wish))
            await written.wait()
            task.cancel()
            await come(lambda: len(notes[1].sent) > sent, 5)
            assert table.match.ply == 1

    asyncio.run(play())
