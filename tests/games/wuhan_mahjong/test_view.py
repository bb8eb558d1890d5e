"""Views and events: what is shown, and what is kept back."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from qipai.core import State
from qipai.core.errors import BadSeats
from qipai.games.wuhan_mahjong import GAME
from qipai.games.wuhan_mahjong.examples import EXAMPLES, TWINS, ids, position
from qipai.games.wuhan_mahjong.tiles import CHOW, CONCEALED, PASS, PONG, WIN

from .test_rules import CHOWER, PONGER, play, window


def test_a_view_keeps_hands_walls_and_concealed_kongs_back() -> None:
    s = GAME.new(
        layout=position(
            "PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z"}, {2: "kong_concealed 9999m"}, wall=81
        )
    )
    seen = GAME.rules.view(s, 0)
    assert "hands" not in seen
    assert "wall" not in seen
    assert seen["melds"][2] == [{"type": "KONG_CONCEALED", "tiles": None, "from": 2, "fan": 4}]
    assert GAME.rules.view(s, 2)["melds"][2][0]["tiles"] == ["9m"] * 4
    assert "hand" not in GAME.rules.view(s, -1)
    assert "9m" not in json.dumps(GAME.rules.view(s, -1)["melds"])


def test_a_finished_hand_opens_every_view() -> None:
    s = GAME.new(layout=EXAMPLES[0].layout)
    play(s, WIN)
    for seat in range(-1, 4):
        seen = GAME.rules.view(s, seat)
        assert seen["hands"][0] == ["8m", "8m", "4p", "5p", "6p", "7p", "8p", "9p"]
        assert seen["result"]["deltas"] == [64, -16, -16, -32]
        assert seen["result"]["types"] == ["HARD_WIN"]
        drawn = GAME.drawing(s, seat, "en")
        assert "Seat 0 won by self-draw: hard win" in drawn
        assert "seat 0 +64" in drawn


def test_the_asked_seat_sees_the_window_and_no_one_else() -> None:
    s = window(1, {1: CHOWER, 2: PONGER})
    assert GAME.rules.view(s, 1)["phase"] == "WAITING_RESPONSE"
    assert GAME.rules.view(s, 1)["legal"] == [CHOW + 1, CHOW + 2, PASS]
    for seat in (-1, 0, 2, 3):
        seen = GAME.rules.view(s, seat)
        assert (seen["phase"], seen["decider"]) == ("DISCARDING", 0)


def test_answers_are_told_to_no_one_before_they_count() -> None:
    s = window(1, {1: CHOWER, 2: PONGER})
    for seat in (-1, 0, 1, 3):
        assert GAME.rules.narrate(s, CHOW + 1, seat) == GAME.rules.narrate(s, PASS, seat) == []
    asked = [{"event": "ask", "seat": 2, "tile": "4p", "rob": False}]
    assert GAME.rules.narrate(s, CHOW + 1, 2) == GAME.rules.narrate(s, PASS, 2) == asked
    play(s, CHOW + 1)
    assert GAME.rules.view(s, 1)["answer"] == CHOW + 1
    for seat in range(-1, 4):
        chow, draw = GAME.rules.narrate(s, PASS, seat), GAME.rules.narrate(s, PONG, seat)
        assert [e["event"] for e in chow] == ["chow"]
        assert [e["event"] for e in draw] == ["pong"]


def test_a_drawn_tile_is_told_to_its_owner_only() -> None:
    s = GAME.new(layout=position("PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z"}, wall=82))
    told = {seat: GAME.rules.narrate(s, ids("7z")[0], seat)[-1] for seat in range(-1, 4)}
    assert told[1]["tile"] is not None
    for seat in (-1, 0, 2, 3):
        assert told[seat] == {**told[1], "tile": None}


def test_a_concealed_kong_is_told_without_its_tile() -> None:
    s = GAME.new(layout=position("PLAYER_DECISION", 0, {0: "2224444m 569s 13p 47z"}, wall=82))
    own, other = (GAME.rules.narrate(s, CONCEALED + 3, seat)[0] for seat in (0, 1))
    assert (own["tile"], other["tile"]) == ("4m", None)


@pytest.mark.parametrize("twins", TWINS, ids=[t.about for t in TWINS])
def test_twins_look_alike(twins: Any) -> None:
    one, other = (GAME.new(layout=layout) for layout in (twins.one, twins.other))
    assert GAME.rules.view(one, twins.seat) == GAME.rules.view(other, twins.seat)
    assert np.array_equal(GAME.observation_of(one, twins.seat), GAME.observation_of(other, twins.seat))
    assert GAME.drawing(one, twins.seat, "zh") == GAME.drawing(other, twins.seat, "zh")


def test_waits_are_shown_to_their_owner() -> None:
    s = GAME.new(
        layout=position("PLAYER_DECISION", 0, {0: "13m 456789p 88m 9s"}, {0: "pong 111z from 2"}, wall=40)
    )
    assert GAME.rules.view(s, 0)["ready_discards"]["9s"] == ["2m", "3s"]
    play(s, ids("9s")[0])
    assert GAME.rules.view(s, 0)["waits"] == ["2m", "3s"]
    assert "waits" not in GAME.rules.view(s, -1)


@pytest.mark.parametrize("seat", [4, -2, True, "0"])
def test_a_seat_that_does_not_exist_sees_nothing(seat: Any) -> None:
    with pytest.raises(BadSeats):
        GAME.rules.view(GAME.new(), seat)


def kinds(s: State, seat: int) -> list[tuple[str, list[str], int | None]]:
    """Return the moves of a seat that are not discards."""
    moves = GAME.rules.view(s, seat)["moves"]
    return [(m["kind"], m["tiles"], m["claimed"]) for m in moves if m["kind"] != "discard"]


def test_moves_name_their_tiles_and_the_claimed_one() -> None:
    s = window(1, {1: CHOWER, 2: "258m 369s 444p 1236z"})
    assert kinds(s, 1) == [
        ("chow", ["3p", "4p", "5p"], 1),
        ("chow", ["2p", "3p", "4p"], 2),
        ("pass", [], None),
    ]
    assert kinds(s, 2) == []
    play(s, PASS)
    assert kinds(s, 2) == [("pong", ["4p"] * 3, 0), ("kong_exposed", ["4p"] * 4, 0), ("pass", [], None)]


def test_moves_are_the_legal_actions_in_order() -> None:
    rng = np.random.default_rng(3)
    s = GAME.new(words=(2, 4, 6, 8))
    while int(s["seat"]) >= 0:
        view = GAME.rules.view(s, int(s["seat"]))
        assert [move["action"] for move in view["moves"]] == view["legal"] == GAME.legal_actions(s)
        GAME.rules.apply(s, int(rng.choice(view["legal"])))


def test_kongs_and_wins_of_ones_own_name_their_tiles() -> None:
    rows = {0: "pong 555m from 1, chow 456p"}
    s = GAME.new(layout=position("PLAYER_DECISION", 0, {0: "54444m 13s 5z"}, rows, wall=50))
    assert kinds(s, 0) == [
        ("kong_supplement", ["5m"] * 4, None),
        ("kong_concealed", ["4m"] * 4, None),
        ("kong_red", ["5z"], None),
        ("kong_lazy", ["3s"], None),
        ("kong_skin", ["1s"], None),
    ]
    won = GAME.new(layout={**EXAMPLES[0].layout, "drawn": ids("9p")[0]})
    assert kinds(won, 0) == [("win", ["9p"], None)]
    assert GAME.rules.view(play(won, WIN), 2)["result"]["tile"] == "9p"


def test_special_tiles_are_named() -> None:
    s = window(1, {1: CHOWER})
    specials = {"5z": "red", "3s": "laizi", "2s": "skin", "1s": "skin"}
    assert GAME.rules.view(s, -1)["specials"] == specials


def test_the_view_of_a_finished_hand_is_plain_json() -> None:
    view = GAME.rules.view(play(GAME.new(layout=EXAMPLES[0].layout), WIN), -1)
    assert json.loads(json.dumps(view)) == view
    assert view["result"]["headline"][0] == "end.won"
