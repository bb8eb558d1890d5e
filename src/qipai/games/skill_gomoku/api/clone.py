"""A fast deep copy of JSON values (copy.deepcopy is ten times slower on logs)."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")


def clone(value: T) -> T:
    """Return an independent copy of nested dicts and lists."""
    copied: Any = value
    if isinstance(value, dict):
        copied = {k: clone(v) for k, v in value.items()}
    elif isinstance(value, list):
        copied = [clone(v) for v in value]
    return copied  # type: ignore[no-any-return]
