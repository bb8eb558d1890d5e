"""Frozen agents that a run learns against."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.core import get  # noqa: E402
from qipai.core.errors import BadTraining, BadWeights, UnknownAgent  # noqa: E402
from qipai.learn.league import Bots, Frozen, Greedy, Uniform, digest_of  # noqa: E402
from qipai.learn.rivals import find_rival, net_path  # noqa: E402
from qipai.learn.trainer import Trainer  # noqa: E402
from tests.learn.parts import tiny, trainer  # noqa: E402
from tests.learn.test_evaluate import write_net  # noqa: E402

GAME = get("xianqi")


def test_a_name_a_shipped_net_and_a_file_are_found(tmp_path: Path) -> None:
    path = write_net(tmp_path / "net.qnet")
    assert find_rival(GAME, "heuristic").file is None
    assert find_rival(GAME, "net").file is not None
    assert net_path(GAME, "net") != path == net_path(GAME, str(tmp_path))
    for text in (str(path), str(tmp_path)):
        file = find_rival(GAME, text).file
        assert file is not None and file.settings(tiny(width=99)).width == 16


@pytest.mark.parametrize("text", ["nobody", "no/such/folder"])
def test_what_is_nothing_is_refused(text: str) -> None:
    with pytest.raises(UnknownAgent, match="known"):
        find_rival(GAME, text)


def test_a_folder_without_a_net_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadWeights):
        find_rival(GAME, str(tmp_path))


def test_a_rival_travels_to_another_process_without_its_file(tmp_path: Path) -> None:
    path = write_net(tmp_path / "net.qnet")
    data = pickle.dumps(find_rival(GAME, str(path)))
    path.unlink()
    made = trainer()
    opponent = pickle.loads(data).sit(made.tables, 0, 64, made.settings)
    assert isinstance(opponent, Greedy) and not any(p.requires_grad for p in opponent.net.parameters())


def test_bots_are_refused_on_a_gpu_by_name_and_nets_are_not(tmp_path: Path) -> None:
    for text in ("random", str(write_net(tmp_path / "a.qnet"))):
        find_rival(GAME, text).check("cuda")
    bot = find_rival(GAME, "heuristic")
    bot.check("cpu")
    with pytest.raises(BadTraining, match="heuristic only plays on the CPU"):
        bot.check("cuda")


def test_rivals_have_seats_of_their_own_lanes_and_never_change(tmp_path: Path) -> None:
    """Of 48 lanes, 36 are the league's: 9 each for the snapshots, a bot, random play and a net."""
    net = write_net(tmp_path / "a.qnet")
    settings: dict[str, Any] = {"lanes": 48, "steps": 24, "minibatch": 384, "league": 0.75, "league_every": 1}
    made = trainer(rivals=("repeater", "random", str(net)), **settings)
    opponents = made.rollout.opponents
    lanes = [(12, 21), (21, 30), (30, 39), (39, 48)]
    assert [(opponent.lo, opponent.hi) for opponent in opponents] == lanes
    assert [type(opponent) for opponent in opponents] == [Frozen, Bots, Uniform, Greedy]
    assert made.rollout.chair.tolist() == [-1] * 12 + 4 * [0, 1, 2, 0, 1, 2, 0, 1, 2]
    greedy = opponents[3]
    assert isinstance(greedy, Greedy) and not any(p.requires_grad for p in greedy.net.parameters())
    before, learned = digest_of(greedy.net.arrays()), digest_of(made.net.arrays())
    for _ in range(3):
        made.iterate()
        s = made.segment
        assert torch.equal(s.own, (made.rollout.chair < 0) | (s.seat[:-1] == made.rollout.chair))
    assert digest_of(greedy.net.arrays()) == before and digest_of(made.net.arrays()) != learned
    theirs = ~s.own[0, 39:]
    best = greedy.act(s.obs[0, 39:], s.mask[0, 39:], s.seat[0, 39:], theirs)
    assert theirs.any() and torch.equal(s.action[0, 39:][theirs], best[theirs])


def test_rivals_that_the_settings_do_not_name_are_refused() -> None:
    settings = tiny(league=0.5, rivals=("random",))
    with pytest.raises(BadTraining, match="0 rivals for the 1"):
        Trainer(settings)


def test_every_kind_of_rival_plays_legal_actions(tmp_path: Path) -> None:
    made = trainer()
    made.collect()
    s = made.segment
    mine = torch.ones(64, dtype=torch.bool)
    kinds = {"random": Uniform, "repeater": Bots, str(write_net(tmp_path / "a.qnet")): Greedy}
    for text, kind in kinds.items():
        opponent = find_rival(GAME, text).sit(made.tables, 0, 64, made.settings)
        assert isinstance(opponent, kind)
        action = opponent.act(s.obs[-1], s.mask[-1], s.seat[-1], mine)
        assert (s.mask[-1].gather(1, action[:, None]) == 1).all(), text
