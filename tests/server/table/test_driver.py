"""The automatic part of a table: bots, clocks, abandoned seats."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
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


def test_a_missed_clock_hands_the_seat_to_a_bot(server: Live) -> None:
    with server.person() as ann:
        table = ann.open("nana", bots=["random"], options={"first": 0}, clock=1)
        with ann.at(table) as visit:
            state = visit.until_asked()
            assert 0 < state["clock"]["left"] <= state["clock"]["total"] == 1000
            visit.wait(lambda m: m["type"] == "table" and m["table"]["seats"][0]["away"])
            assert code(visit.ask(type="return")) == "done"
            assert not visit.table["table"]["seats"][0]["away"]


def test_a_table_of_bots_alone_plays_while_someone_watches(server: Live) -> None:
    with server.person() as ann:
        table = ann.open("nana", seats=2, bots=["random", "random"], options={"max_turns": 4})
        time.sleep(0.2)
        assert server.hall.tables[table].seating.hand == -1
        with ann.at(table) as rail:
            rail.wait(lambda m: m["type"] == "state" and m["over"] and m["hand"] >= 1)
            assert rail.table["you"] == -1


def test_a_seat_taken_back_after_a_missed_clock_is_kept(tmp_path: Path) -> None:
    """The bot makes that one move: returning gains no time, and does not lose the seat again."""
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
