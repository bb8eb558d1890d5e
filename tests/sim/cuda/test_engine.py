"""The CUDA engine, over kernels that run in plain Python: streams, refusals, and deferred errors."""

from __future__ import annotations

import pickle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from qipai.core import get
from qipai.core.errors import BadBatch, BadGame, BadStream, IllegalAction, NoDevice
from qipai.sim import Batch
from qipai.sim.cuda import engine as cuda
from tests.envs.toy import LAPS, PARTED, STUCK
from tests.sim.alike import assert_equal, roll_both, step_both
from tests.toys_check.changing import changed

from .conftest import WARP, Make
from .stand_in import Stream


def test_an_illegal_action_leaves_its_lane_and_is_told_when_asked(pair: Make) -> None:
    _, gpu, _ = pair(get("xianqi"), WARP + 9)
    before = gpu.state.copy_to_host()
    masks = gpu.mask.copy_to_host()
    actions = gpu.sample().copy_to_host()
    bad = {5: -1, WARP: 40, WARP + 1: 1 << 20, WARP + 8: int(np.argmin(masks[WARP + 8]))}
    for lane, action in bad.items():
        actions[lane] = action
    gpu.step(actions)
    after = gpu.state.copy_to_host()
    moved = [lane for lane in range(WARP + 9) if int(before[lane]["ply"]) != int(after[lane]["ply"])]
    done = np.flatnonzero(gpu.done.copy_to_host())
    assert set(bad) == set(range(WARP + 9)) - set(moved) - set(done.tolist())
    assert np.array_equal(gpu.mask.copy_to_host()[list(bad)], masks[list(bad)])
    with pytest.raises(IllegalAction, match="4 actions were not legal, the first in lane 5"):
        gpu.rollout(1)
    gpu.rollout(1)  # told once


@pytest.mark.parametrize(
    ("given", "used"),
    [
        (None, 0),
        (0, 0),
        (4096, Stream(4096)),
        (Stream(3), Stream(3)),
        (SimpleNamespace(cuda_stream=77), Stream(77)),  # as PyTorch has it
        (SimpleNamespace(ptr=78), Stream(78)),  # as CuPy has it
    ],
)
def test_everything_is_launched_on_the_stream_that_is_given(given: Any, used: Any, pair: Make) -> None:
    cpu, gpu, device = pair(LAPS, WARP + 3, stream=given)
    step_both(cpu, gpu)
    roll_both(cpu, gpu, 4, observe=False)
    assert device.streams == {used}


class Event:
    """As PyTorch has it: something to wait for, and no stream."""

    def synchronize(self) -> None: ...


@pytest.mark.parametrize("bad", ["seven", 1.5, True, object(), Event()])
def test_what_is_no_stream_is_refused(bad: Any, pair: Make) -> None:
    with pytest.raises(BadStream, match="stream must be a CUDA stream or its address"):
        pair(LAPS, 3, stream=bad)


def raising() -> bool:
    raise RuntimeError("driver is broken")


def no_compiler() -> None:
    raise RuntimeError("no compiler\nand more")


