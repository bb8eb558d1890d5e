"""Training at its stated length: two minutes on the CPU beat random play.

PyTorch has an environment of its own, so the run is the command itself, in that environment.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from qipai.learn.evaluate import Question, examine

ROOT = Path(__file__).parents[2]
MARGIN = 0.8  # chips per game over two random players, at the lower end of the 95 % interval
DEALS = 2000


def proofs() -> list[tuple[str, Callable[[], dict[str, Any]]]]:
    """Train for two minutes."""
    return [("cpu", cpu)]


def python() -> str:
    """Return the interpreter that has PyTorch: this one, or that of `make test`."""
    other = ROOT / ".venv-learn" / "bin" / "python"
    found = sys.executable if find_spec("torch") is not None else str(other)
    assert Path(found).exists(), "PyTorch is not installed: make .venv-learn/.ready"
    return found


def cpu() -> dict[str, Any]:
    """`qipai train xianqi --device cpu --minutes 2`, then its net against two random players."""
    words = ["train", "xianqi", "--device", "cpu", "--minutes", "2", "--evaluate", "0"]
    with tempfile.TemporaryDirectory() as folder:
        command = [python(), "-m", "qipai.cli", *words, "--out", folder]
        made = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        assert made.returncode == 0, made.stderr[-2000:]
        found = examine("xianqi", folder, Question("random", deals=DEALS), seconds=1e9)
    assert found is not None and found.deals == DEALS
    assert found.chips - found.chips_half > MARGIN, found.text()
    return {
        "command": "qipai " + " ".join(words),
        "run": made.stdout.partition(": ")[2].strip(),
        "chips per game against two random players": f"{found.chips:+.3f} ± {found.chips_half:.3f}",
        "won": f"{100 * found.won:.1f} ± {100 * found.won_half:.1f} %",
        "deals, each in every seat": found.deals,
    }
