"""States from outside: copied in every form, and refused by name where they cannot be this game's."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.core import get, new_state
from qipai.core.errors import BadBatch, BadState
from qipai.sim import Batch
from qipai.sim.given import given_states
from tests.toys_check.hush import GAME


class OnDevice:
    """States of a batch on a GPU."""

    def __init__(self, states: object) -> None:
        self.states = states

    def copy_to_host(self) -> object:
        return self.states


def test_states_are_copied_and_padding_is_zero() -> None:
    states = Batch(GAME, 5, 3, seats=3).state
    for form in (states, OnDevice(states), list(states), states.view(np.ndarray)):
        found = given_states(GAME, form, 5, 3)
        assert found.tobytes() == states.tobytes()
        assert not np.shares_memory(found, states)


def test_one_state_serves_for_all_lanes_or_stays_one() -> None:
    s = GAME.new(seats=3)
    assert len(given_states(GAME, s, None, None)) == 1
    four = given_states(GAME, s, 4, 3)
    assert all(four[i].tobytes() == s.tobytes() for i in range(4))


def test_states_for_different_numbers_of_seats_do_not_go_together() -> None:
    with pytest.raises(BadState, match="state 1 is played by another number of seats than the first"):
        given_states(GAME, [GAME.new(seats=3), GAME.new(seats=2)], None, None)
    with pytest.raises(BadBatch, match="no states are given"):
        given_states(GAME, [], None, None)


def test_every_option_of_a_state_must_be_one_of_the_game() -> None:
    s = get("xianqi").new()
    option = get("xianqi").rules.options[0]
    s[option.name] = 99
    with pytest.raises(BadState, match=f"a state has options that this game does not: option {option.name}"):
        given_states(get("xianqi"), s, None, None)
    blank = new_state(GAME.rules.State)
    with pytest.raises(BadState, match="state 0 is not played by 2 to"):
        given_states(GAME, blank, None, None)


def test_options_may_differ_between_states_as_those_of_a_series_do() -> None:
    one, other = GAME.new({"cap": 4}, seats=3), GAME.new({"cap": 6}, seats=3)
    assert given_states(GAME, [one, other], None, None)["cap"].tolist() == [4, 6]
