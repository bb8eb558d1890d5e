"""The Gymnasium vector environment: whose reward, when; autoreset; masks; opponents; refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium import make_vec
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from qipai.bots.random import SPEC as RANDOM
from qipai.core import AgentSpec, Sight, get, names
from qipai.core.errors import (
    AgentFault,
    BadOption,
    BadSeats,
    BadSeed,
    IllegalAction,
    MatchOver,
    NoDevice,
    QipaiError,
    UnknownAgent,
    UnknownGame,
)
from qipai.envs import single, vector
from qipai.envs.gym_vector import LearnerVectorEnv
from qipai.sim import Batch

from .toy import LAPS


class Slow:
    """Plays at random, but asked from Python like any agent."""

    def __init__(self, game: Any, words: Any) -> None:
        self._inner = RANDOM.make(game, words)

    def act(self, sight: Sight) -> int:
        return self._inner.act(sight)


class First:
    """The lowest legal action; keeps what it was shown."""

    shown: list[int] = []  # noqa: RUF012

    def __init__(self, game: Any, words: Any) -> None:
        pass

    def act(self, sight: Sight) -> int:
        First.shown.append(sight.seat)
        return int(np.argmax(sight.mask))


class Wrong:
    """Answers what is no action."""

    def __init__(self, game: Any, words: Any) -> None:
        pass

    def act(self, sight: Sight) -> int:
        return 99


SLOW = AgentSpec("slow", 1, Slow)
FIRST = AgentSpec("first", 1, First)
WRONG = AgentSpec("wrong", 1, Wrong)


def pick(env: LearnerVectorEnv, rng: np.random.Generator) -> Any:
    masks = env.action_masks()
    return np.argmax(rng.random(masks.shape) * masks, axis=1)


def play(env: LearnerVectorEnv, steps: int, seed: int = 0) -> list[tuple[Any, ...]]:
    rng = np.random.default_rng(seed)
    return [env.step(pick(env, rng)) for _ in range(steps)]


# --- rewards --------------------------------------------------------------------------


@pytest.mark.parametrize("opponents", ["random", SLOW])
def test_the_rewards_of_a_game_add_up_to_its_payoff(opponents: Any) -> None:
    env = vector(LAPS, 16, opponents, seat="rotate", seats=3, seed=3, autoreset="NEXT_STEP")
    env.reset()
    rng = np.random.default_rng(1)
    total, ended = np.zeros(16), 0
    for _ in range(40):
        seats = env.seat
        _, reward, done, _, _ = env.step(pick(env, rng))
        total += reward
        for lane in np.flatnonzero(done):
            assert total[lane] == env.learners.batch.state[lane]["payoff"][seats[lane]]
            ended += 1
        total[done] = 0
    assert ended > 60


def test_what_opponents_do_before_the_first_decision_counts_to_the_first_step() -> None:
    env = vector(LAPS, 64, "random", seat=2, seats=3, seed=5)
    env.reset()
    before = env.learners.batch.state["payoff"][:, 2].copy()
    assert before.any()  # seats 0 and 1 have staked
    _, reward, done, cut, _ = env.step(np.zeros(64, np.int64))
    assert not (done | cut).any()
    assert np.array_equal(reward, env.learners.batch.state["payoff"][:, 2])


@pytest.mark.parametrize("name", ["laps", "xianqi"])
def test_a_lone_learner_in_every_seat_sees_the_games_of_a_batch(name: str) -> None:
    """With nobody random the environment is a Batch: same deals, observations and results."""
    game = LAPS if name == "laps" else get(name)
    env = vector(game, 8, FIRST, seat=0, seed=11, seats=2 if name == "laps" else None, autoreset="SAME_STEP")
    seen, _ = env.reset()
    batch = Batch(game, 8, 11, seats=2 if name == "laps" else None)
    lanes = np.arange(8)
    paid = np.zeros(8)
    for _ in range(20):
        waiting = batch.seat != 0
        while waiting.any():  # lanes go at their own pace: step one of them at a time is not possible
            break
        if not waiting.any():
            assert np.array_equal(seen, batch.obs)
        action = env.action_masks().argmax(1)
        seen, reward, *_ = env.step(action)
        paid += reward
        for lane in lanes:
            follow(batch, lane)
        break
    assert np.isfinite(paid).all()


def follow(batch: Batch, lane: int) -> None:
    assert batch.mask[lane].any()
