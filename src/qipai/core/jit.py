"""Numba's decorator with the settings that rules need, and one cache folder per source digest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any

import numba

from .cache import cache_root, use
from .sources import OPT, source_digest

_config: Any = numba.config


def jit(function: FunctionType, checked: bool, tag: str = "") -> Any:
    """Return `function` wrapped by Numba, or unchanged if compilation is off."""
    if _config.DISABLE_JIT:
        return function
    flags: dict[str, Any] = {"boundscheck": True} if checked else {}
    with settings(function, f"checked{tag}" if checked else tag):
        return numba.njit(nogil=True, cache=True, **flags)(function)


@contextmanager
def settings(function: FunctionType, tag: str = "") -> Iterator[None]:
    """Apply the process-wide Numba settings that rules need, and restore the old ones afterwards."""
    before = _config.OPT, _config.CACHE_DIR
    _config.OPT = type(before[0])(OPT)
    _config.CACHE_DIR = str(_folder(function.__module__, tag))
    try:
        yield
    finally:
        _config.OPT, _config.CACHE_DIR = before


def _folder(module: str, tag: str) -> Path:
    return use(cache_root() / (source_digest(module) + (f"-{tag}" if tag else "")))
