"""`qipai train`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from qipai.cli import main
from qipai.commands.train import read_settings
from qipai.core.errors import BadTraining


def test_settings_are_read_as_the_type_that_they_have() -> None:
    found = read_settings(["lanes=64", "rate=1e-3", "fuse=false", "seats=2,4", "skip=list", "net=conv"])
    assert found == {
        "lanes": 64,
        "rate": 1e-3,
        "fuse": False,
        "seats": (2, 4),
        "skip": ("list",),
        "net": "conv",
    }


@pytest.mark.parametrize("pair", ["lanes", "lanes=x", "fuse=1", "nothing=1", "game=nana", "seats=a"])
def test_what_is_no_setting_is_refused(pair: str) -> None:
    with pytest.raises(BadTraining):
        read_settings([pair])


def test_what_cannot_be_done_is_refused_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")
    place = ["train", "xianqi", "--device", "cpu", "--out", str(tmp_path / "x")]
    monkeypatch.setitem(sys.modules, "ray", None)
    cases = [
        (["--minutes", "0"], "train/bad"),
        (["--updates", "0"], "train/bad"),
        (["--workers", "0"], "train/bad"),
        (["--against", "nobody"], "agent/unknown"),
        (["--resume"], "train/bad"),
        (["--ray", "auto", "--updates", "1"], "extra/missing"),
    ]
    for words, code in cases:
        assert main([*place, *words]) == 2, words
        assert f"[{code}]" in capsys.readouterr().err, words
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("RANK", "0")
    assert main([*place, "--ray", "auto"]) == 2
    assert "not by both" in capsys.readouterr().err
    assert not (tmp_path / "x" / "checkpoint.qnet").exists()


def test_without_pytorch_the_extra_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for words in (["train", "xianqi"], ["exploit", "xianqi", "--agent", "random"]):
        assert main(words) == 2
        assert "qipai[train]" in (said := capsys.readouterr().err) and "[extra/missing]" in said


def test_a_run_is_made_resumed_and_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")
    sizes = [f"--set={name}" for name in ("lanes=32", "steps=8", "minibatch=64", "width=16")]
    place = ["--device", "cpu", "--out", str(tmp_path), "--evaluate", "0", "--updates", "2"]
    assert main(["train", "xianqi", *place, *sizes]) == 0
    assert "512 decisions" in capsys.readouterr().out
    assert main(["train", "xianqi", *place]) == 2
    assert "--resume" in capsys.readouterr().err
    assert main(["train", "xianqi", *place, "--resume"]) == 0
    assert "1,024 decisions" in capsys.readouterr().out
    assert main(["train", "nana", *place, "--resume"]) == 2
