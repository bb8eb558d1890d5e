"""Options (§10): every value is named in every language, and others are refused."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core.errors import BadOption
from qipai.core.message import LANGUAGES
from qipai.games.wuhan_mahjong import GAME
from qipai.games.wuhan_mahjong.options import OPTIONS


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("min_win", 7),
        ("cap", 400),
        ("wall_reserve", 5),
        ("flow_cap", 100),
        ("small_laizi", 5),
        ("golden_mode", "up"),
    ],
)
def test_an_option_outside_section_10_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(BadOption, match=name):
        GAME.new({name: value})


@pytest.mark.parametrize(("name", "value"), [(o.name, n) for o in OPTIONS for n in o.allowed])
def test_every_listed_value_is_taken(name: str, value: int) -> None:
    assert int(GAME.blank({name: value})[name]) == value


@pytest.mark.parametrize("lang", LANGUAGES)
def test_options_and_their_choices_have_names(lang: str) -> None:
    for option in OPTIONS:
        assert GAME.option_about(option.name, lang) != option.name
        for choice in option.choices or ():
            assert GAME.words.messages.find(f"option.{option.name}.{choice}", lang) or choice in ("on", "off")
        assert all(GAME.choice_name(option.name, str(n), lang)[0] != "-" for n in option.allowed)
