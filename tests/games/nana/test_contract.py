"""NANA against the platform's contract, for every number of seats."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core.errors import BadLayout, BadOption, BadSeats
from qipai.games.nana import GAME
from qipai.games.nana.layout import state_json
from qipai.sim import Batch
from qipai.testing import Property, check_game
from tests.games.nana.tables import random_states

OPTIONS: list[dict[str, Any]] = [
    {"max_turns": 25},
    {"max_turns": 25, "mode": "simple"},
    {"max_turns": 25, "mode": "spicy", "first": -1},
    {"max_turns": 25, "after_success": "pass"},
]


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_the_contract_holds(seats: int) -> None:
    report = check_game(GAME, games=24, seats=[seats], options=OPTIONS, parity_games=4)
    assert not report.failures


@pytest.mark.parametrize("seats", [2, *(pytest.param(n, marks=pytest.mark.slow) for n in (3, 4, 5, 6))])
def test_long_random_games_keep_the_cheap_promises_with_bounds_checks(seats: int) -> None:
    report = check_game(GAME, games=200, seats=[seats], options=[{}], only=[Property.LENGTH])
    assert report.games >= 200


def test_a_state_is_small() -> None:
    assert GAME.rules.State.itemsize <= 512


def test_a_batch_plays_every_table() -> None:
    for seats in range(2, 7):
        batch = Batch(GAME, 16, seats=seats, options={"max_turns": 20})
        assert batch.rollout(200, observe=True).games > 16
        assert batch.reward.shape == (16, seats)


BAD_DEALS = [
    {},
    {"hands": [[1, 1, 1]]},
    {"hands": [[1, 1], [1]], "centre": [2]},
    {"hands": [[1, 1], [2]], "centre": [1, 2]},
    {"hands": [[2, 1, 1], [1, 2, 2]], "centre": []},
    {"hands": [[], []], "centre": []},
    {"hands": [[13, 13, 13], []], "centre": []},
    {"hands": [[0, 0, 0], []], "centre": []},
    {"hands": [[1, 1, True], []], "centre": []},
    {"hands": [[1, 1, 1.0], []], "centre": []},
    {"hands": [[1] * 3 + [2] * 3 + [3] * 3 + [4] * 3 + [5], [5, 5]], "centre": []},
    {"hands": [[], []], "centre": [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]},
    {"hands": [[1, 1, 1], []], "centre": [], "seed": 3},
    {"hands": "12", "centre": []},
    {"phase": "flip-1"},
]


@pytest.mark.parametrize("deal", BAD_DEALS)
def test_bad_deals_are_refused(deal: dict[str, object]) -> None:
    with pytest.raises(BadLayout):
        GAME.new(layout=deal)


def broken(position: dict[str, object]) -> list[dict[str, object]]:
    """A position with one thing wrong, in many ways."""
    return [
        {**position, "phase": "flip-9"},
        {**position, "phase": "success"},
        {**position, "current": 2},
        {**position, "turn": -1},
        {**position, "turn": 1000},
        {**position, "known": {"h0.0": 99}},
        {**position, "known": {"h9.0": 1}},
        {**position, "face_up": [{"slot": "c0", "number": 1}] * 2},
        {**position, "removed": {"h0.0": 1}},
        {**position, "collections": [[1]]},
        {**position, "collections": [[7], []]},
        {**position, "dealt": {"hands": [1, 1], "centre": 1}},
        {**position, "last": {"by": 0, "slots": ["c0"]}},
        {**position, "hands": []},
        {**position, "players": 5},
        {**position, "surprise": 1},
    ]


def test_bad_positions_are_refused_and_change_nothing() -> None:
    s = GAME.new()
    before = s.tobytes()
    for layout in broken(state_json(s)):
        with pytest.raises(BadLayout):
            GAME.place(s, layout)
        assert s.tobytes() == before


def test_a_finished_position_can_be_laid_out() -> None:
    s = GAME.new(layout={"hands": [[1, 2, 7], [1, 2, 7]], "centre": [1, 2, 7]})
    for action in (1, 3, 14):
        GAME.rules.apply(s, action)
    again = GAME.new(layout=state_json(s))
    assert again["seat"] == -1
    assert again["payoff"].tolist() == s["payoff"].tolist()


def test_a_first_seat_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadOption):
        GAME.new({"first": 2}, 2)
    with pytest.raises(BadSeats):
        GAME.new(seats=7)
    assert {int(GAME.new({"first": -1}, 3, (k, 0, 0, 1))["seat"]) for k in range(30)} == {0, 1, 2}


def test_actions_and_events_have_words_in_both_languages() -> None:
    for action in range(GAME.rules.actions):
        assert GAME.words.parse(GAME.words.say(action)) == action
    for text, action in (("头1", 2), ("tail", 1), ("T2", 5), ("中3", 15), ("center 3", 15), ("min", 0)):
        assert GAME.words.parse(text) == action
    for s in random_states(10, 3, seed=2):
        for action in GAME.legal_actions(s)[::3]:
            for event in GAME.rules.narrate(s, action, 0):
                assert GAME.tell(event, "en") != GAME.tell(event, "zh")
