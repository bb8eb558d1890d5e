"""The Gymnasium environment of one table: Gymnasium's own checker, illegal actions, drawing."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from qipai.core import get, names
from qipai.core.errors import BadOption, BadSeats, BadSeed, IllegalAction, MatchOver, QipaiError, UnknownAgent
from qipai.envs import register_gymnasium, single, vector

from .toy import LAPS


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n == "xianqi" else [pytest.mark.slow]) for n in names()]
)
def test_gymnasiums_checker_passes_for_every_registered_game(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With illegal="random", because the checker samples actions without the mask."""
    env = gymnasium.make(f"qipai.envs:qipai/{name}-v{get(name).rules.version}", illegal="random")
    check_env(env.unwrapped)
    assert capsys.readouterr().out  # it has drawn the table too


def test_it_is_lane_0_of_the_vector_environment() -> None:
    many, one = vector("xianqi", 3, seat=2, seed=5, space="box"), single("xianqi", seat=2, seed=5)
    seen, _ = many.reset()
    alone, info = one.reset()
    for _ in range(25):
        assert np.array_equal(seen[0], alone["observation"])
        assert np.array_equal(info["action_mask"], alone["action_mask"])
        action = many.action_masks().argmax(1)
        seen, reward, done, _, _ = many.step(action)
        alone, paid, over, cut, info = one.step(action[0])
        assert (paid, over, cut) == (reward[0], done[0], False)
        if over:
            assert not alone["action_mask"].any() and not one.action_masks().any()
            with pytest.raises(MatchOver):
                one.step(0)
            many.step(many.action_masks().argmax(1))
            alone, info = one.reset()
            seen = many.learners.batch.obs.copy()


@pytest.mark.parametrize("action", [-1, 40, 1 << 70, None, "buckle", 1.0, True, np.array([1])])
def test_an_illegal_action_is_refused_and_changes_nothing(action: Any) -> None:
    env = single("xianqi", seed=3)
    env.reset()
    before = env.learners.batch.state.tobytes()
    with pytest.raises(IllegalAction):
        env.step(action)
    with pytest.raises(IllegalAction):
        env.step(int(np.argmin(env.action_masks())))
    assert env.learners.batch.state.tobytes() == before


@pytest.mark.parametrize("illegal", ["raise", "random"])
def test_nothing_can_be_asked_before_the_first_reset(illegal: str) -> None:
    env = single("xianqi", seed=3, illegal=illegal, render_mode="ansi")
    for ask in (lambda: env.step(0), env.action_masks, env.render):
        with pytest.raises(MatchOver, match="reset the environment first"):
            ask()
    bad_options: list[Any] = [3, "deal", {"layout": {}}]
    for bad in bad_options:
        with pytest.raises(BadOption):
            env.reset(options=bad)
    env.reset(options={})


def test_with_random_an_illegal_action_becomes_a_legal_one_and_that_is_told() -> None:
    env = single("xianqi", seed=3, illegal="random")
    env.reset()
    wrong, right = int(np.argmin(env.action_masks())), int(np.argmax(env.action_masks()))
    assert env.step(wrong)[-1]["replaced"] is True
    env.reset(seed=3)
    assert env.step(right)[-1]["replaced"] is False
    for nothing in (None, "x", 0.5):  # only numbers stand for a choice
        with pytest.raises(IllegalAction):
            env.step(nothing)


def test_the_drawing_is_the_learners_sight() -> None:
    env = single(LAPS, seat="rotate", render_mode="ansi", lang="zh", seats=3)
    with pytest.raises(MatchOver):
        env.render()
    env.reset(seed=1)
    assert env.render() == "lap 0, seen by 0, in zh"
    env.reset()
    assert env.render() == "lap 0, seen by 1, in zh"


def test_human_rendering_prints_each_decision(capsys: pytest.CaptureFixture[str]) -> None:
    env = single(LAPS, render_mode="human")
    env.reset(seed=1)
    env.step(0)
    assert capsys.readouterr().out.splitlines() == ["lap 0, seen by 0, in en", "lap 1, seen by 0, in en"]


@pytest.mark.parametrize(
    ("error", "given"),
    [
        (BadOption, {"illegal": "ignore"}),
        (BadOption, {"render_mode": "film"}),
        (BadOption, {"lang": "tlh"}),
        (BadSeed, {"seed": "x"}),
        (BadSeats, {"seat": -1}),
        (UnknownAgent, {"opponents": "nobody"}),
    ],
)
def test_bad_arguments_are_refused_by_name(error: type[QipaiError], given: dict[str, Any]) -> None:
    with pytest.raises(error):
        single("xianqi", **given)


def test_resets_are_checked() -> None:
    env = single("xianqi")
    with pytest.raises(BadSeed):
        env.reset(seed=-1)
    with pytest.raises(BadOption):
        env.reset(options={"layout": {}})
    with pytest.raises(QipaiError):
        env.step(0)


def test_the_ids_are_registered_once() -> None:
    ids = register_gymnasium()
    assert "qipai/xianqi-v1" in ids and ids == register_gymnasium()
    assert set(ids) <= set(gymnasium.registry)


def test_importing_the_environments_loads_no_gymnasium_and_a_missing_one_is_explained() -> None:
    code = (
        "import sys, qipai.envs; assert 'gymnasium' not in sys.modules\n"
        "sys.modules['gymnasium'] = None\n"
        "from qipai.core.errors import MissingExtra\n"
        "for make in (lambda: qipai.envs.single('xianqi'), lambda: qipai.envs.vector('xianqi', 2)):\n"
        "    try: make()\n"
        "    except MissingExtra as error: assert 'qipai[envs]' in str(error)\n"
        "    else: raise SystemExit('made')\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
