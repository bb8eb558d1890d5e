"""`rule`, the decorator of all compiled code: it records which functions are rules, and their signatures.

A rule is a plain Python function over a state, integers and flat arrays. Parameters are typed by
name (`s` a state, `mask` bytes, `out` int8, `rng` uint32 words, anything else int64), or by the
decorator: `@rule(cards="i1[:]")`. `compiling.py` compiles rules, `variant.py` copies them and
`sources.py` digests them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba import types

from .errors import BadGame
from .explain import check_outside
from .jit import jit

Function = Callable[..., Any]


# The kinds of parameters. "state" is the game's state, "states" an array of them.
KINDS: dict[str, Any] = {
    "i8": types.int64,
    "u8": types.uint64,
    "f8": types.float64,
    "u1[:]": types.uint8[::1],
    "i1[:]": types.int8[::1],
    "i2[:]": types.int16[::1],
    "i4[:]": types.int32[::1],
    "u4[:]": types.uint32[::1],
    "i8[:]": types.int64[::1],
    "f8[:]": types.float64[::1],
    "u1[:,:]": types.uint8[:, ::1],
    "i1[:,:]": types.int8[:, ::1],
    "i2[:,:]": types.int16[:, ::1],
    "i4[:,:]": types.int32[:, ::1],
    "u4[:,:]": types.uint32[:, ::1],
    "i8[:,:]": types.int64[:, ::1],
    "f8[:,:]": types.float64[:, ::1],
    "state": None,
    "states": None,
}


BY_NAME = {"s": "state", "mask": "u1[:]", "out": "i1[:]", "rng": "u4[:]"}


class _Info:
    """What is known about one rule: its place in definition order and the kinds of its parameters."""

    def __init__(self, order: int, function: FunctionType, kinds: dict[str, str]) -> None:
        self.order = order
        self.code = function.__code__  # kept alive, because its id is the key
        self.kinds = _kinds(function, kinds)


# Keyed by the id of the code object, which all variants share; its hash changes under a profiler.
_RULES: dict[int, _Info] = {}


def rule(function: Function | None = None, /, **kinds: str) -> Any:
    """Mark `function` as a rule and compile it (nogil, cached, one signature; see `compile_rules`).

    With NUMBA_DISABLE_JIT=1 the function is returned unchanged.
    """
    if function is None:
        return lambda f: rule(f, **kinds)
    assert isinstance(function, FunctionType)
    _RULES[id(function.__code__)] = _Info(len(_RULES), function, kinds)
    return jit(function, checked=False)


def plain_function(fn: Any) -> FunctionType:
    """Return the Python function behind a rule, compiled or not."""
    found = getattr(fn, "py_func", fn)
    if not isinstance(found, FunctionType):
        raise BadGame(f"{fn!r} is not a rule")
    return found


def is_rule(fn: Any) -> bool:
    """Return whether `fn` was made by `rule` (or is a variant of such a function)."""
    code = getattr(getattr(fn, "py_func", fn), "__code__", None)
    return isinstance(code, CodeType) and id(code) in _RULES


def kinds_of(fn: Any) -> list[str]:
    """Return the kind of each parameter of a rule, in order."""
    return _RULES[id(plain_function(fn).__code__)].kinds


def reachable(functions: Iterable[Any]) -> list[Any]:
    """Return every rule that `functions` call, including themselves: callees first, then definition order.

    In this order all callees of a rule are closed before it is compiled, so none of them is compiled
    again for the types of this one caller.
    """
    found: dict[int, Any] = {}
    entered: set[int] = set()

    def visit(fn: Any) -> None:
        python = plain_function(fn)
        key = id(python.__code__)
        if key in entered:
            return
        if key not in _RULES:
            raise BadGame(f"{python.__qualname__} is called by a rule but is not a rule")
        entered.add(key)
        for callee in sorted(filter(is_rule, _globals_used(python)), key=_order):
            visit(callee)
        found[key] = fn

    for fn in sorted((f for f in functions if f is not None), key=_order):
        visit(fn)
    return list(found.values())


def signature(fn: Any, dtype: np.dtype[Any]) -> tuple[Any, ...]:
    """Return the only signature of a rule for states of type `dtype`."""
    state = numba.from_dtype(np.dtype(dtype))
    special = {"state": state, "states": types.Array(state, 1, "C")}
    return tuple(special.get(k) or KINDS[k] for k in kinds_of(fn))


def _kinds(function: FunctionType, given: dict[str, str]) -> list[str]:
    names = list(inspect.signature(function).parameters)
    for name, kind in given.items():
        if name not in names or kind not in KINDS:
            raise BadGame(f"{function.__qualname__}: no parameter {name!r} of kind {kind!r}")
    return [given.get(name) or BY_NAME.get(name, "i8") for name in names]


def _order(fn: Any) -> int:
    """Return the position of a rule in definition order; functions that are not rules come first."""
    info = _RULES.get(id(plain_function(fn).__code__))
    return -1 if info is None else info.order


def _globals_used(function: FunctionType) -> list[Any]:
    check_outside(function)
    for cell in function.__closure__ or ():
        if is_rule(cell.cell_contents):  # no variant could replace it
            raise BadGame(f"{function.__qualname__}: a rule calls rules of a module, not of a closure")
    found = []
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType) and any(is_rule(v) for v in vars(value).values()):
            raise BadGame(f"{function.__qualname__}: import rules by name, not through module {name}")
        if value is not None:
            found.append(value)
    return found
