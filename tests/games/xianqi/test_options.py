"""Xianqi's options, as integers of the state and by name."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core.errors import BadOption
from qipai.games.xianqi import GAME, state
from qipai.games.xianqi.options import OPTIONS


def test_the_defaults_are_those_of_the_rules_4_6() -> None:
    assert GAME.options_of(GAME.blank()) == {
        "dog_pair": "above_red_shi",
        "black_chess": "settle",
        "round_open": "play_or_buckle",
        "first_seat": -1,
        "reveal_ceramic_liability": "off",
        "first_game_limits": "off",
        "enough_must_buckle": "off",
        "eight_pillars": "off",
    }


def test_options_stand_in_the_state_in_their_order() -> None:
    names = list(state.State.names or ())
    first = names.index(OPTIONS[0].name)
    assert names[first : first + len(OPTIONS)] == [option.name for option in OPTIONS]


@pytest.mark.parametrize(
    "options",
    [{"dog_pair": "above"}, {"first_seat": 3}, {"first_seat": "1"}, {"nosuch": 1}, {"eight_pillars": 2}],
)
def test_a_wrong_option_is_refused_by_name(options: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match=next(iter(options))):
        GAME.blank(options)


def test_the_page_offers_the_first_seat_as_a_seat() -> None:
    assert [option.name for option in OPTIONS if option.is_seat] == ["first_seat"]
