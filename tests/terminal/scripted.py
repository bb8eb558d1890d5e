"""A terminal made of text: scripted keys in, everything shown out."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

from qipai.terminal.host import Settings, host
from qipai.terminal.stage import HOME, Stage

# At every decision of Xianqi at least one of these is a legal move.
ANY_MOVE = ("1", "p", "1 2", "1 1", "1 2 3", "1 1 2", "1 2 2", "1 1 1")


class Keys(io.StringIO):
    """Standard input: lines from `typed`; after them the input has ended."""

    def __init__(self, typed: Iterator[str], tty: bool = False) -> None:
        super().__init__()
        self._typed = typed
        self._tty = tty

    def isatty(self) -> bool:
        return self._tty

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]  # a typeshed quirk
        line = next(self._typed, None)
        if line == "^C":
            raise KeyboardInterrupt
        return "" if line is None else line + "\n"


class Shown(io.StringIO):
    """Standard output."""

    def __init__(self, tty: bool = False) -> None:
        super().__init__()
        self._tty = tty

    def isatty(self) -> bool:
        return self._tty

    def frames(self) -> list[str]:
        """Return the whole frames drawn on a tty."""
        return self.getvalue().split(HOME)[1:]


def play(
    typed: list[str] | Callable[[Shown], Iterator[str]], lang: str = "en", tty: bool = False, **settings: Any
) -> tuple[int, str, Shown]:
    """Play Xianqi at a terminal; return the exit status, everything shown, and the screen."""
    shown = Shown(tty)
    lines = typed(shown) if callable(typed) else iter(typed)
    stage = Stage(fast=True, lang=lang, stdin=Keys(lines, tty), file=shown)
    status = host(Settings(**{"game": "xianqi", **settings}), stage)
    return status, shown.getvalue(), shown


def any_moves(shown: Shown) -> Iterator[str]:
    """Yield keys that get through any hand."""
    return cycle(ANY_MOVE)


def one_hand(shown: Shown) -> Iterator[str]:
    """Yield keys that get through one hand and then leave."""
    for key in any_moves(shown):
        yield "q" if "next hand" in shown.getvalue()[-60:] else key


def tables(home: Path) -> list[Path]:
    """Return the folders of series that were kept, oldest first."""
    return sorted((home / "qipai" / "tables").glob("*"))
