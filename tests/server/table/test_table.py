"""One table: versions, durable moves, and the next hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from qipai.match import Match
from qipai.server.store import ledger
from qipai.server.table import requests
from qipai.server.table.seating import Seating
from qipai.server.table.table import SNAPSHOT, Table, _read_past
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


def test_a_move_whose_sender_is_gone_is_told_to_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its row is written, and the others are told without waiting for a clock or a bot."""

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
            await come(lambda: len(notes[1].sent) > sent)
            assert table.match.ply == 1

    asyncio.run(play())


def test_a_table_loads_without_its_past(tmp_path: Path) -> None:
    """Every entry since the table was opened was read: 2.9 s for 100,000 hands."""

    async def play() -> None:
        async with hall(tmp_path) as found:
            table, _ = await seated(found, "nana", [0, 1], seats=2)
            for number in range(3 * SNAPSHOT):
                async with table.lock:
                    await table.enter(("ready", {"seat": 1, "ready": number % 2 == 0}))
            read = await found.store.read(lambda c: _read_past(c, table.id))
            assert read is not None and read[2] < SNAPSHOT < read[1].entries
            whole = Seating.empty_table(2).after(
                await found.store.read(lambda c: ledger.read_entries(c, table.id, 0))
            )
            assert read[1] == whole == table.seating

    asyncio.run(play())


def test_a_table_of_an_earlier_version_gets_a_snapshot_when_it_is_loaded(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall(tmp_path) as found:
            table, _ = await seated(found, "nana", [0, 1], seats=2)
            first, many = table.seating.entries, 2500
            entries = [("ready", {"seat": 1, "ready": n % 2 == 0}) for n in range(many)]
            await found.store.write(lambda c: ledger.add_entries(c, table.id, first, entries))
            for expected in (first + many, 0):
                read = await found.store.read(lambda c: _read_past(c, table.id))
                assert read is not None and read[2] == expected
                again = await Table.load(found, table.id)
                assert again is not None and again.seating.entries == first + many

    asyncio.run(play())
