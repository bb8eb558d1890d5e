"""On a terminal: whole frames that fit it, nothing left behind."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from qipai.core import QipaiError, State
from qipai.games.xianqi import GAME
from qipai.match import Series
from qipai.terminal.host import Settings, host
from qipai.terminal.stage import ENTER_SCREEN, LEAVE_SCREEN, TO_END, Stage

from .scripted import Keys, Shown, any_moves, play

CODES = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (100, 32)])
def test_every_frame_of_a_table_fits_the_terminal(
    lang: str, columns: int, lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(lines))
    _, _, shown = play(any_moves, lang=lang, tty=True, seed="fit", hands=3, bots="random")
    frames = shown.frames()
    assert len(frames) > 40
    for frame in frames:
        rows = CODES.sub("", frame.rpartition(TO_END)[0]).split("\n")
        assert max(map(cell_len, rows)) <= columns, frame
        assert len(rows) <= lines, "\n".join(rows)


def test_the_hand_stays_on_its_line_while_the_bots_play() -> None:
    _, _, shown = play(any_moves, tty=True, seed="still", hands=1)
    places = set()
    for frame in shown.frames():
        rows = CODES.sub("", frame).split("\n")
        letters = [i for i, row in enumerate(rows) if re.fullmatch(r"(  [RB][SXMCGN] ?)+\s*", row)]
        places.update(letters)
    assert len(places) <= 2  # a question with many moves takes one line more


def test_the_shells_screen_comes_back_however_the_table_ends() -> None:
    for keys in (["", "q"], ["", "^C"], [""], ["q"], []):
        _, text, _ = play(list(keys), tty=True, seed="7")
        assert text.count(ENTER_SCREEN) == text.count(LEAVE_SCREEN) == 1
        assert text.index(LEAVE_SCREEN) > text.rindex("\x1b[H")


def test_the_shells_screen_comes_back_when_something_is_refused(tmp_path: Path) -> None:
    shown = Shown(tty=True)
    stage = Stage(fast=True, stdin=Keys(iter([""]), tty=True), file=shown)
    with pytest.raises(QipaiError):
        host(Settings("xianqi", record=tmp_path / "no" / "such" / "folder"), stage)
    assert shown.getvalue().endswith(LEAVE_SCREEN)


def test_the_rules_are_paged_and_q_goes_back_to_the_question() -> None:
    _, _, shown = play(["", "?", "", "q", "h", "q"], tty=True, seed="7")
    frames = [CODES.sub("", f) for f in shown.frames()]
    pages = [f for f in frames if "Enter  more" in f]
    assert len(pages) == 2
    assert any("Hint: " in f for f in frames)


def test_without_a_terminal_there_are_no_control_codes_and_nothing_is_shown_twice() -> None:
    _, text, _ = play(any_moves, seed="7", hands=1)
    assert "\x1b" not in text
    told = [line for line in text.splitlines() if " wins the round: " in line or " win the round: " in line]
    assert told and len(told) == text.count("the round: ")


def test_bytes_that_are_no_text_do_not_stop_a_table(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_bytes(b"\xff\xfe\n1\n")
    with path.open(encoding="utf-8") as keys:
        shown = Shown()
        status = host(Settings("xianqi", seed="7"), Stage(fast=True, stdin=keys, file=shown))
    assert status == 0 and "is not a move" in shown.getvalue()


def test_a_pause_is_made_only_for_someone_who_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    host(Settings("xianqi", seed="7"), Stage(stdin=Keys(iter(["1"])), file=Shown()))
    assert slept == []
    host(Settings("xianqi", seed="7"), Stage(stdin=Keys(iter(["", "1"]), tty=True), file=Shown(tty=True)))
    assert slept and max(slept) < 2


def test_who_is_asked_is_named_only_where_the_view_tells_it(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = ["", "1", "1", "q"]
    _, text, _ = play(list(keys), tty=True, seed="7")
    assert "Lan is thinking" in text or "Bo is thinking" in text

    def hidden(s: State, seat: int) -> dict[str, object]:
        return {k: v for k, v in GAME.rules.view(s, seat).items() if k != "decider"}

    quiet = replace(
        GAME,
        rules=replace(GAME.rules, view=hidden),
        terminal=replace(GAME.terminal, screen=None),
    )
    monkeypatch.setattr("qipai.terminal.host.get", lambda name, options: quiet)
    monkeypatch.setattr("qipai.terminal.store.Series", lambda name, *rest: Series(quiet, *rest))
    _, text, _ = play(list(keys), tty=True, seed="7")
    assert "The table is thinking" in text
    assert "Lan is thinking" not in text and "Bo is thinking" not in text


def test_an_arrow_key_opens_a_cursor_where_there_is_one() -> None:
    """On a real terminal, with readline: the arrow types the key of the move without actions."""
    code = (
        "import sys; from qipai.terminal.stage import Stage; s = Stage(); assert s.live;"
        "print('got', repr(s.ask('> ', 'c')), flush=True); print('got', repr(s.ask('> ')), flush=True)"
    )
    pytest.importorskip("readline")
    terminal, screen = pty.openpty()
    child = subprocess.Popen([sys.executable, "-c", code], stdin=screen, stdout=screen, stderr=screen)
    os.close(screen)
    shown = Until(terminal)
    try:
        assert shown(b"> ")
        os.write(terminal, b"h8\x1b[A")
        assert shown(b"got 'c'") and shown(b"> ")
        os.write(terminal, b"ac\x1b[Db\r")  # left moves inside the line again
        assert shown(b"got 'abc'")
        assert child.wait(60) == 0
    finally:
        child.kill()
        child.wait()
        os.close(terminal)


class Until:
    """Reads what a terminal shows up to a text, and keeps what comes after it; waits at most a minute."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._seen = b""

    def __call__(self, wanted: bytes) -> bool:
        end = time.monotonic() + 60
        while wanted not in self._seen and time.monotonic() < end:
            if select.select([self._descriptor], [], [], 1.0)[0]:
                self._seen += os.read(self._descriptor, 4096)
        _, found, self._seen = self._seen.partition(wanted)
        return bool(found)
