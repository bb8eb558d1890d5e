"""Skips that are failures where the tests of learning must run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .required import Required, register

ROOT = Path(__file__).parents[1]
FILES = {
    "conftest.py": "from tests.required import register\n\npytest_configure = register\n",
    "test_module.py": 'import pytest\npytest.importorskip("no_such_library", reason="it is not installed")\n',
    "test_inside.py": """
import pytest


def test_runs() -> None:
    pass


def test_skips() -> None:
    pytest.importorskip("no_such_library", reason="nothing here")


def test_is_for_a_gpu() -> None:
    pytest.skip("needs a GPU")


@pytest.mark.xfail(reason="known")
def test_is_known_to_fail() -> None:
    assert False
""",
}


def test_a_skip_is_a_failure_where_learning_is_required(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--continue-on-collection-errors"],
        env={**os.environ, "QIPAI_LEARN": "required", "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": ""},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    assert "1 failed, 1 passed, 1 skipped, 1 xfailed, 1 error" in found
    for reason in ("it is not installed", "nothing here"):
        assert f"\nQIPAI_LEARN=required, but it was skipped: {reason}\n" in found


@pytest.mark.parametrize(("value", "strict"), [("required", True), ("", False), (None, False)])
def test_skips_stay_skips_elsewhere(
    value: str | None, strict: bool, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    added: list[object] = []
    monkeypatch.setattr(pytestconfig.pluginmanager, "register", lambda plugin, name: added.append(plugin))
    monkeypatch.delenv("QIPAI_LEARN", raising=False)
    if value is not None:
        monkeypatch.setenv("QIPAI_LEARN", value)
    register(pytestconfig)
    assert [type(plugin) for plugin in added] == [Required] * strict
