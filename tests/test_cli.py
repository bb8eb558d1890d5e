"""The command line: every command has help, and a refusal is a sentence with its code."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from qipai import __version__, commands
from qipai.cli import COMMANDS, main
from qipai.core.errors import BadSeats


def test_every_module_of_commands_is_a_command() -> None:
    found = {path.stem for path in Path(commands.__path__[0]).glob("*.py")} - {"__init__", "arguments"}
    assert found == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    about = import_module(f"qipai.commands.{name}").ABOUT
    assert " ".join(about.split()) in " ".join(capsys.readouterr().out.split())


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"qipai {__version__}\n"


def test_a_refusal_is_one_line_with_its_code(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(args: object) -> int:
        raise BadSeats("nobody sits here")

    monkeypatch.setattr("qipai.commands.games.run", refuse)
    assert main(["games"]) == 2
    assert capsys.readouterr().err == "qipai games: nobody sits here [seat/bad]\n"


def test_an_interrupt_ends_with_the_status_of_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(args: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("qipai.commands.games.run", stop)
    assert main(["games"]) == 130


def test_a_reader_that_leaves_early_is_no_fault() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "qipai", "rules", "xianqi"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert b"Traceback" not in process.stderr.read()
    process.wait()
    process.stderr.close()


def test_no_command_is_refused_with_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 2
    assert "COMMAND" in capsys.readouterr().err
