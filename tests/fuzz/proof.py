"""The fuzzers at their stated counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import match_files, xianqi_api

INPUTS = 1_000_000


def proofs() -> list[tuple[str, Callable[[], dict[str, Any]]]]:
    """Return the proofs: each input gives a named error or a result, and a refusal changes nothing."""
    return [
        ("xianqi_api", lambda: xianqi_api.run(INPUTS, seed=1)),
        ("match_files", lambda: match_files.run(INPUTS, seed=1)),
    ]
