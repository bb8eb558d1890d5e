"""Windows as a table on the network holds them: to a seat that is not asked every one looks alike (§8.2)."""

from __future__ import annotations

from collections import Counter

import pytest

from qipai.core import WATCHER, Player
from qipai.games.wuhan_mahjong import GAME
from qipai.games.wuhan_mahjong.tiles import PASS
from qipai.match import Match

VIEWERS = (0, 1, 2, 3, WATCHER)


def hands(count: int, **options: str) -> Counter[str]:
    """Play hands of bots and compare at every action; how often each case came."""
    seen: Counter[str] = Counter()
    for number in range(count):
        match = Match(GAME, options, seed=number.to_bytes(32, "big"))
        players = [Player(GAME, "heuristic", number, lane) for lane in range(4)]
        while not match.over:
            before, seat = match.state, match.seat
            (action,) = players[seat].move(before)
            match.act(seat, action)
            told = {v: GAME.rules.narrate(before, action, v) for v in VIEWERS}
            shown = {v: GAME.windows.pause(before, action, v) for v in VIEWERS}
            asks = any(GAME.windows.held(event) for event in told[WATCHER])
            if shown[WATCHER] is None:
                assert not asks or match.over
                assert GAME.windows.sealed(match.state) is None or GAME.windows.sealed(before) is not None
                seen["none"] += 1
                continue
            assert asks
            opened = GAME.windows.sealed(match.state) is not None
            seen["asked" if opened else "nobody"] += 1
            for viewer in VIEWERS:
                record = shown[viewer]
                assert record is not None
                if opened and viewer != match.seat:
                    assert GAME.rules.view(record, viewer) == GAME.rules.view(match.state, viewer)
                    assert GAME.windows.held(told[viewer][-1])
                view = GAME.rules.view(record, viewer)
                assert view["decider"] == seat
                assert view.get("legal", []) == []
                assert view["wall_left"] == int(before["back"]) - int(before["front"])
    return seen


def test_a_pause_looks_like_a_window_to_whoever_is_not_asked() -> None:
    seen = hands(12)
    assert seen["asked"] > 50
    assert seen["nobody"] > 200
    assert seen["none"] > 50


def test_a_pause_looks_alike_when_everyone_is_asked() -> None:
    seen = hands(4, auto_pass="off")
    assert seen["asked"] > 50
    assert seen["nobody"] == 0 or seen["nobody"] < seen["asked"]


@pytest.mark.parametrize("number", range(3))
def test_the_declining_action_is_open_to_whoever_is_asked(number: int) -> None:
    match = Match(GAME, seed=number.to_bytes(32, "big"))
    player = Player(GAME, "random", number)
    while not match.over:
        decline = GAME.windows.sealed(match.state)
        if decline is not None:
            assert decline == PASS
            assert PASS in match.legal(match.seat)
        match.act(match.seat, player.move(match.state))
