"""A progress line for compilation."""

from __future__ import annotations

import sys
from collections.abc import Callable

Progress = Callable[[int, int, str], None]


def progress_line(title: str) -> Progress:
    """Return a progress line on standard error that stays silent if that is not a terminal."""

    def show(done: int, total: int, name: str) -> None:
        if not sys.stderr.isatty() or total < 12:
            return
        end = "\r\033[K" if done == total else ""
        bar = "█" * (20 * done // total) + "░" * (20 - 20 * done // total)
        sys.stderr.write(f"\r\033[Kcompiling {title} {bar} {done}/{total} {name}{end}")
        sys.stderr.flush()

    return show
