"""Batches: their arrays, rewards and ends, and bad input changes nothing."""

from __future__ import annotations

import copy
import os
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from qipai.core import copy_state, get, new_state, new_states
from qipai.core.errors import (
    BadBatch,
    BadCount,
    BadOption,
    BadPickle,
    BadSeats,
    BadSeed,
    BadStream,
    IllegalAction,
    NoDecision,
    NoDevice,
    UnknownGame,
)
from qipai.sim import Batch
from qipai.sim.batch import MAX_LANES, whole_actions
from qipai.sim.cpu import machine_memory
from tests.toys_check import faults
from tests.toys_check.faults import broken
from tests.toys_check.hush import GAME

from .batches import ARRAYS, FORMS, N, everything, make

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


def test_all_seats_are_observed_from_the_deciding_one_on() -> None:
    batch = Batch("xianqi", 70, seed=2)
    batch.rollout(7)
    rows, game = batch.observe_all(), batch.game
    found = rows.reshape(70, 3, game.observation_size)
    assert (found[:, 0] == batch.obs).all()
    for i in (0, 33, 69):
        for k in range(3):
            wanted = game.observation_of(batch.state[i], (int(batch.seat[i]) + k) % 3)
            assert (found[i, k] == wanted).all()
    assert (found[:, 0] != found[:, 1]).any()
    assert batch.observe_all() is rows


def test_options_that_leave_no_decision_are_refused() -> None:
    with pytest.raises(NoDecision, match="no deal leads to a decision"):
        Batch(broken(deal=faults.deal_void), 4, seats=2)


def test_arrays_are_written_in_place() -> None:
    batch = make()
    kept = {name: getattr(batch, name) for name in ARRAYS}
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
    error = BadBatch if text.startswith("step takes") else IllegalAction
    with pytest.raises(error, match=text):
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


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("threads", [1, 3])
def test_actions_in_memory_of_any_form_are_taken(form: str, threads: int) -> None:
    one, other = make(5, threads=threads), make(5, threads=threads)
    for _ in range(3):
        actions = one.sample()
        other.sample()
        one.step(actions)
        other.step(FORMS[form](actions))
        assert everything(one) == everything(other)


@pytest.mark.parametrize("form", FORMS)
def test_an_illegal_action_in_memory_of_any_form_is_refused(form: str) -> None:
    batch = make(5)
    before = everything(batch)
    with pytest.raises(IllegalAction, match="lane 0: action 5"):
        batch.step(FORMS[form](np.full(N, 5, np.int32)))
    assert everything(batch) == before


def test_actions_that_compiled_code_takes_are_not_copied() -> None:
    whole = np.zeros(2 * N, np.int32)
    for actions in (whole[:N], whole[N:].copy()):
        assert whole_actions(actions, N) is actions


