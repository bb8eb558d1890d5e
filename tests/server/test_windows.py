"""Windows: nobody can tell from any message, version or pause whether another seat was asked."""

from __future__ import annotations

import asyncio
import json
import random
import re
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from qipai.core import Player
from qipai.core.errors import IllegalAction, NotYourTurn, StaleVersion
from qipai.games.wuhan_mahjong import GAME
from qipai.games.wuhan_mahjong.tiles import CONCEALED, KINDS, PASS, PONG, SUPPLEMENT, WIN
from qipai.match import Match
from qipai.server import hall as hall_module
from qipai.server import replay as replays
from qipai.server.refusals import Conflict, UnknownHand
from qipai.server.store import ledger
from qipai.server.table import driver as driver_module
from qipai.server.table import requests
from qipai.server.wire import Act, Describe
from tests.server.room import Idle, come, deal, hall, seated

SEED = bytes(32)
DEALT, FIRST_DRAW, FLIP = 13, 52, 53
CLAIM = 30.0  # seconds; longer than the looks at an open window take on any machine


def match_of(deck: list[int]) -> Match:
    return Match(GAME, {}, 4, SEED, {"deck": deck, "dealer": 0})


def asked_after(match: Match, action: int) -> dict[int, list[int]]:
    """Return the seats asked after an action of the current seat, by letting everyone decline."""
    trial = match.copy()
    trial.act(trial.seat, action)
    found = {}
    while GAME.windows.sealed(trial.state) is not None:
        found[trial.seat] = trial.legal(trial.seat)
        trial.act(trial.seat, PASS)
    return found


def worlds(count: int, wanted: int = 1) -> list[tuple[int, list[int], list[int]]]:
    """Return (discard, a deck in which a seat is asked, one in which none is), the same to seat 0."""
    rng = random.Random(7)
    found: list[tuple[int, list[int], list[int]]] = []
    while len(found) < count:
        deck = [t for t in range(KINDS) for _ in range(4)]
        rng.shuffle(deck)
        match = match_of(deck)
        for action in [a for a in match.legal(0) if a < KINDS]:
            if len(asked_after(match, action)) < wanted:
                continue
            other = quiet_twin(deck, action, rng)
            if other is not None:
                found.append((action, deck, other))
                break
    return found


def quiet_twin(deck: list[int], action: int, rng: random.Random) -> list[int] | None:
    """Return the deck with everything hidden from seat 0 shuffled until nobody is asked."""
    hidden = [i for i in range(len(deck)) if i >= DEALT and i not in (FIRST_DRAW, FLIP)]
    for _ in range(200):
        tiles = [deck[i] for i in hidden]
        rng.shuffle(tiles)
        other = list(deck)
        for i, t in zip(hidden, tiles, strict=True):
            other[i] = t
        if not asked_after(match_of(other), action):
            return other
    return None


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall_module, "Driver", Idle)


async def transcript(folder: Path, deck: list[int], action: int) -> dict[int, list[str]]:
    """Return what seat 0 and a watcher are sent from the deal to the draw after the window; all decline."""
    folder.mkdir()
    async with hall(folder, alone_hold=(0.0, 0.0), claim_spread=0.0) as room:
        await room.catalog.wait(GAME.name)
        table, notes = await seated(room, GAME.name, [0, 1, 2, 3], claim=CLAIM)
        await deal(table, match_of(deck))
        version = table.telling.version(0) if table.telling else 0
        for note in notes.values():
            note.sent.clear()
        await requests.act(table, notes[0].guest, Act(type="act", hand=0, version=version, actions=[action]))
        assert table.window is not None
        looks = {seat: [look(table, notes[seat])] for seat in (0, -1)}
        for seat in table.waiting_for():
            wish = Act(type="act", hand=0, version=notes[seat].states[-1]["version"], actions=[PASS])
            await requests.act(table, notes[seat].guest, wish)
        for seat, found in looks.items():
            found.append(look(table, notes[seat]))
            assert found[0] == found[1]  # nor is it visible that a seat has answered
        sent = len(notes[0].sent)
        driver, _ = room._drivers[table.id]
        held, _ = await come(lambda: driver._hold)
        driver._hold = (held, 0.0)  # its time is over
        table.wake()
        await come(lambda: table.window is None)
        assert len(notes[0].sent) == sent + 1
        for seat, found in looks.items():
            found.append(look(table, notes[seat]))
            notes[seat].sent += found
        return {seat: [plain(text, table.id) for text in notes[seat].sent] for seat in (0, -1)}