@pytest.mark.parametrize(
    ("device", "sentence"),
    [
        ({"is_available": lambda: True}, "numba-cuda is not installed .pip install 'qipai.gpu.'.;"),
        ({"is_available": lambda: False}, "numba-cuda is not installed"),
        ({"is_available": lambda: False, "PTXSource": bytes}, "no CUDA device can be used here;"),
        ({"is_available": lambda: True, "PTXSource": bytes}, "CUDA's compiler .*: no compiler.;"),
        ({"is_available": raising, "PTXSource": bytes}, "cannot be used here .driver is broken.;"),
        ({"is_available": raising}, "cannot be used here .numba-cuda is not installed"),
    ],
)
def test_what_is_missing_is_said(device: Any, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import numba.cuda.cudadrv.nvrtc

    monkeypatch.setattr(numba.cuda.cudadrv, "nvrtc", SimpleNamespace(get_supported_ccs=no_compiler))
    monkeypatch.setattr(numba, "cuda", SimpleNamespace(**device))
    with pytest.raises(NoDevice, match=f"{sentence}.*device='cpu' works everywhere"):
        cuda.load_cuda()


@pytest.mark.parametrize("bad", [None, "text", [[1], [1, 2]], 3.7, True, 1 << 32, [1, 2]])
def test_numbers_from_the_host_are_refused_as_on_the_cpu(bad: Any, pair: Make) -> None:
    cpu, gpu, _ = pair(LAPS, WARP)
    given = [bad] * WARP if isinstance(bad, int | float) else bad
    for batch in (cpu, gpu):
        with pytest.raises(IllegalAction if bad == 1 << 32 else BadBatch):
            batch.step(given)
    assert_equal(cpu, gpu)


def test_what_was_not_legal_is_told_when_asked_and_forgotten_by_a_reset(pair: Make) -> None:
    _, gpu, _ = pair(LAPS, WARP)
    gpu.check()
    for forgets in (False, True):
        gpu.step(np.full(WARP, -1, np.int32))
        if forgets:
            gpu.reset(8)
        else:
            with pytest.raises(IllegalAction, match="32 actions were not legal, the first in lane 0"):
                gpu.check()
        gpu.check()
        gpu.rollout(1)


def test_a_pickled_batch_goes_through_main_memory_and_on_as_the_original_does(pair: Make) -> None:
    cpu, gpu, device = pair(LAPS, WARP + 3, stream=4096)
    step_both(cpu, gpu)
    twin = pickle.loads(pickle.dumps(gpu))
    assert_equal(cpu, twin)
    gpu.step(np.full(WARP + 3, -1, np.int32))
    twin = pickle.loads(pickle.dumps(gpu))
    for batch in (gpu, twin):
        with pytest.raises(IllegalAction, match="35 actions were not legal, the first in lane 0"):
            batch.check()
    step_both(cpu, twin)
    roll_both(cpu, twin, 4, observe=True)
    assert device.streams == {Stream(4096), 0}


def test_states_written_from_outside_are_shown_and_one_that_is_over_stays(pair: Make) -> None:
    cpu, gpu, _ = pair(get("xianqi"), WARP + 2)
    other = Batch("xianqi", WARP + 2, seed=99)
    other.rollout(7)
    cpu.state[:] = other.state
    cpu.state[3]["seat"] = -1
    gpu.state.copy_to_device(cpu.state)
    for batch in (cpu, gpu):
        batch.observe()
    assert_equal(cpu, gpu)
    assert cpu.seat[3] == -1 and not cpu.mask[3].any() and not cpu.obs[3].any()
    alike = np.delete(np.arange(WARP + 2), 3)
    for name in ("mask", "obs", "seat"):
        assert np.array_equal(getattr(cpu, name)[alike], getattr(other, name)[alike])
    for observe in (False, True):
        roll_both(cpu, gpu, 3, observe)
    assert cpu.state[3]["ply"] == other.state[3]["ply"]
    actions = cpu.sample()
    assert np.array_equal(actions, gpu.sample().copy_to_host()) and actions[3] == -1
    with pytest.raises(IllegalAction, match="lane 3"):
        cpu.step(actions)
    gpu.step(actions)
    with pytest.raises(IllegalAction, match="1 actions were not legal, the first in lane 3"):
        gpu.check()
    assert not gpu.mask.copy_to_host()[3].any() and not gpu.obs.copy_to_host()[3].any()


@pytest.mark.parametrize("parts", [{}, {"act": PARTED.device.act, "rest": PARTED.device.rest}])
@pytest.mark.parametrize("observe", [False, True])
def test_rules_that_leave_a_seat_without_an_action_are_refused_by_name(
    observe: bool, parts: dict[str, Any], pair: Make
) -> None:
    cpu, gpu, _ = pair(changed(STUCK, **parts), WARP + 3)
    roll_both(cpu, gpu, 2, observe)
    with pytest.raises(BadGame, match="stuck: 35 lanes have no legal action"):
        gpu.rollout(2, observe)
    assert (gpu.sample().copy_to_host() == -1).all()
