"""`python -m tests.proof`: an area whose packages are missing is named and does not stop the others."""

from __future__ import annotations

import sys

import pytest

from tests import proof


def test_a_missing_package_is_named_and_other_areas_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "tests.bots.net.proof", raising=False)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    found, missing = proof.areas(["bots_net/", "learn/"])
    assert missing == {"bots_net": "onnxruntime"}
    assert [name for name, _ in found["learn"]] == ["cpu"]
    assert proof.main(["bots_net/onnx"]) == 1
    said = capsys.readouterr().out
    assert "bots_net: not run, the package onnxruntime is not installed" in said
    assert "1 of the proofs failed or could not run" in said


def test_a_module_of_this_repository_that_is_missing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tests.learn.proof", raising=False)
    monkeypatch.setitem(sys.modules, "qipai.learn.evaluate", None)
    with pytest.raises(ModuleNotFoundError):
        proof.areas(["learn/"])
