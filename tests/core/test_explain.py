"""A rule that cannot be compiled, or must not be, is refused in a sentence."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from random import randrange
from typing import Any

import numba
import numpy as np
import pytest

from qipai.core import compile_rules, new_state, rule
from qipai.core.errors import BadGame
from qipai.core.explain import where
from qipai.core.rule import plain_function, reachable
from tests.toys_check import faults
from tests.toys_check.changing import changed
from tests.toys_check.hush import GAME, STATE

COMPILED = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
needs_jit = pytest.mark.skipif(not COMPILED, reason="compilation is off")
DICE = np.random.default_rng(0)


@rule
def throws_np(s: Any) -> int:
    """Throw a die that cannot be thrown again."""
    return int(np.random.randint(6))


@rule
def throws_random(s: Any) -> int:
    """Throw it in another way."""
    return random.randrange(6)


@rule
def throws_by_name(s: Any) -> int:
    """Throw it in another way."""
    return randrange(6)


@rule
def throws_dice(s: Any) -> int:
    """Throw it in another way."""
    return int(DICE.integers(6))


@rule
def looks_at_the_clock(s: Any) -> int:
    """Read the clock."""
    return int(time.time())


@rule
def throws_inside(s: Any) -> int:
    """Call another rule that throws."""
    return int(throws_np(s))


@rule
def sound(s: Any) -> int:
    """Use a field with the name of a module, and NumPy without chance."""
    return int(np.int64(s.held[0]))


@pytest.mark.parametrize(
    ("fn", "text"),
    [
        (throws_np, "throws_np uses np.random"),
        (throws_random, "throws_random uses random"),
        (throws_by_name, "throws_by_name uses randrange"),
        (throws_dice, "throws_dice uses DICE"),
        (looks_at_the_clock, "looks_at_the_clock uses time"),
        (throws_inside, "throws_np uses np.random"),
    ],
)
def test_chance_and_time_outside_the_state_are_refused_by_name(fn: Any, text: str) -> None:
    with pytest.raises(BadGame, match=rf"{text}: .* draw with below\(s, n\)"):
        reachable([fn])


def test_numpy_without_chance_may_be_used() -> None:
    compile_rules([sound], STATE, "tests/sound")
    assert sound(new_state(STATE)) == 0


@needs_jit
@pytest.mark.parametrize("fn", [faults.apply_misspelt, faults.apply_misread])
def test_a_field_that_the_state_has_not_is_named_with_its_rule_and_line(fn: Any) -> None:
    line = fn.py_func.__code__.co_firstlineno + 4
    text = rf"{fn.__name__}: the state has no field 'picket' \(faults.py, line {line}\)"
    with pytest.raises(BadGame, match=text):
        compile_rules([fn], STATE, f"tests/{fn.__name__}")


@needs_jit
def test_what_else_does_not_compile_is_said_with_its_rule() -> None:
    with pytest.raises(BadGame, match="apply_mixes does not compile: "):
        compile_rules([faults.apply_mixes], STATE, "tests/mixes")


@needs_jit
@pytest.mark.parametrize("variant", ["compiled", "checked"])
@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"legal": faults.legal_silent}, "legal_silent returns nothing instead of how many actions"),
        ({"legal": faults.legal_sometimes}, "legal_sometimes returns nothing on some paths"),
        ({"legal": faults.legal_halves}, "legal_halves returns float64 instead of how many"),
        ({"partial": faults.rest_count}, "rest_count returns nothing instead of 1 in the middle of a move"),
    ],
)
def test_a_rule_that_does_not_answer_with_a_number_is_refused(
    changes: dict[str, Any], text: str, variant: str
) -> None:
    with pytest.raises(BadGame, match=text):
        changed(GAME, **changes).functions(variant)


@needs_jit
def test_a_truth_is_an_answer_of_partial() -> None:
    replace(GAME, rules=replace(GAME.rules, partial=faults.partial_truth)).compile()


def test_an_error_is_placed_in_the_code_of_the_game() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        faults_plain(0)
    line = faults_plain.__code__.co_firstlineno + 2
    assert where(caught.value) == f" (test_explain.py, line {line})"
    assert where(ValueError("never raised")) == ""


def faults_plain(n: int) -> float:
    """Fail on the next line."""
    return 1 / n


@needs_jit
def test_a_name_that_is_not_defined_is_named_with_its_line() -> None:
    fault = faults.apply_undefined
    line = plain_function(fault).__code__.co_firstlineno + 4
    with pytest.raises(
        BadGame, match=rf"apply_undefined: the name 'NO_SUCH_NAME' is not defined \(faults\.py, line {line}\)"
    ):
        compile_rules([fault], STATE, "undefined")
