"""A run in its folder."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.bots.net import load_net  # noqa: E402
from qipai.core import get  # noqa: E402
from qipai.core.errors import BadTraining  # noqa: E402
from qipai.learn.evaluate import Question, examine  # noqa: E402
from qipai.learn.progress import bar  # noqa: E402
from qipai.learn.run import Run  # noqa: E402
from qipai.learn.settings import from_json  # noqa: E402
from qipai.learn.trainer import Trainer  # noqa: E402
from tests.learn.parts import tiny  # noqa: E402


def made(folder: Path, changes: dict[str, Any] | None = None, **arguments: Any) -> Run:
    run = Run(folder, tiny(**(changes or {})), say=lambda text: None, **arguments)
    run.prepare()
    return run


def loop(run: Run) -> Trainer:
    assert isinstance(run.ready, Trainer)
    return run.ready


def test_a_run_leaves_its_folder_behind(tmp_path: Path) -> None:
    run = made(tmp_path, command="qipai train xianqi")
    run.train(updates=3)
    run.finish([Question("random", deals=2)], seconds=600)
    run.close()
    assert (tmp_path / "command.txt").read_text("utf-8") == "qipai train xianqi\n"
    figures = json.loads((tmp_path / "figures.json").read_text("utf-8"))
    assert figures["updates"] == 3 and figures["decisions"] == 3 * 64 * 8
    assert figures["strength"]["random"]["deals"] == 2
    settings = json.loads((tmp_path / "settings.json").read_text("utf-8"))
    assert settings["settings"]["game"] == "xianqi"
    rows = list(csv.DictReader((tmp_path / "curve.csv").read_text("utf-8").splitlines()))
    assert rows[-1]["updates"] == "3" and rows[-1]["random"] != ""
    assert load_net(tmp_path / "net.qnet", get("xianqi")).header["decisions"] == 3 * 64 * 8
    assert examine("xianqi", str(tmp_path), Question("random", deals=1), seconds=600) is not None


def test_a_run_shows_a_bar_with_speed_strength_and_time_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qipai.learn.run.LOOK", 0.0)
    said: list[str] = []
    run = Run(tmp_path, tiny(), say=said.append)
    run.prepare()
    run.strength = {"heuristic": {"chips": -1.5, "chips_half": 0.25}}
    run.train(updates=4)
    lines = [text for text in said if text.startswith("[")]
    assert [line[:28] for line in lines[:4]] == [bar(share) for share in (0.0, 0.25, 0.5, 0.75)]
    assert all("M decisions/s  heuristic -1.50 ± 0.25" in line for line in lines)
    assert " left" not in lines[0] and all(" left  " in line for line in lines[1:])


def test_a_run_goes_on_after_its_checkpoint(tmp_path: Path) -> None:
    first = made(tmp_path)
    first.train(updates=2)
    second = made(tmp_path)
    second.resume()
    assert torch.equal(loop(first).learner.weights, loop(second).learner.weights)
    second.train(updates=2)
    assert second.ready.updates == 4
    assert second.seconds > first.seconds
    assert {2, 4} <= {int(row["updates"]) for row in second.rows}


def test_a_resumed_run_keeps_reference_opponent_columns_and_commands(tmp_path: Path) -> None:
    lessons = {"clone_decisions": 200, "clone_steps": 5, "clone_rows": 64, "kl": 0.1, "hot": 64}
    first = made(tmp_path / "a", lessons, source="heuristic", against="random", command="first")
    first.train(updates=2)
    reference = loop(first).reference
    assert reference is not None
    settings = replace(first.settings, hot=512)  # the columns are those of the net, not of the setting
    parts: dict[str, Any] = {"source": "heuristic", "against": "random", "command": "second"}
    second = Run(tmp_path / "a", settings, say=lambda text: None, resuming=True, **parts)
    second.prepare()
    second.resume()
    assert second.clone is None and second.columns.size == first.columns.size
    kept = loop(second).reference
    assert kept is not None
    for name, array in kept.arrays().items():
        assert (array == reference.arrays()[name]).all()
    assert loop(second).rollout.chair.tolist() == loop(first).rollout.chair.tolist()
    generator = torch.get_rng_state()  # both draw from the same one
    for run in (first, second):
        torch.set_rng_state(generator)
        run.train(updates=2)
    assert torch.equal(loop(first).learner.weights, loop(second).learner.weights)
    assert (tmp_path / "a" / "command.txt").read_text("utf-8") == "first\nsecond\n"
    assert load_net(tmp_path / "a" / "net.qnet", get("xianqi")).header["command"] == "first\nsecond"


def test_a_run_starts_from_a_clone_or_from_a_net(tmp_path: Path) -> None:
    lessons = {"clone_decisions": 200, "clone_steps": 5, "clone_rows": 64, "kl": 0.1}
    first = made(tmp_path / "a", lessons, source="heuristic", command="first")
    assert first.clone is not None and first.clone.decisions >= 200
    reference = loop(first).reference
    assert reference is not None
    assert (reference.arrays()["w0"] == loop(first).net.arrays()["w0"]).all()
    first.save()
    second = made(tmp_path / "b", {"width": 48}, source=str(tmp_path / "a"), command="second")
    assert second.settings.width == 32  # the net's own
    second.save()
    assert load_net(tmp_path / "b" / "net.qnet", get("xianqi")).header["command"] == "first\nsecond"
    assert (tmp_path / "b" / "command.txt").read_text("utf-8") == "first\nsecond\n"
    gap = abs(loop(second).net.arrays()["w1"] - loop(first).net.arrays()["w1"]).max()
    assert gap < 1e-3


def test_a_net_is_taught_by_another_agent_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qipai.learn.clone.HELD_OUT", 4)
    first = made(tmp_path / "a")
    first.train(updates=2)
    lessons = {"clone_decisions": 1000, "clone_steps": 0, "clone_rows": 64, "kl": 0.1, "teacher": "heuristic"}
    same = made(tmp_path / "b", lessons, source=str(tmp_path / "a"))
    assert same.clone is not None and same.clone.agreement == same.clone.before
    start = load_net(tmp_path / "a" / "net.qnet", get("xianqi")).arrays
    assert load_net(tmp_path / "b" / "clone.qnet", get("xianqi")).arrays.keys() == start.keys()
    assert abs(loop(same).net.arrays()["w1"] - loop(first).net.arrays()["w1"]).max() < 1e-3
    taught = made(tmp_path / "c", {**lessons, "clone_steps": 40}, source=str(tmp_path / "a"))
    assert taught.clone is not None and taught.clone.before == same.clone.before
    assert taught.clone.loss < same.clone.loss - 0.01
    reference = loop(taught).reference
    assert reference is not None
    assert (reference.arrays()["w0"] == loop(taught).net.arrays()["w0"]).all()
    taught.save()
    again = made(tmp_path / "c", {**lessons, "clone_steps": 40}, source=str(tmp_path / "a"), resuming=True)
    assert again.clone is None


def test_a_teacher_without_a_net_is_refused(tmp_path: Path) -> None:
    for source in (None, "heuristic"):
        with pytest.raises(BadTraining, match="teacher needs a net"):
            Run(tmp_path, tiny(teacher="heuristic"), source=source)


def test_a_run_against_an_agent_learns_one_seat_per_lane(tmp_path: Path) -> None:
    save = made(tmp_path / "a")
    save.save()
    run = made(tmp_path / "b", {"lanes": 6, "minibatch": 16}, against=str(tmp_path / "a"))
    run.train(updates=1)
    assert loop(run).rollout.chair.tolist() == [0, 1, 2, 0, 1, 2]
    assert 0 < float(loop(run).segment.own.float().mean()) < 1


def test_a_run_keeps_its_rivals_and_refuses_one_that_has_changed(tmp_path: Path) -> None:
    made(tmp_path / "a").save()
    league = {"lanes": 24, "minibatch": 64, "league": 0.5, "rivals": (str(tmp_path / "a"), "random")}
    run = made(tmp_path / "b", league)
    run.train(updates=1)
    assert loop(run).rollout.chair.tolist() == [-1] * 12 + 3 * [0, 1, 2, 0]
    data = json.loads((tmp_path / "b" / "settings.json").read_text("utf-8"))
    settings = from_json(data["settings"])
    assert settings.rivals == league["rivals"]
    parts: dict[str, Any] = {"say": lambda text: None, "resuming": True}
    again = Run(tmp_path / "b", settings, **parts)
    again.prepare()
    again.resume()
    assert torch.equal(loop(again).learner.weights, loop(run).learner.weights)
    made(tmp_path / "c", {"seed": 2}).save()
    (tmp_path / "c" / "net.qnet").replace(tmp_path / "a" / "net.qnet")
    other = Run(tmp_path / "b", settings, **parts)
    other.prepare()
    with pytest.raises(BadTraining, match="has changed since the run began"):
        other.resume()


def test_opponents_that_cannot_play_are_refused_before_anything_is_made(tmp_path: Path) -> None:
    bots = tiny(league=0.5, rivals=("heuristic",))
    with pytest.raises(BadTraining, match="heuristic only plays on the CPU"):
        Run(tmp_path / "a", bots, "cuda")
    Run(tmp_path / "b", bots, "cuda", ray="auto")  # there players use the CPU
    with pytest.raises(BadTraining, match="leave out rivals"):
        Run(tmp_path / "c", bots, against="random")
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_a_run_that_is_not_prepared_cannot_train(tmp_path: Path) -> None:
    with pytest.raises(BadTraining):
        Run(tmp_path, tiny()).train(updates=1)
