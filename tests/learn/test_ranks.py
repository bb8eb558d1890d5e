"""Two processes that train one net together, on the CPU with Gloo."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.bots.net import load_net  # noqa: E402
from qipai.cli import main  # noqa: E402
from qipai.core import get  # noqa: E402
from qipai.core.errors import BadTraining  # noqa: E402
from qipai.learn.nets import Raw  # noqa: E402
from qipai.learn.ranks import ALONE, MEETING, Ranks, pick_gpu, share_of, started  # noqa: E402
from qipai.learn.remote import PLAYED  # noqa: E402
from qipai.learn.trainer import Trainer  # noqa: E402
from tests.learn.parts import tiny  # noqa: E402
from tests.learn.rank import WHOLE, fill  # noqa: E402

ROOT = Path(__file__).parents[2]
WHOLE_RATE = tiny(**WHOLE).rate


def together(folder: Path, *words: str) -> list[str]:
    """Run a command as two ranks that meet at a file; return what each printed."""
    meeting = folder / f"meeting-{len(list(folder.iterdir()))}"
    processes = []
    for rank in range(2):
        env = {**os.environ, "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": "2"}
        env |= {MEETING: f"file://{meeting}", "GLOO_SOCKET_IFNAME": "lo", "OMP_NUM_THREADS": "1"}
        env["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        pipe = subprocess.PIPE
        command = [sys.executable, *words]
        processes.append(subprocess.Popen(command, env=env, cwd=ROOT, text=True, stdout=pipe, stderr=pipe))
    ends = [process.communicate(timeout=300) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], ends
    return [out for out, _ in ends]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a segment, and what two ranks made of it."""
    made = tmp_path_factory.mktemp("ranks")
    player = Trainer(tiny(**WHOLE), "cpu", columns=Raw.of(get("xianqi")))
    player.collect()
    np.savez(made / "segment.npz", **{name: getattr(player.segment, name).numpy() for name in PLAYED})
    together(made, "-m", "tests.learn.rank", str(made))
    return made


def test_two_ranks_learn_what_one_process_learns_from_the_combined_batch(folder: Path) -> None:
    """Up to the order of sums: where a gradient is nothing but rounding, Adam's first step has its sign."""
    alone = Trainer(tiny(**WHOLE), "cpu", columns=Raw.of(get("xianqi")))
    fill(alone, folder, 0, 64)
    alone.learn()
    wanted, weights = alone.learner.adam.mean.numpy(), alone.learner.weights.numpy()
    with np.load(folder / "rank0.npz") as found:
        gradient, given = found["gradient"], found["given"]
    assert np.linalg.norm(wanted) > 0
    assert np.linalg.norm(gradient - wanted) < 1e-5 * np.linalg.norm(wanted)
    real = np.abs(wanted) > 1e-5 * np.abs(wanted).max()
    assert real.mean() > 0.05
    assert np.abs(given - weights)[real].max() < 1e-2 * WHOLE_RATE


def test_the_weights_of_all_ranks_are_equal_and_their_games_are_not(folder: Path) -> None:
    with np.load(folder / "rank0.npz") as one, np.load(folder / "rank1.npz") as other:
        assert one["given"].tobytes() == other["given"].tobytes()
        assert one["played"].tobytes() == other["played"].tobytes()
        assert one["played"].tobytes() != one["given"].tobytes()
        assert one["obs"].tobytes() != other["obs"].tobytes()
        assert int(one["decisions"]) == int(other["decisions"]) == 3 * 64 * 8


def test_a_run_by_two_ranks_is_made_and_resumed(tmp_path: Path) -> None:
    sizes = [f"--set={pair}" for pair in ("lanes=32", "steps=8", "minibatch=64", "width=16")]
    place = ["--device", "cpu", "--out", str(tmp_path / "run"), "--evaluate", "0", "--updates", "2"]
    command = ["-m", "qipai.cli", "train", "xianqi", *place]
    said = together(tmp_path, *command, *sizes)
    assert "512 decisions" in said[0] and said[1] == ""
    said = together(tmp_path, *command, "--resume")
    assert "1,024 decisions" in said[0] and said[1] == ""
    assert load_net(tmp_path / "run" / "net.qnet", get("xianqi")).header["decisions"] == 1024
    assert main(["train", "xianqi", *place, "--resume"]) == 0  # by one process


def test_shares_that_are_not_even_are_refused() -> None:
    three = Ranks()
    three.size = 3
    with pytest.raises(BadTraining, match="64 lanes"):
        share_of(tiny(), three)
    assert share_of(tiny(), ALONE) == tiny()
    three.size = 2
    assert (share_of(tiny(), three).lanes, share_of(tiny(), three).minibatch) == (32, 64)


def test_torchruns_processes_are_known_and_see_one_gpu_each(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not started({}) and not started({"WORLD_SIZE": "1", "RANK": "0"})
    assert started({"WORLD_SIZE": "2", "RANK": "1"})
    monkeypatch.setenv("LOCAL_RANK", "1")
    for visible, own in (("", "1"), ("4,6", "6")):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
        pick_gpu()
        assert os.environ["CUDA_VISIBLE_DEVICES"] == own
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4")
    with pytest.raises(BadTraining, match="more processes than there are GPUs"):
        pick_gpu()
