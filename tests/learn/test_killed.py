"""`qipai train` killed with SIGKILL, then resumed: the weights are those of a run that nobody interrupted."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.bots.net import read_container  # noqa: E402
from qipai.cli import main  # noqa: E402
from qipai.core import get  # noqa: E402
from qipai.learn import checkpoint  # noqa: E402

SIZES = {"lanes": 24, "steps": 8, "minibatch": 96, "width": 16, "league": 0.25, "league_every": 3}
# A schedule covers the updates of one command, so that it must not change where a run was cut.
LEVEL = {"rate": 0.001, "rate_end": 0.001, "entropy": 0.01, "entropy_end": 0.01}
# The command itself, which writes a checkpoint after every update instead of every minute.
PROGRAM = (
    "import sys; from qipai.learn import run; run.SAVE = 0.0; from qipai.cli import main; sys.exit(main())"
)
LONGEST = 300.0  # seconds until the first checkpoint; a loaded machine imports PyTorch slowly
FOREVER, BEFORE, AFTER = 10**9, 4, 5  # updates


def words(folder: Path, updates: int) -> list[str]:
    return [
        *("train", "xianqi", "--device", "cpu", "--workers", "1", "--evaluate", "0"),
        *("--updates", str(updates), "--out", str(folder)),
    ]


def changes() -> list[str]:
    return [f"--set={name}={value}" for name, value in {**SIZES, **LEVEL}.items()]


def saved(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    return checkpoint.read(folder / "checkpoint.qnet", get("xianqi"))


def updates_of(folder: Path) -> int:
    """Return the updates of the newest checkpoint, 0 if there is none; it is whole at every moment."""
    if not (folder / "checkpoint.qnet").exists():
        return 0
    return int(saved(folder)[0]["updates"])


def kill_one(folder: Path) -> int:
    """Start a run without an end, and kill it after a few checkpoints; return the updates that it kept."""
    command = [sys.executable, "-c", PROGRAM, *words(folder, FOREVER), *changes()]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        deadline = time.monotonic() + LONGEST
        while updates_of(folder) < BEFORE and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
        said = process.communicate(timeout=60)[0]
    finally:
        process.kill()
    assert process.returncode == -signal.SIGKILL, said
    return updates_of(folder)


def test_a_killed_run_ends_with_the_weights_of_an_unbroken_one(tmp_path: Path) -> None:
    broken, whole = tmp_path / "broken", tmp_path / "whole"
    kept = kill_one(broken)
    assert kept >= BEFORE
    data = (broken / "checkpoint.qnet").read_bytes()
    (broken / ".checkpoint.qnet.half").write_bytes(
        data[: len(data) // 2]
    )  # a kill may leave such a file behind
    assert main([*words(broken, AFTER), "--resume"]) == 0
    assert main([*words(whole, kept + AFTER), *changes()]) == 0

    (one, arrays), (other, wanted) = saved(broken), saved(whole)
    assert one["updates"] == other["updates"] == kept + AFTER
    assert one["league"] == other["league"] != []
    assert arrays.keys() == wanted.keys()
    for name, array in wanted.items():  # weights, optimizer, league, generator, unfinished games
        assert array.tobytes() == arrays[name].tobytes(), name
    nets = [read_container(folder / "net.qnet")[1] for folder in (broken, whole)]
    for name, array in nets[1].items():
        assert np.array_equal(array, nets[0][name]), name

    with (broken / "curve.csv").open(encoding="utf-8", newline="") as file:
        rows = [int(row["updates"]) for row in csv.DictReader(file)]
    assert rows == sorted(rows) and rows[-1] == kept + AFTER
    assert len((broken / "command.txt").read_text("utf-8").splitlines()) == 2
