"""The store: what was acknowledged is there after a restart, and the game goes on from it."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, text

from qipai.match import check_record, parse_record
from qipai.server.refusals import BadDatabase, Conflict
from qipai.server.store import rows
from qipai.server.store.guests import COOKIE
from qipai.server.store.rows import ENTRIES, STEPS
from qipai.server.store.store import Store
from tests.server.live import Person, Visit, start, until


def begun(ann: Person, game: str) -> tuple[str, dict[str, Any]]:
    """A table six decisions into its hand, and what Ann saw of it last.

    Deals are secret, so that a hand may by chance be over sooner: then another table.
    """
    bots = ["random"] * (3 if game == "wuhan_mahjong" else 1)
    for _ in range(5):
        table = ann.open(game, bots=bots, options={"max_turns": 30} if game == "nana" else {})
        with ann.at(table) as visit:
            last = visit.until_asked()
            for _ in range(6):
                if last["over"]:
                    break
                assert visit.act(last["legal"][0])["type"] == "done"
                if visit.state is last:
                    visit.state = {**last, "legal": []}
                last = visit.until_asked()
            if not last["over"]:
                visit.ask(type="say", text="brb")
                return table, last
    raise AssertionError("five hands in a row were over within six decisions")


@pytest.mark.parametrize("game", ["nana", "wuhan_mahjong"])
def test_a_table_goes_on_where_it_was(game: str, tmp_path: Path) -> None:
    first = start(tmp_path)
    ann = first.person("Ann")
    table, last = begun(ann, game)
    cookie = ann.http.cookies[COOKIE]
    first.stop()

    second = start(tmp_path)
    with Visit(second.port, cookie, f"/ws/table/{table}?since={last['version']}&hand=0") as back:
        state = back.until_asked()
        assert state["seat"] == last["seat"] == 0
        assert state["version"] >= last["version"]
        assert [m["text"] for m in map(_load, back.texts) if m["type"] == "chat"] == ["brb"]
        if state["version"] == last["version"]:
            assert state["view"] == last["view"] and state["legal"] == last["legal"]
        until(lambda: back.table)
        end = back.play(second)
    person = second.person()
    record = parse_record(person.http.get(f"/api/tables/{table}/record/0").content)
    match, wrong = check_record(record)
    assert wrong == [] and match.payoff == end["payoff"]
    second.stop()


def _load(text: str) -> dict[str, str]:
    found: dict[str, str] = json.loads(text)
    return found


def test_bots_go_on_after_a_restart_without_anyone(tmp_path: Path) -> None:
    first = start(tmp_path, drive_unwatched=True, bot_pace=(0.01, 0.01))
    table = first.person().open("nana", seats=2, bots=["random", "random"])
    until(lambda: (t := first.hall.tables[table]).match is not None and t.match.ply > 5)
    first.stop()
    second = start(tmp_path, drive_unwatched=True, bot_pace=(0.01, 0.01))
    until(lambda: table in second.hall.tables)
    match = second.hall.tables[table].match
    assert match is not None and match.ply > 5
    ply = match.ply
    until(lambda: (t := second.hall.tables[table]).match is not None and t.match.ply > ply)
    second.stop()


def test_a_database_of_a_newer_qipai_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/server.db"
    Store(url).close()
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE schema_version SET version = {len(STEPS) + 1}"))
    engine.dispose()
    with pytest.raises(BadDatabase, match="schema version"):
        Store(url)


def test_a_database_of_an_older_qipai_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path}/server.db"
    Store(url).close()

    def step(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE later (id INTEGER)"))

    monkeypatch.setattr(rows, "STEPS", (*STEPS, step))
    for _ in range(2):  # a step is run once
        store = Store(url)
        assert store.read_now(
            lambda c: c.execute(text("SELECT version FROM schema_version")).scalars().all()
        ) == [2]
        assert store.read_now(lambda c: c.execute(text("SELECT count(*) FROM later")).scalar()) == 0
        store.close()


def test_a_database_that_cannot_be_opened_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a database, and longer than a header of one would be" * 10)
    for url in (
        f"sqlite:///{tmp_path}/file",
        "sqlite://",
        "mysql://x/y",
        "nonsense",
        f"sqlite:///{tmp_path}",
    ):
        with pytest.raises(BadDatabase):
            Store(url).close()


def test_two_servers_do_not_share_a_sqlite_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/server.db"
    first = Store(url)
    with pytest.raises(BadDatabase, match="another server"):
        Store(url)
    first.close()
    Store(url).close()


def test_the_same_row_twice_is_a_conflict_and_spoils_nothing_else(tmp_path: Path) -> None:
    """Writes that are committed together succeed or fail each for itself."""

    async def write() -> list[object]:
        store = Store(f"sqlite:///{tmp_path}/server.db")
        row = {"table_id": "a", "kind": "x", "body": "{}", "at": 0.0}
        rows = [{**row, "number": n} for n in (0, 1, 1, 2)]
        jobs = [store.write(partial(_insert, row=r)) for r in rows]
        found = await asyncio.gather(*jobs, return_exceptions=True)
        kept = await store.read(lambda c: c.execute(ENTRIES.select()).all())
        assert [r.number for r in kept] == [0, 1, 2]
        assert store.commits <= store.writes == 4
        await asyncio.to_thread(store.close)
        return list(found)

    kinds = [type(f) for f in asyncio.run(write())]
    assert kinds == [type(None), type(None), Conflict, type(None)]


def _insert(connection: Connection, row: dict[str, Any]) -> None:
    connection.execute(ENTRIES.insert().values(**row))


@pytest.mark.parametrize("full", [False, True])
def test_sync_is_as_chosen(full: bool, tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/server.db", full)
    assert store.read_now(lambda c: c.exec_driver_sql("PRAGMA synchronous").scalar()) == (2 if full else 1)
    assert store.read_now(lambda c: c.exec_driver_sql("PRAGMA journal_mode").scalar()) == "wal"
    store.close()
    assert (tmp_path / "server.db").stat().st_mode & 0o077 == 0
