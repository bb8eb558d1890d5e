"""Options: names outside, integers inside, and nothing in between."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.core import SWITCH, Option
from qipai.core.errors import BadOption
from qipai.core.option import read_options

MODE = Option("mode", 1, {"slow": 0, "fast": 1, "none": -1})
CAP = Option("cap", 5, low=-1, high=9)
FLAG = Option("flag", 0, SWITCH)
OPTIONS = (MODE, CAP, FLAG)


def test_defaults_fill_what_is_not_given() -> None:
    assert read_options(OPTIONS, None) == {"mode": 1, "cap": 5, "flag": 0}
    assert read_options(OPTIONS, {"cap": -1}) == {"mode": 1, "cap": -1, "flag": 0}
    assert read_options((), {}) == {}


@pytest.mark.parametrize(
    ("option", "value", "number"),
    [(MODE, "none", -1), (MODE, "slow", 0), (CAP, -1, -1), (CAP, 9, 9), (FLAG, "on", 1), (FLAG, True, 1)],
)
def test_what_is_shown_can_be_read_again(option: Option, value: Any, number: int) -> None:
    assert option.read(value) == number
    assert option.read(option.show(number)) == number


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mode", "FAST"),
        ("mode", 0),
        ("mode", True),
        ("mode", None),
        ("mode", ["fast"]),
        ("mode", {}),
        ("cap", 10),
        ("cap", -2),
        ("cap", "5"),
        ("cap", 5.0),
        ("cap", True),
        ("cap", None),
        ("cap", 1 << 80),
        ("cap", float("nan")),
        ("flag", 1),
        ("flag", "yes"),
        ("flag", np.bool_(True)),
    ],
)
def test_a_value_out_of_range_or_of_another_kind_is_refused(name: str, value: Any) -> None:
    with pytest.raises(BadOption, match=f"option {name}: "):
        read_options(OPTIONS, {name: value})


@pytest.mark.parametrize("given", [{"speed": 1}, {"": 1}, {3: 1}, {None: 1}, {"Mode": "fast"}])
def test_an_unknown_option_is_refused_with_the_known_ones(given: Any) -> None:
    with pytest.raises(BadOption, match="known: mode, cap, flag"):
        read_options(OPTIONS, given)


@pytest.mark.parametrize("given", [[], "mode", 3, [("mode", "fast")]])
def test_options_are_a_mapping(given: Any) -> None:
    with pytest.raises(BadOption, match="must be a mapping"):
        read_options(OPTIONS, given)


def test_a_refusal_does_not_repeat_a_long_value() -> None:
    with pytest.raises(BadOption) as caught:
        read_options(OPTIONS, {"cap": "x" * 10_000})
    assert len(str(caught.value)) < 200
