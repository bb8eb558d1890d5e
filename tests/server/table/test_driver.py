"""The automatic part of a table: bots, clocks, abandoned seats."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from qipai.server.table.driver import PACES, Driver
from qipai.server.table.table import RECENT
from tests.server.live import Live, Visit, live, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(tmp_path_factory.mktemp("server"), grace=0.3) as found:
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
        table = ann.open("nana", bots=["random"], options={"first": 0}, clock=1)
        with ann.at(table) as visit:
            version = visit.until_asked()["version"]
            visit.wait(lambda m: m["type"] == "table" and m["table"]["seats"][0]["away"])
            assert code(visit.ask(type="return")) == "done"
            seen = len(visit.texts)
            visit.wait(lambda m: m["type"] == "state" and m["version"] > version)
            tables = [m for m in map(json.loads, visit.texts[seen:]) if m["type"] == "table"]
            assert not any(m["table"]["seats"][0]["away"] for m in tables)


def test_bots_take_the_time_that_the_table_was_opened_with(tmp_path: Path) -> None:
    with live(tmp_path, bot_pace=(1.0, 1.0)) as server, server.person() as ann:
        for pace, times in PACES.items():
            table = ann.open("nana", bots=["random"], pace=pace)
            with ann.at(table) as visit:
                visit.wait(lambda m: m["type"] == "table")
                assert Driver(server.hall.tables[table])._pace() == times


def test_a_table_that_everybody_left_waits_as_it_was(server: Live) -> None:
    with server.person() as ann:
        table = ann.open("nana", bots=["random"], options={"first": 0}, clock=3)
        with ann.at(table) as visit:
            version = visit.until_asked()["version"]
        time.sleep(3.5)  # longer than the grace and the clock
        with ann.at(table) as back:
            state = back.until_asked()
            assert state["version"] == version and not back.table["table"]["seats"][0]["away"]
            assert state["clock"]["left"] > 1500  # and its time begins again


def test_a_match_of_two_hands_ends_with_places_and_then_begins_again(server: Live) -> None:
    with server.person() as ann:
        table = ann.open("nana", bots=["random"], options={"first": 0, "max_turns": 4}, goal="hands", count=2)
        with ann.at(table) as visit:
            for hand in range(3):
                visit.until_asked()
                visit.play(server)
                info = visit.table["table"]
                assert (info["played"], info["finished"]) == ((1, False), (2, True), (1, False))[hand]
                first = [won for place, won in zip(info["places"], info["chips"], strict=True) if place == 1]
                assert set(first) == {max(info["chips"])}
                if hand < 2:
                    assert code(visit.ask(type="ready", ready=True)) == "done"
                    visit.wait(lambda m: m["type"] == "state" and not m["over"])


def test_unfinished_tables_are_found_again_also_after_they_slept(server: Live) -> None:
    with server.person() as ann, server.person() as bo:
        table = ann.open("nana", bots=["random"], options={"first": 0}, private=True)
        with ann.at(table) as visit:
            visit.until_asked()
        (found,) = [one for one in ann.http.get("/api/mine").json() if one["table"]["id"] == table]
        assert found["asked"] and found["seat"] == 0
        assert not bo.http.get(f"/api/mine?tables={table}").json()
        hall = server.hall
        hall.loop.call_soon_threadsafe(lambda: hall._forget(hall.tables[table]))
        until(lambda: table not in hall.tables)
        assert not [one for one in ann.http.get("/api/mine").json() if one["table"]["id"] == table]
        assert [one["table"]["id"] for one in ann.http.get(f"/api/mine?tables={table}").json()][-1:] == [
            table
        ]


def test_an_endless_table_is_found_again_between_hands_for_hours_while_the_seat_is_held(server: Live) -> None:
    def mine() -> list[dict[str, Any]]:
        """Ask as the lobby of this browser does."""
        found = ann.http.get(f"/api/mine?tables={table}").json()
        return [one for one in found if one["table"]["id"] == table]

    with server.person() as ann:
        table = ann.open("nana", bots=["random"], options={"first": 0, "max_turns": 1}, private=True)
        with ann.at(table) as visit:
            visit.until_asked()
            visit.play(server)
        hall = server.hall
        (found,) = mine()
        assert found["table"]["status"] == "over" and not found["asked"]
        hall.loop.call_soon_threadsafe(lambda: hall._forget(hall.tables[table]))
        until(lambda: table not in hall.tables)
        assert len(mine()) == 1  # its row says when the hand ended
        hall.tables[table].presence.played -= RECENT
        assert not mine()
        hall.tables[table].presence.played += RECENT
        with ann.at(table) as visit:
            assert code(visit.ask(type="stand")) == "done"
        assert not mine()


def test_one_person_with_two_sockets_is_online_once(server: Live) -> None:
    until(lambda: not server.hall.guests_here)
    with server.person() as ann:
        table = ann.open("nana", bots=["random"])
        with ann.at(table), ann.at(table):
            until(lambda: len(server.hall.guests_here) == 1 and server.hall.sockets == 2)
            with Visit(server.port, None, "/ws/lobby") as lobby:  # a newcomer, who is told about both
                until(lambda: server.hall.sockets == 3)
                assert lobby.read()["online"] == 2
