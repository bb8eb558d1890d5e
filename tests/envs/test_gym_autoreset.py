"""What follows the end of a game: each mode of Gymnasium, and resets of some of the tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium import Env
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from qipai.core import Game, get
from qipai.core.errors import (
    AgentFault,
    BadBatch,
    BadOption,
    BadSeed,
    IllegalAction,
    MatchOver,
)
from qipai.envs import single, vector
from qipai.envs.gym_vector import LearnerVectorEnv

from .toy import LAPS
from .twins import FIRST, SLOW, WRONG, First, Twin, Wrong, pick, play


class TwinEnv(Env[Any, Any]):
    """A slow twin as a Gymnasium environment, for Gymnasium's loop over many."""

    twin: Twin

    def __init__(self, game: Game, seats: int, lane: int, who: list[str]):
        self.game, self.of, self.who = game, (game, seats, lane), who
        self.observation_space = Box(-128, 127, (game.observation_size,), np.int8)
        self.action_space = Discrete(game.rules.actions)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        if seed is None:
            self.twin.next_game()
        else:
            self.twin = Twin(*self.of, seed, self.who, rotate=True, same=False)
        return self.told()

    def step(self, action: Any) -> Any:
        reward, terminated, truncated, _ = self.twin.step(int(action))
        seen, info = self.told()
        return seen, reward, terminated, truncated, info

    def told(self) -> Any:
        mask = np.zeros(self.game.rules.actions, np.bool_)
        if not self.twin.over:
            mask |= self.game.mask(self.twin.s)[: self.game.rules.actions] != 0
        return self.game.observation_of(self.twin.s, self.twin.seat), {"action_mask": mask}


def same_info(ours: Any, theirs: Any, ended: Any) -> None:
    """Check that `ours` contains what `theirs` contains; before a deal all masks are ones."""
    for key in theirs:
        if not key.startswith("_"):
            told = theirs[f"_{key}"]
            assert np.array_equal(ours[f"_{key}"], told)
            if isinstance(theirs[key], dict):
                same_info(ours[key], theirs[key], np.zeros_like(ended))
            else:
                for lane in np.flatnonzero(told):
                    assert np.array_equal(ours[key][lane], theirs[key][lane] | ended[lane])
    assert ours.keys() == theirs.keys()


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(("game", "who"), [(LAPS, ["first", "random"]), ("xianqi", ["random", "random"])])
def test_each_mode_is_gymnasiums_own_over_slow_twins(game: Any, who: list[str], mode: AutoresetMode) -> None:
    """Step for step, with resets of some of the tables between, seeded and not."""
    n, rng = 5, np.random.default_rng(3)
    game = get(game) if isinstance(game, str) else game
    specs = [FIRST if one == "first" else one for one in who]
    ours = vector(game, n, specs, "rotate", seats=3, autoreset=mode, space="box")
    theirs: Any = SyncVectorEnv(
        [lambda k=k: TwinEnv(game, 3, k, who) for k in range(n)],  # type: ignore[misc]
        autoreset_mode=mode,
    )
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"] is mode

    def reset(seed: int | None, options: Any) -> None:
        seeds = None if seed is None else [seed] * n
        seen, info = ours.reset(seed=seed, options=options)
        other, told = theirs.reset(seed=seeds, options=None if options is None else dict(options))
        assert np.array_equal(seen, other)
        same_info(info, told, np.zeros(n, np.bool_))
        told_of = np.ones(n, np.bool_) if options is None else options["reset_mask"]
        assert np.array_equal(info["_action_mask"], told_of)

    reset(7, None)
    finished = 0
    told: list[Any]
    for count in range(60):
        actions = pick(ours, rng)
        seen, *told, info = ours.step(actions)
        other, *said, news = theirs.step(actions)
        assert np.array_equal(seen, other)
        assert [(x.dtype, x.tolist()) for x in told] == [(x.dtype, x.tolist()) for x in said]
        ended = told[1] | told[2]
        same_info(info, news, ended & (mode is AutoresetMode.NEXT_STEP))
        finished += int(ended.sum())
        if mode is AutoresetMode.DISABLED and ended.any():
            assert not info["action_mask"][ended].any() and "final_obs" not in info
            with pytest.raises(MatchOver):
                ours.step(actions)
            some = ended | (rng.random(n) < 0.2)
            reset(count if count % 2 else None, {"reset_mask": some})
        elif count % 10 == 9:
            reset(None if count % 20 == 9 else count, {"reset_mask": np.arange(n) % 2 == count % 2})
    assert finished > 12
    reset(None, None)


