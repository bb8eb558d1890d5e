"""Explain to the author of a rule why it does not or must not compile, and where it failed.

This module translates Numba's errors into plain sentences, finds sources of chance that no rule may use, and
finds the line of a game's code that raised an error. Compiling itself is in `compiling.py`.
"""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import sysconfig
import textwrap
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaError

from .errors import BadGame

OUTSIDE = ("random", "secrets", "time", "numpy.random")  # modules whose results no state stores
INSTEAD = "a game must be reproducible from its state alone: draw with below(s, n) or shuffle(s, cards, n)"
SLICE = "pass an array of the state as a slice, s.field[:]"

# Folders whose lines say nothing about a game: what calls its rules, and what its rules call.
_QIPAI = Path(__file__).parents[1]
NOT_A_GAME = (
    *(str(_QIPAI / part) for part in ("core", "testing", "match", "sim", "bots")),
    *(str(Path(tool.__file__ or "").parent) for tool in (np, numba)),
)
STDLIB = sysconfig.get_path("stdlib")


def failed(function: FunctionType, kinds: Sequence[str], dtype: np.dtype[Any], error: Exception) -> BadGame:
    """Return the error that explains what Numba's `error` in `function` means."""
    name = function.__qualname__
    for field, line in _fields_used(function, kinds):
        if field not in (dtype.names or ()):
            return BadGame(f"{name}: the state has no field {field!r}{line}")
    for missing, line in _undefined(function):
        return BadGame(f"{name}: the name {missing!r} is not defined{line}")
    if isinstance(error, AssertionError):
        return BadGame(f"{name}: {SLICE}")
    kind = "" if isinstance(error, NumbaError) else f"{type(error).__name__}: "
    place = "" if ", line " in str(error) else _line(function.__code__.co_filename, _first_line(function))
    return BadGame(f"{name} does not compile: {kind}{error}{place}")


def where(error: BaseException) -> str:
    """Return the line of a game that raised an error, as ` (rules.py, line 12)`; "" if none is known.

    Compiled code does not know its lines: only what runs plain can be found.
    """
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        if _is_game(frame.f_code.co_filename):
            return _line(frame.f_code.co_filename, line)
    return ""


def check_outside(function: FunctionType) -> None:
    """Raise if the function uses chance or time that does not come from the state."""
    value: Any = None  # the global that was loaded last
    for step in dis.get_instructions(function):
        name = "np.random" if value is np and step.argval == "random" else ""
        value = None
        if step.opname == "LOAD_GLOBAL":
            value = function.__globals__.get(step.argval)
            name = step.argval if _outside(_origins(value)) else ""
        if name:
            raise BadGame(f"{function.__qualname__} uses {name}: {INSTEAD}")


def check_number(fn: Any, what: str, truth: bool = False) -> None:
    """Raise unless the rule `fn` returns a whole number on every path, or a bool if `truth` allows it."""
    kinds = (types.Integer, types.Boolean) if truth else (types.Integer,)
    for signature in getattr(fn, "nopython_signatures", ()):
        found = signature.return_type
        if isinstance(found, kinds):
            continue
        said = "nothing on some paths" if isinstance(found, types.Optional) else str(found)
        said = "nothing" if isinstance(found, types.NoneType) else said
        raise BadGame(f"{fn.py_func.__qualname__} returns {said} instead of {what}")


# --- helpers --------------------------------------------------------------------------


def _fields_used(function: FunctionType, kinds: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Yield every `s.name` in a rule, for each of its state parameters `s`, with its location."""
    given = zip(inspect.signature(function).parameters, kinds, strict=True)
    states = {name for name, kind in given if kind == "state"}
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, SyntaxError, TypeError):  # no source available
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in states:
            yield node.attr, _line(function.__code__.co_filename, first + node.lineno - 1)


def _is_game(file: str) -> bool:
    """Return whether a file may be a game's, and not qipai's, a tool's or the standard library's."""
    library = file.startswith(STDLIB) and "site-packages" not in file and "dist-packages" not in file
    return not library and not file.startswith((*NOT_A_GAME, "<"))


def _line(path: str, number: int) -> str:
    """Return a place in a file, without the folders it is in."""
    file = path.replace("\\", "/").rpartition("/")[2]
    return f" ({file}, line {number})"


def _undefined(function: FunctionType) -> Iterable[tuple[str, str]]:
    """Yield every undefined global name in a rule, with its location."""
    for step in dis.get_instructions(function):
        known = step.argval in function.__globals__ or hasattr(builtins, str(step.argval))
        if step.opname == "LOAD_GLOBAL" and not known:
            line = step.positions.lineno if step.positions else None
            yield step.argval, _line(function.__code__.co_filename, line or _first_line(function))


def _first_line(function: FunctionType) -> int:
    return function.__code__.co_firstlineno


def _origins(value: Any) -> list[str]:
    """Return the modules that a global comes from."""
    if isinstance(value, ModuleType):
        return [value.__name__]
    owner = type(getattr(value, "__self__", None))  # the class, if it is a method
    return [str(m) for m in (getattr(value, "__module__", None), type(value).__module__, owner.__module__)]


def _outside(modules: list[str]) -> bool:
    return any(m == o or m.startswith(f"{o}.") for m in modules for o in OUTSIDE)
