"""Live play in the terminal: falling pairs, keys, the clock that turns time into TICKs (README §13).

`Session` is the play without a terminal: it receives keys and time, and returns the lines to draw.
`run` puts it on a tty. The terminal repeats held keys by itself: a held ↓ arrives as many presses, each of
which is one soft drop.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import secrets
import select
import sys
from collections.abc import Iterator
from time import monotonic
from typing import Any, TextIO

from qipai.core.errors import BadOption
from qipai.core.option import read_options

from ..api.game import PaipaiGame
from ..api.selftest import Row, run_selftest, table
from ..config import config_of, read_config
from ..options import OPTIONS
from ..shapes import keep_mask
from .frame import LIST_ROW, alloc_order, frame, result_lines, speaker

ESCAPES = {
    "[A": "up",
    "[B": "down",
    "[C": "right",
    "[D": "left",
    "OA": "up",
    "OB": "down",
    "OC": "right",
    "OD": "left",
}
KEYS = {"left": "LEFT", "right": "RIGHT", "z": "ROTATE_CW", "x": "ROTATE_CCW", "down": "SOFT_DROP"}
POLL = 0.02  # seconds between checks of the keyboard
ENTER_SCREEN, LEAVE_SCREEN = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"


def read_keys(data: str) -> list[str]:
    """Return the keys in what a terminal sent: left, right, up, down, enter, esc, or the character."""
    found, i = [], 0
    while i < len(data):
        c = data[i]
        i += 1
        if c == "\x1b" and data[i : i + 2] in ESCAPES:
            found.append(ESCAPES[data[i : i + 2]])
            i += 2
        elif c == "\x1b":
            found.append("esc")
        elif c in "\r\n":
            found.append("enter")
        elif c == "\x03":
            found.append("q")
        elif c.isprintable():
            found.append(c.lower())
    return found


class Session:
    """One player at one terminal: keys and time in, frames out."""

    def __init__(self, game: PaipaiGame, lang: str = "en") -> None:
        self.game = game
        self.lang = lang
        self.cursor = 0  # place in the shown order of the allocation
        self.paused = False
        self.log: list[Row] | None = None  # the self test's panel
        self.left = False  # the player has left
        self._waited = 0.0  # milliseconds since the last tick

    def lines(self) -> list[str]:
        """Return what to show."""
        return frame(self.game, self.cursor, self.lang, self.paused, self.log)

    def pass_time(self, ms: float) -> bool:
        """Let time pass and return whether something ticked. Time stands still outside play."""
        if self.game.state != "play" or self.paused or self.log is not None:
            self._waited = 0.0
            return False
        self._waited += ms
        config = self.game.config
        step = config["FALL_INTERVAL_MS"] if self.game.falling else config["CHAIN_TICK_MS"]
        if self._waited < step:
            return False
        self._waited = 0.0
        self._act("TICK")
        return True

    def press(self, key: str) -> None:
        """Handle a key, by the name that `read_keys` gives."""
        if self.log is not None or self.paused:
            self.log, self.paused = None, False
        elif key == "q":
            self.left = True
        elif key == "t":
            if self.game.config["TEST_ENABLED"]:
                self.log = run_selftest(self.game.config)  # T16
        elif self.game.state == "title":
            self._act("START")
        elif self.game.state == "hold":
            self._act("CONTINUE")
        elif self.game.state == "gameover":
            if key == "r":
                self._act("RESTART")
        elif self.game.state == "alloc":
            self._press_alloc(key)
        elif key == "p":
            self.paused = True
        elif key in KEYS:
            self._act(KEYS[key])

    def _act(self, action: str) -> None:
        falling = self.game.falling is not None
        self.game.act(action)
        if action == "SOFT_DROP" or falling != (self.game.falling is not None):
            self._waited = 0.0
        if self.game.state == "alloc" and action == "TICK":
            self.cursor = 0

    def _press_alloc(self, key: str) -> None:
        game, n = self.game, len(self.game.assigned)
        steps = {"left": -1, "right": 1, "up": -LIST_ROW, "down": LIST_ROW}
        if key in steps:
            self.cursor = min(max(self.cursor + steps[key], 0), n - 1)
        elif key == " ":
            place = alloc_order(game)[self.cursor]
            game.act("ALLOC_ASSIGN", place, "discard" if game.assigned[place] == "hand" else "hand")
        elif key in ("h", "d"):
            game.act("ALLOC_MODE", "hand" if key == "h" else "discard")
            game.act("ALLOC_ASSIGN", alloc_order(game)[self.cursor], game.mode)
        elif key == "a":
            for i, keep in enumerate(keep_mask(tuple(game.alloc_tiles))):
                game.act("ALLOC_ASSIGN", i, "hand" if keep else "discard")
        elif key == "r":
            game.act("ALLOC_RESET")
        elif key == "enter":
            game.act("ALLOC_CONFIRM")


# --- the terminal ---------------------------------------------------------------------


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags of live play to --seed and --lang."""
    parser.add_argument("--selftest", action="store_true", help="run the eleven tests of the T key and leave")
    parser.add_argument("--fall", type=int, metavar="MS", help="milliseconds per row (default: 1000)")
    parser.add_argument("--original", action="store_true", help="the supply as the browser original has it")


