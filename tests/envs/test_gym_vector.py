"""The Gymnasium vector environment: whose reward, when; masks; opponents; refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium import make_vec
from gymnasium.spaces import Discrete
from gymnasium.vector import SyncVectorEnv

from qipai.core import names
from qipai.core.errors import (
    BadBatch,
    BadCount,
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
from tests.sim.batches import FORMS

from .toy import LAPS
from .twins import SLOW, pick, play

# --- rewards --------------------------------------------------------------------------


@pytest.mark.parametrize("opponents", ["random", SLOW])
def test_the_rewards_of_a_game_add_up_to_its_payoff(opponents: Any) -> None:
    env = vector(LAPS, 16, opponents, seat="rotate", seats=3, seed=3, autoreset="NEXT_STEP", space="box")
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


def test_what_is_told_has_gymnasiums_shapes_and_is_nobody_elses() -> None:
    env = vector("xianqi", 5, seed=1, autoreset="SAME_STEP", space="box")
    seen, info = env.reset()
    assert seen in env.observation_space and env.single_action_space == Discrete(40)
    first = seen.copy()
    told = play(env, 30)
    assert np.array_equal(seen, first), "an observation changed after it was given"
    for seen, reward, terminated, truncated, info in told:
        assert seen in env.observation_space and reward.dtype == np.float64
        assert terminated.dtype == truncated.dtype == np.bool_
        assert info["action_mask"].shape == (5, 40) and info["_action_mask"].all()
        done = terminated | truncated
        assert ("final_obs" in info) == done.any()
        if done.any():
            assert np.array_equal(info["_final_obs"], done) and np.array_equal(info["_final_info"], done)
            assert all((x is not None) == d for x, d in zip(info["final_obs"], done, strict=True))
            assert not info["final_info"]["action_mask"].any()
    assert any((t | u).any() for _, _, t, u, _ in told)


def test_a_cap_truncates() -> None:
    env = vector(LAPS, 4, options={"cap": 3, "laps": 9}, seed=2, space="box")
    env.reset()
    told = play(env, 6)
    assert any(u.any() for *_, u, _ in told) and not any(t.any() for _, _, t, *_ in told)


def test_the_same_seed_is_the_same_run_whatever_the_threads() -> None:
    runs = []
    for threads in (1, 2):
        env = vector("xianqi", 600, seat="rotate", threads=threads, space="box")
        env.reset(seed=9)
        runs.append([(seen.tobytes(), reward.tobytes()) for seen, reward, *_ in play(env, 20)])
        again, _ = env.reset()
        runs[-1].append((again.tobytes(), b""))
    assert runs[0] == runs[1]
    env.reset(seed=10)
    assert play(env, 1)[0][0].tobytes() != runs[0][0][0]


def test_reset_without_a_seed_goes_on_to_new_deals() -> None:
    env = vector("xianqi", 8, seed=4, space="box")
    one, _ = env.reset()
    other, _ = env.reset()
    env.reset(seed=4)
    again, _ = env.reset()
    assert not np.array_equal(one, other) and np.array_equal(other, again)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("autoreset", ["NEXT_STEP", "SAME_STEP"])
def test_actions_in_memory_of_any_form_are_taken(form: str, autoreset: str) -> None:
    one, other = (vector(LAPS, 5, seats=3, seed=3, autoreset=autoreset, space="box") for _ in range(2))
    one.reset()
    other.reset()
    rng = np.random.default_rng(4)
    for _ in range(8):
        actions = pick(one, rng).astype(np.int32)
        told: list[Any] = [*one.step(actions)[:4]]
        again: list[Any] = [*other.step(FORMS[form](actions))[:4]]
        assert all(np.array_equal(a, b) for a, b in zip(told, again, strict=True))


# --- refusals -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "actions",
    [
        [0, 99, 0],
        [0, -1, 0],
        [1 << 40, 0, 0],
    ],
)
def test_an_illegal_action_changes_nothing(actions: Any) -> None:
    refused(IllegalAction, actions)


@pytest.mark.parametrize(
    "actions",
    [
        [0, 0],
        [0.0, 0.0, 0.0],
        [True, True, True],
        ["0", "0", "0"],
        [None, 0, 0],
        [[0], [0, 0], 0],  # NumPy makes no array of it
        [[0, 0, 0]],
        [1 << 70, 0, 0],
        None,
        0,
        "abc",
        {},
    ],
)
def test_what_is_not_one_whole_number_per_table_changes_nothing(actions: Any) -> None:
    refused(BadBatch, actions)


def refused(error: type[QipaiError], actions: Any) -> None:
    """Check that a step with `actions` raises `error` and leaves the environment unchanged."""
    env = vector("xianqi", 3, seed=6, space="box")
    env.reset()
    play(env, 2)
    before = env.learners.batch.state.tobytes(), env.action_masks().tobytes(), env.learners.book.tobytes()
    with pytest.raises(error):
        env.step(actions)
    with pytest.raises(IllegalAction, match="lane 2"):
        env.step(np.r_[env.action_masks()[:2].argmax(1), env.action_masks()[2].argmin()])
    after = env.learners.batch.state.tobytes(), env.action_masks().tobytes(), env.learners.book.tobytes()
    assert before == after


@pytest.mark.parametrize(
    ("error", "given"),
    [
        (UnknownGame, {"game": "chess"}),
        (BadBatch, {"n": 0}),
        (BadBatch, {"n": 1 << 40}),
        (UnknownAgent, {"opponents": "nobody"}),
        (UnknownAgent, {"opponents": 5}),
        (UnknownAgent, {"opponents": ["random", 7]}),
        (BadSeats, {"opponents": ["random"]}),
        (BadSeats, {"seat": 3}),
        (BadSeats, {"seat": "any"}),
        (BadSeats, {"seat": True}),
        (BadOption, {"options": {"speed": 1}}),
        (BadOption, {"autoreset": "sometimes"}),
        (BadOption, {"autoreset": None}),
        (BadSeed, {"seed": -1}),
        (BadSeed, {"seed": 1.5}),
        (NoDevice, {"device": "cuda"}),
        (NoDevice, {"device": "tpu"}),
        (BadCount, {"threads": 0}),
    ],
)
def test_bad_arguments_are_refused_by_name(error: type[QipaiError], given: dict[str, Any]) -> None:
    with pytest.raises(error):
        vector(**{"game": "xianqi", "n": 2, **given})


def test_nothing_steps_before_a_reset_and_resets_are_checked() -> None:
    env = vector("xianqi", 2, space="box")
    with pytest.raises(MatchOver):
        env.step(np.zeros(2, np.int64))
    with pytest.raises(MatchOver):
        env.action_masks()
    with pytest.raises(BadSeed):
        env.reset(seed=-1)
    with pytest.raises(BadOption):
        env.reset(options={"layout": {}})


# --- with Gymnasium's own tools -------------------------------------------------------


def test_make_vec_makes_it() -> None:
    env = make_vec("qipai.envs:qipai/xianqi-v1", num_envs=3, seat="rotate")
    assert isinstance(env.unwrapped, LearnerVectorEnv)
    env.reset(seed=1)


def test_a_vector_of_singles_is_the_vector_environment() -> None:
    """Gymnasium's own vector over one `single` steps like lane 0 of ours, NEXT_STEP included."""
    ours = vector(LAPS, 1, seats=3, seed=7, space="box")
    theirs: Any = SyncVectorEnv([lambda: single(LAPS, seats=3)])
    seen, _ = ours.reset(seed=7)
    other, _ = theirs.reset(seed=7)
    rng = np.random.default_rng(5)
    for _ in range(30):
        assert np.array_equal(seen, other["observation"])
        action = pick(ours, rng)
        seen, *told, _ = ours.step(action)
        other, *said, _ = theirs.step(action)
        assert [x.tolist() for x in told] == [x.tolist() for x in said]


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_every_registered_game_plays(name: str) -> None:
    env = vector(name, 70, seat="rotate", seed=1, autoreset="SAME_STEP", space="box")
    seen, _ = env.reset()
    assert seen in env.observation_space
    for seen, reward, *_ in play(env, 40):
        assert seen in env.observation_space and np.isfinite(reward).all()