# --- games that stay ended, and resets of some tables -------------------------------------


def snapshot(env: LearnerVectorEnv) -> tuple[bytes, ...]:
    batch = env.learners.batch
    return batch.state.tobytes(), batch.mask.tobytes(), batch.obs.tobytes(), env.learners.book.tobytes()


def test_disabled_refuses_to_step_over_an_end_and_changes_nothing() -> None:
    env = vector(
        LAPS, 6, seat="rotate", seats=3, options={"cap": 4}, seed=2, autoreset="disabled", space="box"
    )
    env.reset()
    cut = env.step(np.zeros(6, np.int64))[3]
    assert cut.tolist() == [False, True, True] * 2
    before = snapshot(env)
    for actions in (np.zeros(6, np.int64), np.full(6, -1), None):
        with pytest.raises(MatchOver, match="lane 1: the game has ended"):
            env.step(actions)
    assert snapshot(env) == before
    env.reset(options={"reset_mask": cut & (np.arange(6) < 3)})
    with pytest.raises(MatchOver, match="lane 4"):
        env.step(np.zeros(6, np.int64))
    _, info = env.reset(options={"reset_mask": np.arange(6) > 3})
    assert info["action_mask"].all() and env.seat.tolist() == [0, 2, 0, 0, 2, 0]
    env.step(np.zeros(6, np.int64))
    env.reset()  # without a mask: all of them, ended or not
    env.step(np.zeros(6, np.int64))


@pytest.mark.parametrize("steps", [0, 7])  # 0: agents that nobody has asked yet keep their seed too
@pytest.mark.parametrize("opponents", ["random", SLOW])
def test_a_seed_for_some_tables_makes_them_those_of_that_seed_and_leaves_the_others(
    opponents: Any, steps: int
) -> None:
    def made(seed: int) -> LearnerVectorEnv:
        env = vector(LAPS, 9, opponents, "rotate", seats=3, autoreset="SAME_STEP", space="box")
        env.reset(seed=seed)
        return env

    env, undisturbed, other = made(4), made(4), made((1 << 63) + 9)
    play(env, steps)
    play(undisturbed, steps)
    some = np.arange(9) % 4 == 1
    seen, _ = env.reset(seed=(1 << 63) + 9, options={"reset_mask": some})
    assert np.array_equal(seen[~some], undisturbed.learners.batch.obs[~some])
    assert np.array_equal(seen[some], other.learners.batch.obs[some])
    for one, left, new in zip(play(env, 20), play(undisturbed, 20), play(other, 20), strict=True):
        for given, kept, begun in zip(one[:4], left[:4], new[:4], strict=True):
            assert np.array_equal(given, np.where(some[:, None] if given.ndim == 2 else some, begun, kept))


def test_a_mask_of_all_tables_is_a_reset_and_threads_change_no_part_of_one() -> None:
    runs = []
    for threads, all_at_first in ((1, None), (2, {"reset_mask": np.ones(600, np.bool_)})):
        env = vector(LAPS, 600, seat="rotate", seats=3, threads=threads, space="box")
        runs.append([env.reset(seed=5, options=all_at_first)[0].tobytes()])
        play(env, 3)
        env.reset(options={"reset_mask": np.arange(600) % 7 == 0})
        env.reset(seed=8, options={"reset_mask": np.arange(600) % 5 == 0})
        runs[-1] += [seen.tobytes() for seen, *_ in play(env, 5)]
        runs[-1].append(env.reset(options=all_at_first)[0].tobytes())
    assert runs[0] == runs[1]


@pytest.mark.parametrize(
    "mask",
    [
        None,
        True,
        [True, False],
        np.bool_(True),
        np.ones(3, np.bool_),
        np.ones((2, 1), np.bool_),
        np.ones(2, np.int8),
        np.ones(2),
        np.zeros(2, np.bool_),
    ],
)
def test_a_mask_that_gymnasium_refuses_is_refused_by_name_and_changes_nothing(mask: Any) -> None:
    env = vector(LAPS, 2, autoreset="DISABLED", seed=1, space="box")
    env.reset()
    before = snapshot(env)
    with pytest.raises(BadOption):
        env.reset(seed=3, options={"reset_mask": mask})
    assert snapshot(env) == before
    theirs: Any = SyncVectorEnv([lambda: single(LAPS)] * 2)
    theirs.reset(seed=1)
    with pytest.raises((TypeError, ValueError)):
        theirs.reset(options={"reset_mask": mask})