def plain(text: str, table: str) -> str:
    """Return a message without what chance decides: the table's name and the numbers of guests."""
    return re.sub(r"Guest \d+", "GUEST", text.replace(table, "TABLE"))


def look(table: Any, note: Any) -> str:
    """Return the answer to someone who looks now."""
    version = table.telling.version(table.viewer(note.guest))
    found = requests.describe(
        table, note.guest, Describe(type="describe", hand=0, version=version, lang="en")
    )
    return str(found.model_dump_json())


def test_others_cannot_tell_whether_anybody_was_asked(tmp_path: Path) -> None:
    for number, (action, busy, quiet) in enumerate(worlds(3)):
        one = asyncio.run(transcript(tmp_path / f"{number}a", busy, action))
        other = asyncio.run(transcript(tmp_path / f"{number}b", quiet, action))
        assert one == other
        kinds = [json.loads(text)["type"] for text in one[0]]
        assert kinds == ["state", "state", "described", "described", "described"]
        first, last = (json.loads(text) for text in one[0][:2])
        assert [e["event"] for e in first["events"]] == ["discard"]
        assert first["turn"] is None and first["legal"] == []
        assert last["events"][0]["event"] == "draw"


def test_how_long_a_window_is_held_is_drawn_before_anyone_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every window draws from the same span, asked or not."""
    spans: list[tuple[float, float]] = []
    true = driver_module._draw

    def draw(span: tuple[float, float]) -> float:
        spans.append(span)
        return true(span)

    monkeypatch.setattr(driver_module, "_draw", draw)
    for number, (action, busy, quiet) in enumerate(worlds(1)):
        asyncio.run(transcript(tmp_path / f"{number}a", busy, action))
        asyncio.run(transcript(tmp_path / f"{number}b", quiet, action))
    assert spans == [(CLAIM, CLAIM)] * 2


@asynccontextmanager
async def opened(folder: Path, deck: list[int], action: int) -> AsyncIterator[tuple[Any, Any, Any]]:
    """Yield a table of four people at which `action` has just opened a window: hall, table, notes."""
    async with hall(folder) as room:
        await room.catalog.wait(GAME.name)
        table, notes = await seated(room, GAME.name, [0, 1, 2, 3], claim=CLAIM)
        await deal(table, match_of(deck))
        async with table.lock:
            await table.move(0, [action])
        yield room, table, notes


@pytest.mark.usefixtures("still")
def test_all_claimants_are_asked_at_once_and_their_answers_are_sealed(tmp_path: Path) -> None:
    (action, deck, _), *_ = worlds(1, wanted=2)

    async def play() -> None:
        async with opened(tmp_path, deck, action) as (_, table, notes):
            asked = table.waiting_for()
            assert len(asked) >= 2
            for seat in asked:
                state = notes[seat].states[-1]
                assert state["legal"] == asked_after(match_of(deck), action)[seat]
                assert state["events"][-1]["event"] == "ask"
                assert state["view"]["decider"] == seat
                found = json.loads(look(table, notes[seat]))
                assert found["drawing"] == GAME.drawing(table.window.asked[seat], seat, "en")
                assert [c["action"] for c in found["legal"] if c["ends"]] == state["legal"]
            before = {seat: list(note.sent) for seat, note in notes.items()}
            first = asked[0]
            best = max(a for a in notes[first].states[-1]["legal"] if a != PASS)
            version = notes[first].states[-1]["version"]
            await requests.act(
                table, notes[first].guest, Act(type="act", hand=0, version=version, actions=[best])
            )
            assert table.match is not None and table.match.ply == 1
            for seat, note in notes.items():
                if seat != first:
                    assert note.sent == before[seat]
            assert notes[first].states[-1]["legal"] == []
            with pytest.raises(NotYourTurn):  # once
                await requests.act(
                    table, notes[first].guest, Act(type="act", hand=0, version=version, actions=[PASS])
                )
            with pytest.raises(NotYourTurn):
                now = notes[0].states[-1]["version"]
                await requests.act(table, notes[0].guest, Act(type="act", hand=0, version=now, actions=[0]))
            async with table.lock:
                await table.close_window()
            assert best in [a for _, (a,) in table.match.moves]
            assert all(note.states[-1]["version"] == table.telling.version(s) for s, note in notes.items())

    asyncio.run(play())


@pytest.mark.usefixtures("still")
def test_an_answer_that_is_stale_or_illegal_is_refused(tmp_path: Path) -> None:
    (action, deck, _), *_ = worlds(1)

    async def play() -> None:
        async with opened(tmp_path, deck, action) as (_, table, notes):
            (seat, *_) = table.waiting_for()
            now = notes[seat].states[-1]
            guest = notes[seat].guest
            with pytest.raises(StaleVersion):
                await requests.act(
                    table, guest, Act(type="act", hand=0, version=now["version"] - 1, actions=[PASS])
                )
            illegal = next(a for a in (0, PONG, WIN) if a not in now["legal"])
            with pytest.raises(IllegalAction):
                await requests.act(
                    table, guest, Act(type="act", hand=0, version=now["version"], actions=[illegal])
                )
            with pytest.raises(IllegalAction):
                await requests.act(
                    table, guest, Act(type="act", hand=0, version=now["version"], actions=[PASS, PASS])
                )
            assert table.window.answers == {}

    asyncio.run(play())


@pytest.mark.usefixtures("still")
def test_nobody_waits_while_an_answer_is_sealed_and_it_counts_though_the_window_closes_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person who had to wait would learn that a seat was asked."""
    (action, deck, _), *_ = worlds(1)
    begun, go = threading.Event(), threading.Event()
    true = ledger.add_answer

    def slow(connection: Any, *row: Any) -> None:
        begun.set()
        assert go.wait(60)
        true(connection, *row)

    async def play() -> None:
        async with opened(tmp_path, deck, action) as (_, table, notes):
            (seat, *_) = table.waiting_for()
            best = max(a for a in notes[seat].states[-1]["legal"] if a != PASS)
            version = {k: note.states[-1]["version"] for k, note in notes.items()}
            answer = Act(type="act", hand=0, version=version[seat], actions=[best])
            monkeypatch.setattr(ledger, "add_answer", slow)
            sealing = asyncio.ensure_future(requests.act(table, notes[seat].guest, answer))
            await asyncio.to_thread(begun.wait, 60)
            with pytest.raises(NotYourTurn):
                probe = Act(type="act", hand=0, version=version[0], actions=[0])
                await asyncio.wait_for(requests.act(table, notes[0].guest, probe), 60)
            assert not sealing.done() and table.window.answers == {}
            async with table.lock:
                closing = asyncio.ensure_future(table.close_window())
                await asyncio.sleep(0)  # its write waits behind the answer's
                go.set()
                with pytest.raises(Conflict):
                    await closing
                await table.catch_up()  # as the driver does
                await table.close_window()
            await sealing
            assert (seat, (best,)) in table.match.moves
            assert table.window is None

    asyncio.run(play())


