"""Continuing where a run stopped, and what is refused."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.bots.net import read_container, write_container  # noqa: E402
from qipai.core import get  # noqa: E402
from qipai.core.errors import BadTraining, BadWeights, ForeignWeights  # noqa: E402
from qipai.learn import checkpoint  # noqa: E402
from qipai.learn.trainer import Trainer  # noqa: E402
from tests.learn.parts import tiny, trainer  # noqa: E402

LEAGUE: dict[str, Any] = {"league": 0.25, "league_every": 2, "league_size": 2, "kl": 0.1}


def updates(made: Trainer, first: int, last: int) -> None:
    for k in range(first, last):
        made.set_progress(k / 6)
        made.iterate()


@pytest.mark.parametrize("rivals", [(), ("heuristic", "random", "net")])
def test_a_resumed_run_ends_with_the_weights_of_an_unbroken_one(
    tmp_path: Path, rivals: tuple[str, ...]
) -> None:
    changes = {**LEAGUE, "rivals": rivals}
    whole = trainer(**changes)
    updates(whole, 0, 6)
    first = trainer(**changes)
    updates(first, 0, 3)
    checkpoint.save(tmp_path / "c.qnet", first, {})
    second = trainer(**{**changes, "seed": first.settings.seed})
    updates(second, 0, 1)  # whatever it did before is forgotten
    checkpoint.restore(second, *checkpoint.read(tmp_path / "c.qnet", get("xianqi")))
    updates(second, 3, 6)
    assert second.updates == whole.updates == 6
    assert torch.equal(second.learner.weights, whole.learner.weights)
    assert [m.digest for m in second.league.members] == [m.digest for m in whole.league.members]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "c.qnet"
    made = trainer(**LEAGUE)
    updates(made, 0, 2)
    checkpoint.save(path, made, {})
    return path


@pytest.mark.parametrize("change", [{"game": "nana"}, {"rules_version": 99}, {"observation": "0" * 64}])
def test_a_checkpoint_of_something_else_is_refused(
    saved: Path, tmp_path: Path, change: dict[str, object]
) -> None:
    header, arrays = read_container(saved, 1 << 30)
    write_container(tmp_path / "c.qnet", {**header, **change}, arrays)
    with pytest.raises(ForeignWeights, match=next(iter(change))):
        checkpoint.read(tmp_path / "c.qnet", get("xianqi"))


def test_altered_and_truncated_checkpoints_are_refused(saved: Path, tmp_path: Path) -> None:
    data = bytearray(saved.read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "a.qnet").write_bytes(bytes(data))
    (tmp_path / "b.qnet").write_bytes(saved.read_bytes()[:-100])
    for name in ("a.qnet", "b.qnet"):
        with pytest.raises(BadWeights):
            checkpoint.read(tmp_path / name, get("xianqi"))


class Hostile:
    """What a pickle would run when it is read."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return print, ("unpickled",)


def test_a_pickle_is_not_unpickled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.qnet").write_bytes(pickle.dumps(Hostile()))
    torch.save({"weights": Hostile()}, tmp_path / "t.qnet")
    for name in ("p.qnet", "t.qnet"):
        with pytest.raises(BadWeights):
            checkpoint.read(tmp_path / name, get("xianqi"))
        with pytest.raises(BadWeights):
            checkpoint.read_net(tmp_path / name, get("xianqi"))
    assert "unpickled" not in capsys.readouterr().out


def test_a_checkpoint_of_other_sizes_or_with_another_league_is_refused(saved: Path, tmp_path: Path) -> None:
    header, arrays = checkpoint.read(saved, get("xianqi"))
    with pytest.raises(BadTraining):
        checkpoint.restore(trainer(width=48, **LEAGUE), header, arrays)
    name = next(name for name in arrays if name.startswith("league0."))
    changed = {**arrays, name: np.zeros_like(arrays[name])}
    with pytest.raises(BadTraining, match="league"):
        checkpoint.restore(trainer(**LEAGUE), header, changed)


def test_an_exported_net_is_read_back_as_it_was(tmp_path: Path) -> None:
    from qipai.bots.net import export_net
    from qipai.learn.trainer import columns_of

    game = get("xianqi")
    made = Trainer(tiny(), "cpu")
    made.prepare()
    updates(made, 0, 2)
    wanted, columns = made.net.arrays(), columns_of(game, made.settings)
    export_net(tmp_path / "n.qnet", game, {"kind": "mlp", "width": 32, "layers": 2}, wanted, columns)
    net, found, encoding = checkpoint.read_net(tmp_path / "n.qnet", game)
    assert net == {"kind": "mlp", "width": 32, "layers": 2}
    assert encoding.size == columns.size
    for name, array in wanted.items():
        assert np.abs(found[name] - array).max() <= 2.0**-12 * max(1.0, np.abs(array).max()), name
