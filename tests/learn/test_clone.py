"""Cloning an agent."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.bots.net import Encoding, Net, cells_of, load_net  # noqa: E402
from qipai.bots.net.agent import weights_path  # noqa: E402
from qipai.bots.net.encode import turns_of  # noqa: E402
from qipai.core import get  # noqa: E402
from qipai.core.errors import BadTraining  # noqa: E402
from qipai.learn import clone  # noqa: E402
from qipai.learn.clone import fit, turned_of  # noqa: E402
from qipai.learn.device import Device  # noqa: E402
from qipai.learn.fused import Fused  # noqa: E402
from qipai.learn.lessons import collect, play_games  # noqa: E402
from qipai.learn.nets import Mlp, Raw  # noqa: E402
from qipai.learn.settings import defaults  # noqa: E402
from qipai.learn.trainer import make_net  # noqa: E402
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


def test_a_turned_board_is_the_board_of_the_turned_game() -> None:
    game = get("skill_gomoku")
    ways = turned_of(game)
    assert len(ways) == 8
    assert len({tuple(entries) for entries, _, _ in ways}) == 8
    cells = cells_of(game)
    path = weights_path(game)
    assert path is not None
    net = load_net(path, game)
    lessons = play_games("skill_gomoku", {}, None, "random", 1, range(1), 0.0)
    rows = slice(30, 60, 7)
    obs, mask, action = lessons.obs[rows], lessons.mask[rows], lessons.action[rows]
    for (entries, actions, places), turn in zip(ways, turns_of(game, 8), strict=True):
        part = {
            "obs": torch.from_numpy(np.pad(obs, ((0, 0), (0, 3)))),
            "mask": torch.from_numpy(mask),
            "action": torch.from_numpy(action),
        }
        found = clone._turn(part, *(torch.from_numpy(index) for index in (entries, actions, places)))
        assert (found["obs"][:, :-3].numpy() == obs[:, entries]).all()
        assert found["mask"].numpy()[np.arange(len(action)), found["action"].numpy()].all()
        # the cell that an action names has turned with the stones
        named = cells[action] >= 0
        assert (turn[cells[found["action"].numpy()[named]]] == cells[action[named]]).all()
        # the net's mean over all symmetries hardly depends on the way that the board is turned
        plain, other = averaged(net).logits_many(obs), averaged(net).logits_many(obs[:, entries])
        assert np.abs(plain[:, actions[: game.rules.actions]] - other).max() < 1e-3


def averaged(net: Net) -> Net:
    return Net(net.game, {**net.header, "symmetries": 8}, net.arrays)


def test_a_game_without_a_board_does_not_turn() -> None:
    assert turned_of(get("xianqi")) == []


def test_lessons_on_turned_boards_teach_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clone, "HELD_OUT", 4)
    torch.manual_seed(0)
    torch.set_num_threads(1)
    game = get("skill_gomoku")
    lessons = collect("skill_gomoku", "heuristic", 600, seed=1)
    settings = defaults("skill_gomoku", "cpu", channels=8, blocks=1)
    net = make_net(game, settings, Fused(), Encoding.of(game))
    made = fit(net, lessons, Device("cpu"), scale=1.0, steps=80, rows=64, rate=5e-3, turned=turned_of(game))
    assert made.agreement > made.before + 0.1


def test_too_few_games_are_refused() -> None:
    lessons = play_games("xianqi", {}, None, "random", 1, range(1, 3), 0.0)
    net = Mlp(get("xianqi"), Raw.of(get("xianqi")), tiny(), Fused())
    with pytest.raises(BadTraining, match="too few"):
        fit(net, lessons, Device("cpu"), scale=1.0, steps=1)