@pytest.mark.usefixtures("still")
def test_an_answer_after_the_window_closed_is_refused_though_it_was_open_when_it_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (action, deck, _), *_ = worlds(1)

    async def play() -> None:
        async with opened(tmp_path, deck, action) as (_, table, notes):
            (seat, *_) = table.waiting_for()
            best = max(a for a in notes[seat].states[-1]["legal"] if a != PASS)
            true = table.seal

            async def late(answer: Any) -> None:
                async with table.lock:
                    await table.close_window()
                await true(answer)

            monkeypatch.setattr(table, "seal", late)
            answer = Act(type="act", hand=0, version=notes[seat].states[-1]["version"], actions=[best])
            with pytest.raises(StaleVersion):
                await requests.act(table, notes[seat].guest, answer)
            assert (seat, (PASS,)) in table.match.moves
            assert table.window is None

    asyncio.run(play())


@pytest.mark.usefixtures("still")
def test_an_absent_persons_answer_shows_nobody_that_they_are_there(tmp_path: Path) -> None:
    (action, deck, _), *_ = worlds(1)

    async def play() -> None:
        async with opened(tmp_path, deck, action) as (_, table, notes):
            (seat, *_) = table.waiting_for()
            await table.enter(("away", {"seat": seat}))
            before = {k: list(note.sent) for k, note in notes.items()}
            version = notes[seat].states[-1]["version"]
            answer = Act(type="act", hand=0, version=version, actions=[PASS])
            await requests.act(table, notes[seat].guest, answer)
            assert table.window.answers == {seat: PASS}
            assert {k: note.sent for k, note in notes.items() if k != seat} == {
                k: sent for k, sent in before.items() if k != seat
            }

    asyncio.run(play())


