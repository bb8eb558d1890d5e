"""Refusals: each is a `ValueError` as the environment promises, and keeps the platform's code."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from qipai.core import QipaiError
from qipai.core.errors import BadLayout, BadOption, BadSeed, IllegalAction
from qipai.games.wuhan_mahjong import WuhanMahjongEnv, errors, evaluate_win, index_to_action, is_ready
from qipai.games.wuhan_mahjong.errors import BadPosition, BadReset, BadSetting, IllegalMove

from .tables import ids

DOCS = Path(__file__).parents[3] / "docs" / "errors.md"
CODES = {
    "IllegalMove": "action/illegal",
    "BadPosition": "layout/bad",
    "BadSetting": "option/bad",
    "BadReset": "seed/bad",
}
HAND = ids("123m 456m 789m 55s 22z")


def own_errors() -> list[type[QipaiError]]:
    """Return the classes that the module defines."""
    return [
        found
        for found in vars(errors).values()
        if isinstance(found, type) and issubclass(found, QipaiError) and found.__module__ == errors.__name__
    ]


def test_codes_are_the_shipped_ones_and_each_belongs_to_one_error() -> None:
    assert {error.__name__: error.code for error in own_errors()} == CODES
    assert len(set(CODES.values())) == len(CODES)


@pytest.mark.parametrize(
    ("error", "named"),
    [(IllegalMove, IllegalAction), (BadPosition, BadLayout), (BadSetting, BadOption), (BadReset, BadSeed)],
)
def test_a_refusal_is_a_value_error_and_a_named_error_with_its_documented_code(
    error: type[QipaiError], named: type[QipaiError]
) -> None:
    assert issubclass(error, named) and issubclass(error, ValueError)
    assert error.code == named.code
    assert f"| `{named.code}` | `{named.__name__}` |" in DOCS.read_text("utf-8")
    assert error("why").to_json() == {"code": named.code, "message": "why"}


def a_hand() -> Any:
    env = WuhanMahjongEnv()
    env.reset(seed=1)
    return env


# a call with a running hand, the error that refuses it, and what the message names
REFUSED: list[tuple[Callable[[Any], Any], str, str]] = [
    (lambda env: env.step("discard"), "IllegalMove", "an action is a pair (type, parameter)"),
    (lambda env: env.step((10, 0)), "IllegalMove", "PASS action is not allowed in PLAYER_DECISION"),
    (lambda env: index_to_action(278), "IllegalMove", "from 0 to 277, not 278"),
    (lambda env: env.reset(options={"state": 5}), "BadPosition", "a state is a mapping, not 5"),
    (lambda env: env.reset(options={"deck": [0] * 136}), "BadPosition", "a deck holds 136 tiles"),
    (lambda env: is_ready([34], [], 10), "BadPosition", "from 0 to 33, not 34"),
    (
        lambda env: WuhanMahjongEnv(reward_scale=0),
        "BadSetting",
        "reward_scale must be a positive number, not 0",
    ),
    (lambda env: env.reset(options=[1]), "BadSetting", "reset takes a mapping of options"),
    (lambda env: evaluate_win(HAND, [], 10, "SELF_DRAW", 40, {"cap": 7}), "BadSetting", "cap"),
    (lambda env: env.reset(seed=-1), "BadReset", "a seed must be a whole number from 0 to 2^64 - 1"),
    (lambda env: env.reset(seed=1.5), "BadReset", "a seed must be a whole number from 0 to 2^64 - 1"),
]


@pytest.mark.parametrize(("call", "name", "why"), REFUSED, ids=[why for _, _, why in REFUSED])
def test_a_refusal_is_caught_as_a_value_error_and_changes_nothing(
    call: Callable[[Any], Any], name: str, why: str
) -> None:
    env = a_hand()
    before = env.dump_state()
    with pytest.raises(ValueError, match=re.escape(why)) as refusal:
        call(env)
    assert type(refusal.value).__name__ == name
    assert isinstance(refusal.value, QipaiError)
    assert refusal.value.code == CODES[name]
    assert env.dump_state() == before


def test_every_error_is_raised_somewhere_here() -> None:
    assert {name for _, name, _ in REFUSED} == set(CODES)
