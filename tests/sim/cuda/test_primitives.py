"""The kernels of what a search needs, run in plain Python: the bytes are those of the CPU."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from qipai.core import get
from qipai.core.errors import BadBatch, BadGame, IllegalAction
from qipai.sim import Batch
from qipai.sim.cuda import build as cuda_build
from tests.envs.toy import LAPS, PARTED, STUCK
from tests.sim.alike import assert_equal

from .conftest import WARP, Make
from .test_kernels import games


def without_a_new_deal(cpu: Batch, gpu: Batch) -> None:
    cpu.redeal = gpu.redeal = False


def step_both(cpu: Batch, gpu: Batch) -> None:
    actions = cpu.sample()
    there = gpu.sample()
    assert np.array_equal(actions, there.copy_to_host())
    cpu.step(actions)
    gpu.step(there)
    assert_equal(cpu, gpu)


def reset_both(cpu: Batch, gpu: Batch, mask: Any, **seed: int) -> None:
    cpu.reset(mask=mask, **seed)
    gpu.reset(mask=mask, **seed)
    assert_equal(cpu, gpu)


@pytest.mark.parametrize("name", games())
def test_every_lane_is_as_on_the_cpu_and_stays_over(name: str, pair: Make) -> None:
    game = LAPS if name == "laps" else get(name)
    cpu, gpu, device = pair(game, WARP + 5)
    without_a_new_deal(cpu, gpu)
    for _ in range(3):
        step_both(cpu, gpu)
    chosen = np.arange(cpu.n) % 3 == 0
    reset_both(cpu, gpu, chosen)
    reset_both(cpu, gpu, ~chosen, seed=5)
    for batch in (cpu, gpu):
        batch.redraw(0)
    assert_equal(cpu, gpu)
    assert cpu.rollout(5) == gpu.rollout(5)
    assert_equal(cpu, gpu)
    other = Batch(game, cpu.n, 3)
    for batch in (cpu, gpu):
        batch.load(other.state)
    assert_equal(cpu, gpu)
    assert np.array_equal(cpu.playout(), gpu.playout().copy_to_host())
    assert_equal(cpu, gpu)
    assert (cpu.seat == -1).all() and (cpu.obs != 0).any()
    step_both(cpu, gpu)  # nothing moves
    reset_both(cpu, gpu, cpu.seat < 0)
    assert {kernel for kernel, _, _ in device.launches} >= set(cuda_build.KEPT)


def test_games_end_at_different_times_and_keep_their_last_observation(pair: Make) -> None:
    cpu, gpu, _ = pair(LAPS, WARP + 3)
    without_a_new_deal(cpu, gpu)
    cpu.state["cap"] = np.arange(cpu.n) % 5 + 1
    gpu.state.copy_to_device(cpu.state)
    for _ in range(7):
        step_both(cpu, gpu)
    assert (cpu.seat < 0).any()
    gpu.reset(mask=gpu.done)  # on the device, and read there
    cpu.reset(mask=cpu.done)
    assert_equal(cpu, gpu)
    for steps in (0, 1, 4, 1000):
        assert cpu.rollout(steps) == gpu.rollout(steps)
        assert_equal(cpu, gpu)


@pytest.mark.parametrize("whole", [WARP, 2 * WARP])
def test_a_block_whose_lanes_wait_before_a_long_step_plays_the_same(whole: int, pair: Make) -> None:
    cpu, gpu, _ = pair(PARTED, 2 * WARP + 3, most=whole, whole=whole)
    without_a_new_deal(cpu, gpu)
    for steps in (3, 1000):
        assert cpu.rollout(steps) == gpu.rollout(steps)
        assert_equal(cpu, gpu)


@pytest.mark.parametrize("shared", [4000, 100])
def test_rows_too_long_for_shared_memory_are_kept_too(shared: int, pair: Make) -> None:
    cpu, gpu, _ = pair(get("xianqi"), WARP + 5, shared=shared)
    without_a_new_deal(cpu, gpu)
    cpu.playout(3)
    gpu.playout(3)
    assert_equal(cpu, gpu)
    step_both(cpu, gpu)
    reset_both(cpu, gpu, np.arange(cpu.n) % 2)


def test_an_illegal_action_leaves_its_lane_unless_it_is_over(pair: Make) -> None:
    cpu, gpu, _ = pair(LAPS, WARP)
    without_a_new_deal(cpu, gpu)
    cpu.state["seat"][3] = -1
    gpu.state.copy_to_device(cpu.state)
    for batch in (cpu, gpu):
        batch.observe()
    actions = cpu.sample()
    gpu.sample()
    actions[3] = 77
    cpu.step(actions)
    gpu.step(actions)
    gpu.check()
    assert_equal(cpu, gpu)
    actions = cpu.sample()
    actions[5] = 77
    gpu.step(actions)
    with pytest.raises(IllegalAction, match="1 actions were not legal, the first in lane 5"):
        gpu.rollout(1)


def test_a_mask_on_the_device_has_one_byte_per_lane(pair: Make) -> None:
    _, gpu, _ = pair(LAPS, WARP)
    with pytest.raises(BadBatch, match="a mask on the device has 32 uint8 numbers, not int8"):
        gpu.reset(mask=gpu.seat)


def test_rules_that_leave_a_seat_without_an_action_are_refused_by_name(pair: Make) -> None:
    _, gpu, _ = pair(STUCK, WARP + 3)
    with pytest.raises(BadGame, match="stuck: 35 lanes have no legal action"):
        gpu.playout()


def test_a_pickled_batch_goes_on_without_a_new_deal(pair: Make) -> None:
    cpu, gpu, _ = pair(LAPS, WARP)
    without_a_new_deal(cpu, gpu)
    twin = pickle.loads(pickle.dumps(gpu))
    assert not twin.redeal and cpu.rollout(4) == twin.rollout(4)
    assert_equal(cpu, twin)
