"""The position in words: what it says, what it refuses, and that asking changes nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from qipai.core import Messages, QipaiError, State, registry
from qipai.core.errors import IllegalAction, NotYourTurn, StaleVersion
from qipai.match import Match
from qipai.server import hall as hall_module
from qipai.server.http import sockets
from qipai.server.refusals import NoHand
from qipai.server.table import requests
from qipai.server.table.table import Table
from qipai.server.wire import Describe, Described
from tests.server.live import live
from tests.server.room import Idle, Note, deal, hall, seated
from tests.toys import PRIZES, registered

HANDS = [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]
LAYOUT = {"hands": HANDS, "first": 0}


@pytest.fixture(autouse=True)
def toys() -> Iterator[None]:
    with registered():
        yield


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the driver, so that only the test makes moves."""
    monkeypatch.setattr(hall_module, "Driver", Idle)


def described(table: Table, note: Note, picked: list[int] | None = None, **other: Any) -> Described:
    """Return the answer to someone who asks now."""
    assert table.telling is not None
    place = {"hand": table.seating.hand, "version": table.telling.version(table.viewer(note.guest))}
    wish = {"type": "describe", "lang": "en", "picked": picked or [], **place, **other}
    return requests.describe(table, note.guest, Describe.model_validate(wish))


Work = Callable[[Table, dict[int, Note]], Awaitable[None]]


def at_a_table(folder: Path, work: Work, match: Match | None = None) -> None:
    """Run `work` with two people and a watcher at prizes, before the first puts two cards away."""

    async def run() -> None:
        async with hall(folder) as room:
            await room.catalog.wait(PRIZES.name)
            table, notes = await seated(room, PRIZES.name, [0, 1])
            await deal(table, match or Match(PRIZES.name, {}, 2, bytes(32), LAYOUT))
            await work(table, notes)

    asyncio.run(run())


@pytest.mark.usefixtures("still")
def test_a_move_of_several_actions_is_picked_step_by_step(tmp_path: Path) -> None:
    async def work(table: Table, notes: dict[int, Note]) -> None:
        match = table.match
        assert match is not None
        first = described(table, notes[0])
        assert first.drawing == PRIZES.drawing(match.state, 0, "en", table.seating.names)
        assert [(c.action, c.label, c.ends) for c in first.legal] == [
            (a, PRIZES.words.say(a), False) for a in match.legal(0)
        ]
        then = described(table, notes[0], [2])
        assert "your hand 1 2 4 5 6   put away 3" in then.drawing and not then.complete
        assert [(c.label, c.ends) for c in then.legal] == [("4", True), ("5", True), ("6", True)]
        whole = described(table, notes[0], [2, 4])
        assert whole.complete and whole.legal == []
        assert whole.drawing == then.drawing  # the result of a move is not shown before it is made

    at_a_table(tmp_path, work)


@pytest.mark.usefixtures("still")
def test_a_request_is_refused_by_name(tmp_path: Path) -> None:
    async def work(table: Table, notes: dict[int, Note]) -> None:
        now = described(table, notes[0]).version
        refused: list[tuple[type[QipaiError], int, dict[str, Any]]] = [
            (NoHand, 0, {"hand": 1}),
            (NoHand, -1, {"hand": -1}),
            (StaleVersion, 0, {"version": now - 1}),
            (StaleVersion, -1, {"version": now + 1}),
            (IllegalAction, 0, {"picked": [6]}),  # the other's card
            (IllegalAction, 0, {"picked": [2, 1]}),
            (IllegalAction, 0, {"picked": [2, 4, 5]}),  # more than a move
            (IllegalAction, 0, {"picked": [-1]}),
            (IllegalAction, 0, {"picked": [1 << 70]}),
            (NotYourTurn, 1, {"picked": [6]}),
            (NotYourTurn, -1, {"picked": [0]}),
        ]
        for error, seat, wish in refused:
            with pytest.raises(error):
                described(table, notes[seat], **wish)
        assert described(table, notes[1]).legal == [] == described(table, notes[-1]).legal

    at_a_table(tmp_path, work)


@pytest.mark.usefixtures("still")
def test_there_is_nothing_to_see_before_a_hand(tmp_path: Path) -> None:
    async def run() -> None:
        async with hall(tmp_path) as room:
            table, notes = await seated(room, PRIZES.name, [0, 1])
            for note in notes.values():
                with pytest.raises(NoHand):
                    requests.describe(
                        table, note.guest, Describe(type="describe", hand=-1, version=0, lang="en")
                    )

    asyncio.run(run())


@pytest.mark.usefixtures("still")
def test_a_request_changes_nothing_waits_for_nobody_and_nobody_hears_of_it(tmp_path: Path) -> None:
    async def work(table: Table, notes: dict[int, Note]) -> None:
        assert table.match is not None
        sent = {seat: list(note.sent) for seat, note in notes.items()}
        before = (table.match.digest, table.match.moves, table.seating.entries, table.match.state.tobytes())
        wish = Describe(
            type="describe", hand=0, version=described(table, notes[0]).version, lang="zh", picked=[0]
        )
        async with table.lock, asyncio.timeout(10):  # somebody's move is being written
            for _ in range(20):
                assert await sockets.carry_out(table, notes[0].guest, wish) is not None
        assert (
            before == (table.match.digest, table.match.moves, table.seating.entries, before[3])
            and before[3] == table.match.state.tobytes()
        )
        assert {seat: note.sent for seat, note in notes.items()} == sent

    at_a_table(tmp_path, work)


