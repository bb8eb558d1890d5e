"""A hand in the terminal as HTML: what `qipai play` draws in a terminal, cell by cell."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from html import escape
from io import StringIO
from pathlib import Path

COLUMNS, ROWS = 84, 30
COMMAND = ("play", "xianqi", "--seed", "7", "--fast", "--new", "--hands", "1")
KEYS = ("\n", "1\n", "1\n")  # deal, then the first move of each list
HOME = b"\x1b[H"  # every drawing of the table begins with it
GROUND, TEXT = (27, 27, 31), (216, 216, 216)
# Black, red, green, yellow, blue, magenta, cyan, white; the bright ones differ in black, which is grey.
COLOURS = [
    GROUND,
    (224, 85, 97),
    (110, 190, 120),
    (224, 180, 60),
    (95, 145, 210),
    (190, 120, 200),
    (70, 185, 195),
    TEXT,
]
BRIGHT = [(146, 146, 152), *COLOURS[1:]]
PAGE = """<body style="margin:0;background:#1b1b1f"><pre style="margin:0;padding:20px 26px;width:max-content;
color:#d8d8d8;font:18px/1.164 'DejaVu Sans Mono','Noto Sans Mono CJK SC',monospace">{}</pre></body>"""


def page(folder: Path) -> str:
    """Return the table in the middle of a hand as a page; the same seed and keys give the same one."""
    drawn = _play(folder).rpartition(HOME)[2].decode("utf-8", "replace")
    return PAGE.format(to_html(drawn.replace("\r", "")))


def to_html(text: str) -> str:
    """Return text with terminal colours as HTML; a wide character takes two cells."""
    from rich.cells import cell_len
    from rich.console import Console
    from rich.terminal_theme import TerminalTheme
    from rich.text import Text

    console = Console(width=COLUMNS, color_system="truecolor", force_terminal=True, file=StringIO())
    theme = TerminalTheme(GROUND, TEXT, COLOURS, BRIGHT)
    parts = []
    for segment in console.render(Text.from_ansi(text)):
        style = segment.style.get_html_style(theme) if segment.style else ""
        for char in segment.text:
            cell = escape(char)
            if cell_len(char) == 2:
                cell = f'<span style="display:inline-block;width:2ch;text-align:center">{cell}</span>'
            parts.append(f'<span style="{style}">{cell}</span>' if style and char != "\n" else cell)
    return "".join(parts)


def _play(folder: Path) -> bytes:
    """Play a few moves in a pseudo-terminal, and return everything that was written to it."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    size = {"COLUMNS": str(COLUMNS), "LINES": str(ROWS), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    env = {**os.environ, **size, "XDG_STATE_HOME": str(folder)}
    command = [sys.executable, "-m", "qipai.cli", *COMMAND]
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, start_new_session=True
    )
    written = _read(ours, 15)
    for key in KEYS:
        os.write(ours, key.encode())
        written += _read(ours, 5)
    process.terminate()
    process.wait()
    return written


def _read(terminal: int, quiet: float) -> bytes:
    """Return what is written until it is quiet for that many seconds."""
    found = b""
    while select.select([terminal], [], [], quiet)[0]:
        found += os.read(terminal, 65536)
    return found
