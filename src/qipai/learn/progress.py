"""The progress of a run as one line: a bar, decisions per second, strength so far and time left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

WIDTH = 20  # characters of the bar


def bar(share: float) -> str:
    """Return a bar for the fraction (0 to 1) of a run that is over, with the percentage rounded down."""
    share = min(1.0, max(0.0, share))
    done = int(WIDTH * share + 1e-9)
    return f"[{'#' * done}{'.' * (WIDTH - done)}] {int(100 * share + 1e-9):3d} %"


def progress_line(
    share: float,
    rate: float,
    left: float | None,
    strength: Mapping[str, Mapping[str, Any]],
    rest: str = "",
) -> str:
    """Return the line: `rate` is in decisions per second, `left` in seconds, None if it is not known yet."""
    parts = [bar(share), f"{rate / 1e6:.3f} M decisions/s"]
    parts += [f"{name} {v['chips']:+.2f} ± {v['chips_half']:.2f}" for name, v in strength.items()]
    parts += [clock(left) + " left"] if left is not None else []
    return "  ".join([*parts, *([rest] if rest else [])])


def clock(seconds: float) -> str:
    """Return a time as minutes and seconds."""
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02d}"


def is_progress(text: str) -> bool:
    """Return whether a line shows a bar that a later line replaces: not if it shows the end."""
    return text.startswith("[") and "decisions/s" in text and "] 100 %" not in text
