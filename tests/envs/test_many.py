"""Opponents with `act_many`: one question for all waiting lanes, and the same games as one by one."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from qipai.bots.random import RandomAgent
from qipai.core import AgentSpec, Game, Sight, get
from qipai.core.agent import many_of
from qipai.core.errors import AgentFault
from qipai.envs import vector

GAME = get("xianqi")


class One:
    """An agent without `act_many`."""

    def __init__(self, game: Game, words: Any) -> None:
        self._agent = RandomAgent(game, words)

    def act(self, sight: Sight) -> int:
        """Return what the agent chooses."""
        return self._agent.act(sight)


class Highest:
    """Takes the legal action with the highest number; counts how it was asked."""

    asked = 0

    def __init__(self, game: Game, words: Any) -> None:
        pass

    def act(self, sight: Sight) -> int:
        """Return the highest legal action."""
        return int(np.flatnonzero(sight.mask)[-1])

    def act_many(self, observations: Any, masks: Any, seats: Any) -> Any:
        """Return the highest legal action of every row."""
        Highest.asked += 1
        assert observations.dtype == np.int8 and len(observations) == len(masks) == len(seats)
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


MANY = AgentSpec("many", 1, RandomAgent)  # not the SPEC of `random`, which plays inside the loops
ONE = AgentSpec("one", 1, One)
HIGHEST = AgentSpec("highest", 1, Highest)


def play(opponents: Any, steps: int = 30, n: int = 24, **more: Any) -> list[Any]:
    """Return everything that an environment shows a learner that plays its lowest legal action."""
    env = vector(GAME, n, opponents, seat="rotate", seed=5, threads=1, space="box", **more)
    env.reset()
    seen = []
    for _ in range(steps):
        obs, rewards, *_ = env.step(env.action_masks().argmax(axis=1))
        seen += [obs.tobytes(), rewards.tolist()]
    return seen


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
def test_many_lanes_at_once_play_the_same_games_as_one_by_one(mode: str) -> None:
    assert play(MANY, autoreset=mode) == play(ONE, autoreset=mode) == play([MANY, ONE], autoreset=mode)


def test_a_net_is_asked_for_all_lanes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from qipai.bots.net.agent import NetAgent

    together = play("net", steps=6)
    monkeypatch.delattr(NetAgent, "act_many")
    assert play("net", steps=6) == together


def test_three_parameters_are_enough_without_chance() -> None:
    Highest.asked = 0
    play([HIGHEST, HIGHEST], steps=5, n=50)
    assert 0 < Highest.asked < 50


def test_an_agent_without_the_method_plays_one_table_at_a_time() -> None:
    assert many_of(One(GAME, np.zeros(4, np.uint32))) is None


def test_a_lane_that_is_reset_alone_plays_as_if_all_were() -> None:
    env = vector(GAME, 3, MANY, seed=5, threads=1, space="box", autoreset="DISABLED")
    first, _ = env.reset(seed=9)
    env.step(env.action_masks().argmax(axis=1))
    again, _ = env.reset(seed=9, options={"reset_mask": np.array([True, False, True])})
    assert first[[0, 2]].tobytes() == again[[0, 2]].tobytes()


def test_lanes_with_their_own_seeds_play_the_same_games_too() -> None:
    seen = []
    for agent in (MANY, ONE):
        env = vector(GAME, 3, agent, threads=1, space="box")
        env.reset(seed=[7, 8, 7])
        steps = [env.step(env.action_masks().argmax(axis=1))[0].copy() for _ in range(10)]
        assert all(obs[0].tobytes() == obs[2].tobytes() for obs in steps)
        seen.append(b"".join(obs.tobytes() for obs in steps))
    assert seen[0] == seen[1]


def test_a_pickled_environment_goes_on_alike() -> None:
    env = vector(GAME, 6, MANY, seed=5, threads=1, space="box")
    env.reset()
    other = pickle.loads(pickle.dumps(env.learners))
    for _ in range(10):
        actions = env.action_masks().argmax(axis=1)
        env.step(actions)
        other.step(actions)
    assert env.learners.batch.state.tobytes() == other.batch.state.tobytes()


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (lambda masks: masks.argmin(axis=1), "it chose"),
        (lambda masks: np.full(len(masks), -5), "it chose -1 in lane 0"),
        (lambda masks: np.full(len(masks), 1 << 40), "it chose 40 in lane 0"),
        (lambda masks: np.zeros(len(masks)), "answered float64"),
        (lambda masks: np.zeros(3, int), r"answered int64 \(3,\) for"),
        (lambda masks: None, "answered object"),
        (lambda masks: 1 // 0, "raised ZeroDivisionError"),
    ],
)
def test_wrong_answers_are_refused_with_the_agents_name(answers: Any, said: str) -> None:
    class Wrong(Highest):
        def act_many(self, observations: Any, masks: Any, seats: Any) -> Any:
            return answers(masks)

    env = vector(GAME, 4, AgentSpec("wrong", 1, Wrong), seat=2, seed=1, threads=1, space="box")
    with pytest.raises(AgentFault, match=f"wrong failed: .*{said}"):
        env.reset()


def test_an_agent_that_cannot_be_made_is_named() -> None:
    def make(game: Game, words: Any) -> Highest:
        raise OSError("no weights")

    with pytest.raises(AgentFault, match=r"broken failed \(OSError: no weights\)"):
        vector(GAME, 2, AgentSpec("broken", 1, make))
