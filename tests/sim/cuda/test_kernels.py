"""The kernels, run in plain Python: lanes, blocks, rows and barriers.

No device is needed, so that the kernels cannot rot where there is none. That real devices
give the same bytes is checked where there is one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from qipai.core import get, names
from qipai.sim import Batch
from qipai.sim.cuda import build as cuda_build
from tests.envs.toy import LAPS, PARTED
from tests.sim.alike import assert_equal, roll_both, step_both

from . import stand_in
from .conftest import WARP, Make
from .stand_in import Diverged


def games() -> list[Any]:
    """Return Xianqi and a toy always, and the others in the full run."""
    return [
        pytest.param("laps"),
        *(pytest.param(n, marks=[] if n == "xianqi" else [pytest.mark.slow]) for n in names()),
    ]


@pytest.mark.parametrize("name", games())
def test_every_lane_is_as_on_the_cpu_with_a_last_block_partly_filled(name: str, pair: Make) -> None:
    game = LAPS if name == "laps" else get(name)
    cpu, gpu, device = pair(game, 2 * WARP + 5)
    assert_equal(cpu, gpu)
    for _ in range(3):
        step_both(cpu, gpu)
        assert np.array_equal(cpu.observe_all(), gpu.observe_all().copy_to_host())
    for steps, observe in ((25, False), (6, True), (1, False), (0, False), (0, True)):
        roll_both(cpu, gpu, steps, observe)
    assert {blocks for _, blocks, _ in device.launches} == {3}
    assert {threads for _, _, threads in device.launches} == {WARP}
    assert {kernel for kernel, _, _ in device.launches} == set(cuda_build.KERNELS)


@pytest.mark.parametrize("n", [1, WARP - 1, WARP, WARP + 1])
def test_a_block_is_filled_from_one_lane_to_all(n: int, pair: Make) -> None:
    cpu, gpu, _ = pair(LAPS, n)
    cpu.rollout(5)
    gpu.rollout(5)
    assert_equal(cpu, gpu)


def roll_out_of_step(cpu: Batch, gpu: Batch) -> None:
    """Roll out games that are cut after different numbers of decisions: some lanes wait, others continue."""
    cpu.state["cap"] = np.arange(cpu.n) % 5
    gpu.state.copy_to_device(cpu.state)
    for observe in (False, True):
        ended = cpu.rollout(12, observe)
        assert ended.games > WARP
        assert ended == gpu.rollout(12, observe)
        assert_equal(cpu, gpu)


@pytest.mark.parametrize("gather", [1, 3, WARP])
def test_lanes_that_wait_for_one_another_play_the_same(gather: int, pair: Make) -> None:
    """Also where fewer than are waited for can ever come: the last block has three lanes."""
    cpu, gpu, _ = pair(replace(LAPS, device=replace(LAPS.device, gather=gather)), WARP + 3)
    roll_out_of_step(cpu, gpu)


@pytest.mark.parametrize("gather", [1, 3, WARP])
def test_a_block_whose_lanes_wait_before_a_long_step_plays_the_same(gather: int, pair: Make) -> None:
    """Of several warps, which wait for one another; the last block has three lanes."""
    cpu, gpu, device = pair(
        replace(PARTED, device=replace(PARTED.device, gather=gather)),
        2 * WARP + 3,
        most=2 * WARP,
        whole=2 * WARP,
    )
    roll_out_of_step(cpu, gpu)
    assert {threads for _, _, threads in device.launches} == {2 * WARP}


def test_a_block_goes_on_without_the_lanes_that_are_over(pair: Make) -> None:
    """They are over from the beginning; and nobody moves where no decision is asked for."""
    cpu, gpu, _ = pair(PARTED, WARP + 3, whole=2 * WARP)
    cpu.state["seat"][3::4] = -1
    gpu.state.copy_to_device(cpu.state)
    for observe in (False, True):
        roll_both(cpu, gpu, 5, observe)
        roll_both(cpu, gpu, 0, observe)
    assert (cpu.seat[3::4] == -1).all() and (cpu.seat[::4] >= 0).all()


def test_games_end_and_are_dealt_again_alike(pair: Make) -> None:
    cpu, gpu, _ = pair(LAPS, WARP + 3)
    ended = 0
    for _ in range(12):
        step_both(cpu, gpu)
        ended += int(cpu.done.sum())
    assert ended > WARP


def test_a_block_whose_threads_part_at_a_barrier_is_noticed(
    pair: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, gpu, device = pair(LAPS, WARP + 3)
    monkeypatch.setattr(stand_in, "PATIENCE", 0.2)  # from here on: a slow machine may need longer to set up

    def parting(states: Any, mask: Any, obs: Any) -> None:
        """Deliver like deliver_kernel, but with the barrier inside the condition."""
        if device.grid(1) < states.shape[0]:
            device.syncthreads()

    with pytest.raises(Diverged):
        device.jit(parting)[2, WARP, 0](gpu.state, gpu.mask, gpu.obs)


@pytest.mark.parametrize(("shared", "carried"), [(4000, (True, False)), (100, (False, False))])
def test_rows_too_long_for_shared_memory_are_written_at_once(
    shared: int, carried: tuple[bool, bool], pair: Make
) -> None:
    game = get("xianqi")
    cpu, gpu, _ = pair(game, WARP + 5, shared=shared)
    shape = cuda_build.shape_of(game)
    assert (shape.mask, shape.obs) == carried
    for _ in range(3):
        step_both(cpu, gpu)
    for observe in (False, True):
        roll_both(cpu, gpu, 9, observe)


@pytest.mark.parametrize("most", [64, 128])
def test_blocks_of_several_warps_carry_their_rows_alike(most: int, pair: Make) -> None:
    cpu, gpu, device = pair(get("nana"), most + 37, most=most)
    for _ in range(3):
        step_both(cpu, gpu)
    assert {threads for _, _, threads in device.launches} == {most}
