"""The PPO example runs, learns where learning is easy, and draws its curve."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

PLACE = Path(__file__).parents[2] / "examples" / "ppo_xianqi.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("ppo_xianqi", PLACE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["ppo_xianqi"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_a_few_tiny_updates_end_in_a_number(example: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    found = example.main(["--lanes", "32", "--steps", "4", "--updates", "3", "--batch", "64", "--eval", "96"])
    assert found["games"] == 96 and 0 <= found["won"] <= 1 and found["chips_half"] > 0
    assert "xianqi against random on 96 deals" in capsys.readouterr().out


@pytest.mark.parametrize("given", ["--lanes 0", "--steps 0", "--batch -1", "--eval 0", "--game chess"])
def test_what_cannot_be_run_is_a_sentence(
    given: str, example: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        example.main(given.split())
    assert ended.value.code == 2
    assert given.split()[1 if "chess" in given else 0] in capsys.readouterr().err


@pytest.mark.slow
def test_one_decision_is_enough_for_an_update(example: ModuleType) -> None:
    settings = example.Settings(lanes=1, steps=1, updates=2, batch=1)
    net, _ = example.train(settings, say=lambda line: None)
    assert all(bool(torch.isfinite(p).all()) for p in net.parameters())


def test_the_curve_is_drawn(example: ModuleType, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (pip install 'qipai[plot]')")
    point = {"update": 1, "decisions": 100, "seconds": 1.0, "chips": 0.5}
    example.plot([point, {**point, "decisions": 200}], example.Settings(), str(tmp_path / "curve.png"))
    assert (tmp_path / "curve.png").read_bytes()[:4] == b"\x89PNG"


def test_the_net_never_plays_what_is_masked(example: ModuleType) -> None:
    torch.manual_seed(0)
    net = example.Net(5, 7, 8)
    mask = torch.rand(500, 7) < 0.3
    mask[:, 3] = True
    log_p, _ = net(torch.randint(-9, 9, (500, 5), dtype=torch.int8), mask)
    assert mask.gather(1, example.choose(log_p)[:, None]).all()
    assert torch.allclose(log_p.exp().sum(1), torch.ones(500))
    assert (log_p.exp()[~mask] == 0).all()


def test_credit_stops_at_the_end_of_a_game(example: ModuleType) -> None:
    """Two decisions of one game, then the first of the next: by hand with lambda 1."""
    settings = example.Settings(trace=1.0)
    reward = torch.tensor([[0.0], [3.0], [0.0]])
    value = torch.tensor([[1.0], [2.0], [5.0]])
    done = torch.tensor([[False], [True], [False]])
    found = example.advantages(reward, value, done, torch.tensor([7.0]), settings)
    assert found.flatten().tolist() == [3 - 1, 3 - 2, 7 - 5]


@pytest.mark.slow
def test_it_beats_random_play_after_a_short_run(example: ModuleType) -> None:
    settings = example.Settings(lanes=256, updates=30, every=30)
    net, curve = example.train(settings, say=lambda line: None)
    found = example.evaluate(net, settings, 2000, seed=99)
    assert len(curve) == 1 and found["chips"] - found["chips_half"] > 0.5
