"""Live play without a terminal: keys, the clock, every screen, a whole game."""

from __future__ import annotations

import argparse
import io
import os
import pty
import random
import select
import subprocess
import sys
import time

import pytest

from qipai.core import LANGUAGES
from qipai.core.errors import BadOption
from qipai.games.paipai_rensa.api import PaipaiGame
from qipai.games.paipai_rensa.terminal.live import Session, read_keys, run, seed_number


def test_keys_are_read_from_what_a_terminal_sends() -> None:
    assert read_keys("\x1b[D\x1b[CzX\x1bOB \r\x03\x1b") == [
        "left",
        "right",
        "z",
        "x",
        "down",
        " ",
        "enter",
        "q",
        "esc",
    ]


def test_time_makes_ticks_at_the_configured_intervals() -> None:
    session = Session(PaipaiGame(1))
    assert not session.pass_time(5000)  # the title stands still
    session.press("a")
    assert not session.pass_time(999) and session.pass_time(1) and session.game.y == 1
    session.press("down")
    assert session.game.y == 2
    session.press("p")
    assert not session.pass_time(5000) and session.game.y == 2
    session.press("left")
    assert session.game.x == 2  # the key only ended the pause
    session.press("left")
    assert session.game.x == 1
    while session.game.falling:
        session.pass_time(1000)
    assert not session.pass_time(499) and session.pass_time(1) and session.game.falling


def test_the_allocation_is_done_with_the_cursor() -> None:
    session = Session(PaipaiGame(1))
    session.game.load({"phase": "alloc", "hand": "zE", "collected": "m3 m1 m2 m4", "deck": "p1 p2"})
    session.press(" ")  # the cursor is on the lowest tile, m1
    assert session.game.assigned == ["hand", "hand", "discard", "hand", "hand"]
    for key in ("right", "right", "right", "right", "right", "d"):
        session.press(key)
    assert session.game.assigned[0] == "discard" and "2" in "\n".join(session.lines())
    session.press("r")
    assert session.game.assigned == ["hand"] * 5
    session.press("enter")
    assert session.game.state == "hold"
    assert "HOLD" in "\n".join(session.lines())
    session.press("t")
    assert session.log is not None and session.game.state == "hold"  # A17: T does not close it
    session.press("q")
    session.press(" ")
    assert session.game.resolving


def test_more_than_fourteen_are_warned_about() -> None:
    session = Session(PaipaiGame(1))
    hand = " ".join(f"p{n} s{n}" for n in range(3, 10))
    session.game.load({"phase": "alloc", "hand": hand, "collected": "m3 m1 m2 m4", "deck": "p1 p2"})
    assert "Discard 4 more" in "\n".join(session.lines())
    session.press("enter")
    assert session.game.state == "alloc"
    session.press("a")
    assert session.game.assigned.count("hand") == 14


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_whole_game_is_played_by_keys_and_every_screen_is_drawn(lang: str) -> None:
    session = Session(PaipaiGame(5, {"FALL_INTERVAL_MS": 100, "CHAIN_TICK_MS": 50}), lang)
    rng = random.Random(2)
    seen = set()
    for _ in range(20_000):
        if session.game.state not in seen:
            assert all(isinstance(line, str) for line in session.lines())
            seen.add(session.game.state)
        if session.game.state == "gameover":
            break
        if session.game.state == "alloc":
            session.press("a")
            session.press("enter")
        else:
            session.press(rng.choice(["left", "right", "z", "x", "down"]))
            session.pass_time(60)
    assert seen == {"title", "play", "alloc", "hold", "gameover"}
    assert "5" in "\n".join(session.lines())  # the seed is told now
    session.press("r")
    assert session.game.state == "title"


def test_without_a_terminal_it_says_so() -> None:
    with pytest.raises(BadOption):
        run(argparse.Namespace(seed="1"), io.StringIO(), io.StringIO())


def test_seeds_are_numbers_or_words() -> None:
    assert seed_number("123456") == 123456
    assert seed_number("hello") == seed_number("hello") != seed_number("other")
    assert 0 <= seed_number(None) < 1 << 32 and 0 <= seed_number("9" * 40) < 1 << 32


@pytest.mark.slow
def test_it_plays_on_a_real_terminal() -> None:
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "qipai.games.paipai_rensa", "--seed", "1", "--fall", "50"]
    child = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=subprocess.PIPE, close_fds=True)
    os.close(slave)
    text = _until(master, "press any key")
    os.write(master, b" ")
    text += _until(master, "Score 0")
    os.write(master, b"\x1b[Dq")
    text += _until(master, "\x1b[?1049l")
    assert child.wait(timeout=30) == 0 and "牌 牌 連 鎖" in text
    os.close(master)
    assert child.stderr is not None
    assert child.stderr.read() == b""
    child.stderr.close()


def _until(fd: int, wanted: str, seconds: float = 60.0) -> str:
    text, end = "", time.monotonic() + seconds
    while wanted not in text and time.monotonic() < end:
        ready, _, _ = select.select([fd], [], [], 0.2)
        if ready:
            try:
                text += os.read(fd, 65536).decode("utf-8", "replace")
            except OSError:
                break
    assert wanted in text
    return text
