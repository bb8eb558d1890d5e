"""Paipai Rensa in the terminal: `SCREEN`, placement by placement (`turns.py`), and live play (`live.py`)."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    """Import the screen on first use: it needs `rich`, and live play does not."""
    if name == "SCREEN":
        from .turns import SCREEN

        return SCREEN
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
