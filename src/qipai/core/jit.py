"""Numba's decorator with the settings that rules need, and one cache folder per source digest.

A process can also run rules as plain Python while they are being compiled (`running_plain`): a table that
people play at needs a few decisions per second, and the bytes are the same.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any

import numba

from .cache import safe_root, use
from .sources import OPT, source_digest

_config: Any = numba.config
# Numba's settings belong to the process: a second thread that restored them too early would let Numba join an
# empty cache folder with its own name, and write compiled code into the working directory.
_LOCK = threading.RLock()
_plain = 0  # how many callers have rules run as plain Python
_counting = threading.Lock()
_thread = threading.local()
_copies: dict[FunctionType, Any] = {}  # plain copies of rules


def jit(
    function: FunctionType, checked: bool, tag: str = "", tight: bool = False, inner: bool = False
) -> Any:
    """Return `function` wrapped by Numba, or unchanged if compilation is off.

    `tight` code makes no arrays (it would not compile), so it need not count references to those that it is
    given: an atomic operation for each array of each call. `inner` functions become part of their caller.
    Otherwise an array is passed as seven words, which takes longer than many a function.
    """
    if _config.DISABLE_JIT:
        return function
    flags: dict[str, Any] = {"boundscheck": True} if checked else {}
    if tight:
        flags |= {"_nrt": False, "forceinline": inner}
    with settings(function, f"checked{tag}" if checked else tag):
        made = numba.njit(nogil=True, cache=True, **flags)(function)
    made._compile_for_args = _patient(made, function)
    return made


def _patient(made: Any, function: FunctionType) -> Callable[..., Any]:
    """Return what Numba calls for arguments without compiled code; it then calls what this returns."""
    compile_for = made._compile_for_args

    def choose(*args: Any, **given: Any) -> Any:
        return _plain_copy(function) if runs_plain() else compile_for(*args, **given)

    return choose


def _plain_copy(function: FunctionType) -> Any:
    """Return a copy of a rule whose callees are plain as well.

    Rules that games share, such as `goto`, may be compiled for the states of another game, and are then
    closed to those of this one. Copies of a template for two games have the same code and other names, so
    every function has copies of its own.
    """
    from .variant import Variant

    with _LOCK:
        if function not in _copies:
            _copies[function] = Variant("plain")(function)
        return _copies[function]


def run_plain(on: bool) -> None:
    """Start or stop running rules that are not compiled as plain Python. Calls are counted."""
    global _plain
    with _counting:
        _plain += 1 if on else -1


@contextmanager
def running_plain() -> Iterator[None]:
    """Run rules that are not compiled as plain Python, in every thread except one that is `compiling`."""
    run_plain(True)
    try:
        yield
    finally:
        run_plain(False)


@contextmanager
def compiling() -> Iterator[None]:
    """Compile rules in this thread, whatever the others do."""
    before = getattr(_thread, "compiles", False)
    _thread.compiles = True
    try:
        yield
    finally:
        _thread.compiles = before


def runs_plain() -> bool:
    """Return whether this thread runs rules without compiled code as plain Python."""
    return _plain > 0 and not getattr(_thread, "compiles", False)


@contextmanager
def settings(function: FunctionType, tag: str = "") -> Iterator[None]:
    """Apply the process-wide Numba settings that rules need, and restore the old ones afterwards.

    Threads take turns.
    """
    with _LOCK:
        before = _config.OPT, _config.CACHE_DIR
        _config.OPT = type(before[0])(OPT)
        _config.CACHE_DIR = str(_folder(function.__module__, tag))
        try:
            yield
        finally:
            _config.OPT, _config.CACHE_DIR = before


def _folder(module: str, tag: str) -> Path:
    return use(safe_root() / (source_digest(module) + (f"-{tag}" if tag else "")))
