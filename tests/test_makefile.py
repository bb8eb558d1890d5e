"""The Makefile: what its targets would run. Nothing is run here."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def commands(*words: str) -> list[str]:
    """Return the lines that `make` would run if nothing were installed yet."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    found = subprocess.run(
        ["make", "--always-make", "--dry-run", *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return found.stdout.splitlines()


def place(lines: list[str], text: str) -> int:
    """Return the number of the first line that contains `text`."""
    return next(k for k, line in enumerate(lines) if text in line)


def test_the_recipe_of_weights_runs_where_the_gpu_can_be_used() -> None:
    """Recipes say `--device cuda`, which needs the extra `gpu` next to PyTorch."""
    lines = commands("weights", "GAME=xianqi")
    announced, installed, used = (place(lines, text) for text in ("for the GPU", "-e '.[gpu]'", "--recipe"))
    assert place(lines, "torch==") < announced < installed < used
    assert ".venv-learn/bin/python -m pip install" in lines[installed]
    assert ".venv-learn/bin/qipai export xianqi" in lines[used]
    place(commands("weights", "GAME=xianqi", "GPU=gpu12"), "-e '.[gpu12]'")


def test_learning_tests_may_not_skip() -> None:
    lines = commands("learn", "LEARN=1")
    assert lines[place(lines, "tests/learn ")].startswith(
        "QIPAI_LEARN=required .venv-learn/bin/python -m pytest"
    )
    assert not any("pytest" in line for line in commands("learn", "LEARN=0"))


def test_the_toolbox_may_not_skip_a_library() -> None:
    lines = commands("toolbox")
    tested = lines[place(lines, "-m pytest")]
    assert tested.startswith("QIPAI_LEARN=required .venv-toolbox/bin/python -m pytest")
    for adapter in (
        "jax",
        "openspiel",
        "rllib",
        "sb3",
        "tianshou",
        "torchrl",
        "torchrl_gym",
        "torchrl_pettingzoo",
    ):
        assert f"tests/envs/test_{adapter}.py" in tested
    assert lines[place(lines, "tests.proof ecosystem/")].startswith(".venv-toolbox/bin/python")


def test_all_proofs_have_the_toolbox() -> None:
    lines = commands("proof")
    assert place(lines, "-e '.[toolbox]'") < place(lines, "-m tests.proof")
