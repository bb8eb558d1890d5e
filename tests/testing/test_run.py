"""The settings a check plays with: which options and seats, and how often each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from qipai.core import Option, State
from qipai.core.errors import BadOption, BadSeats
from qipai.testing import Property
from qipai.testing.run import default_options, make_settings, values_of
from tests.toys_check import hush
from tests.toys_check.faults import broken

from .breaking import breaks, make_run


def test_the_default_settings_are_the_defaults_and_each_other_value_alone() -> None:
    assert default_options(hush.GAME) == [
        {},
        {"cards": 1},
        {"cap": 3},
        {"cap": 4},
        {"cap": 7},
        {"spoils": "on"},
    ]
    assert len(make_settings(hush.GAME, None, None)) == 12
    assert make_settings(hush.GAME, [{"cap": 5}], [2]) == [({"cap": 5}, 2)]


def test_a_short_range_is_tried_whole_and_a_long_one_at_its_ends_and_middle() -> None:
    assert values_of(Option("a", 0, low=-1, high=2)) == [-1, 0, 1, 2]
    assert values_of(Option("b", 0, low=0, high=1000)) == [0, 1, 500, 1000]


def test_a_combination_that_the_game_refuses_is_left_out_unless_it_was_asked_for() -> None:
    def check(numbers: Mapping[str, int], seats: int) -> None:
        if numbers["cards"] == 1 and seats == 3:
            raise BadOption("option cards: three seats bury two")

    game = broken(check=check)
    assert len(make_settings(game, None, None)) == 11
    with pytest.raises(BadOption):
        make_settings(game, [{"cards": 1}], [3])
    with pytest.raises(BadSeats):
        make_settings(game, None, [7])


def test_every_setting_is_played_and_the_usual_one_every_second_time() -> None:
    run = make_run(hush.GAME, options=None, seats=None)
    played = [run.setting(number) for number in range(4 * len(run.settings))]
    assert set(played) == set(range(len(run.settings)))
    usual = [i for i, (options, _) in enumerate(run.settings) if not options]
    assert sum(at in usual for at in played) > len(played) // 2


def view_raises(s: State, seat: int) -> dict[str, Any]:
    """Fail in a library that the game calls."""
    return dict(json.loads("no JSON"))


def test_an_error_names_the_line_of_the_game_and_not_that_of_a_library() -> None:
    line = view_raises.__code__.co_firstlineno + 2
    breaks(broken(view=view_raises), Property.SECRET_VIEW, f" (test_run.py, line {line})")
