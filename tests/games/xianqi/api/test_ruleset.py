"""The options of Xianqi's named API (§4.6, §9): read, refused, and as integers of the state."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.games.xianqi import GAME
from qipai.games.xianqi.api import EngineError, XianqiGameEngine
from qipai.games.xianqi.api.ruleset import DEFAULTS, LATER, differing, numbers, read_rules
from tests.games.xianqi.api.states import Json

THREE = {"player_count": 3}


@pytest.mark.parametrize(
    ("rules", "named"),
    [
        ({"reveal_ask": "ask_all"}, "ask_all"),
        ({"head_holder": {"bound_seat": 1}}, "head_holder"),
        ({"draw_for_lead": True}, "draw_for_lead"),
    ],
)
def test_options_that_are_not_supported_are_refused_by_name(rules: Json, named: str) -> None:
    with pytest.raises(EngineError) as caught:
        XianqiGameEngine(rules)
    assert caught.value.code == "ENGINE_INVALID_CONFIG" and named in caught.value.message


def test_unsupported_options_may_be_named_when_they_are_off() -> None:
    off = {"reveal_ask": "first_reveal_ends", "head_holder": None, "draw_for_lead": False}
    engine = XianqiGameEngine(off)
    assert "rules" not in engine.init_game(THREE, 1)["new_state"]


def test_the_defaults_are_those_of_the_game() -> None:
    outside = GAME.options_of(GAME.blank())
    for name, value in numbers(DEFAULTS).items():
        assert value == GAME.blank()[name] and name in outside


def test_the_word_later_stands_for_the_later_rules() -> None:
    assert differing(read_rules("later")) == LATER
    assert read_rules(None) == read_rules({}) == DEFAULTS


def test_given_options_are_laid_over_the_base() -> None:
    base = read_rules({"eight_pillars": True})
    assert differing(read_rules({"dog_pair": "equal_red_shi"}, base)) == {
        "dog_pair": "equal_red_shi",
        "eight_pillars": True,
    }
    assert base == {**DEFAULTS, "eight_pillars": True}


@pytest.mark.parametrize(
    "given",
    [1, [], "sooner", {"nosuch": 1}, {3: 1}, {"eight_pillars": "on"}, {"dog_pair": None}, {"dog_pair": []}],
)
def test_what_is_no_set_of_options_is_refused(given: Any) -> None:
    with pytest.raises(EngineError, match="ENGINE_INVALID_CONFIG"):
        read_rules(given)
