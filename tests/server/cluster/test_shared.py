"""PostgreSQL: one game through several workers, and the end of a worker loses nothing."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from qipai.games.wuhan_mahjong.tiles import PASS
from qipai.match import Trust, check_record, parse_record, signature_of
from qipai.server import hall as hall_module
from qipai.server.table.table import Table
from tests.server.live import Live, Person, Visit, start, until
from tests.server.postgres import WHY, binaries, postgres
from tests.server.processes import Process, children
from tests.server.table.test_exchange import play

pytestmark = [
    pytest.mark.skipif(binaries() is None and os.environ.get("CI") != "true", reason=WHY),
]


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture
def pair(database: str, tmp_path: Path) -> Iterator[tuple[Live, Live]]:
    """Yield two workers in this process, each with its own loop, hall and connections."""
    found = [start(tmp_path, database=database, grace=5.0) for _ in range(2)]
    yield found[0], found[1]
    for server in found:
        server.stop()


def other_door(person: Person, server: Live) -> Person:
    """Return the same guest at another worker."""
    twin = server.person()
    twin.http.cookies = person.http.cookies
    return twin


def test_players_of_one_table_on_different_workers_see_one_game(pair: tuple[Live, Live]) -> None:
    one, two = pair
    ann, bo = one.person("Ann"), two.person("Bo")
    table = ann.open("nana", seats=2, options={"max_turns": 12})
    with ann.at(table) as here, bo.at(table) as there:
        assert there.ask(type="sit", seat=1)["type"] == "done"
        assert there.ask(type="ready", ready=True)["type"] == "done"
        here.wait(lambda m: m["type"] == "table" and m["table"]["seats"][1]["ready"])
        assert here.table["table"]["seats"][1]["name"] == "Bo"
        assert here.ask(type="ready", ready=True)["type"] == "done"
        ends = play_both(here, there)
        assert ends[0]["payoff"] == ends[1]["payoff"] and ends[0]["opened"] == ends[1]["opened"]
        here.ask(type="say", text="gg")
        assert there.wait(lambda m: m["type"] == "chat")["text"] == "gg"
    record = parse_record(two.person().http.get(f"/api/tables/{table}/record/0").content)
    match, wrong = check_record(record)
    assert wrong == [] and match.payoff == ends[0]["payoff"]


def test_people_on_different_workers_contribute_to_one_seed(database: str, tmp_path: Path) -> None:
    servers = [start(tmp_path, database=database, lease=2.0, share_time=20.0) for _ in range(2)]
    try:
        ann, bo = servers[0].person("Ann"), servers[1].person("Bo")
        table = ann.open("nana", seats=2, options={"max_turns": 4})
        with ann.at(table) as here, bo.at(table) as there:
            assert there.ask(type="sit", seat=1)["type"] == "done"
            for visit in (here, there):
                assert visit.ask(type="ready", ready=True)["type"] == "done"
            play(here, there)
        record = parse_record(bo.http.get(f"/api/tables/{table}/record/0").content)
        assert check_record(record)[1] == [] and signature_of(record) is Trust.SIGNED
        assert record.head.shares is not None and record.head.shares.withheld == []
        assert [share.seat for share in record.head.shares.seats] == [0, 1]
    finally:
        for server in servers:
            server.stop()


def play_both(*visits: Visit) -> list[dict[str, Any]]:
    """Play at random, for every seat that is asked, to the end."""
    rng = random.Random(3)
    for visit in visits:
        visit.wait(lambda m: m["type"] == "state")
    while not all(v.state["over"] for v in visits):
        asked = [v for v in visits if v.state["legal"]]
        if not asked:
            for visit in visits:
                if not visit.state["over"]:
                    visit.drain(0.05)
            continue
        visit = asked[0]
        before = visit.state
        answer = visit.act(rng.choice(before["legal"]))
        assert answer["type"] == "done", answer
        if visit.state is before:
            visit.state = {**before, "legal": []}
    return [v.state for v in visits]


def test_the_same_move_through_two_workers_is_made_once(pair: tuple[Live, Live]) -> None:
    one, two = pair
    ann = one.person()
    again = other_door(ann, two)
    table = ann.open("nana", seats=2, bots=["random"], options={"first": 0})
    with ann.at(table) as here, again.at(table) as there:
        for _ in range(5):
            state = here.until_asked()
            while not there.state or there.state["version"] < state["version"]:
                there.read()
            if state["over"]:
                break
            wish = {"type": "act", "hand": 0, "version": state["version"], "actions": [state["legal"][0]]}
            refs = [v.send(**wish) for v in (here, there)]
            answers = [v.answer(ref) for v, ref in zip((here, there), refs, strict=True)]
            assert sorted(a.get("code", "done") for a in answers) == ["done", "match/stale"]
            if here.state is state:
                here.state = {**state, "legal": []}


def test_a_move_made_while_a_worker_loads_the_table_is_not_missed(
    pair: tuple[Live, Live], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = pair
    ann = one.person()
    again = other_door(ann, two)
    table = ann.open("nana", seats=2, bots=["random"], options={"first": 0})
    load = Table.load.__func__  # type: ignore[attr-defined]
    loaded, moved = threading.Event(), threading.Event()

    async def slow(cls: Any, hall: Any, name: str) -> Any:
        found = await load(cls, hall, name)
        loaded.set()
        await asyncio.to_thread(moved.wait, 30)
        return found

    with ann.at(table) as here:
        before = here.until_asked()
        monkeypatch.setattr(Table, "load", classmethod(slow))

        def move() -> None:
            loaded.wait(30)
            here.act(before["legal"][0])
            here.drain(1.0)  # the bot's answers too
            moved.set()

        mover = threading.Thread(target=move)
        mover.start()
        with again.at(table) as there:
            there.wait(
                lambda m: m["type"] == "state" and m["version"] >= here.state["version"] and moved.is_set()
            )
        mover.join()
        assert here.state["version"] > before["version"]


def test_when_a_worker_ends_another_drives_its_tables(database: str, tmp_path: Path) -> None:
    one = start(tmp_path, database=database, lease=1.0)
    two = start(tmp_path, database=database, lease=1.0)
    ann = one.person()
    table = ann.open("nana", seats=3, bots=["random", "random"], options={"max_turns": 1000})
    with ann.at(table) as visit:
        visit.until_asked()
        assert one.hall.drives(one.hall.tables[table])
    one.stop()
    back = other_door(ann, two)
    with back.at(table) as visit:
        for _ in range(4):
            state = visit.until_asked()
            assert visit.act(state["legal"][0])["type"] == "done"
            if visit.state is state:
                visit.state = {**state, "legal": []}
        until(lambda: two.hall.drives(two.hall.tables[table]))
    two.stop()


@pytest.mark.slow
def test_sealed_answers_through_either_worker_count(pair: tuple[Live, Live]) -> None:
    """Four at a mahjong table, two at each worker; everyone who is asked claims what they can."""
    one, two = pair
    people = [(one if seat < 2 else two).person() for seat in range(4)]
    table = people[0].open("wuhan_mahjong", seats=4, claim=1.0)
    visits = [person.at(table) for person in people]
    for seat, visit in enumerate(visits):
        assert seat == 0 or visit.ask(type="sit", seat=seat)["type"] == "done"
        assert visit.ask(type="ready", ready=True)["type"] == "done"
    claimed: Counter[int] = Counter()  # sealed answers other than a pass, by worker
    for _ in range(4000):
        for visit in visits:
            if not visit.state.get("legal"):
                visit.drain(0.02)
            if not visit.state.get("legal"):
                continue
            state = visit.state
            window = state["turn"] is None
            action = max(a for a in state["legal"] if a != PASS) if window else state["legal"][0]
            answer = visit.act(action)
            assert answer["type"] == "done" or answer["code"] in ("match/stale", "action/turn"), answer
            claimed[int(state["seat"] >= 2)] += window and answer["type"] == "done"
            if visit.state is state:
                visit.state = {**state, "legal": []}
        if any(v.state.get("over") for v in visits) or (min(claimed[0], claimed[1]) >= 2):
            break
    assert claimed[0] and claimed[1]
    played = [s.hall.tables[table].match for s in pair]
    shorter, longer = sorted((m.moves for m in played if m is not None), key=len)
    assert longer[: len(shorter)] == shorter
    for visit in visits:
        visit.close()


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_of_a_game_costs_nothing(database: str, tmp_path: Path) -> None:
    """`qipai serve --workers 2`; every worker is killed in turn while a game goes on."""
    server = Process(database, tmp_path / "log", workers=2, lease=1.5, grace=60.0)
    try:
        server.wait()
        until(lambda: len(children(server.process.pid)) == 2)
        with Person(server.port) as ann:
            table = ann.open("nana", bots=["random", "random"], options={"max_turns": 1000})
            made = 0
            version, hand = 0, 0
            for victim in [*children(server.process.pid), None]:
                visit = persist(ann, table, f"?since={version}&hand={hand}" if version else "")
                for _ in range(4):
                    state = visit.until_asked()
                    if state["over"]:
                        break
                    assert state["version"] >= version
                    assert visit.act(state["legal"][0])["type"] == "done"
                    made += 1
                    version, hand = state["version"], state["hand"]
                    if visit.state is state:
                        visit.state = {**state, "legal": []}
                if victim is not None:
                    os.kill(victim, signal.SIGKILL)
                visit.close()
            assert made > 4
    finally:
        server.stop()


def persist(person: Person, table: str, query: str) -> Visit:
    """Connect, as a page does, until somebody answers."""

    def attempt() -> Visit | None:
        try:
            visit = person.at(table, query)
            visit.read(5)
            return visit
        except Exception:
            return None

    found: Visit = until(attempt)
    return found


def test_idle_tables_write_nothing(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leases, presence and the lobby's list are written when they change, not each second."""
    monkeypatch.setattr(hall_module, "SWEEP", 0.2)
    server = start(tmp_path, database=database, tables_per_minute=100)
    ann = server.person()
    names = [ann.open("nana", seats=2) for _ in range(20)]
    visits = [ann.at(name) for name in names]
    tables = [server.hall.tables[name] for name in names]
    until(lambda: all(server.hall.drives(t) and t.presence.sockets for t in tables))

    def written(seconds: float) -> int:
        with psycopg.connect(database, autocommit=True) as connection:
            where = "SELECT pg_current_wal_insert_lsn() - '0/0'"
            (before,) = connection.execute(where).fetchone() or (0,)
            time.sleep(seconds)
            (after,) = connection.execute(where).fetchone() or (0,)
            return int(after - before)

    written(2.0)  # what opening them still caused
    # Four beats of the worker; 40 kB when each table was renewed. Now and then PostgreSQL writes by itself.
    assert any(written(4.0) < 2000 for _ in range(4))
    for visit in visits:
        visit.close()
    server.stop()
    with psycopg.connect(database) as connection:  # and nothing of the worker stays
        left = connection.execute("SELECT count(*) FROM leases WHERE worker = %s", [server.hall.worker])
        assert left.fetchone() == (0,)


