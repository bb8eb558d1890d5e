"""`qipai train`."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from qipai.cli import main
from qipai.commands.train import read_settings, teller
from qipai.core.errors import BadTraining
from qipai.learn.progress import progress_line


def test_settings_are_read_as_the_type_that_they_have() -> None:
    pairs = ["lanes=64", "rate=1e-3", "fuse=false", "seats=2,4", "skip=list", "net=conv", "rivals=a,b/c.qnet"]
    found = read_settings(pairs)
    assert found == {
        "lanes": 64,
        "rate": 1e-3,
        "fuse": False,
        "seats": (2, 4),
        "skip": ("list",),
        "net": "conv",
        "rivals": ("a", "b/c.qnet"),
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
        (["--set", "league=0.5", "--set", "rivals=random,nobody"], "agent/unknown"),
        (["--set", "rivals=random"], "train/bad"),
        (["--against", "random", "--set", "league=0.5", "--set", "rivals=random"], "train/bad"),
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


@pytest.mark.parametrize(
    ("words", "device"),
    [
        (["train", "xianqi"], "cuda"),
        (["train", "xianqi", "--against", "net"], "cuda"),
        (["train", "xianqi", "--against", "heuristic"], "cpu"),
        (["train", "xianqi", "--against", "heuristic", "--device", "cuda"], "cuda"),  # refused by the run
        (["train", "xianqi", "--against", "heuristic", "--ray", "auto"], "cuda"),  # bots play elsewhere
        (["train", "xianqi", "--set", "league=0.5", "--set", "rivals=random,net"], "cuda"),
        (["train", "xianqi", "--set", "league=0.5", "--set", "rivals=random,heuristic"], "cpu"),
        (["exploit", "xianqi", "--agent", "net"], "cuda"),
        (["exploit", "xianqi", "--agent", "heuristic"], "cpu"),
    ],
)
def test_on_a_gpu_machine_opponents_that_need_the_cpu_get_it(
    words: list[str],
    device: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")
    found = []

    def note(args: object, device: str, *rest: object, **more: object) -> None:
        found.append(device)
        raise BadTraining("noted")

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    for command in ("train", "exploit"):
        monkeypatch.setattr(f"qipai.commands.{command}.train_for", note)
    assert main([*words, "--out", str(tmp_path)]) == 2
    assert found == [device]
    assert ("heuristic only plays on the CPU: training there" in capsys.readouterr().err) == (device == "cpu")


def test_without_pytorch_the_extra_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for words in (["train", "xianqi"], ["exploit", "xianqi", "--agent", "random"]):
        assert main(words) == 2
        assert "qipai[train]" in (said := capsys.readouterr().err) and "[extra/missing]" in said


class Terminal(io.StringIO):
    """Takes what is written to a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_on_a_terminal_the_bar_moves_in_one_line_that_fits(
    stream: type[io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = stream()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "60")
    lines = [progress_line(share, 2e6, 9.0, {}, 80 * "x") for share in (0.5, 0.75, 1.0)]
    say = teller()
    for text in (lines[0], "heuristic: +0.1", *lines[1:]):
        say(text)
    if stream is Terminal:
        shown = f"{lines[0][:59]}|heuristic: +0.1\n|{lines[1][:59]}|{lines[2]}\n"
        assert screen.getvalue() == "".join(f"\r\033[K{part}" for part in shown.split("|"))
    else:
        assert screen.getvalue() == "\n".join([lines[0], "heuristic: +0.1", *lines[1:], ""])


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
