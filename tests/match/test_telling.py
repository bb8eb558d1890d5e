"""Versions and events: each seat is told what it may know, and its version counts exactly that."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from qipai.core import Event, Player, State
from qipai.core.errors import StaleVersion
from qipai.games.wuhan_mahjong import GAME
from qipai.match import Match
from qipai.match import telling as telling_module
from tests.toys import PRIZES, SEED, WHISPER, play, random_move

DEAL = {"hands": [[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]], "first": 0}


def test_everyone_hears_the_same_beginning() -> None:
    match = Match(PRIZES, {"first_seat": 1}, seed=SEED)
    start = {
        "event": "start",
        "game": "skeleton",
        "rules": 1,
        "seats": 2,
        "options": {"first_seat": 1},
        "commitment": match.commitment,
    }
    for seat in (-1, 0, 1):
        assert match.events(seat) == [start] and match.version(seat) == 1


def test_a_version_is_the_number_of_events_sent_to_the_seat() -> None:
    match = Match(PRIZES, seed=SEED)
    rng = Random(1)
    heard: dict[int, list[Any]] = {seat: [] for seat in (-1, 0, 1)}
    while True:
        for seat, events in heard.items():
            events += match.events(seat, len(events))
            assert match.version(seat) == len(events) and match.events(seat) == events
        if match.over:
            break
        match.act(match.seat, random_move(match, rng))


def test_what_is_hidden_is_told_to_its_owner_alone() -> None:
    match = Match(PRIZES, seed=SEED, layout=DEAL)
    match.act(0, [0, 2])
    own, public = {"event": "put", "seat": 0, "cards": [0, 2]}, {"event": "put", "seat": 0}
    assert [match.events(seat)[1:] for seat in (0, 1, -1)] == [[own], [public], [public]]
    match.act(1, [1, 3])
    match.act(0, 4)
    assert match.events(0)[-1] == {"event": "bid", "seat": 0, "card": 4}
    assert match.events(1)[-1] == match.events(-1)[-1] == {"event": "bid", "seat": 0}


def test_events_and_views_of_others_do_not_depend_on_a_hidden_choice() -> None:
    one, two = (Match(PRIZES, seed=SEED, layout=DEAL) for _ in range(2))
    one.act(0, [0, 2])
    two.act(0, [6, 10])
    for seat in (1, -1):
        assert one.events(seat) == two.events(seat) and one.view(seat) == two.view(seat)
        assert one.version(seat) == two.version(seat) and one.legal(seat) == two.legal(seat)


def test_who_is_asked_shows_in_no_version() -> None:
    """Seat 1 holds 0 and is told nothing until the end, no matter who was asked and what they answered."""
    for holds in ([1, 0, 1], [0, 0, 1]):
        match = Match(WHISPER, seed=SEED, layout={"holds": holds})
        while not match.over:
            assert match.version(1) == match.version(-1) == 1
            assert match.view(1) == {"hold": 0, "asked": False}
            match.act(match.seat, 0)
        assert match.version(1) == match.version(-1) == 2


def test_a_finished_match_opens_every_view() -> None:
    match = Match(WHISPER, seed=SEED, layout={"holds": [1, 0, 1]})
    play(match, Random(0))
    assert match.view(0) == match.view(1) == match.view(-1)
    assert match.view(1)["holds"] == [1, 0, 1]


def test_a_match_that_ends_with_the_deal_has_only_a_beginning() -> None:
    match = Match(WHISPER, seed=SEED, layout={"holds": [0, 0, 0]})
    assert match.over and match.payoff == [0, 0, 0]
    assert match.version(0) == 1


def test_there_are_no_events_after_what_a_seat_has_not_reached() -> None:
    match = Match(PRIZES, seed=SEED)
    assert match.events(0, 1) == []
    for bad in (2, -1, None, "0", 1.0, True, 10**5000):
        with pytest.raises(StaleVersion):
            match.events(0, bad)  # type: ignore[arg-type]


def test_late_listeners_hear_the_same() -> None:
    early, late = Match(PRIZES, seed=SEED), Match(PRIZES, seed=SEED)
    rngs = Random(9), Random(9)
    while not early.over:
        for match, rng in zip((early, late), rngs, strict=True):
            match.act(match.seat, random_move(match, rng))
        assert early.version(0) > 0
    assert all(early.events(seat) == late.events(seat) for seat in (-1, 0, 1))


# --- for a host that tells itself -------------------------------------------------------


def test_a_step_is_narrated_only_for_those_who_ask() -> None:
    calls: list[int] = []

    def narrate(before: State, action: int, viewer: int) -> list[Event]:
        calls.append(viewer)
        return PRIZES.rules.narrate(before, action, viewer)

    match = Match(replace(PRIZES, rules=replace(PRIZES.rules, narrate=narrate)), seed=SEED)
    telling = match.telling()
    rng = Random(3)
    for _ in range(4):
        telling.tell(match.act(match.seat, random_move(match, rng)))
    assert calls == []
    assert telling.version(0) == match.version(0)
    assert set(calls) == {0}


def test_public_events_are_narrated_once() -> None:
    calls: list[int] = []

    def narrate(before: State, action: int, viewer: int) -> list[Event]:
        calls.append(viewer)
        return [{"event": "done", "action": action}]

    match = Match(
        replace(PRIZES, rules=replace(PRIZES.rules, narrate=narrate, public_events=True)), seed=SEED
    )
    telling = match.telling()
    telling.tell(match.act(match.seat, random_move(match, Random(3))))
    assert telling.events(0) == telling.events(1) == telling.events(-1)
    assert len(calls) == match.ply


def test_those_who_ask_late_are_told_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling_module, "LATE", 3)
    match = Match(PRIZES, seed=SEED)
    telling = match.telling()
    rng = Random(3)
    while not match.over:
        telling.tell(match.act(match.seat, random_move(match, rng)))
        assert telling.version(0) == match.version(0)
    assert [telling.events(v) for v in (-1, 0, 1)] == [match.events(v) for v in (-1, 0, 1)]


def test_a_version_that_is_not_the_present_one_is_stale() -> None:
    telling = Match(PRIZES, seed=SEED).telling()
    telling.check_version(0, 1)
    for bad in (0, 2, -1, None, "1", True, 1.0):
        with pytest.raises(StaleVersion):
            telling.check_version(0, bad)


# --- windows ----------------------------------------------------------------------------


def without_asking(events: list[Event]) -> list[str]:
    """Return events in any order. With windows all who may answer are asked, though one answer may end it."""
    return sorted(str(event) for event in events if event["event"] != "ask")


def test_windows_change_when_events_are_told_and_not_which() -> None:
    """Every viewer is finally told the same as without windows; a watcher is never told earlier."""
    for seed in range(6):
        match = Match(GAME, {}, 4, seed.to_bytes(32, "big"))
        player = Player(GAME, "random", seed)
        telling, closed = match.telling(windows=True), set[int]()
        held = 0
        while not match.over or telling.window is not None:
            window = telling.window
            if window is not None and GAME.windows.sealed(match.state) is None:
                closed.add(window.ply)
                telling.tell(closed=closed)
                held += 1
            else:
                telling.tell(match.act(match.seat, player.move(match.state)), closed)
            assert telling.version(-1) <= match.version(-1)
        assert held > 10 and telling.events(-1) == match.events(-1)
        for viewer in range(4):
            assert without_asking(telling.events(viewer)) == without_asking(match.events(viewer))


def test_whether_a_window_holds_is_the_same_for_all_that_follows() -> None:
    match = Match(GAME, {}, 4, bytes(32))
    player = Player(GAME, "random", 1)
    without, telling = match.telling(), match.telling(windows=True)
    for _ in range(20):
        (step,) = match.act(match.seat, player.move(match.state))
        assert not without.holds(step)
        telling.tell([step], range(match.ply + 1))
        if telling.window is not None:
            assert telling.holds(step) or GAME.windows.sealed(step.before) is not None
