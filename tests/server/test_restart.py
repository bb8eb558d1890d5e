"""Everything acknowledged is there after a restart, and the game continues from it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from qipai.match import check_record, parse_record
from qipai.server.store.guests import COOKIE
from tests.server.live import Live, Person, Visit, start, until


def begun(ann: Person, game: str) -> tuple[str, dict[str, Any]]:
    """Return a table six decisions into its hand, and what Ann saw of it last.

    Deals are secret, so a hand may be over earlier by chance: then another table is used.
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


def _load(text: str) -> dict[str, str]:
    found: dict[str, str] = json.loads(text)
    return found


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


def place(server: Live, table: str) -> tuple[int, int]:
    """Return the number of a table's hand and how many actions were made in it."""

    async def look() -> tuple[int, int]:
        inside = server.hall.tables[table]
        return inside.seating.hand, inside.match.ply if inside.match is not None else 0

    return asyncio.run_coroutine_threadsafe(look(), server.hall.loop).result(60)


def test_bots_go_on_after_a_restart_without_anyone(tmp_path: Path) -> None:
    first = start(tmp_path, drive_unwatched=True, bot_pace=(0.01, 0.01))
    table = first.person().open("nana", seats=2, bots=["random", "random"])
    seen = until(lambda: (found := place(first, table)) > (0, 5) and found)
    first.stop()
    second = start(tmp_path, drive_unwatched=True, bot_pace=(0.01, 0.01))
    until(lambda: table in second.hall.tables)
    loaded = place(second, table)
    assert loaded >= seen
    until(lambda: place(second, table) > loaded)
    second.stop()