def test_a_table_that_sleeps_gives_its_lease_back(database: str, tmp_path: Path) -> None:
    server = start(tmp_path, database=database, tables=1)
    ann = server.person()
    first, second = ann.open("nana", seats=2), ann.open("nana", seats=2)
    worker = server.hall.worker

    def leased() -> list[str]:
        with psycopg.connect(database) as connection:
            found = connection.execute("SELECT table_id FROM leases WHERE worker = %s", [worker])
            return [row[0] for row in found]

    until(lambda: leased() == [second])
    assert first not in server.hall.tables
    server.stop()


def test_a_table_of_a_killed_worker_is_resumed_however_long_ago_it_was_marked(
    database: str, tmp_path: Path
) -> None:
    """A lease of a worker that is not alive any more says that the table was in use."""
    server = start(tmp_path, database=database)
    table = server.person().open("nana", seats=2)
    server.stop()
    with psycopg.connect(database) as connection:
        connection.execute("UPDATE tables SET touched = 0 WHERE id = %s", [table])
        connection.execute("INSERT INTO leases VALUES (%s, 'killed')", [table])
        connection.execute("INSERT INTO workers VALUES ('killed', extract(epoch FROM now()) - 5)")
    two = start(tmp_path, database=database)
    until(lambda: table in two.hall.tables and two.hall.drives(two.hall.tables[table]))
    two.stop()


