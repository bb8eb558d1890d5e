"""Throughput by batch size, and its picture."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from qipai.bench import Point, curve, draw
from qipai.cli import main
from qipai.core.errors import BadOption, MissingExtra

needs_matplotlib = pytest.mark.skipif(
    not __import__("importlib.util").util.find_spec("matplotlib"),
    reason="matplotlib is not installed (pip install 'qipai[plot]')",
)


def test_a_point_for_every_size_and_way() -> None:
    told: list[Any] = []
    found = curve(["xianqi"], sizes=(8, 32), seconds=0.02, progress=lambda *at: told.append(at))
    assert [(p.game, p.batch, p.observed) for p in found] == [
        ("xianqi", 8, False),
        ("xianqi", 8, True),
        ("xianqi", 32, False),
        ("xianqi", 32, True),
    ]
    assert all(p.rate > 0 for p in found)
    assert told == [(0, 2, "xianqi, 8 games"), (1, 2, "xianqi, 32 games")]


def test_on_a_gpu_the_first_size_waits_for_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    module = sys.modules["qipai.bench.curve"]  # by name it is the function
    monkeypatch.setattr(module, "measure", lambda *how, **more: SimpleNamespace(speeds=()))
    curve(["nana"], device="cuda", sizes=(8, 32), progress=lambda done, total, name: told.append(name))
    assert told == ["building kernels, then nana, 8 games", "nana, 32 games"]


@needs_matplotlib
def test_the_picture_is_log_log_and_dashed_with_observation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matplotlib import pyplot

    kept: list[Any] = []
    monkeypatch.setattr(pyplot, "close", kept.append)
    points = [Point("a", seen, n, 10.0 * n) for seen in (False, True) for n in (16, 64)]
    draw(points, str(tmp_path / "p.svg"), "a title")
    monkeypatch.undo()
    (axes,) = kept[0].axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert [line.get_linestyle() for line in axes.get_lines()] == ["-", "--"]
    assert list(axes.get_lines()[0].get_ydata()) == [160.0, 640.0]
    assert "<svg" in (tmp_path / "p.svg").read_text()
    pyplot.close(kept[0])


@needs_matplotlib
def test_the_command_draws_and_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "p.png"
    flags = ["--games", "xianqi", "--batch", "16", "--seconds", "0.02", "--plot", str(picture)]
    assert main(["bench", *flags]) == 0
    assert "drawn:" in capsys.readouterr().out and picture.read_bytes()[:4] == b"\x89PNG"
    assert main(["bench", *flags, "--json", "--obs"]) == 0
    (point,) = json.loads(capsys.readouterr().out)["points"]
    assert (point["game"], point["batch"], point["observed"]) == ("xianqi", 16, True)


def test_without_matplotlib_it_is_refused_before_measuring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"qipai\[plot\]"):
        draw([], "p.png", "")
    assert main(["bench", "xianqi", "--plot", "p.png"]) == 2


@needs_matplotlib
@pytest.mark.parametrize("path", ["p.exe", "p", "no/such/folder/p.png"])
def test_a_picture_that_cannot_be_written_is_refused_before_measuring(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "xianqi", "--plot", path]) == 2
    told = capsys.readouterr()
    assert BadOption.code in told.err and not told.out
