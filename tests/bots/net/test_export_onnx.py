"""The ONNX file of a net gives what the net itself gives, but for the rounding of floats."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest

from qipai.bots.net import Net, read_container
from qipai.bots.net.export_onnx import onnx_model, real_weights, write_onnx
from qipai.core.errors import MissingExtra

from .nets import CASES, CONV, MLP, game_of, make_net, positions

COUNTS = {"xianqi": 10_000, "skill_gomoku": 1_000}  # 10,000 for every game in `make proof`


def session(path: Path) -> Any:
    return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])


@pytest.mark.parametrize(("name", "shape"), CASES)
def test_onnxruntime_agrees_on_many_observations(name: str, shape: dict[str, Any], tmp_path: Path) -> None:
    count = COUNTS[name]
    net, _ = make_net(tmp_path, game_of(name), shape)
    write_onnx(net, tmp_path / "net.onnx")
    seen, masks = positions(name, count)
    logits, values = session(tmp_path / "net.onnx").run(["logits", "value"], {"observation": seen})
    assert logits.shape == (count, net.actions) and values.shape == (count,)
    assert np.abs(logits - net.logits_many(seen)).max() < 0.01
    assert np.abs(values - net.values_many(seen)).max() < 0.01
    legal = masks[:, : net.actions] != 0
    assert (np.where(legal, logits, -np.inf).argmax(axis=1) == net.act_many(seen, masks)).mean() > 0.999


def test_a_model_averages_the_symmetries_of_its_net(tmp_path: Path) -> None:
    game = game_of("skill_gomoku")
    make_net(tmp_path, game, CONV)
    header, arrays = read_container(tmp_path / "net.qnet")
    net = Net(game, header | {"symmetries": 4}, arrays)
    write_onnx(net, tmp_path / "net.onnx")
    seen, _ = positions("skill_gomoku", 100)
    logits, values = session(tmp_path / "net.onnx").run(["logits", "value"], {"observation": seen})
    assert np.abs(logits - net.logits_many(seen)).max() < 0.01
    assert np.abs(values - net.values_many(seen)).max() < 0.01


def test_the_weights_in_it_are_the_quantised_ones(tmp_path: Path) -> None:
    net, weights = make_net(tmp_path, game_of("xianqi"), MLP)
    real = real_weights(net)
    assert set(real) == set(weights)
    for name, array in weights.items():
        assert 0 < np.abs(real[name] - array).max() < 2e-4


def test_the_model_says_what_it_is_for(tmp_path: Path) -> None:
    net, _ = make_net(tmp_path, game_of("xianqi"), MLP)
    said = {p.key: p.value for p in onnx_model(net).metadata_props}
    assert said["game"] == "xianqi" and said["observation"] == net.game.observation_digest


def test_without_the_package_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    net, _ = make_net(tmp_path, game_of("xianqi"), MLP)
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingExtra, match=r"pip install 'qipai\[onnx\]'"):
        write_onnx(net, tmp_path / "net.onnx")
    assert not (tmp_path / "net.onnx").exists()
