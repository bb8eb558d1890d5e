"""`qipai train`."""

from __future__ import annotations

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
