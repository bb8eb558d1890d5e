"""The Gymnasium vector environment: whose reward, when; autoreset; masks; opponents; refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium import Env, make_vec
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from qipai.bots.random import SPEC as RANDOM
from qipai.core import AgentSpec, Game, Sight, copy_state, get, names, seed_words
from qipai.core import pick as pick_set
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
from qipai.envs.lanes import OPPONENTS
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


class Twin:
    """One lane, slowly: what the environment should show, from the rules' plain calls alone."""

    def __init__(
        self, game: Game, seats: int, lane: int, seed: int, who: list[str], rotate: bool, same: bool
    ):
        self.game, self.seats, self.who, self.rotate, self.same = game, seats, who, rotate, same
        self.s = copy_state(Batch(game, lane + 1, seed, seats=seats).state[lane])
        self.seat = lane % seats if rotate else 0
        self.words = np.zeros(4, np.uint32)
        seed_words(self.words, seed & 0xFFFFFFFF, seed >> 32, lane, OPPONENTS)
        self.over = False
        self.begin()

    def deal(self) -> None:
        self.game.deal(self.s)
        while self.s["seat"] < 0:
            self.game.deal(self.s)

    def opponents(self) -> None:
        while self.s["seat"] not in (-1, self.seat):
            legal = self.game.legal_actions(self.s)
            who = self.who[(int(self.s["seat"]) - self.seat) % self.seats - 1]
            mask = self.game.mask(self.s)
            action = int(pick_set(self.words, mask, len(legal))) if who == "random" else legal[0]
            self.game.apply(self.s, action)

    def begin(self) -> None:
        self.paid = 0
        self.opponents()
        while self.s["seat"] < 0:  # over before the learner could decide
            self.deal()
            self.opponents()

    def next_game(self) -> None:
        self.seat = (self.seat + self.rotate) % self.seats
        self.deal()
        self.begin()
        self.over = False

    def step(self, action: int) -> tuple[int, bool, bool, Any]:
        """Reward, terminated, truncated, and the last observation of a game that ended."""
        if self.over:
            self.next_game()
            return 0, False, False, None
        self.game.apply(self.s, action)
        self.opponents()
        payoff = int(self.s["payoff"][self.seat])
        reward, self.paid = payoff - self.paid, payoff
        if self.s["seat"] >= 0:
            return reward, False, False, None
        cut, last = bool(self.s["cut"]), self.game.look(self.s, self.seat)
        self.over = True
        if self.same:
            self.next_game()
        return reward, not cut, cut, last


@pytest.mark.parametrize("same", [False, True])
@pytest.mark.parametrize(
    ("name", "seats", "who", "rotate"),
    [
        ("laps", 3, ["random", "random"], True),
        ("laps", 4, ["first", "random", "first"], True),
        ("laps", 2, ["first"], False),
        ("xianqi", 3, ["random", "random"], True),
    ],
)
def test_every_lane_is_its_slow_twin(name: str, seats: int, who: list[str], rotate: bool, same: bool) -> None:
    game = LAPS if name == "laps" else get(name)
    seed = (1 << 40) + 17
    specs = [FIRST if one == "first" else one for one in who]
    mode = AutoresetMode.SAME_STEP if same else AutoresetMode.NEXT_STEP
    env = vector(game, 6, specs, "rotate" if rotate else 0, seats=seats, seed=seed, autoreset=mode)
    assert env.metadata["autoreset_mode"] is mode
    seen, info = env.reset()
    twins = [Twin(game, seats, lane, seed, who, rotate, same) for lane in range(6)]
    rng = np.random.default_rng(2)
    ended = 0
    for _ in range(40):
        for lane, twin in enumerate(twins):
            assert np.array_equal(seen[lane], game.look(twin.s, twin.seat)) and env.seat[lane] == twin.seat
            legal = np.ones(game.actions) if twin.over else game.mask(twin.s)[: game.actions]
            assert np.array_equal(info["action_mask"][lane], legal)
        actions = pick(env, rng)
        seen, reward, terminated, truncated, info = env.step(actions)
        for lane, twin in enumerate(twins):
            *told, last = twin.step(int(actions[lane]))
            assert [reward[lane], terminated[lane], truncated[lane]] == told
            if same and last is not None:
                assert np.array_equal(info["final_obs"][lane], last) and info["_final_obs"][lane]
            ended += last is not None
    assert ended > 12


# --- as Gymnasium does it --------------------------------------------------------------


