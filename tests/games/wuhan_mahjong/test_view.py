"""Views, events and words: what is shown, what is kept back, and that text reads back."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from qipai.core import copy_state
from qipai.core.errors import BadSeats, BadText
from qipai.games.wuhan_mahjong import GAME
from qipai.games.wuhan_mahjong.examples import EXAMPLES, TWINS, ids, position
from qipai.games.wuhan_mahjong.text import action_name, parse, say, tell
from qipai.games.wuhan_mahjong.tiles import CHOW, CONCEALED, EXPOSED, KONG_SKIN, PASS, PONG, SUPPLEMENT, WIN

from .test_rules import CHOWER, PONGER, play, window


def test_every_action_reads_back_from_its_text() -> None:
    assert [parse(say(a)) for a in range(GAME.rules.actions)] == list(range(GAME.rules.actions))
    skins = (KONG_SKIN, KONG_SKIN + 1)
    for action in range(GAME.rules.actions):
        if action not in skins:  # one Chinese word for both; the tile tells them apart at the table
            assert parse(action_name(action, "zh")) == action
        assert parse(action_name(action, "en")) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("5m", 4),
        ("打五万", 4),
        ("红中", 31),
        ("吃 左", CHOW),
        ("Chow Right", CHOW + 2),
        ("碰", PONG),
        ("明杠", EXPOSED),
        ("补杠 5万", SUPPLEMENT + 4),
        ("暗杠白板", CONCEALED + 33),
        ("胡", WIN),
        ("過"[:0] + "过", PASS),
    ],
)
def test_actions_are_read_in_both_languages(text: str, action: int) -> None:
    assert parse(text) == action


@pytest.mark.parametrize("text", ["", "0m", "10m", "8z", "chow", "kong 5m 6m", "吃", None, 3])
def test_what_names_no_action_is_refused(text: Any) -> None:
    with pytest.raises(BadText):
        parse(text)


def test_a_view_keeps_hands_walls_and_concealed_kongs_back() -> None:
    s = GAME.new(
        layout=position(
            "PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z"}, {2: "kong_concealed 9999m"}, wall=81
        )
    )
    seen = GAME.rules.view(s, 0)
    assert "hands" not in seen
    assert "wall" not in seen
    assert seen["melds"][2] == [{"type": "KONG_CONCEALED", "tiles": None, "from": 2}]
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
        assert "seat 0 wins self-drawn: hard" in drawn
        assert "0:+64" in drawn


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
    assert "4m" not in tell(other, "en") + tell(other, "zh")


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


def test_every_event_of_random_hands_has_words() -> None:
    rng = np.random.default_rng(6)
    s = GAME.new(words=(3, 1, 4, 1))
    seen = set()
    while int(s["seat"]) >= 0:
        action = int(rng.choice(GAME.legal_actions(s)))
        for event in GAME.rules.narrate(copy_state(s), action, int(s["seat"])):
            seen.add(event["event"])
            assert tell(event, "en").strip()
            assert tell(event, "zh").strip()
        GAME.rules.apply(s, action)
    assert {"discard", "draw", "end"} <= seen


@pytest.mark.parametrize("seat", [4, -2, True, "0"])
def test_a_seat_that_does_not_exist_sees_nothing(seat: Any) -> None:
    with pytest.raises(BadSeats):
        GAME.rules.view(GAME.new(), seat)
