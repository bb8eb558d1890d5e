"""The proofs of the adapters say what is missing, instead of proving nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import proof as all_proofs

from . import proof


def test_every_adapter_has_its_proofs_whatever_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "find_spec", lambda module: None)
    listed = {name for name, _ in proof.proofs()}
    adapters = {f"{what}_{tool}" for what in ("parity", "legal") for tool in proof.TOOLS}
    assert listed == adapters | {"shared_jax", "values", "endgame"}
    assert all((proof.ROOT / "tests" / "envs" / f"test_{tool}.py").is_file() for tool in proof.TOOLS)


def test_missing_libraries_are_named_and_fail(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(proof, "find_spec", lambda module: None if module in ("jax", "tianshou") else module)
    monkeypatch.setattr(proof, "TOOLBOX", tmp_path / "python")
    monkeypatch.setattr(all_proofs, "DOCS", tmp_path)
    assert all_proofs.main(["ecosystem/values"]) == 1
    said = capsys.readouterr().out
    assert "not run: tianshou, jax: not installed; make toolbox installs them" in said
    assert "1 of the proofs failed or could not run" in said
    assert not list(tmp_path.iterdir()), "a page was written about nothing"


def test_the_toolbox_runs_what_this_interpreter_cannot(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "python"
    other.write_text(f"#!/bin/sh\necho a warning\necho '{json.dumps({'given': 1})}' \n[ $3 = values ]\n")
    other.chmod(0o755)
    monkeypatch.setattr(proof, "find_spec", lambda module: None)
    monkeypatch.setattr(proof, "TOOLBOX", other)
    assert proof.anywhere("values") == {"given": 1}
    with pytest.raises(AssertionError):
        proof.anywhere("endgame")