class TwinEnv(Env[Any, Any]):
    """A slow twin as a Gymnasium environment, for Gymnasium's own loop over many."""

    twin: Twin

    def __init__(self, game: Game, seats: int, lane: int, who: list[str]):
        self.game, self.of, self.who = game, (game, seats, lane), who
        self.observation_space = Box(-128, 127, (game.observation_size,), np.int8)
        self.action_space = Discrete(game.actions)

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
        mask = np.zeros(self.game.actions, np.bool_)
        if not self.twin.over:
            mask |= self.game.mask(self.twin.s)[: self.game.actions] != 0
        return self.game.look(self.twin.s, self.twin.seat), {"action_mask": mask}


def same_info(ours: Any, theirs: Any, ended: Any) -> None:
    """What `theirs` tells `ours` tells too; at a table that is about to be dealt masks are ones."""
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
    ours = vector(game, n, specs, "rotate", seats=3, autoreset=mode)
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
    env = vector(LAPS, 6, seat="rotate", seats=3, options={"cap": 4}, seed=2, autoreset="disabled")
    env.reset()
    cut = env.step(np.zeros(6, np.int64))[3]
    assert cut.tolist() == [False, True, True] * 2
    before = snapshot(env)
    for actions in (np.zeros(6, np.int64), np.full(6, -1), None):
        with pytest.raises(MatchOver, match="lane 1: the game has ended"):
            env.step(actions)  # type: ignore[arg-type]
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
        env = vector(LAPS, 9, opponents, "rotate", seats=3, autoreset="SAME_STEP")
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
    for threads, all_at_first in ((1, None), (2, {"reset_mask": np.ones(200, np.bool_)})):
        env = vector(LAPS, 200, seat="rotate", seats=3, threads=threads)
        runs.append([env.reset(seed=5, options=all_at_first)[0].tobytes()])
        play(env, 3)
        env.reset(options={"reset_mask": np.arange(200) % 7 == 0})
        env.reset(seed=8, options={"reset_mask": np.arange(200) % 5 == 0})
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
    env = vector(LAPS, 2, autoreset="DISABLED", seed=1)
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
    env = vector(LAPS, 2, autoreset="DISABLED", seed=1)
    some = {"reset_mask": np.array([True, False])}
    for seed in (None, 3):
        with pytest.raises(MatchOver):
            env.reset(seed=seed, options=some)
    first, _ = env.reset()
    assert np.array_equal(first, vector(LAPS, 2, seed=1).reset()[0])
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
    env = vector(LAPS, 2, WRONG, seat=1, seed=1, autoreset="DISABLED")
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
    env: Any = RecordEpisodeStatistics(vector(LAPS, 4, seat="rotate", seats=3, seed=1, autoreset="DISABLED"))
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


def test_what_is_told_has_gymnasiums_shapes_and_is_nobody_elses() -> None:
    env = vector("xianqi", 5, seed=1, autoreset="SAME_STEP")
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
    env = vector(LAPS, 4, options={"cap": 3, "laps": 9}, seed=2)
    env.reset()
    told = play(env, 6)
    assert any(u.any() for *_, u, _ in told) and not any(t.any() for _, _, t, *_ in told)


def test_next_step_looks_at_no_action_where_the_game_has_ended() -> None:
    env = vector(LAPS, 3, options={"laps": 1}, seed=2)
    env.reset()
    _, _, done, _, info = env.step(np.zeros(3, np.int64))
    assert done.all() and info["action_mask"].all() and "final_obs" not in info
    _, reward, done, _, _ = env.step(np.array([0, 1, 2]))
    assert not done.any() and not reward.any()


@pytest.mark.parametrize("nonsense", [-1, 40, -7, 1 << 40, -(1 << 63)])
def test_next_step_takes_any_whole_number_where_the_game_has_ended_and_only_there(nonsense: int) -> None:
    env, twin = (vector(LAPS, 8, seat="rotate", seats=3, options={"cap": 4}, seed=2) for _ in range(2))
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
    env = vector(LAPS, 3, options={"laps": 1}, seed=2)
    env.reset()
    assert env.step(np.zeros(3, np.int64))[2].all()
    before = env.learners.book.tobytes()
    with pytest.raises(IllegalAction):
        env.step(actions)
    assert env.learners.book.tobytes() == before


