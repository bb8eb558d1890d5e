"""`rule`: one signature per function, what a rule reaches, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from qipai.core import compile_rules, goto, new_state, rule
from qipai.core.errors import BadGame
from qipai.core.rule import KINDS, is_rule, plain_function, reachable, signature
from qipai.core.variant import Variant
from tests.toys_check import hush
from tests.toys_check.hush import STATE

COMPILED = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
needs_jit = pytest.mark.skipif(not COMPILED, reason="compilation is off")


@rule
def through_a_module(s: Any) -> int:
    """Call a rule through its module."""
    return int(hush.stock_left(s))


@rule
def first_word(rng: Any) -> int:
    """Return the first word."""
    return int(rng[0])


@rule
def not_sliced(s: Any) -> int:
    """Pass an array of the state without a slice."""
    return int(first_word(s.rng))


@rule
def early(s: Any) -> int:
    """Call with a literal, an int8 and a sum."""
    return int(late(3)) + int(late(s.seat)) + int(late(s.seat + 7))


@rule
def late(x: int) -> int:
    """Return the number; defined after its caller."""
    return x


@rule
def root(s: Any, x: int) -> int:
    """Return the root of a number, with a module that holds no rules."""
    return int(math.sqrt(x))


def adder(n: int) -> Any:
    """Return a rule made in a function, with the number as a part of it."""

    @rule
    def add(s: Any, x: int) -> int:
        return x + n

    return add


def caller(inner: Any) -> Any:
    """Return a rule that holds another in its closure."""

    @rule
    def call(s: Any) -> int:
        return int(inner(s, 1))

    return call


# --- signatures -----------------------------------------------------------------------


@needs_jit
def test_every_rule_of_a_game_has_one_signature() -> None:
    hush.GAME.compile()
    functions = [f for f in vars(hush).values() if is_rule(f) and f.py_func.__module__ == hush.__name__]
    assert len(functions) == 14
    assert {len(f.signatures) for f in functions} <= {0, 1}  # 0: loaded from the cache as part of another


@needs_jit
def test_a_compiled_rule_takes_any_small_integer_and_compiles_nothing_for_it() -> None:
    s = hush.GAME.new(seats=3)
    compile_rules([goto], hush.GAME.rules.State, "goto")  # it may have come only as part of other rules
    goto(s, np.int8(2))
    goto(s, 3)
    hush.GAME.rules.apply(s, np.int8(hush.GAME.legal_actions(s)[0]))
    assert len(hush.apply.signatures) == 1


@needs_jit
def test_a_closed_rule_refuses_what_does_not_fit_its_signature() -> None:
    hush.GAME.compile()
    with pytest.raises(TypeError):
        hush.apply("not a state", 0)


def test_parameters_are_typed_by_name_and_by_the_decorator() -> None:
    record = numba.from_dtype(STATE)
    assert signature(hush.legal, STATE) == (record, KINDS["u1[:]"])
    assert signature(hush.observe, STATE) == (record, KINDS["i8"], KINDS["i1[:]"])
    assert signature(hush.redraw, STATE) == (record, KINDS["i1[:]"])


@pytest.mark.parametrize("kinds", [{"x": "i3"}, {"y": "i8"}, {"s": "record"}])
def test_a_bad_kind_or_parameter_is_refused(kinds: dict[str, str]) -> None:
    def f(s: Any, x: int) -> int:
        return x

    with pytest.raises(BadGame, match="no parameter"):
        rule(**kinds)(f)


# --- what a rule reaches --------------------------------------------------------------


def test_reachable_finds_every_rule_and_callees_come_first() -> None:
    names = [plain_function(f).__name__ for f in reachable([hush.apply])]
    assert names.index("next_word") < names.index("draw") < names.index("below") < names.index("from_stock")
    assert names[-1] == "apply"
    assert names.index("score") < names.index("advance") < names.index("apply")
    assert len(set(names)) == len(names)
    assert "legal" not in names


@needs_jit
def test_a_rule_called_before_it_is_defined_has_one_signature_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QIPAI_CACHE_DIR", str(tmp_path))  # cold: what comes from a cache compiles nothing
    variant = Variant("checked")
    compile_rules([variant(early)], STATE, "tests/early")
    assert variant(early)(new_state(STATE)) == 10
    assert len(variant(late).signatures) == 1


def test_a_rule_called_through_a_module_is_refused() -> None:
    with pytest.raises(BadGame, match="import rules by name, not through module hush"):
        reachable([through_a_module])


def test_a_module_without_rules_may_be_used() -> None:
    assert [plain_function(f).__name__ for f in reachable([root])] == ["root"]
    compile_rules([root], STATE, "tests/root")
    assert root(new_state(STATE), 17) == 4


def test_what_is_not_a_rule_is_refused() -> None:
    with pytest.raises(BadGame):
        reachable([hush.view])
    with pytest.raises(BadGame):
        plain_function(3)
    assert not is_rule(hush.view)
    assert not is_rule(None)


@needs_jit
def test_an_array_of_the_state_without_a_slice_is_refused_in_words() -> None:
    with pytest.raises(BadGame, match=r"not_sliced: pass an array of the state as a slice"):
        compile_rules([not_sliced], STATE, "tests/not_sliced")


# --- closures -------------------------------------------------------------------------


def test_a_rule_made_in_a_function_keeps_its_number() -> None:
    two, five = adder(2), adder(5)
    for fn, expected in ((two, 12), (five, 15)):
        compile_rules([fn], STATE, f"tests/adder/{expected}")
        assert fn(new_state(STATE), 10) == expected
    assert Variant("plain")(five)(None, 1) == 6


def test_a_rule_in_a_closure_is_refused() -> None:
    with pytest.raises(BadGame, match="of a module, not of a closure"):
        reachable([caller(adder(2))])
