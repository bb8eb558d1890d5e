"""Batches: single games side by side, the same whatever the threads, and nothing moves on bad input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from qipai.core import NOBODY, State, copy_state, new_state, seed_words
from qipai.core.errors import BadGame, BadOption, BadSeats, BadSeed, IllegalAction, NoDevice, UnknownGame
from qipai.core.rule import plain_function
from qipai.sim import Batch
from qipai.sim.cpu import loops_for
from tests.envs.toy import STUCK
from tests.toys_check import faults, hush
from tests.toys_check.faults import broken
from tests.toys_check.hush import GAME

FACES = ("state", "mask", "obs", "seat", "reward", "done", "cut")
N = 200  # enough for three threads


def make(seed: int = 0, n: int = N, **settings: Any) -> Batch:
    return Batch(GAME, n, seed, **{"seats": 3, **settings})


def faces(batch: Batch) -> dict[str, bytes]:
    return {name: getattr(batch, name).tobytes() for name in FACES}


def everything(batch: Batch) -> tuple[bytes, ...]:
    return (*faces(batch).values(), batch._arrays.choice.tobytes())


# --- lanes are single games -----------------------------------------------------------


class Single:
    """A game played by hand with the plain functions, re-dealt when it ends."""

    def __init__(self, seed: int, lane: int, options: dict[str, Any]) -> None:
        self.rules = GAME.functions("plain")
        self.state = GAME.blank(options, 3)
        seed_words(self.state["rng"], seed & 0xFFFFFFFF, seed >> 32, lane, 0)
        self.deal()

    def deal(self) -> None:
        self.rules.deal(self.state)
        while self.state["seat"] == NOBODY:
            self.rules.deal(self.state)

    def step(self, action: int) -> tuple[list[int], int, int]:
        """Reward, done and cut."""
        before: State = copy_state(self.state)
        self.rules.apply(self.state, action)
        reward = (self.state["payoff"] - before["payoff"]).tolist()
        done, cut = int(self.state["seat"] == NOBODY), int(self.state["cut"])
        if done:
            self.deal()
        return reward, done, cut


@pytest.mark.parametrize("options", [{}, {"cap": 4}, {"cards": 1, "spoils": "on"}])
def test_every_lane_is_a_single_plain_game(options: dict[str, Any]) -> None:
    seed = (7 << 32) + 5
    batch = make(seed, n=6, options=options)
    singles = [Single(seed, lane, options) for lane in range(6)]
    for _ in range(25):
        actions = batch.sample()
        batch.step(actions)
        for lane, single in enumerate(singles):
            reward, done, cut = single.step(int(actions[lane]))
            s = single.state
            assert batch.state[lane].tobytes() == s.tobytes()
            assert batch.reward[lane].tolist() == reward
            assert (int(batch.done[lane]), int(batch.cut[lane])) == (done, cut if done else 0)
            assert int(batch.seat[lane]) == int(s["seat"])
            assert batch.mask[lane].tolist() == GAME.mask(s).tolist()
            assert batch.obs[lane].tolist() == GAME.observation_of(s, int(s["seat"])).tolist()


def test_lanes_do_not_depend_on_how_many_there_are() -> None:
    few, many = make(3, n=5), make(3, n=N)
    for batch in (few, many):
        batch.rollout(9)
    assert few.state.tobytes() == many.state[:5].tobytes()


def test_another_seed_gives_other_deals_and_lanes_differ() -> None:
    assert make(1).state.tobytes() != make(2).state.tobytes()
    assert make(1).state.tobytes() != make(1 + (1 << 32)).state.tobytes()
    hands = make(1).state["hand"]
    assert len({h.tobytes() for h in hands}) > N // 2


def test_chance_and_choice_are_apart() -> None:
    """A game replays from its actions: other choices, same cards."""
    one, other = make(4), make(4)
    other._arrays.choice[:] = make(5)._arrays.choice
    a, b = one.sample(), other.sample()
    assert (a != b).any()
    one.step(a)
    other.step(a)
    assert one.state.tobytes() == other.state.tobytes()


# --- threads and loops ----------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("observe", [False, True])
def test_a_rollout_is_the_same_as_steps_whatever_the_threads(threads: int, observe: bool) -> None:
    stepped, rolled = make(9, threads=1), make(9, threads=threads)
    assert rolled.threads == threads
    ended = 0
    for _ in range(30):
        stepped.step(stepped.sample())
        ended += int(stepped.done.sum())
    done = rolled.rollout(30, observe=observe)
    assert (done.decisions, done.games) == (30 * N, ended)
    assert ended > N
    assert faces(rolled) == faces(stepped)


def test_steps_are_the_same_with_several_threads() -> None:
    one, three = make(9, threads=1), make(9, threads=3)
    for _ in range(15):
        one.step(one.sample())
        three.step(three.sample())
    assert faces(one) == faces(three)


def test_rollouts_in_parts_are_one_rollout() -> None:
    whole, parts = make(2), make(2)
    whole.rollout(20)
    for steps in (0, 1, 7, 12):
        parts.rollout(steps, observe=steps == 7)
    assert everything(whole) == everything(parts)


def test_few_lanes_are_left_to_one_thread() -> None:
    assert make(n=63, threads=8).threads == 1
    assert make(n=1, threads=2).threads == 1


# --- reset, reward, done, cut ---------------------------------------------------------


def test_a_reset_begins_anew() -> None:
    batch = make(6)
    before = everything(batch)
    batch.rollout(17)
    assert everything(batch) != before
    batch.reset(6)
    assert everything(batch) == before
    assert not batch.reward.any()
    assert not batch.done.any()


def play(batch: Batch, steps: int, look: Callable[[], None]) -> None:
    for _ in range(steps):
        batch.step(batch.sample())
        look()


def test_rewards_of_a_game_sum_to_its_payoff_and_come_with_done() -> None:
    batch = make(8)
    ended: list[list[int]] = []

    def look() -> None:
        over = batch.done == 1
        assert not batch.reward[~over].any()  # this game pays at the end only
        assert not batch.cut[~over].any()
        ended.extend(batch.reward[over].tolist())
        assert (batch.seat >= 0).all()
        assert (batch.mask.sum(1) > 0).all()
        assert (batch.state["ply"][over] == 0).all()

    play(batch, 30, look)
    assert len(ended) > N
    assert {tuple(sorted(row)) for row in ended} <= {(-1, -1, 2), (0, 0, 0)}
    assert [2, -1, -1] in ended


def test_a_cap_is_told_by_cut_and_only_by_it() -> None:
    capped, free = make(8, options={"cap": 3}), make(8)
    seen = {"capped": 0, "free": 0}
    for name, batch in (("capped", capped), ("free", free)):
        for _ in range(12):
            batch.step(batch.sample())
            assert ((batch.cut == 0) | (batch.done == 1)).all()
            seen[name] += int(batch.cut.sum())
    assert seen["capped"] > N
    assert seen["free"] == 0


def test_reward_has_a_column_for_each_seat_at_the_table() -> None:
    assert make(seats=2).reward.shape == (N, 2)
    assert make(seats=3).reward.shape == (N, 3)


def test_deals_without_a_decision_are_dealt_again() -> None:
    """One deal in twenty of this game is a misdeal."""
    batch = make(1, n=2000)
    assert (batch.seat >= 0).all()
    assert not batch.state["misdeal"].any()


def test_options_that_leave_no_decision_are_refused() -> None:
    with pytest.raises(BadSeats, match="no deal holds a decision"):
        Batch(broken(deal=faults.deal_void), 4, seats=2)


def test_loops_belong_to_a_game_and_not_to_the_place_it_has_in_memory() -> None:
    """A game that is gone leaves its id to the next one, which must not get its loops."""
    for number in range(6):
        legal = (hush.legal, faults.legal_miscounts)[number % 2]
        game = broken(legal=legal)
        loops = loops_for(game, "plain")
        assert plain_function(loops["step_lanes"].__globals__["legal"]).__name__ == legal.__name__
        del game, loops


def test_arrays_are_written_in_place() -> None:
    batch = make()
    kept = {name: getattr(batch, name) for name in FACES}
    batch.step(batch.sample())
    batch.rollout(3)
    batch.reset(4)
    assert all(getattr(batch, name) is array for name, array in kept.items())


def test_a_batch_is_made_from_a_name_too() -> None:
    with pytest.raises(UnknownGame):
        Batch("no_such_game", 4)
    assert Batch("xianqi", 2).game.name == "xianqi"


# --- refusals -------------------------------------------------------------------------


def illegal_in(batch: Batch, lane: int) -> int:
    return int(np.flatnonzero(batch.mask[lane] == 0)[0])


@pytest.mark.parametrize(
    ("spoil", "text"),
    [
        (lambda b, a: a[:-1], "step takes 200 whole numbers"),
        (lambda b, a: a.astype(float), "step takes 200 whole numbers"),
        (lambda b, a: a.astype(bool), "step takes 200 whole numbers"),
        (lambda b, a: a[:, None], "step takes 200 whole numbers"),
        (lambda b, a: ["draw"] * N, "step takes 200 whole numbers"),
        (lambda b, a: [[1], [1, 2]], "step takes 200 whole numbers"),
        (lambda b, a: [1 << 80] * N, "step takes 200 whole numbers"),
        (lambda b, a: None, "step takes 200 whole numbers"),
        (lambda b, a: np.where(np.arange(N) == 150, -1, a), "lane 150: action -1 is not legal"),
        (lambda b, a: np.where(np.arange(N) == 3, 5, a), "lane 3: action 5 is not legal"),
        (lambda b, a: np.where(np.arange(N) == 3, 1 << 20, a), "lane 3: action"),
        (lambda b, a: a.astype(np.int64) + (1 << 32), "out of range"),
        (lambda b, a: a.astype(np.uint64) + np.uint64(1 << 63), "out of range"),
        (lambda b, a: np.where(np.arange(N) == 70, illegal_in(b, 70), a), "lane 70: action"),
    ],
)
def test_bad_actions_are_refused_and_nothing_changes(spoil: Any, text: str) -> None:
    batch = make(5, threads=3)
    batch.rollout(4)
    actions = batch.sample()
    before = everything(batch)
    with pytest.raises(IllegalAction, match=text):
        batch.step(spoil(batch, actions))
    assert everything(batch) == before
    batch.step(actions)


def test_actions_of_any_whole_type_are_taken() -> None:
    one, other = make(5), make(5)
    actions = one.sample()
    assert (other.sample() == actions).all()
    one.step(actions)
    for_lists = [int(a) for a in actions]
    other.step(for_lists)
    assert everything(one) == everything(other)
    one.step(one.sample().astype(np.uint8))


@pytest.mark.parametrize("seed", [-1, 1 << 64, 1.5, "0", None, True])
def test_a_bad_seed_is_refused_and_nothing_changes(seed: Any) -> None:
    batch = make(5)
    before = everything(batch)
    with pytest.raises(BadSeed):
        batch.reset(seed)
    assert everything(batch) == before
    with pytest.raises(BadSeed):
        make(seed)


@pytest.mark.parametrize("n", [0, -1, 1.0, "4", None, True, 1 << 40])
def test_a_bad_number_of_lanes_is_refused(n: Any) -> None:
    with pytest.raises(BadSeats, match="a batch has 1 to"):
        Batch(GAME, n)


@pytest.mark.parametrize("steps", [-1, 1.0, "4", None, True])
def test_a_bad_number_of_steps_is_refused(steps: Any) -> None:
    batch = make(5)
    before = everything(batch)
    with pytest.raises(IllegalAction, match="steps is a whole number"):
        batch.rollout(steps)
    assert everything(batch) == before


@pytest.mark.parametrize("device", ["cuda", "gpu", "", None])
def test_a_device_that_is_not_there_is_refused(device: Any) -> None:
    with pytest.raises(NoDevice):
        Batch(GAME, 4, device=device)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2"])
def test_a_bad_number_of_threads_is_refused(threads: Any) -> None:
    with pytest.raises(NoDevice, match="threads"):
        Batch(GAME, 4, threads=threads)


def test_bad_options_and_seats_are_refused() -> None:
    with pytest.raises(BadOption):
        make(options={"speed": 1})
    with pytest.raises(BadSeats):
        make(seats=7)


@pytest.mark.parametrize("observe", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_rules_that_leave_a_seat_without_an_action_are_refused_by_name(observe: bool, threads: int) -> None:
    batch = Batch(STUCK, N, threads=threads, seats=3)
    batch.rollout(3, observe)
    with pytest.raises(BadGame, match="stuck: lane 0: seat 0 has no legal action"):
        batch.rollout(1, observe)
    actions = batch.sample()
    assert (actions == -1).all()
    with pytest.raises(IllegalAction, match="lane 0: action -1"):
        batch.step(actions)


def test_a_state_of_a_batch_is_a_state_like_any_other() -> None:
    batch = make(5, n=3)
    s = copy_state(batch.state[1])
    GAME.rules.apply(s, GAME.legal_actions(s)[0])
    assert new_state(GAME.rules.State).dtype == s.dtype
    assert int(batch.state[1]["ply"]) == 0