@pytest.mark.usefixtures("still")
def test_each_pair_of_eyes_is_drawn_and_told_its_own(tmp_path: Path) -> None:
    async def work(table: Table, notes: dict[int, Note]) -> None:
        async with table.lock:
            await table.move(0, [2, 4])
        assert table.match is not None and table.telling is not None
        for seat, note in notes.items():
            found = described(table, note)
            assert found.drawing == PRIZES.drawing(table.match.state, seat, "en", table.seating.names)
            events = table.telling.events(seat, 0)
            assert (
                found.log == ["", *(PRIZES.tell(e, "en", table.seating.names, seat) for e in events[1:])]
                and len(events) == found.version
            )
            assert described(table, note, since=found.version - 1).log == found.log[-1:]
            assert (
                described(table, note, since=found.version).log == [] == described(table, note, since=99).log
            )
        name, other = table.seating.names
        assert "You put 3 5 away." in described(table, notes[0]).log
        assert f"{name} puts two cards away." in described(table, notes[1]).log
        assert f"{other}: 6 in hand" in described(table, notes[0]).drawing
        assert [c.label for c in described(table, notes[1]).legal] == ["7", "8", "9", "10", "11"]

    at_a_table(tmp_path, work)


@pytest.mark.usefixtures("still")
def test_a_move_is_tried_out_in_a_world_that_only_the_seats_own_knowledge_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A drawing of an unfinished move shows nothing of the true state."""

    def glass(s: State, seat: int, lang: str) -> str:
        return str(s["where"].tolist())

    monkeypatch.setitem(
        registry._added, PRIZES.name, replace(PRIZES, words=replace(PRIZES.words, draw=glass))
    )

    async def work(table: Table, notes: dict[int, Note]) -> None:
        seen = {described(table, notes[0], [2]).drawing for _ in range(20)}
        assert len(seen) > 10
        own = {tuple(json.loads(text)[:6]) for text in seen}
        assert own == {(0, 0, 2, 0, 0, 0)}

    at_a_table(tmp_path, work)


@pytest.mark.usefixtures("still")
def test_a_game_is_asked_only_for_languages_that_it_speaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def draw(s: State, seat: int, lang: str) -> str:
        return {"en": "a table", "zh": "桌子"}[lang]

    messages = Messages({"en": {"title": "Prizes"}, "zh": {"title": "奖"}})
    game = replace(PRIZES, words=replace(PRIZES.words, draw=draw, messages=messages))
    monkeypatch.setitem(registry._added, PRIZES.name, game)

    async def work(table: Table, notes: dict[int, Note]) -> None:
        drawn = [described(table, notes[0], lang=lang).drawing for lang in ("zh", "en", "ja")]
        assert drawn == ["桌子", "a table", "a table"]

    at_a_table(tmp_path, work)


def test_a_whole_hand_is_played_in_words(tmp_path: Path) -> None:
    with live(tmp_path) as server, server.person() as ann:
        table = ann.open(PRIZES.name, bots=["random"])
        with ann.at(table) as visit, server.person().at(table) as eve:
            visit.read()
            longest = 0
            while not visit.until_asked()["over"]:
                picked: list[int] = []
                whole = False
                while not whole:
                    found = ask(visit, picked)
                    assert found["type"] == "described" and found["picked"] == picked, found
                    picked.append(found["legal"][0]["action"])
                    whole = found["legal"][0]["ends"]
                assert ask(visit, picked)["complete"]
                longest = max(longest, len(picked))
                before = visit.state
                assert visit.act(*picked)["type"] == "done"
                if visit.state is before:
                    visit.state = {**before, "legal": []}
            assert longest == 2
            last = ask(visit, [])
            assert last["legal"] == [] and "result" in last["drawing"] and len(last["log"]) == last["version"]
            heard = eve.settle()
            assert heard and "described" not in {m["type"] for m in heard}


def ask(visit: Any, picked: list[int]) -> dict[str, Any]:
    """Ask over the wire; return the next answer."""
    here = {"hand": visit.state["hand"], "version": visit.state["version"]}
    ref = visit.send(type="describe", lang="en", picked=picked, **here)
    found: dict[str, Any] = visit.wait(lambda m: m.get("ref") == ref)
    return found


def test_a_request_of_a_bad_shape_is_a_bad_message(tmp_path: Path) -> None:
    with live(tmp_path) as server, server.person() as ann, ann.at(ann.open("nana", bots=["random"])) as visit:
        good = {"type": "describe", "hand": 0, "version": 1, "lang": "en"}
        odd: list[dict[str, Any]] = [{"lang": "fr"}, {"lang": None}, {"picked": [0] * 97}, {"picked": ["0"]}]
        for wish in [*odd, {"picked": 1}, {"since": -1}, {"version": None}, {"seat": 1}]:
            answer = visit.ask(**{**good, **wish})
            assert answer["code"] == "message/bad", wish
