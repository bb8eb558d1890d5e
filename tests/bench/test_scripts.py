"""The scripts of `benchmarks/`, as far as they go without a device."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from qipai.core import names
from qipai.core.errors import NoDevice
from qipai.sim import Rollout
from qipai.sim.cuda import build

FOLDER = Path(__file__).parents[2] / "benchmarks"
Script = Callable[..., int]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    """Run a script's main with these arguments, where there is no device."""

    def missing() -> None:
        raise NoDevice("no CUDA device can be used here")

    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.setattr("qipai.sim.cuda.engine.load_cuda", missing)
    for name in ("CALLED", "REGISTERS", "SHARED", "WHOLE_BLOCK"):  # the scripts set them
        monkeypatch.setattr(build, name, getattr(build, name))

    def run(name: str, *arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        return int(import_module(name).main())

    return run


def test_no_script_hides_a_module_of_the_standard_library() -> None:
    """A script's folder is searched first: `profile.py` there is what Numba gets, through cProfile."""
    assert not {script.stem for script in FOLDER.glob("*.py")} & sys.stdlib_module_names


@pytest.mark.parametrize("arguments", [["layout", "nana"], ["gpu", "--trace", "nana"], ["gpu", "--trace"]])
def test_without_a_device_a_script_says_so(
    arguments: list[str], script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    assert script(*arguments) == 2
    assert capsys.readouterr() == ("", "no CUDA device can be used here\n")


def test_a_trace_without_a_game_is_of_all(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    traced: list[str] = []

    def trace(name: str) -> bool:
        traced.append(name)
        return name != "nana"

    monkeypatch.setattr(import_module("gpu"), "trace", trace)
    assert script("gpu", "--trace", "xianqi") == 0  # 1 where a game parts from the CPU
    assert script("gpu", "--trace") == 1 and traced == ["xianqi", *names()]


@pytest.mark.parametrize(("given", "meant"), [("0", None), ("96", 96)])
def test_a_limit_on_registers_reaches_the_process_that_measures(
    given: str, meant: int | None, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []

    def start(command: list[str], env: dict[str, str]) -> Any:
        started.append(command)
        return SimpleNamespace(wait=lambda: 0)

    monkeypatch.setattr("subprocess.Popen", start)
    assert script("gpu", "nana", "--registers", given) == 1  # no row came
    monkeypatch.setattr(build, "REGISTERS", 168)
    assert script("gpu", *started[0][2:]) == 2  # no device
    assert meant == build.REGISTERS


def test_fewer_registers_than_none_are_refused(script: Script) -> None:
    with pytest.raises(SystemExit, match="2"):
        script("gpu", "nana", "--registers", "-1")


def test_a_block_that_could_not_be_launched_is_refused(script: Script) -> None:
    for block in ("288", "128", "2048"):
        with pytest.raises(SystemExit, match="2"):
            script("gpu", "nana", "--block", block)


def test_the_first_run_is_no_rate(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is faster than what follows: every lane is at a fresh deal."""
    seconds, now = [1.0, 4.0, 2.0, 4.0], [0.0]
    monkeypatch.setattr("time.perf_counter", lambda: now[0])

    def rollout(steps: int, observe: bool) -> Rollout:
        now[0] += seconds.pop(0)
        return Rollout(decisions=steps, games=0)

    rate = import_module("gpu").rate
    assert rate(SimpleNamespace(rollout=rollout), 100, observe=False) == 30.0 and not seconds