def test_the_same_seed_is_the_same_run_whatever_the_threads() -> None:
    runs = []
    for threads in (1, 2):
        env = vector("xianqi", 200, seat="rotate", threads=threads)
        env.reset(seed=9)
        runs.append([(seen.tobytes(), reward.tobytes()) for seen, reward, *_ in play(env, 20)])
        again, _ = env.reset()
        runs[-1].append((again.tobytes(), b""))
    assert runs[0] == runs[1]
    env.reset(seed=10)
    assert play(env, 1)[0][0].tobytes() != runs[0][0][0]


def test_reset_without_a_seed_goes_on_to_new_deals() -> None:
    env = vector("xianqi", 8, seed=4)
    one, _ = env.reset()
    other, _ = env.reset()
    env.reset(seed=4)
    again, _ = env.reset()
    assert not np.array_equal(one, other) and np.array_equal(other, again)


def test_a_game_over_before_the_learner_decides_is_dealt_again() -> None:
    env = vector(LAPS, 4, seat=1, options={"cap": 2}, seed=1)
    env.reset()  # every game lasts two actions: the learner's is the second
    for _, _, _, cut, _ in play(env, 5):
        assert cut.all() or not cut.any()
    with pytest.raises(BadSeats, match="seat 1 never comes to decide"):
        vector(LAPS, 4, seat=1, options={"cap": 1}).reset()


# --- opponents ------------------------------------------------------------------------


def test_opponents_sit_in_order_from_the_seat_after_the_learners() -> None:
    First.shown.clear()
    env = vector(LAPS, 1, ["random", FIRST], seat=1, seats=3, seed=3)
    env.reset()
    play(env, 8)
    assert set(First.shown) == {0}


def test_a_named_bot_beats_the_learner_that_a_random_one_does_not() -> None:
    means = []
    for opponents in ("random", "heuristic"):
        env = vector("xianqi", 60, opponents, seat="rotate", seed=8)
        env.reset()
        means.append(np.mean([reward.mean() for _, reward, *_ in play(env, 25)]))
    assert means[1] < means[0]


def test_an_agent_that_fails_is_named_and_the_environment_wants_a_reset() -> None:
    env = vector(LAPS, 2, WRONG, seed=1)
    env.reset()
    with pytest.raises(AgentFault, match="wrong failed in lane 0"):
        env.step(np.zeros(2, np.int64))
    with pytest.raises(MatchOver):
        env.step(np.zeros(2, np.int64))
    env.reset(seed=1)


# --- refusals -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "actions",
    [
        [0, 99, 0],
        [0, -1, 0],
        [0, 0],
        [0.0, 0.0, 0.0],
        [True, True, True],
        ["0", "0", "0"],
        [None, 0, 0],
        [[0], [0, 0], 0],  # NumPy makes no array of it
        [[0, 0, 0]],
        [1 << 40, 0, 0],
        [1 << 70, 0, 0],
        None,
        0,
        "abc",
        {},
    ],
)
def test_an_illegal_action_changes_nothing(actions: Any) -> None:
    env = vector("xianqi", 3, seed=6)
    env.reset()
    play(env, 2)
    before = env.learners.batch.state.tobytes(), env.action_masks().tobytes(), env.learners.book.tobytes()
    with pytest.raises(IllegalAction):
        env.step(actions)
    with pytest.raises(IllegalAction, match="lane 2"):
        env.step(np.r_[env.action_masks()[:2].argmax(1), env.action_masks()[2].argmin()])
    after = env.learners.batch.state.tobytes(), env.action_masks().tobytes(), env.learners.book.tobytes()
    assert before == after


@pytest.mark.parametrize(
    ("error", "given"),
    [
        (UnknownGame, {"game": "chess"}),
        (BadSeats, {"n": 0}),
        (BadSeats, {"n": 1 << 40}),
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
        (NoDevice, {"threads": 0}),
    ],
)
def test_bad_arguments_are_refused_by_name(error: type[QipaiError], given: dict[str, Any]) -> None:
    with pytest.raises(error):
        vector(**{"game": "xianqi", "n": 2, **given})


def test_nothing_steps_before_a_reset_and_resets_are_checked() -> None:
    env = vector("xianqi", 2)
    with pytest.raises(MatchOver):
        env.step(np.zeros(2, np.int64))
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
    ours = vector(LAPS, 1, seats=3, seed=7)
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
    env = vector(name, 70, seat="rotate", seed=1, autoreset="SAME_STEP")
    seen, _ = env.reset()
    assert seen in env.observation_space
    for seen, reward, *_ in play(env, 40):
        assert seen in env.observation_space and np.isfinite(reward).all()