def test_some_tables_cannot_be_reset_before_all_of_them_were() -> None:
    env = vector(LAPS, 2, autoreset="DISABLED", seed=1, space="box")
    some = {"reset_mask": np.array([True, False])}
    for seed in (None, 3):
        with pytest.raises(MatchOver):
            env.reset(seed=seed, options=some)
    first, _ = env.reset()
    assert np.array_equal(first, vector(LAPS, 2, seed=1, space="box").reset()[0])
    with pytest.raises(BadSeed):
        env.reset(seed=-1, options=some)
    for options in ({**some, "layout": {}}, ["reset_mask"], 5):
        with pytest.raises(BadOption):
            env.reset(options=options)  # type: ignore[arg-type]
    env.reset(options=some)
    assert list(some) == ["reset_mask"], "the caller's options were written on"


def test_an_agent_that_fails_in_a_reset_of_some_tables_wants_a_reset_of_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    env = vector(LAPS, 2, WRONG, seat=1, seed=1, autoreset="DISABLED", space="box")
    some = {"reset_mask": np.array([False, True])}
    with monkeypatch.context() as patch:
        patch.setattr(Wrong, "act", First.act)
        env.reset()
        env.reset(options=some)
    with pytest.raises(AgentFault, match="lane 1"):
        env.reset(options=some)
    with pytest.raises(MatchOver):
        env.reset(options=some)
    with monkeypatch.context() as patch:
        patch.setattr(Wrong, "act", First.act)
        env.reset()
        env.reset(options=some)


def test_gymnasiums_statistics_count_episodes_with_disabled() -> None:
    env: Any = RecordEpisodeStatistics(
        vector(LAPS, 4, seat="rotate", seats=3, seed=1, autoreset="DISABLED", space="box")
    )
    env.reset()
    totals, episodes = np.zeros(4), 0
    for _ in range(12):
        _, reward, done, _, info = env.step(np.full(4, 2))
        totals += reward
        if done.any():
            assert np.allclose(info["episode"]["r"][done], totals[done])
            episodes += int(done.sum())
            totals[done] = 0
            env.reset(options={"reset_mask": done})
    assert episodes > 8


# --- episodes -------------------------------------------------------------------------


def test_next_step_looks_at_no_action_where_the_game_has_ended() -> None:
    env = vector(LAPS, 3, options={"laps": 1}, seed=2, space="box")
    env.reset()
    _, _, done, _, info = env.step(np.zeros(3, np.int64))
    assert done.all() and info["action_mask"].all() and "final_obs" not in info
    _, reward, done, _, _ = env.step(np.array([0, 1, 2]))
    assert not done.any() and not reward.any()


@pytest.mark.parametrize("nonsense", [-1, 40, -7, 1 << 40, -(1 << 63)])
def test_next_step_takes_any_whole_number_where_the_game_has_ended_and_only_there(nonsense: int) -> None:
    env, twin = (
        vector(LAPS, 8, seat="rotate", seats=3, options={"cap": 4}, seed=2, space="box") for _ in range(2)
    )
    env.reset()
    twin.reset()
    actions = np.arange(8) % 3
    ended = env.step(actions)[3]
    twin.step(actions)
    assert ended.any() and not ended.all()
    given = np.where(ended, nonsense, 0)
    before = given.copy()
    told: tuple[Any, ...] = env.step(given)[:4]
    said: tuple[Any, ...] = twin.step(np.zeros(8, np.int64))[:4]
    for seen, other in zip(told, said, strict=True):
        assert np.array_equal(seen, other)
    assert np.array_equal(given, before), "the caller's actions were written on"
    with pytest.raises(IllegalAction):
        env.step(given)  # dealt again: now it is looked at


@pytest.mark.parametrize(
    "actions", [[0, 0], 0, [0.0] * 3, [True] * 3, ["0"] * 3, None, [[0], [0, 0], 0], [[0] * 3]]
)
def test_next_step_wants_whole_numbers_where_every_game_has_ended_too(actions: Any) -> None:
    env = vector(LAPS, 3, options={"laps": 1}, seed=2, space="box")
    env.reset()
    assert env.step(np.zeros(3, np.int64))[2].all()
    before = env.learners.book.tobytes()
    with pytest.raises(BadBatch):
        env.step(actions)
    assert env.learners.book.tobytes() == before
