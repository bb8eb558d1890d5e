"""Timing a fresh process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from qipai.bench import start, time_start
from qipai.core import get
from qipai.core.errors import BadGame
from qipai.sim import Batch


@pytest.mark.slow
def test_a_warm_start_compiles_nothing() -> None:
    found = time_start("xianqi")
    assert 0 < found.warm_load < found.cold_compile
    assert found.cold > found.cold_compile and found.warm > found.warm_load


def test_a_game_that_does_not_start_is_refused_with_its_own_words() -> None:
    with pytest.raises(BadGame, match="there is no game 'chess'"):
        time_start("chess")


def test_what_is_not_compiled_is_compiled_in_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(subprocess, "run", lambda command, **_: started.append(command))
    game = replace(get("xianqi"), name="elsewhere")  # its own loops, which are not compiled anywhere
    monkeypatch.setattr(start, "get", {"elsewhere": game, "xianqi": get("xianqi")}.__getitem__)
    start.compile_apart("elsewhere")
    assert [command[1:] for command in started] == [["-m", "qipai.bench.start", "elsewhere"]]
    Batch("xianqi", 1)
    start.compile_apart("xianqi")
    assert len(started) == 1


@pytest.mark.slow
def test_the_cache_of_another_process_is_enough(tmp_path: Path) -> None:
    """A fresh process finds nothing, has it compiled apart, and then need not compile anything."""
    lines = (
        "from qipai.bench import compile_apart",
        "from qipai.core import get",
        "from qipai.sim.cpu import is_kept",
        "print(is_kept(get('xianqi')))",
        "compile_apart('xianqi')",
        "print(is_kept(get('xianqi')))",
    )
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        env={**os.environ, "QIPAI_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["False", "True"]


def test_the_process_prints_one_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert start.main("xianqi") == 0
    assert json.loads(capsys.readouterr().out) > 0
    assert start.main("chess") == 2
    assert "chess" in capsys.readouterr().err
