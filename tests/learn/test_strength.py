"""A short run on the CPU beats random play; `proof.py` makes the run of two minutes."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.learn.evaluate import Question, examine  # noqa: E402
from qipai.learn.run import Run  # noqa: E402
from qipai.learn.settings import defaults  # noqa: E402

SETTINGS = {"width": 64, "lanes": 256, "steps": 32, "minibatch": 512, "rate": 2e-3, "seed": 1}
MARGIN = 0.8  # chips per game over two random players; 1.31 ± 0.11 was measured, a random player makes 0


def test_a_short_run_on_the_cpu_beats_random_play_clearly(tmp_path: Path) -> None:
    run = Run(tmp_path, defaults("xianqi", "cpu", **SETTINGS), say=lambda text: None)
    run.prepare()
    before = examine(
        "xianqi", _exported(run, tmp_path / "first.qnet"), Question("random", deals=60), seconds=600
    )
    run.train(updates=20)
    after = examine("xianqi", str(tmp_path), Question("random", deals=400), seconds=600)
    assert before is not None and after is not None
    assert before.chips - before.chips_half < MARGIN  # a fresh net does not
    assert after.deals == 400
    assert after.chips - after.chips_half > MARGIN


def _exported(run: Run, path: Path) -> str:
    run.export(path)
    return str(path)
