"""The terminal: whole frames redrawn in place on a tty, plain lines otherwise; questions and pauses.

On a tty the table uses the alternate screen, so that nothing scrolls and the shell's screen is
restored at the end. With piped input or output everything is printed once, in order.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from types import TracebackType
from typing import TextIO

from rich.console import Console, RenderableType
from rich.text import Text

from .words import say

ENTER_SCREEN, LEAVE_SCREEN = "\x1b[?1049h\x1b[H", "\x1b[?1049l"
HOME, TO_EOL, TO_END = "\x1b[H", "\x1b[K", "\x1b[J"
ARROWS = {"A": "previous-history", "B": "next-history", "C": "forward-char", "D": "backward-char"}
CURTAIN = 60  # enough lines to scroll away everything printed
WIDEST = 110  # wider terminals get margins, not longer lines


class Stage:
    """Where a table is shown and where its player types."""

    def __init__(
        self,
        fast: bool = False,
        lang: str = "en",
        stdin: TextIO | None = None,
        file: TextIO | None = None,
        hint: bool = False,
    ) -> None:
        self._in = sys.stdin if stdin is None else stdin
        self._file = sys.stdout if file is None else file
        for stream in (self._in, self._file):  # no typed or printed byte may raise
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
        self.lang = lang
        self.hint = hint  # show advice at every decision
        self.console = Console(file=self._file, highlight=False, emoji=False, soft_wrap=False)
        self.live = self._in.isatty() and self.console.is_terminal and not self.console.is_dumb_terminal
        self.fast = fast or not self.live
        self._open = False

    def __enter__(self) -> Stage:
        if self.live:
            self._write(ENTER_SCREEN)
            self._open = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._open:
            self._write(LEAVE_SCREEN)
            self._open = False

    @property
    def width(self) -> int:
        """Number of columns to draw in."""
        return min(self.console.width, WIDEST)

    @property
    def height(self) -> int:
        """Number of lines to draw in."""
        return self.console.height

    def lines(self, part: RenderableType, width: int | None = None) -> list[str]:
        """Return `part` as printed lines, with colour if the terminal supports it."""
        with self.console.capture() as capture:
            self.console.print(part, width=width or self.width)
        return capture.get().removesuffix("\n").split("\n")

    def frame(self, lines: Sequence[str]) -> None:
        """Show a whole frame: in place on a tty, otherwise line by line."""
        if not self.live:
            self._write("\n".join(lines) + "\n")
            return
        fits = len(lines) < self.height
        margin = " " * ((self.console.width - self.width) // 2)
        body = "".join(f"{margin}{line}{TO_EOL}\n" for line in lines)
        self._write((HOME if fits else HOME + TO_END) + body + TO_END)

    def blank(self) -> None:
        """Remove everything from sight."""
        self._write(HOME + TO_END if self.live else "\n" * CURTAIN)

    def line(self, text: str | Text) -> None:
        """Print one line, if frames do not show it."""
        if not self.live:
            self.console.print(text, width=max(self.width, 80), soft_wrap=True)

    def notice(self, text: str) -> None:
        """Show something that must be seen before continuing."""
        self.line(text)
        if self.live:
            self.frame(["", *self.lines(Text(text, style="yellow")), ""])
            self.pause(2.5)

    def goodbye(self, text: str) -> None:
        """Print a line on the shell's normal screen, after the table is gone."""
        self.console.print(text, soft_wrap=True)

    def ask(self, prompt: str, arrows: str = "") -> str | None:
        """Return what the player types, or None if the input ended. An arrow key types `arrows`, if given."""
        if self.live:
            self._forget_keys()
            prompt = " " * ((self.console.width - self.width) // 2) + prompt
            if self._in is sys.stdin:
                return _input(prompt, arrows)
        self._write(prompt)
        typed = self._in.readline()
        if not self._in.isatty():  # repeat the input in the printed text
            self._write(typed.rstrip("\n") + "\n")
        return None if typed == "" else typed.strip()

    def pause(self, seconds: float) -> None:
        """Pause, so that the player can read."""
        if not self.fast:
            time.sleep(seconds)

    def page(self, part: RenderableType, title: str = "") -> bool:
        """Show something long, screen by screen. Return False if the input ended."""
        lines = self.lines(part)
        if not self.live:
            self.frame(lines)
            return True
        room = max(self.height - 3, 5)
        for start in range(0, max(len(lines), 1), room):
            last = start + room >= len(lines)
            rows = lines[start : start + room]
            head = self.lines(Text(title, style="bold")) if title else []
            self.frame([*head, *rows])
            typed = self.ask(say("back" if last else "more", self.lang) + " ")
            if typed is None:
                return False
            if typed.lower().startswith("q"):
                break
        return True

    def _forget_keys(self) -> None:
        """Discard what was typed while the bots played: it was not meant for this question."""
        with suppress(ImportError, OSError, ValueError):
            import termios

            termios.tcflush(self._in.fileno(), termios.TCIFLUSH)

    def _write(self, text: str) -> None:
        self._file.write(text)
        self._file.flush()


def _input(prompt: str, arrows: str) -> str | None:
    """Return a line from the keyboard, with the usual editing keys if the system has them."""
    with suppress(ImportError):
        import readline  # input() uses it once it is imported

        for binding in arrow_bindings(arrows):
            readline.parse_and_bind(binding)
    try:
        return input(prompt).strip()
    except EOFError:
        return None


def arrow_bindings(arrows: str) -> list[str]:
    """Return readline's bindings for the arrow keys: they type `arrows` and Enter, or act as usual."""
    typed = f'"\\C-a\\C-k{arrows}\\C-m"'
    return [
        f'"\\e{kind}{key}": {typed if arrows else usual}'
        for key, usual in ARROWS.items()
        for kind in ("[", "O")
    ]