def test_a_name_taken_through_one_worker_is_known_to_the_other(pair: tuple[Live, Live]) -> None:
    one, two = pair
    ann = one.person("Ann")
    table = ann.open("nana", seats=2)
    with other_door(ann, two).at(table) as visit:
        visit.wait(lambda m: m["type"] == "table" and m["table"]["seats"][0]["name"] == "Ann")
        assert ann.http.post("/api/me", json={"name": "Anna"}).status_code == 200
        visit.wait(lambda m: m["type"] == "table" and m["table"]["seats"][0]["name"] == "Anna")
        until(lambda: other_door(ann, two).http.get("/api/me").json()["name"] == "Anna")
        assert visit.ask(type="say", text="hello")["type"] == "done"
        assert [json.loads(t)["name"] for t in visit.texts if json.loads(t)["type"] == "chat"] == ["Anna"]


def test_what_no_database_can_be_asked_is_refused_by_name(pair: tuple[Live, Live]) -> None:
    http = pair[0].person().http
    for path in ("/api/tables/%00", "/api/tables/%00/record/0", "/api/tables/%00/replay/0"):
        assert http.get(path).json()["code"] == "table/unknown"
    assert http.post("/api/me", json={"name": "a\x00b"}).json()["name"] == "ab"


def test_a_table_belongs_to_the_worker_of_its_people_alone(database: str, tmp_path: Path) -> None:
    """A proxy sends a table's sockets to one worker, but the request that opened it to any."""
    one, two = (start(tmp_path, database=database, lease=2.0, grace=60.0) for _ in range(2))
    try:
        until(lambda: one.hall.catalog.ready("nana") and two.hall.catalog.ready("nana"), 300)
        ann = one.person("Ann")
        table = ann.open("nana", seats=2, bots=["random"], options={"max_turns": 40})
        with other_door(ann, two).at(table) as visit:
            visit.until_asked()
            until(lambda: table not in one.hall.tables)
            until(lambda: two.hall.drives(two.hall.tables[table]))
            assert visit.play(two)["over"]
        assert one.hall.metrics.errors == two.hall.metrics.errors == 0
    finally:
        one.stop()
        two.stop()