@pytest.mark.usefixtures("still")
def test_a_window_and_its_sealed_answers_survive_a_restart(tmp_path: Path) -> None:
    (action, deck, _), *_ = worlds(1)

    async def first() -> tuple[str, int, int, list[int]]:
        async with opened(tmp_path, deck, action) as (_, table, notes):
            (seat, *_) = asked = table.waiting_for()
            best = max(a for a in notes[seat].states[-1]["legal"] if a != PASS)
            version = notes[seat].states[-1]["version"]
            await requests.act(
                table, notes[seat].guest, Act(type="act", hand=0, version=version, actions=[best])
            )
            return table.id, seat, best, asked

    async def second(name: str, seat: int, best: int, asked: list[int]) -> None:
        async with hall(tmp_path) as room:
            table = await room.find(name)
            assert table.window is not None and table.window.answers == {seat: best}
            assert table.waiting_for() == [s for s in asked if s != seat]
            async with table.lock:
                await table.close_window()
            assert table.match is not None
            assert (seat, (best,)) in table.match.moves

    asyncio.run(second(*asyncio.run(first())))


def test_one_person_among_bots_may_take_their_time(tmp_path: Path) -> None:
    """The windows of bots are short, and the only person asked is waited for."""
    (action, deck, _), *_ = [w for w in worlds(6) if 2 in asked_after(match_of(w[1]), w[0])][:1]

    async def play() -> None:
        async with hall(tmp_path, grace=3600.0, bot_pace=(3600.0, 3600.0)) as room:
            await room.catalog.wait(GAME.name)
            table, notes = await seated(room, GAME.name, [2], seats=4)
            table.part(notes[-1])  # type: ignore[arg-type]
            async with table.lock:
                await table.enter(*(("bot", {"seat": s, "agent": "random"}) for s in (0, 1, 3)))
            await deal(table, match_of(deck))
            async with table.lock:
                await table.move(0, [action])
            await come(lambda: table.waiting_for() == [2])
            await asyncio.sleep(0.3)  # longer than the window is held
            assert table.waiting_for() == [2] and table.window is not None
            assert notes[2].states[-1]["legal"] and notes[2].states[-1]["clock"] is None
            version = notes[2].states[-1]["version"]
            await requests.act(
                table, notes[2].guest, Act(type="act", hand=0, version=version, actions=[PASS])
            )
            await come(lambda: table.window is None)

    asyncio.run(play())


def last_kong() -> tuple[bytes, Match]:
    """Return a position where a kong takes the last tile that may be drawn, and nobody can rob it."""
    rng = random.Random(139)
    for seed in range(139, 2000):
        match = Match(GAME, {}, 4, seed.to_bytes(32, "big"))
        player = Player(GAME, "random", seed)
        while not match.over:
            kongs = [a for a in match.legal(match.seat) if SUPPLEMENT <= a < CONCEALED]
            for kong in kongs:
                trial = match.copy()
                trial.act(trial.seat, kong)
                if trial.over:
                    return seed.to_bytes(32, "big"), match
            move = [rng.choice(kongs)] if kongs else player.move(match.state)
            match.act(match.seat, move)
    raise AssertionError("no such hand was found")


