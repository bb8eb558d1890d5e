"""A cursor on the board, moved with the arrow keys: reads single keys from a real terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from rich.console import Console, RenderableType
from rich.text import Text

Frame = Callable[[int, int], tuple[RenderableType, str]]
KEYS = {
    "\x1b[A": (0, -1), "\x1b[B": (0, 1), "\x1b[C": (1, 0), "\x1b[D": (-1, 0),
    "\x1bOA": (0, -1), "\x1bOB": (0, 1), "\x1bOC": (1, 0), "\x1bOD": (-1, 0),
    "w": (0, -1), "s": (0, 1), "d": (1, 0), "a": (-1, 0),
}  # fmt: skip
DONE, LEAVE = ("\r", "\n", " "), ("\x1b", "q", "\x03", "\x04", "")


def can_move_cursor() -> bool:
    """Return whether there is a terminal whose keys can be read one by one."""
    try:
        import termios  # noqa: F401
    except ImportError:
        return False
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def move_cursor(size: int, start: tuple[int, int], frame: Frame, keys: str) -> tuple[int, int] | None:
    """Return the cell on which Enter was pressed, or None if the cursor was dismissed; `keys` is a hint."""
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        return follow(size, start, frame, Keys(lambda: os.read(descriptor, 64)).next, _shower(keys))
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def follow(
    size: int,
    start: tuple[int, int],
    frame: Frame,
    key: Callable[[], str],
    show: Callable[[RenderableType, str], None],
) -> tuple[int, int] | None:
    """Show the cursor and move it until a key ends it."""
    x, y = start
    while True:
        show(*frame(x, y))
        pressed = key()
        if pressed in DONE:
            return x, y
        if pressed in LEAVE:
            return None
        dx, dy = KEYS.get(pressed, (0, 0))
        x, y = min(max(x + dx, 0), size - 1), min(max(y + dy, 0), size - 1)


class Keys:
    """Keys one by one. An arrow is three characters; a terminal may deliver several keys at once."""

    def __init__(self, read: Callable[[], bytes]) -> None:
        self._read = read
        self._left = ""

    def next(self) -> str:
        """Return the next key; "" if the input has ended."""
        if not self._left:
            self._left = self._read().decode("utf-8", "replace")
        n = 3 if self._left.startswith(("\x1b[", "\x1bO")) else 1
        key, self._left = self._left[:n], self._left[n:]
        return key


def _shower(keys: str) -> Callable[[RenderableType, str], None]:
    console = Console(highlight=False, emoji=False)

    def show(board: RenderableType, note: str) -> None:
        console.clear()
        console.print(board)
        console.print(Text(f" {note}", style="bold"))
        console.print(Text(f" {keys}", style="bright_black"))

    return show
