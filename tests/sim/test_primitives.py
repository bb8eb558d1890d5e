"""Lanes that stay over, chosen resets, loaded states and redrawn worlds, next to plain single games."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from qipai.core import State, copy_state, get, names
from qipai.core.errors import BadBatch, BadCount, BadGame, BadSeats, BadSeed, BadState, IllegalAction
from qipai.sim import Batch, Rollout
from qipai.sim.cpu import CpuEngine
from tests.envs.toy import STUCK
from tests.naive.playouts import Lane
from tests.toys_check.hush import GAME

from .batches import N, arrays, everything, make

SEED = (3 << 32) + 11


def assert_alike(batch: Batch, lanes: list[Lane]) -> None:
    """All that a batch shows is what the single games show."""
    for i, lane in enumerate(lanes):
        assert batch.state[i].tobytes() == lane.state.tobytes()
        mask, obs, seat = lane.shown()
        assert batch.mask[i].tolist() == mask
        assert batch.obs[i].tolist() == obs
        assert int(batch.seat[i]) == seat
        assert batch.reward[i].tolist() == lane.reward
        assert (int(batch.done[i]), int(batch.cut[i])) == (lane.done, lane.cut)


def step_all(batch: Batch, lanes: list[Lane]) -> None:
    actions = batch.sample()
    assert actions.tolist() == [lane.choose() for lane in lanes]
    batch.step(actions)
    for lane, action in zip(lanes, actions.tolist(), strict=True):
        lane.step(action)


def checked(batch: Batch) -> Batch:
    """Return the same batch, played with bounds checks."""
    batch._engine = CpuEngine(batch.game, batch.n, 1, variant="checked")
    return batch


@pytest.mark.parametrize("name", ["hush", *(pytest.param(name, marks=pytest.mark.slow) for name in names())])
def test_lanes_without_a_new_deal_are_single_games_that_stay_over(name: str) -> None:
    game = GAME if name == "hush" else get(name)
    batch = checked(Batch(game, 3, SEED, redeal=False))
    lanes = [Lane(game, SEED, i) for i in range(3)]
    assert_alike(batch, lanes)
    for step in range(12):
        step_all(batch, lanes)
        assert_alike(batch, lanes)
        if step == 6:
            batch.redraw(0)
            for lane in lanes:
                lane.redraw(0)
            assert_alike(batch, lanes)
    batch.reset(mask=[1, 0, 0])
    lanes[0].reset()
    batch.reset(9, mask=np.array([False, True, False]))
    lanes[1].reset(9)
    assert_alike(batch, lanes)
    step_all(batch, lanes)
    assert_alike(batch, lanes)


@pytest.mark.parametrize("name", ["hush", *(pytest.param(name, marks=pytest.mark.slow) for name in names())])
def test_a_playout_comes_to_the_end_of_every_game_with_its_payoffs(name: str) -> None:
    game = GAME if name == "hush" else get(name)
    batch = checked(Batch(game, 2, SEED, redeal=False))
    lanes = [Lane(game, SEED, i) for i in range(2)]
    made = 0
    for lane in lanes:
        while lane.state["seat"] >= 0:
            lane.step(lane.choose())
            made += 1
    whole = copy.deepcopy(batch)
    assert batch.playout().tolist() == [lane.state["payoff"].tolist()[: len(lane.reward)] for lane in lanes]
    assert_alike(batch, lanes)
    assert whole.rollout(1 << 20) == Rollout(made, 2)
    assert arrays(whole) == arrays(batch)
    before = everything(batch)
    assert batch.playout().tolist() == batch.state["payoff"][:, : batch.reward.shape[1]].tolist()
    assert batch.rollout(5) == Rollout(0, 0)
    assert everything(batch) == before


def test_resetting_what_is_over_plays_on_as_a_batch_that_deals_by_itself() -> None:
    for threads in (1, 3):
        itself, kept = make(5, threads=threads), make(5, threads=threads, redeal=False)
        for _ in range(25):
            actions = itself.sample()
            assert (kept.sample() == actions).all()
            for batch in (itself, kept):
                batch.step(actions)
            assert all((getattr(kept, k) == getattr(itself, k)).all() for k in ("reward", "done", "cut"))
            assert ((kept.seat < 0) == (itself.done == 1)).all()
            kept.reset(mask=kept.done)
            assert all(
                (getattr(kept, k) == getattr(itself, k)).all() for k in ("state", "mask", "obs", "seat")
            )


def test_rollouts_without_a_new_deal_are_steps_whatever_the_threads() -> None:
    stepped, *rolled = (make(9, threads=t, redeal=False) for t in (1, 1, 3))
    made = games = 0
    for _ in range(8):
        made += int((stepped.seat >= 0).sum())
        stepped.step(stepped.sample())
        games += int(stepped.done.sum())
    for batch in rolled:
        assert batch.rollout(8, observe=batch.threads == 3) == Rollout(made, games)
        assert batch.state.tobytes() == stepped.state.tobytes()
        assert (batch.mask == stepped.mask).all() and (batch.obs == stepped.obs).all()
        going = stepped.seat >= 0
        assert (batch.reward[going] == stepped.reward[going]).all()
        assert (batch.done == (~going).astype(np.uint8)).all()  # the outputs of each lane's last decision
    assert 0 < games < N


def test_a_lane_that_is_over_takes_any_action_and_no_other_lane_does() -> None:
    batch = make(9, redeal=False)
    batch.rollout(7)
    over = np.flatnonzero(batch.seat < 0)
    actions = batch.sample()
    assert len(over) and (actions[over] == -1).all()
    actions[over] = 99
    before = [batch.state[i].tobytes() for i in over]
    batch.step(actions)
    assert [batch.state[i].tobytes() for i in over] == before and not batch.reward[over].any()
    going = int(np.flatnonzero(batch.seat >= 0)[0])
    actions = batch.sample()
    actions[going] = 99
    kept = everything(batch)
    with pytest.raises(IllegalAction, match=f"lane {going}: action 99"):
        batch.step(actions)
    assert everything(batch) == kept


def test_a_playout_stops_at_its_limit() -> None:
    batch, twin = make(9), make(9, redeal=False)
    payoffs = batch.playout(limit=2)
    twin.rollout(2)
    assert batch.state.tobytes() == twin.state.tobytes() and (batch.seat >= 0).any()
    assert (payoffs == batch.state["payoff"][:, :3]).all()
    assert (batch.playout(limit=0) == payoffs).all()


def test_rules_that_leave_a_seat_without_an_action_are_refused_by_name() -> None:
    batch = Batch(STUCK, N, seats=3)
    with pytest.raises(BadGame, match="stuck: lane 0: seat 0 has no legal action"):
        batch.playout()


# --- load -----------------------------------------------------------------------------


def forms(states: Any) -> dict[str, Any]:
    """Return the same states in every form."""
    return {
        "recarray": states,
        "array": np.asarray(states),
        "slice": np.repeat(states, 2)[::2],
        "list": [states[i] for i in range(len(states))],
        "tuple of copies": tuple(copy.deepcopy(states[i]) for i in range(len(states))),
    }


@pytest.mark.parametrize("form", ["recarray", "array", "slice", "list", "tuple of copies"])
def test_loaded_states_are_those_of_the_other_batch(form: str) -> None:
    other, batch = make(8), make(1)
    other.rollout(5)
    batch.step(batch.sample())
    batch.load(forms(other.state)[form])
    assert batch.state.tobytes() == other.state.tobytes()
    assert all((getattr(batch, k) == getattr(other, k)).all() for k in ("mask", "obs", "seat"))
    assert not batch.reward.any() and not batch.done.any() and not batch.cut.any()
    other.state[0]["ply"] += 1
    assert batch.state[0]["ply"] != other.state[0]["ply"]


@pytest.mark.parametrize("name", names())
def test_one_state_is_loaded_into_every_lane_and_redrawn_into_different_worlds(name: str) -> None:
    game = get(name)
    batch = Batch(game, 8, 4, redeal=False)
    batch.rollout(3)
    s: State = copy_state(batch.state[0])
    seat = int(s["seat"])
    batch.load(s)
    assert all(batch.state[i].tobytes() == s.tobytes() for i in range(8))
    seen, mask = batch.obs.copy(), batch.mask.copy()
    batch.redraw(seat)
    assert (batch.obs == seen).all() and (batch.mask == mask).all() and (batch.seat == seat).all()
    assert len({batch.state[i]["rng"].tobytes() for i in range(8)}) == 8
    worlds = {i: batch.state[i].tobytes() for i in range(8)}
    batch.redraw(batch.seat)
    assert all(batch.state[i].tobytes() != worlds[i] for i in range(8))
    batch.redraw(-1)


def test_a_state_that_is_over_is_loaded_as_such() -> None:
    batch = make(4, n=3)
    ended = make(4, n=3)
    ended.playout()
    batch.load(ended.state)
    assert (batch.seat == -1).all() and not batch.mask.any() and not batch.obs.any()
    batch.redraw(0)
    assert batch.state.tobytes() == ended.state.tobytes()
    batch.reset(mask=[1, 1, 1])
    assert (batch.seat >= 0).all()


def spoilt(field: str, value: int) -> Any:
    states = make(4).state.copy()
    states[field][7] = value
    return states


@pytest.mark.parametrize(
    ("states", "error", "says"),
    [
        (lambda: make(4).state[:-1], BadBatch, "load takes one state or 200 of them, not 199"),
        (lambda: make(4).state[:0], BadBatch, "not 0"),
        (list, BadBatch, "not 0"),
        (
            lambda: make(4).state.reshape(100, 2),
            BadBatch,
            r"states come in one row, not in an array \(100, 2\)",
        ),
        (lambda: Batch("nana", N).state, BadState, "hush: what was given has the fields of another game"),
        (lambda: [get("nana").new()] * N, BadState, "hush: state 0 of the list has the fields of another"),
        (lambda: np.zeros(N), BadState, "what was given is a ndarray, not a state"),
        (lambda: None, BadState, "what was given is None, not a state"),
        (lambda: [1] * N, BadState, "state 0 of the list is 1, not a state"),
        (lambda: make(4).state["rng"], BadState, "not a state"),
        (lambda: make(4, seats=2).state, BadState, "state 0 is not played by 3 seats"),
        (lambda: spoilt("seat", 3), BadState, "state 7 has a seat to decide that does not exist"),
        (lambda: spoilt("seat", -2), BadState, "state 7 has a seat to decide that does not exist"),
        (lambda: spoilt("seats", 2), BadState, "state 7 is not played by 3 seats"),
        (lambda: spoilt("phase", 99), BadState, "state 7 is in a phase that the game does not have"),
        (lambda: spoilt("ply", -1), BadState, "state 7 has a negative number of plies"),
        (lambda: spoilt("cut", 2), BadState, "state 7 is cut neither with 0 nor 1"),
    ],
)
def test_what_are_no_states_of_the_batch_is_refused_and_nothing_changes(
    states: Any, error: Any, says: str
) -> None:
    batch = make(5)
    batch.rollout(3)
    before = everything(batch)
    with pytest.raises(error, match=says):
        batch.load(states())
    assert everything(batch) == before


# --- refusals of the others -------------------------------------------------------------


@pytest.mark.parametrize(
    ("mask", "says"),
    [
        ([True] * (N - 1), r"a mask of lanes has 200 entries, each true or false, not bool \(199,\)"),
        ([0.0] * N, r"not float64 \(200,\)"),
        ([[True]] * N, r"not bool \(200, 1\)"),
        (["yes"] * N, "not <U3"),
        ([[1], [1, 2]], "not a list"),
        (True, r"not bool \(\)"),
        (np.arange(N), "a mask of lanes holds only 0 and 1; it is not a list of lanes"),
        ([-1] * N, "holds only 0 and 1"),
    ],
)
def test_a_bad_mask_of_lanes_is_refused_and_nothing_changes(mask: Any, says: str) -> None:
    batch = make(5)
    before = everything(batch)
    with pytest.raises(BadBatch, match=says):
        batch.reset(mask=mask)
    with pytest.raises(BadSeed):
        batch.reset(-1, mask=[True] * N)
    assert everything(batch) == before


@pytest.mark.parametrize(
    ("seat", "says"),
    [
        (3, "a viewer is a seat from 0 to 2 or a watcher, -1"),
        (-2, "a viewer is a seat"),
        ([0] * (N - 1), r"redraw takes one seat, or 200 of them, not int64 \(199,\)"),
        (0.0, "not float64"),
        (None, "not None"),
        (True, "not bool"),
        ([0] * (N - 1) + [7], "a viewer is a seat"),
        (1 << 80, "redraw takes one seat"),
    ],
)
def test_a_bad_seat_is_refused_and_nothing_changes(seat: Any, says: str) -> None:
    batch = make(5)
    before = everything(batch)
    with pytest.raises(BadSeats, match=says):
        batch.redraw(seat)
    assert everything(batch) == before


@pytest.mark.parametrize("limit", [-1, 1 << 31, 1 << 40, 1.0, True, "4"])
def test_a_bad_limit_is_refused_and_nothing_changes(limit: Any) -> None:
    batch = make(5)
    before = everything(batch)
    with pytest.raises(BadCount, match="limit must be a whole number"):
        batch.playout(limit)
    assert everything(batch) == before


def test_a_batch_that_does_not_deal_again_is_pickled_as_such() -> None:
    batch = make(5, redeal=False)
    batch.rollout(8)
    twin = pickle.loads(pickle.dumps(batch))
    assert not twin.redeal and everything(twin) == everything(batch)
    for each in (batch, twin):
        each.rollout(3)
        each.reset(mask=each.seat < 0)
    assert everything(twin) == everything(batch)
    old = make(5).__getstate__()
    del old["redeal"]  # as batches were pickled before
    found = Batch.__new__(Batch)
    found.__setstate__(old)
    assert found.redeal


def test_a_state_on_another_board_is_refused_though_its_record_is_the_same() -> None:
    small, large = (get("skill_gomoku", {"board_size": n}) for n in (9, 15))
    batch = Batch(large, 4)
    before = everything(batch)
    with pytest.raises(BadState, match=r"a state has options that this game does not: .*board_size"):
        batch.load(small.new())
    assert everything(batch) == before
