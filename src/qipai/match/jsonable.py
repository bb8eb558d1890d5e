"""Check and copy JSON values before any other code uses them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from qipai.core.errors import short

DEPTH = 16  # nesting
NODES = 1 << 19  # values in total; a list that contains itself would never end
INTEGER = 1 << 63
_INTEGERS = (int, np.integer)


class NotJson(Exception):
    """The value is not JSON; callers translate this into their own error."""


def json_copy(value: Any) -> Any:
    """Return an independent copy in dicts with string keys, lists, strings, finite numbers, bools, None."""
    return _json_copy(value, DEPTH, [NODES])


def copied(value: Any) -> Any:
    """Return an independent copy of a value that is known to be JSON."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [copied(item) for item in value]
    return value


def is_int(value: Any) -> bool:
    """Return whether `value` is a whole number (and not a bool)."""
    return type(value) is int or (isinstance(value, _INTEGERS) and not isinstance(value, bool))


def _json_copy(value: Any, depth: int, left: list[int]) -> Any:
    left[0] -= 1
    if left[0] < 0:
        raise NotJson("too many values")
    kind = type(value)
    if kind is int:
        if not -INTEGER <= value < INTEGER:
            raise NotJson("a number is too large")
        return value
    if kind is str or kind is bool or value is None:
        return value
    if kind is float:
        if not math.isfinite(value):
            raise NotJson("a number is not finite")
        return value
    if depth == 0:
        raise NotJson("nested too deeply")
    if isinstance(value, list | tuple):
        return [_json_copy(item, depth - 1, left) for item in value]
    if isinstance(value, Mapping):
        found = {}
        for key, item in value.items():
            if type(key) is not str:
                raise NotJson(f"a key must be a string, not {short(key)}")
            found[key] = _json_copy(item, depth - 1, left)
        return found
    raise NotJson(f"a {kind.__name__} is not JSON")
