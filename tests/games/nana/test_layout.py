"""Custom deals and positions: what is refused, and what comes back the same."""

from __future__ import annotations

import pytest

from qipai.core.errors import BadLayout
from qipai.games.nana import GAME
from qipai.games.nana.layout import state_json
from tests.games.nana.tables import random_states

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
    """Return a position with one thing wrong, in many ways."""
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


def test_a_state_laid_out_from_its_json_is_the_same_state() -> None:
    for seats in (2, 3, 6):
        for s in random_states(40, seats, seed=12, most=90):
            again = GAME.new({k: GAME.options_of(s)[k] for k in ("mode",)}, seats, layout=state_json(s))
            assert state_json(again) == state_json(s)
            assert GAME.legal_actions(again) == GAME.legal_actions(s)
            for seat in range(-1, seats):
                assert GAME.rules.view(again, seat) == GAME.rules.view(s, seat)
                assert (GAME.observation_of(again, seat) == GAME.observation_of(s, seat)).all()
