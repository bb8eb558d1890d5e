"""Cloning an agent."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.core import get  # noqa: E402
from qipai.core.errors import BadTraining  # noqa: E402
from qipai.learn import clone  # noqa: E402
from qipai.learn.clone import fit  # noqa: E402
from qipai.learn.device import Device  # noqa: E402
from qipai.learn.fused import Fused  # noqa: E402
from qipai.learn.lessons import collect, play_games  # noqa: E402
from qipai.learn.nets import Mlp, Raw  # noqa: E402
from tests.learn.parts import tiny  # noqa: E402


def test_a_clone_agrees_with_its_agent_more_than_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clone, "HELD_OUT", 4)  # a quarter kept apart: the figure is of hundreds of decisions
    torch.manual_seed(0)
    torch.set_num_threads(1)
    lessons = collect("xianqi", "heuristic", 4000, seed=1)
    net = Mlp(get("xianqi"), Raw.of(get("xianqi")), tiny(), Fused())
    before = fit(net, lessons, Device("cpu"), scale=4.0, steps=1, rate=0.0)
    after = fit(net, lessons, Device("cpu"), scale=4.0, steps=100, rows=256, rate=3e-3)
    assert after.agreement > before.agreement + 0.1
    assert after.loss < before.loss


def test_too_few_games_are_refused() -> None:
    lessons = play_games("xianqi", {}, None, "random", 1, range(1, 3), 0.0)
    net = Mlp(get("xianqi"), Raw.of(get("xianqi")), tiny(), Fused())
    with pytest.raises(BadTraining, match="too few"):
        fit(net, lessons, Device("cpu"), scale=1.0, steps=1)
