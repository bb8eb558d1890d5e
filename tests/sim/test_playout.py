"""Playouts: next to a naive twin, the same whatever the threads, and refused by name."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest

from qipai.core import Game, Search, draw, get, names, pick, rule
from qipai.core.errors import (
    BadBatch,
    BadCount,
    BadGame,
    BadOption,
    BadSeed,
    BadState,
    BadStream,
    IllegalAction,
    MatchOver,
    NoDevice,
)
from qipai.sim import Batch, playouts
from qipai.sim.playout import job_of, run_on_cpu, summary
from tests.envs.toy import LAPS, STUCK
from tests.naive.playouts import playouts as naive
from tests.toys_check.changing import changed
from tests.toys_check.hush import GAME

SEED = (5 << 32) + 17


@rule(work="i8[:]")
def wilful(s, mask, n, rng, work):  # type: ignore[no-untyped-def]
    """Choose the last legal action, but for one in four."""
    if draw(rng, 4) == 0:
        return pick(rng, mask, n)
    last = 0
    for a in range(mask.shape[0]):
        if mask[a] != 0:
            last = a
    return last


WILFUL = changed(GAME, playout=wilful)


@rule(work="i8[:]")
def noting(s, mask, n, rng, work):  # type: ignore[no-untyped-def]
    """Note the legal actions in the scratch, and choose one of them."""
    count = 0
    for a in range(mask.shape[0]):
        if mask[a] != 0:
            work[count] = a
            count += 1
    return work[draw(rng, count)]


NOTING = changed(GAME, playout=noting, search=Search(work=GAME.rules.actions))


def positions(game: Game, count: int, steps: int = 3) -> tuple[Any, list[int]]:
    """Return positions after a few random decisions, and a legal action in each."""
    batch = Batch(game, count, 4, redeal=False)
    batch.rollout(steps)
    assert (batch.seat >= 0).all()
    return batch.state.copy(), batch.sample().tolist()


def assert_equal(found: Any, wanted: dict[str, Any]) -> None:
    assert found.mean.tolist() == [[float(x) for x in row] for row in wanted["mean"]]
    assert found.error.tolist() == [[math.sqrt(x) for x in row] for row in wanted["variance"]]
    assert found.cut.tolist() == wanted["cut"] and found.decisions == wanted["decisions"]


@pytest.mark.parametrize("name", ["laps", *(pytest.param(name, marks=pytest.mark.slow) for name in names())])
def test_playouts_are_those_of_the_naive_twin(name: str) -> None:
    game = LAPS if name == "laps" else get(name)
    states, actions = positions(game, 2)
    job = job_of(game, states, actions, 2, SEED)
    wanted = naive(game, list(states), actions, 2, SEED)
    for variant in ("checked", "compiled"):
        assert_equal(summary(job, run_on_cpu(job, 1, variant)), wanted)
    assert_equal(playouts(name if name != "laps" else game, states, actions, 2, SEED), wanted)


def test_a_policy_has_its_scratch() -> None:
    states, actions = positions(NOTING, 5)
    wanted = naive(NOTING, list(states), actions, 9, SEED, own=True)
    assert_equal(playouts(NOTING, states, actions, 9, SEED, policy="own"), wanted)


@pytest.mark.parametrize("policy", ["uniform", "own"])
def test_the_policy_is_uniform_or_the_games_own(policy: str) -> None:
    states, actions = positions(WILFUL, 5)
    for first in (actions, None):
        found = playouts(WILFUL, states, first, 9, SEED, policy=policy)
        asked: list[int | None] = [*first] if first is not None else [None] * 5
        assert_equal(found, naive(WILFUL, list(states), asked, 9, SEED, own=policy == "own"))


def test_one_state_serves_for_all_actions() -> None:
    game = get("xianqi")
    s = game.new()
    actions = game.legal_actions(s)
    one = playouts(game, s, actions, 50, SEED)
    each = playouts(game, [s] * len(actions), np.array(actions, np.uint8), 50, SEED)
    assert one.mean.shape == (len(actions), 3)
    assert one.totals.tobytes() == each.totals.tobytes() and one.error.tobytes() == each.error.tobytes()
    assert (one.totals[:, 0] + one.totals[:, 3] + one.totals[:, 6] == 0).all()  # chips change hands
    assert len({row.tobytes() for row in one.mean}) > 1


@pytest.mark.parametrize("piece", [1, 7, 4096])
def test_results_do_not_depend_on_threads_and_pieces(piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    states, actions = positions(GAME, 6)
    wanted = playouts(GAME, states, actions, 40, SEED, threads=1)
    monkeypatch.setattr("qipai.sim.playout.PIECE", piece)
    for threads in (1, 2, 5, None):
        found = playouts(GAME, states, actions, 40, SEED, threads=threads)
        assert found.totals.tobytes() == wanted.totals.tobytes()
        assert found.mean.tobytes() == wanted.mean.tobytes()


def test_a_playout_depends_on_seed_position_and_number_alone() -> None:
    states, actions = positions(GAME, 4)
    few = playouts(GAME, states, actions, 30, SEED)
    less = playouts(GAME, states[:2], actions[:2], 30, SEED)
    assert (few.totals[:2] == less.totals).all()
    longer = playouts(GAME, states, actions, 31, SEED).totals - few.totals  # one more of each position
    last = naive(GAME, [states[3]], [actions[3]], 1, SEED)
    assert longer[:, -2].min() >= 1 and last["decisions"] >= 1
    assert (playouts(GAME, states, actions, 30, SEED + (1 << 32)).totals != few.totals).any()
    assert (playouts(GAME, states, actions, 30, SEED + 1).totals != few.totals).any()
    same = playouts(GAME, states[[0, 0, 0, 0]], [actions[0]] * 4, 30, SEED)
    assert len({row.tobytes() for row in same.totals}) == 4


def test_the_states_are_not_written_to() -> None:
    states, actions = positions(GAME, 4)
    before = states.tobytes()
    playouts(GAME, states, actions, 5)
    assert states.tobytes() == before


def test_a_limit_cuts_a_playout_and_is_counted() -> None:
    states, actions = positions(GAME, 3, 0)
    found = playouts(GAME, states, actions, 8, SEED, limit=2)
    assert_equal(found, naive(GAME, list(states), actions, 8, SEED, limit=2))
    assert found.cut.tolist() == [8, 8, 8] and found.decisions == 48
    capped = GAME.new({"cap": 3}, seats=3)
    assert playouts(GAME, capped, None, 8).cut.tolist() == [8]


def test_a_single_playout_has_no_error() -> None:
    found = playouts("xianqi", get("xianqi").new(), None, 1)
    assert np.isnan(found.error).all() and np.isfinite(found.mean).all()


def test_sums_of_huge_payoffs_are_exact() -> None:
    """Squares of 2^31 - 1 are kept in two halves; floats and one int64 would both be wrong."""
    job = job_of(GAME, GAME.new(seats=2), None, 1000, 0)
    payoff = (1 << 31) - 1
    square = payoff * payoff
    totals = np.zeros((1, job.columns), np.int64)
    for k, sign in enumerate((1, -1)):
        totals[0, 3 * k : 3 * k + 3] = 0, 1000 * (square & 0xFFFFFFFF), 1000 * (square >> 32)
        totals[0, 3 * k] = 2 * sign * payoff  # 501 games won and 499 lost
    found = summary(job, totals)
    assert found.mean.tolist() == [[2 * payoff / 1000, -2 * payoff / 1000]]
    exact = math.sqrt((1000 * 1000 * square - 4 * square) / (1000 * 1000 * 999))
    assert found.error.tolist() == [[exact, exact]]


def test_results_can_be_pickled() -> None:
    found = playouts(GAME, GAME.new(seats=3), None, 20)
    again = pickle.loads(pickle.dumps(found))
    assert again.totals.tobytes() == found.totals.tobytes() and again.n == 20


# --- refusals -------------------------------------------------------------------------


def over() -> Any:
    batch = Batch(GAME, 3, 2)
    states = batch.state.copy()
    batch.playout()
    states[1] = batch.state[1]
    return states


def illegal() -> int:
    return int(np.flatnonzero(GAME.mask(GAME.new(seats=3))[: GAME.rules.actions] == 0)[0])


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ({"states": get("nana").new()}, BadState, "hush: what was given has the fields of another game"),
        ({"states": np.zeros(3)}, BadState, "what was given is a ndarray, not a state"),
        ({"states": None}, BadState, "what was given is None, not a state"),
        ({"states": []}, BadBatch, "no states are given"),
        ({"states": over(), "actions": None}, MatchOver, "position 1 is over"),
        ({"actions": [0, illegal()]}, IllegalAction, f"position 1: action {illegal()} is not legal"),
        ({"actions": [-1]}, IllegalAction, "position 0: action -1 is not legal"),
        ({"actions": [0, 1 << 20]}, IllegalAction, "position 1: action 1048576 is not legal"),
        ({"actions": [1 << 40]}, IllegalAction, "out of range"),
        ({"actions": []}, BadBatch, "0 actions do not fit 1 states"),
        ({"actions": 0}, BadBatch, "actions must be a list of whole numbers, or None, not 0"),
        ({"actions": [0.5]}, BadBatch, "playouts takes 1 whole numbers, not float64"),
        ({"actions": ["a"]}, BadBatch, "playouts takes 1 whole numbers"),
        ({"states": [GAME.new(seats=3)] * 2, "actions": [0]}, BadBatch, "1 actions do not fit 2 states"),
        ({"n": 0}, BadCount, "n must be a whole number from 1 to 2147483647, not 0"),
        ({"n": 1 << 40}, BadCount, "n must be a whole number from 1 to 2147483647"),
        ({"n": 2.0}, BadCount, "n must be a whole number"),
        ({"n": True}, BadCount, "n must be a whole number"),
        ({"n": (1 << 31) - 1, "actions": [0] * 513}, BadCount, "513 positions with 2147483647 playouts each"),
        ({"limit": 0}, BadCount, "limit must be a whole number"),
        ({"limit": 1 << 40}, BadCount, "limit must be a whole number"),
        ({"threads": 0}, BadCount, "threads must be a whole number"),
        ({"threads": 1 << 40}, BadCount, "threads must be a whole number"),
        ({"seed": -1}, BadSeed, "seed must be a whole number"),
        ({"seed": 1 << 64}, BadSeed, "seed must be a whole number"),
        ({"policy": "best"}, BadOption, "policy must be one of uniform, own, not 'best'"),
        ({"policy": "own"}, BadOption, "hush has no playout policy of its own"),
        ({"device": "gpu"}, NoDevice, "unknown device 'gpu'"),
        ({"stream": 7}, BadStream, "only playouts on a GPU have a stream"),
    ],
)
def test_bad_input_is_refused_by_name(given: dict[str, Any], error: Any, says: str) -> None:
    asked = {"states": GAME.new(seats=3), "actions": [0], "n": 3, **given}
    with pytest.raises(error, match=says):
        playouts(GAME, **asked)


def test_rules_that_leave_a_seat_without_an_action_are_refused_by_name() -> None:
    with pytest.raises(BadGame, match="stuck: in a playout of position 0 a seat has no legal action"):
        playouts(STUCK, Batch(STUCK, 1, seats=3).state, None, 4)