def run(args: argparse.Namespace, stdin: TextIO | None = None, stdout: TextIO | None = None) -> int:
    """Play live until the player leaves, or run the self test; return the exit status."""
    given = config_of(read_options(OPTIONS, read_flags(getattr(args, "option", None) or [])))
    if getattr(args, "original", False):
        given["BIAS_STREAK_HARD_CAP"] = False
    if getattr(args, "fall", None) is not None:
        given["FALL_INTERVAL_MS"] = args.fall
    config = read_config(given)
    out = stdout or sys.stdout
    if getattr(args, "selftest", False):
        rows = run_selftest(config)
        out.write(table(rows) + "\n")
        return 0 if all(r.ok for r in rows) else 1
    source = stdin or sys.stdin
    if not (source.isatty() and out.isatty()):
        raise BadOption("live play needs a terminal on both sides")
    session = Session(
        PaipaiGame(seed_number(getattr(args, "seed", None)), given), getattr(args, "lang", "en")
    )
    with raw_terminal(source, out):
        _loop(session, source.fileno(), out)
    if session.game.result():
        first, _, totals, seed, *_ = result_lines(session.game, speaker(session.lang))
        out.write(f"{totals}   {first}   {seed}\n")
    return 0


def read_flags(flags: list[str]) -> dict[str, Any]:
    """Return the `name=value` options of the command line; whole numbers are converted."""
    found: dict[str, Any] = {}
    for flag in flags:
        name, _, value = flag.partition("=")
        found[name] = int(value) if value.isdecimal() and len(value) < 20 else value
    return found


def seed_number(text: str | None) -> int:
    """Return 32 bits: random ones, the number itself, or a digest of the word."""
    if text is None:
        return secrets.randbits(32)
    if text.strip().isdecimal() and int(text[:12]) < 1 << 32:
        return int(text)
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()[:4], "little")


@contextlib.contextmanager
def raw_terminal(source: TextIO, out: TextIO) -> Iterator[None]:
    """Read keys one by one and use the alternate screen; restore everything at the end."""
    import termios
    import tty

    fd = source.fileno()
    before = termios.tcgetattr(fd)
    try:
        tty.setcbreak(fd)
        out.write(ENTER_SCREEN)
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
        out.write(LEAVE_SCREEN)
        out.flush()


def _loop(session: Session, fd: int, out: TextIO) -> None:
    shown: list[str] = []
    last = monotonic()
    while not session.left:
        lines = session.lines()
        if lines != shown:
            body = "".join(f"\x1b[{i + 1};1H\x1b[K {line}" for i, line in enumerate(lines))
            out.write(body + "\x1b[J")
            out.flush()
            shown = lines
        ready, _, _ = select.select([fd], [], [], POLL)
        if ready:
            data = os.read(fd, 256)
            if not data:
                return
            for key in read_keys(data.decode("utf-8", "replace")):
                session.press(key)
        now = monotonic()
        session.pass_time((now - last) * 1000)
        last = now