@pytest.mark.usefixtures("still")
def test_a_hand_that_ends_behind_a_window_ends_for_nobody_before_it_closes(tmp_path: Path) -> None:
    """That nobody could rob the last kong is a secret as long as a window is held for it."""
    seed, match = last_kong()
    seat = match.seat
    (kong, *_) = [a for a in match.legal(seat) if SUPPLEMENT <= a < CONCEALED]

    async def play() -> None:
        async with hall(tmp_path) as room:
            await room.catalog.wait(GAME.name)
            table, notes = await seated(room, GAME.name, [0, 1, 2, 3])
            await deal(table, Match(GAME, {}, 4, seed))
            async with table.lock:
                for mover, actions in match.moves:
                    if table.window is not None and GAME.windows.sealed(table.match.state) is None:  # type: ignore
                        await table.close_window()
                    await table.move(mover, actions)
                if table.window is not None:
                    await table.close_window()
                for note in notes.values():
                    note.sent.clear()
                await table.move(seat, [kong])
                assert table.window is not None and not table.window.asked
                assert table.info().status == "playing"
                for note in notes.values():
                    assert [json.loads(text)["type"] for text in note.sent] == ["state"]
                    assert not note.states[-1]["over"] and note.states[-1]["seed"] is None
                with pytest.raises(UnknownHand):
                    await room.store.read(lambda c: replays.read_match(c, table.id, 0))
                await table.close_window()
            assert table.info().status == "over"
            assert all(note.states[-1]["over"] for note in notes.values())
            await room.store.read(lambda c: replays.read_match(c, table.id, 0))

    asyncio.run(play())


def test_whoever_comes_to_watch_sees_a_window_held_like_any_other(tmp_path: Path) -> None:
    """A lone person is waited for; a watcher who arrives then must not learn that they are asked."""
    ends = []
    busy = next(w for w in worlds(6) if 2 in asked_after(match_of(w[1]), w[0]))

    async def play(folder: Path, deck: list[int], action: int) -> None:
        folder.mkdir()
        async with hall(folder, grace=3600.0, bot_pace=(3600.0, 3600.0), alone_hold=(60.0, 60.0)) as room:
            await room.catalog.wait(GAME.name)
            table, notes = await seated(room, GAME.name, [2], seats=4, claim=0.8)
            table.part(notes[-1])  # type: ignore[arg-type]
            async with table.lock:
                await table.enter(*(("bot", {"seat": s, "agent": "random"}) for s in (0, 1, 3)))
            await deal(table, match_of(deck))
            async with table.lock:
                await table.move(0, [action])
            await asyncio.sleep(0.2)
            assert table.window is not None and table.turn.unhurried
            began = time.monotonic()
            table.join(notes[-1], None)  # type: ignore[arg-type]
            if 2 in table.waiting_for():
                assert notes[2].states[-1]["clock"] is not None  # they have a time limit
            await come(lambda: table.window is None)
            ends.append(time.monotonic() - began)

    asyncio.run(play(tmp_path / "a", busy[1], busy[0]))
    asyncio.run(play(tmp_path / "b", busy[2], busy[0]))
    assert min(ends) >= 0.8, ends


@pytest.mark.usefixtures("still")
def test_a_bot_that_fails_declines(tmp_path: Path) -> None:
    (action, deck, _), *_ = worlds(1)

    async def play() -> None:
        async with opened(tmp_path, deck, action) as (room, table, _):
            seat = table.waiting_for()[0]
            await table.enter(("away", {"seat": seat}))
            driver = driver_module.Driver(table)

            def fail(*_: Any) -> list[int]:
                raise RuntimeError("a bot's own fault")

            table.hand.crew.move = fail
            await driver._window(table.window)
            await come(lambda: all(task.done() for task in driver._thinking.values()))
            await driver._window(table.window)
            assert table.window.answers == {seat: PASS} and room.metrics.errors == 1

    asyncio.run(play())