class Gone:
    """An array whose memory its library has released."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise RuntimeError("the array has been deleted")


def test_an_array_that_cannot_be_read_is_refused_by_name() -> None:
    with pytest.raises(BadBatch, match="step takes 200 whole numbers, not a Gone"):
        make(5).step(Gone())


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
    with pytest.raises(BadBatch, match="a batch has 1 to"):
        Batch(GAME, n)


@pytest.mark.parametrize("steps", [-1, 1.0, "4", None, True])
def test_a_bad_number_of_steps_is_refused(steps: Any) -> None:
    batch = make(5)
    before = everything(batch)
    with pytest.raises(BadCount, match="steps must be a whole number"):
        batch.rollout(steps)
    assert everything(batch) == before


@pytest.mark.parametrize("device", ["cuda", "gpu", "", None])
def test_a_device_that_is_not_there_is_refused(device: Any) -> None:
    with pytest.raises(NoDevice):
        Batch(GAME, 4, device=device)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2"])
def test_a_bad_number_of_threads_is_refused(threads: Any) -> None:
    with pytest.raises(BadCount, match="threads"):
        Batch(GAME, 4, threads=threads)


def test_bad_options_and_seats_are_refused() -> None:
    with pytest.raises(BadOption):
        make(options={"speed": 1})
    with pytest.raises(BadSeats):
        make(seats=7)


def test_a_state_of_a_batch_is_a_state_like_any_other() -> None:
    batch = make(5, n=3)
    s = copy_state(batch.state[1])
    GAME.rules.apply(s, GAME.legal_actions(s)[0])
    assert new_state(GAME.rules.State).dtype == s.dtype
    assert int(batch.state[1]["ply"]) == 0


def test_a_batch_on_the_cpu_takes_no_stream() -> None:
    with pytest.raises(BadStream, match="on the CPU"):
        Batch(GAME, 3, stream=0)


# --- pickles --------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("threads", [None, 1, 3])
def test_a_pickled_batch_goes_on_as_the_original_does(protocol: int, threads: int | None) -> None:
    batch = make(5, threads=threads, options={"cap": 6})
    batch.rollout(4)
    batch.step(batch.sample())
    twin = pickle.loads(pickle.dumps(batch, protocol))
    assert everything(twin) == everything(batch) and twin.threads == batch.threads
    for _ in range(3):
        actions = batch.sample()
        assert np.array_equal(twin.sample(), actions)
        batch.step(actions)
        twin.step(actions)
        assert batch.rollout(5, observe=True) == twin.rollout(5, observe=True)
        assert everything(twin) == everything(batch)


def test_a_deep_copy_goes_its_own_way() -> None:
    batch = make(5)
    before = everything(batch)
    twin = copy.deepcopy(batch)
    twin.rollout(4)
    assert everything(batch) == before != everything(twin)
    batch.rollout(4)
    assert everything(batch) == everything(twin)


def test_a_batch_unpickled_into_shared_memory_is_written_to() -> None:
    buffers: list[pickle.PickleBuffer] = []
    batch = make(5)
    data = pickle.dumps(batch, protocol=5, buffer_callback=buffers.append)
    twin = pickle.loads(data, buffers=[bytes(b.raw()) for b in buffers])
    assert buffers and twin.rollout(5) == batch.rollout(5)
    assert everything(twin) == everything(batch)


@pytest.mark.parametrize(
    ("name", "other", "says"),
    [
        ("mask", np.zeros((N, 64), np.uint8), r"hush: the pickled mask is \(200, 64\), not \(200, 32\)"),
        ("seat", np.zeros(N - 1, np.int8), r"hush: the pickled seat is \(199,\), not \(200,\)"),
        (
            "state",
            new_states(get("xianqi").rules.State, N),
            "the pickled states do not have the fields",
        ),
    ],
)
def test_a_pickled_batch_of_another_shape_is_refused(name: str, other: Any, says: str) -> None:
    kept = make(5).__getstate__()
    kept["arrays"][name] = other
    with pytest.raises(BadPickle, match=says):
        Batch.__new__(Batch).__setstate__(kept)


def test_a_batch_that_does_not_fit_into_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest batch is refused before anything of it is allocated, unless the machine has room for it."""

    def full(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("qipai.sim.cpu.new_states", full)
    with pytest.raises(BadBatch, match="do not fit into memory"):
        Batch("xianqi", 2**20)  # NumPy itself finds none
    game = get("xianqi")
    if game.rules.State.itemsize * MAX_LANES > machine_memory():
        monkeypatch.setattr("qipai.sim.cpu.new_states", lambda *_: pytest.fail("it must not be tried"))
        with pytest.raises(BadBatch, match="268435456 lanes of xianqi do not fit into memory"):
            Batch("xianqi", MAX_LANES)


def test_a_batch_that_needs_more_than_the_machine_has_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = get("xianqi")
    lane = game.rules.State.itemsize + game.width + game.observation_size
    monkeypatch.setattr("qipai.sim.cpu.machine_memory", lambda: 100.0 * lane)
    assert Batch("xianqi", 100).n == 100
    with pytest.raises(BadBatch, match="101 lanes of xianqi do not fit into memory"):
        Batch("xianqi", 101)
    assert 1e8 < machine_memory() < 1e15 or os.name != "posix"
