"""The terminal: whole frames redrawn in place on a tty, plain lines otherwise; questions and pauses.

On a tty the table uses the alternate screen, so that nothing scrolls and the shell comes
back as it was. With piped input or output everything is printed once, in order.
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
CURTAIN = 60  # lines that scroll away what was printed
WIDEST = 110  # a wider terminal gets margins, not longer lines


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
        for stream in (self._in, self._file):  # no byte that is typed or printed may raise
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
        self.lang = lang
        self.hint = hint  # advice with every decision, unasked
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
        """Columns to draw in."""
        return min(self.console.width, WIDEST)

    @property
    def height(self) -> int:
        """Lines to draw in."""
        return self.console.height

    def lines(self, part: RenderableType, width: int | None = None) -> list[str]:
        """`part` as printed lines, with colour where the terminal has it."""
        with self.console.capture() as capture:
            self.console.print(part, width=width or self.width)
        return capture.get().removesuffix("\n").split("\n")

    def frame(self, lines: Sequence[str]) -> None:
        """Show a whole frame: in place on a tty, else one line after the other."""
        if not self.live:
            self._write("\n".join(lines) + "\n")
            return
        fits = len(lines) < self.height
        margin = " " * ((self.console.width - self.width) // 2)
        body = "".join(f"{margin}{line}{TO_EOL}\n" for line in lines)
        self._write((HOME if fits else HOME + TO_END) + body + TO_END)

    def blank(self) -> None:
        """Nothing of what was shown stays in sight."""
        self._write(HOME + TO_END if self.live else "\n" * CURTAIN)

    def line(self, text: str | Text) -> None:
        """One line of what happens, where frames do not show it."""
        if not self.live:
            self.console.print(text, width=max(self.width, 80), soft_wrap=True)

    def notice(self, text: str) -> None:
        """Something that must be seen before going on."""
        self.line(text)
        if self.live:
            self.frame(["", *self.lines(Text(text, style="yellow")), ""])
            self.pause(2.5)

    def goodbye(self, text: str) -> None:
        """A line for the shell's own screen, after the table has gone."""
        self.console.print(text, soft_wrap=True)

    def ask(self, prompt: str, arrows: str = "") -> str | None:
        """What the player types; None when the input has ended. An arrow key types `arrows`, where given."""
        if self.live:
            self._forget_keys()
            prompt = " " * ((self.console.width - self.width) // 2) + prompt
            if self._in is sys.stdin:
                return _input(prompt, arrows)
        self._write(prompt)
        typed = self._in.readline()
        if not self._in.isatty():  # what was typed shows in the printed text too
            self._write(typed.rstrip("\n") + "\n")
        return None if typed == "" else typed.strip()

    def pause(self, seconds: float) -> None:
        """Let the player see it."""
        if not self.fast:
            time.sleep(seconds)

    def page(self, part: RenderableType, title: str = "") -> bool:
        """Show something long, screen by screen. False when the input has ended."""
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
        """Drop what was typed while the bots played: it was not meant for this question."""
        with suppress(ImportError, OSError, ValueError):
            import termios

            termios.tcflush(self._in.fileno(), termios.TCIFLUSH)

    def _write(self, text: str) -> None:
        self._file.write(text)
        self._file.flush()


def _input(prompt: str, arrows: str) -> str | None:
    """A line from the keyboard, with the usual editing keys where the system has them."""
    with suppress(ImportError):
        import readline  # input() uses it once it is loaded

        for binding in arrow_bindings(arrows):
            readline.parse_and_bind(binding)
    try:
        return input(prompt).strip()
    except EOFError:
        return None


def arrow_bindings(arrows: str) -> list[str]:
    """What readline is told of the arrow keys: that they type `arrows` and Enter, or their usual meaning."""
    typed = f'"\\C-a\\C-k{arrows}\\C-m"'
    return [
        f'"\\e{kind}{key}": {typed if arrows else usual}'
        for key, usual in ARROWS.items()
        for kind in ("[", "O")
    ]
