"""`benchmarks/learn.py --device cpu --small`: the benchmark of training, at a size that takes seconds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "learn.py"
SMALL = ["--device", "cpu", "--small", "--seconds", "0.01", "--build", "300", "--budget", "600"]


def measured(folder: Path, *games: str) -> tuple[str, dict[str, Any]]:
    """Run the benchmark; return what it printed and the file that it wrote."""
    command = [sys.executable, str(SCRIPT), *games, *SMALL, "--json", str(folder / "rates.json")]
    env = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    made = subprocess.run(command, capture_output=True, text=True, timeout=900, env=env)
    assert made.returncode == 0, made.stdout + made.stderr
    return made.stdout, json.loads((folder / "rates.json").read_text("utf-8"))


def test_it_measures_replays_and_prints_the_table(tmp_path: Path) -> None:
    said, found = measured(tmp_path, "xianqi", "chess")
    assert found["device"] == "cpu" and set(found["games"]) == {"xianqi", "chess"}
    rates = [row for row in found["games"]["xianqi"] if "rate" in row]
    assert [row["shape"] for row in rates] == ["64 x 4, minibatch 128", "64 x 4, minibatch 64"]
    for row in rates:  # every setting was checked against a batch before it was measured
        assert row["rate"] > 0 and row["finite"] and row["decisions"] >= 4 * 64 * 4
        assert row["rollout_ms"] > 0 and row["update_ms"] > 0 and row["log"]["entropy"] > 0
    assert not any("error" in row for row in found["games"]["xianqi"])

    table = said.partition("best M/s")[2].splitlines()
    assert table[0].split() == ["bar", "setting"]
    name, best, bar, *setting = table[1].split()
    fastest = max(rates, key=lambda row: row["rate"])
    assert (name, bar, " ".join(setting)) == ("xianqi", "20", fastest["shape"])
    assert float(best) == pytest.approx(fastest["rate"] / 1e6, abs=0.01)
    # what fails is reported in its row, and the others go on
    assert table[2].split() == ["chess", "-"] and "there is no game 'chess'" in said
    assert table[3].endswith("s in all")
