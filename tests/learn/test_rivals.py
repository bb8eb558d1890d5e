"""Frozen agents that a run learns against."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.core import get  # noqa: E402
from qipai.core.errors import BadWeights, UnknownAgent  # noqa: E402
from qipai.learn.league import Bots, Greedy, Uniform  # noqa: E402
from qipai.learn.rivals import find_rival, net_path  # noqa: E402
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
