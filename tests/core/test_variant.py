"""`Variant`: plain, bounds-checked and compiled copies of one source, and slots to fill in."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numba
import numpy as np
import pytest

from qipai.core import Slot, below, compile_rules, goto, rule
from qipai.core.errors import BadGame
from qipai.core.variant import Variant
from tests.toys_check import faults, hush
from tests.toys_check.hush import STATE

COMPILED = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
needs_jit = pytest.mark.skipif(not COMPILED, reason="compilation is off")

step = Slot("step(s)")


@rule
def twice(s: Any) -> int:
    """Call the slot twice."""
    return int(step(s)) + int(step(s))


def test_a_plain_variant_is_plain_all_the_way_down() -> None:
    variant = Variant("plain")
    apply = variant(hush.apply)
    assert isinstance(apply, FunctionType)
    for name in ("from_stock", "next_turn", "goto", "advance"):
        assert isinstance(apply.__globals__[name], FunctionType), name
    assert apply.__globals__["from_stock"].__globals__["below"] is variant(below)


def test_a_swapped_rule_is_called_in_the_place_of_the_old_one() -> None:
    calls: list[int] = []

    def recording(s: Any, phase: int) -> None:
        calls.append(int(phase))
        s.phase = phase

    functions = hush.GAME.functions("plain", swap={goto: recording})
    s = hush.GAME.new(seats=3)
    functions.deal(s)
    assert calls[:2] == [hush.INIT, hush.TURN] or calls[:2] == [hush.INIT, hush.SCORING]
    assert hush.apply.py_func.__globals__["goto"] is goto if COMPILED else True


@needs_jit
def test_the_checked_variant_raises_where_the_compiled_one_reads_on() -> None:
    legal = faults.legal_out_of_bounds
    s = hush.GAME.new(seats=3)
    s["seat"] = 2
    mask = np.zeros(32, np.uint8)
    compile_rules([legal], STATE, "tests/compiled")
    checked = Variant("checked")(legal)
    compile_rules([checked], STATE, "tests/checked")
    assert legal(s, mask) > 0
    with pytest.raises(IndexError):
        checked(s, mask)


def test_the_compiled_variant_of_a_rule_is_the_rule() -> None:
    assert Variant("compiled")(hush.apply) is hush.apply
    assert Variant("compiled")(None) is None


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(ValueError, match="one of compiled, checked, plain"):
        Variant("fast")


# --- slots ----------------------------------------------------------------------------


def test_a_slot_is_filled_in_for_each_copy_of_a_template() -> None:
    def by(n: int) -> Any:
        return Variant("plain", names={__name__: {"step": lambda s: n}})(twice)

    assert (by(2)(None), by(5)(None)) == (4, 10)


def test_a_slot_that_nobody_filled_in_names_itself() -> None:
    with pytest.raises(BadGame, match=r"step\(s\) is a slot"):
        Variant("plain")(twice)(None)
    assert repr(step) == "Slot('step(s)')"


def test_a_wrapper_of_its_own_takes_the_place_of_the_compiler() -> None:
    made: list[str] = []

    def wrap(function: FunctionType) -> FunctionType:
        made.append(function.__name__)
        return function

    variant = Variant("device", wrap=wrap)
    assert variant(hush.legal) is variant(hush.legal)
    assert "legal" in made
