"""The CPU engine: the same bytes for any number of threads, and separate loops per game."""

from __future__ import annotations

import pytest

from qipai.core.errors import BadGame, IllegalAction
from qipai.core.rule import plain_function
from qipai.sim import Batch
from qipai.sim.cpu import KEPT, LOOPS, PLAYOUTS, CpuEngine, is_kept, loops_for, primitives_for
from tests.envs.toy import STUCK
from tests.toys_check import faults, hush
from tests.toys_check.faults import broken
from tests.toys_check.hush import GAME

from .batches import N, arrays, everything, make


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
    assert arrays(rolled) == arrays(stepped)


def test_steps_are_the_same_with_several_threads() -> None:
    one, three = make(9, threads=1), make(9, threads=3)
    for _ in range(15):
        one.step(one.sample())
        three.step(three.sample())
    assert arrays(one) == arrays(three)


def test_rollouts_in_parts_are_one_rollout() -> None:
    whole, parts = make(2), make(2)
    whole.rollout(20)
    for steps in (0, 1, 7, 12):
        parts.rollout(steps, observe=steps == 7)
    assert everything(whole) == everything(parts)


def test_few_lanes_are_left_to_one_thread() -> None:
    assert make(n=63, threads=8).threads == 1
    assert make(n=1, threads=2).threads == 1


def test_loops_belong_to_a_game_and_not_to_the_place_it_has_in_memory() -> None:
    """The id of a deleted game may be reused by the next one, which must not get its loops."""
    for number in range(6):
        legal = (hush.legal, faults.legal_miscounts)[number % 2]
        game = broken(legal=legal)
        loops = loops_for(game, "plain")
        assert plain_function(loops["step_lanes"].__globals__["legal"]).__name__ == legal.__name__
        del game, loops


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


def test_what_is_compiled_is_kept_for_the_next_batch() -> None:
    make()
    assert is_kept(GAME)


def test_the_loops_count_no_references_to_arrays() -> None:
    """Counting is an atomic operation per array and call: a third of the time of a short game."""
    groups = [loops_for(GAME), primitives_for(GAME, KEPT), primitives_for(GAME, PLAYOUTS)]
    made = {name: loop.targetoptions["_nrt"] for group in groups for name, loop in group.items()}
    assert set(made) == {*LOOPS, *KEPT, *PLAYOUTS} and not any(made.values())


def test_arrays_start_with_copies_of_the_blank_state() -> None:
    blank = GAME.blank({"cap": 4}, 3)
    arrays_of = CpuEngine(GAME, 5, threads=1).allocate(blank)
    assert all(state.tobytes() == blank.tobytes() for state in arrays_of.state)
    assert arrays_of.mask.shape == (5, GAME.width)
    assert not arrays_of.mask.any() and not arrays_of.choice.any()
