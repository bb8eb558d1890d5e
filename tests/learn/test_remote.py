"""Training on a Ray cluster of two nodes with one core each."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.bots.net import load_net  # noqa: E402
from qipai.core import get  # noqa: E402
from qipai.core.errors import BadTraining, LostWorker, NoCluster  # noqa: E402
from qipai.learn.league import Bots, Frozen  # noqa: E402
from qipai.learn.remote import Plan, Player, Remote, Teacher, most_players, seed_of, share_of  # noqa: E402
from qipai.learn.rivals import find_rival  # noqa: E402
from qipai.learn.run import Run  # noqa: E402
from qipai.learn.trainer import columns_of  # noqa: E402
from tests.learn.parts import tiny  # noqa: E402

GAME = get("xianqi")
SETTINGS = tiny(league=0.25, league_every=2)
PLAN = Plan(SETTINGS, "cpu", columns_of(GAME, SETTINGS))


@pytest.fixture
def remote(ray_address: str) -> Iterator[tuple[Remote, list[str]]]:
    said: list[str] = []
    made = Remote(ray_address, PLAN, 2, said.append)
    yield made, said
    made.close()


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return all((one[name] == other[name]).all() for name in one)


def test_two_players_and_a_teacher_learn_and_a_killed_player_is_replaced(
    remote: tuple[Remote, list[str]],
) -> None:
    made, said = remote
    before = made.arrays()
    places = [place for place, _ in made.crew.call("place")]
    made.iterate()
    made.iterate()
    assert made.updates == 2 and made.decisions == 2 * 64 * 8
    assert not same(before, made.arrays())
    os.kill(places[0][1], signal.SIGKILL)
    for _ in range(3):
        made.iterate()
    assert made.updates == 5 and made.crew.lives == [1, 0]
    assert said == ["1 lost worker(s) replaced after 2 updates"]
    assert [place for place, _ in made.crew.call("place")][1] == places[1]
    assert all(np.isfinite(value) for value in made.log().values())
    assert made.games()["games"] > 0


def test_a_lost_teacher_is_named(remote: tuple[Remote, list[str]]) -> None:
    made, _ = remote
    made.ray.kill(made.teacher)
    with pytest.raises(LostWorker, match="--resume"):
        made.iterate()


def test_more_players_than_cores_are_refused(ray_address: str) -> None:
    with pytest.raises(NoCluster, match="2 cores, and 4 workers"):
        Remote(ray_address, PLAN, 4, print)


def test_a_run_on_a_cluster_is_made_and_resumed_anywhere(ray_address: str, tmp_path: Path) -> None:
    lessons: dict[str, Any] = {"clone_decisions": 100, "clone_steps": 3, "clone_rows": 64, "kl": 0.1}
    settings = tiny(**lessons)
    parts: dict[str, Any] = {"say": lambda text: None, "source": "heuristic", "against": "random"}
    first = Run(tmp_path, settings, ray=ray_address, players=1, **parts)
    first.prepare()
    first.train(updates=2)
    first.close()
    assert first.clone is not None and first.clone.decisions >= 100
    assert load_net(tmp_path / "net.qnet", GAME).header["decisions"] == 2 * 64 * 8
    for address in (None, ray_address):
        second = Run(tmp_path, settings, ray=address, players=1, resuming=True, **parts)
        second.prepare()
        second.resume()
        updates = second.ready.updates
        second.train(updates=1)
        second.close()
        assert second.ready.updates == updates + 1


def test_the_teacher_learns_what_one_process_learns_from_the_same_segment() -> None:
    """Parts of a segment side by side are the segment: the weights are those of a single trainer."""
    alone, other = Teacher(PLAN).trainer, Teacher(PLAN)
    alone.collect()
    whole = {name: getattr(alone.segment, name).numpy() for name in ("obs", "mask", "seat", "action")}
    whole |= {
        name: getattr(alone.segment, name).numpy() for name in ("log_p", "value", "reward", "done", "own")
    }
    parts = [{name: array[:, at : at + 32] for name, array in whole.items()} for at in (0, 32)]
    for part in parts:
        part["all_obs"] = np.zeros(0, np.int8)
    torch.manual_seed(5)
    alone.set_progress(0.5)
    alone.learn()
    torch.manual_seed(5)
    news = other.learn(0.5, *parts)
    assert (news["weights"] == alone.learner.weights.numpy()).all()


def test_lanes_are_shared_evenly_and_every_player_has_games_of_its_own() -> None:
    assert share_of(SETTINGS, 4).lanes == 16
    with pytest.raises(BadTraining, match="64 lanes"):
        share_of(SETTINGS, 3)
    assert [most_players(SETTINGS, limit) for limit in (0, 1, 3, 7, 100)] == [1, 1, 2, 4, 64]
    assert len({seed_of(1, player, life) for player in range(20) for life in range(3)}) == 60


def test_a_rival_plays_on_the_cluster_and_not_at_the_teachers() -> None:
    plan = Plan(SETTINGS, "cpu", PLAN.columns, find_rival(GAME, "random"))
    assert Teacher(plan).trainer.slot is None


def test_rivals_share_the_leagues_lanes_at_every_player() -> None:
    settings = tiny(league=0.5, league_every=1, rivals=("heuristic",))
    plan = Plan(settings, "cpu", PLAN.columns, rivals=(find_rival(GAME, "heuristic"),))
    teacher, players = Teacher(plan), [Player(plan, 2, k, 0) for k in (0, 1)]
    assert [type(opponent) for opponent in teacher.trainer.rollout.opponents] == [Frozen]
    for player in players:
        found = [(type(opponent), opponent.lo, opponent.hi) for opponent in player.trainer.rollout.opponents]
        assert found == [(Frozen, 16, 24), (Bots, 24, 32)]
    parts = [player.play(teacher.news())[1] for player in players]
    assert 0.5 < np.mean([part["own"] for part in parts]) < 0.9  # half of the lanes, and a third of the rest
    teacher.learn(0.0, *parts)
    assert teacher.trainer.segment.own[:, 32:].numpy().tolist() == parts[1]["own"].tolist()
    with pytest.raises(BadTraining, match="rivals need lanes"):
        share_of(settings, 32)
