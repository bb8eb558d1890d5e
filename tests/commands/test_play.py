"""`qipai play` from the shell: flags, sentences, a real terminal."""

from __future__ import annotations

import io
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from qipai.bots.net.agent import NetAgent
from qipai.cli import main
from qipai.core import Sight, get
from tests.bots.net.nets import MLP, make_net


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str, *flags: str
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    status = main(["play", *flags])
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def test_a_table_is_opened_by_name_and_the_end_of_the_input_is_a_clean_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(monkeypatch, capsys, "", "xianqi", "--seed", "7", "--bots", "heuristic,random")
    assert (status, err) == (0, "")
    assert "Lan (Heuristic), Bo (Random)" in out and "The input has ended." in out


def test_the_net_of_a_run_folder_plays(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    make_net(tmp_path, get("xianqi"), MLP)
    asked: list[int] = []
    act = NetAgent.act

    def noted(self: NetAgent, sight: Sight) -> int:
        asked.append(sight.seat)
        return act(self, sight)

    monkeypatch.setattr(NetAgent, "act", noted)
    monkeypatch.chdir(tmp_path)
    flags = ["--seed", "8", "--bots", ".", "--seat", "2", "--fast"]
    status, out, err = run(monkeypatch, capsys, "", "xianqi", *flags)
    assert (status, err) == (0, "")
    assert "Lan (.), Bo (.)" in out and asked[:2] == [0, 1]  # both move before the person


def test_every_flag_reaches_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "mine.jsonl"
    flags = ["xianqi", "--lang", "zh", "--seat", "2", "--seed", "春", "--record", str(record), "--fast"]
    status, out, _ = run(
        monkeypatch, capsys, "", *flags, "--option", "dog_pair=equal_red_shi", "--deals", "2"
    )
    assert status == 0 and "第 1 局，共 2 局" in out
    assert '"dog_pair":"equal_red_shi"' in record.read_text()
    status, out, _ = run(monkeypatch, capsys, "", "xianqi", "--resume", str(record), "--seat", "2")
    assert status == 0 and "Resuming hand 1." in out


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        (["nosuch"], "game/unknown"),
        (["xianqi", "--seat", "7"], "seat/bad"),
        (["xianqi", "--bots", "nosuch"], "agent/unknown"),
        (["xianqi", "--option", "nosuch=1"], "option/bad"),
        (["xianqi", "--option", "nosuch"], "option/bad"),
        (["xianqi", "--resume", "/nonexistent"], "record/bad"),
    ],
)
def test_a_refusal_is_a_sentence_with_its_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], flags: list[str], code: str
) -> None:
    status, out, err = run(monkeypatch, capsys, "", *flags)
    assert (status, out) == (2, "") and err.startswith("qipai play: ") and err.endswith(f"[{code}]\n")


@pytest.mark.parametrize(
    "flags", [["--deals", "0"], ["--deals", "many"], ["--lang", "fr"], ["--seat", "x"], ["--no"]]
)
def test_a_bad_flag_gets_the_usage(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], flags: list[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        run(monkeypatch, capsys, "", "xianqi", *flags)
    assert left.value.code == 2


def test_without_rich_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "rich", None)
    status, _, err = run(monkeypatch, capsys, "", "xianqi")
    assert status == 2 and "qipai[play]" in err and "[extra/missing]" in err


PROMPT = " > "


def _heed_interrupts() -> None:
    """Restore SIGINT, which a suite in the background ignores and its children inherit."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """A real terminal of 80 by 24 with `qipai play` in it."""

    def __init__(self, home: Path, *flags: str) -> None:
        self._own, theirs = pty.openpty()
        env = {
            **os.environ,
            "XDG_STATE_HOME": str(home),
            "COLUMNS": "80",
            "LINES": "24",
            "TERM": "xterm-256color",
        }
        command = [sys.executable, "-m", "qipai.cli", "play", "xianqi", "--fast", *flags]
        self.process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=env,
            start_new_session=True,
            preexec_fn=_heed_interrupts,
        )
        os.close(theirs)
        self.text = ""

    def wait_for(self, text: str, seconds: float = 60) -> bool:
        """Read until `text` has come, and forget everything up to it."""
        end = time.monotonic() + seconds
        while text not in self.text and time.monotonic() < end:
            if select.select([self._own], [], [], 0.2)[0]:
                try:
                    self.text += os.read(self._own, 65536).decode("utf-8", "replace")
                except OSError:  # the other end has gone
                    break
        found = text in self.text
        self.text = self.text.partition(text)[2] if found else self.text
        return found

    def type(self, typed: str, until: str) -> None:
        """Type until it is answered: keys pressed before a question is asked are dropped."""
        for _ in range(20):
            os.write(self._own, typed.encode())
            if self.wait_for(until, 3):
                return
        raise AssertionError(f"no {until!r} in {self.text[-2000:]!r}")

    def interrupt(self, until: str) -> None:
        """Ctrl-C until it is answered: one that comes just before Python waits for a key is seen after it."""
        for _ in range(20):
            self.process.send_signal(signal.SIGINT)
            if self.wait_for(until, 3):
                return
        raise AssertionError(f"no {until!r} in {self.text[-2000:]!r}")

    def close(self) -> int:
        status = self.process.wait(60)
        os.close(self._own)
        return status

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *error: object) -> None:
        if self.process.poll() is None:  # only after a failure
            self.process.kill()
            self.close()


@pytest.mark.slow
def test_a_table_in_a_real_terminal_survives_an_interrupt(home: Path) -> None:
    with Terminal(home, "--seed", "7") as terminal:
        assert terminal.wait_for("X I A N Q I")
        terminal.type("\n", PROMPT)
        terminal.type("1\n", "You play")
        assert terminal.wait_for(PROMPT)
        terminal.interrupt(until="\x1b[?1049l")
        assert terminal.wait_for("The table is saved.")
        assert terminal.close() == 130
    with Terminal(home) as again:
        assert again.wait_for("[Y/n]")
        again.type("y\n", "You play")
        again.type("q\n", "The table is saved.")
        assert again.close() == 0


def test_hint_gives_advice_with_every_decision(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run(monkeypatch, capsys, "\n", "xianqi", "--seed", "7", "--hint")
    assert "Hint: " in out
    _, out, _ = run(monkeypatch, capsys, "\n", "xianqi", "--seed", "7")
    assert "Hint: " not in out


def test_the_self_test_runs_where_a_game_has_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run(monkeypatch, capsys, "", "paipai_rensa", "--selftest")
    assert status == 0 and out.strip()
    status, _, err = run(monkeypatch, capsys, "", "xianqi", "--selftest")
    assert status == 2 and "no self test" in err


def test_a_level_is_a_bot_for_every_other_seat(capsys: pytest.CaptureFixture[str]) -> None:
    from argparse import Namespace

    from qipai.commands.play import _bots

    assert _bots(Namespace(option=[], game="nana", level=3, bots=None)) == "level3"
    assert _bots(Namespace(option=[], game="nana", level=None, bots="hard")) == "hard"
    assert main(["play", "nana", "--level", "9"]) == 2
    assert "has the levels 1 to 6" in capsys.readouterr().err
    assert main(["play", "nana", "--level", "1", "--bots", "hard"]) == 2
