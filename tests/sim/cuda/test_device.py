"""On a real device: equal to the CPU, read by PyTorch without copying, and no waiting inside a step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.core import get, names
from qipai.core.errors import NoDevice
from qipai.sim import Batch, playouts
from qipai.sim.cuda.engine import load_cuda
from tests.sim.alike import ARRAYS, assert_equal, roll_both, step_both

try:
    load_cuda()
    WHY = ""
except NoDevice as error:
    WHY = str(error)
pytestmark = pytest.mark.skipif(bool(WHY), reason=WHY or "there is a device")


@pytest.mark.parametrize("name", [*names(), "rows too long for shared memory"])
def test_steps_and_rollouts_give_the_bytes_of_the_cpu(name: str) -> None:
    game = get(name) if name in names() else get("skill_gomoku", {"board_size": 19})
    cpu, gpu = (Batch(game, 300, 5, device=d) for d in ("cpu", "cuda"))
    step_both(cpu, gpu, 150)
    for observe in (False, True):
        roll_both(cpu, gpu, 60, observe)


@pytest.mark.parametrize("name", names())
def test_lanes_that_stay_over_worlds_and_playouts_give_the_bytes_of_the_cpu(name: str) -> None:
    game = get(name)
    cpu, gpu = (Batch(game, 300, 5, device=d, redeal=False) for d in ("cpu", "cuda"))
    step_both(cpu, gpu, 40)
    for batch in (cpu, gpu):
        batch.reset(mask=np.arange(300) % 3 == 0)
        batch.redraw(0)
    roll_both(cpu, gpu, 5, observe=False)
    for batch in (cpu, gpu):
        batch.load(Batch(game, 300, 6).state)
    found = [playouts(game, cpu.state, cpu.mask.argmax(1), 20, 9, device) for device in ("cpu", "cuda")]
    assert found[0].totals.tobytes() == found[1].totals.tobytes()
    assert np.array_equal(cpu.playout(), gpu.playout().copy_to_host())
    assert_equal(cpu, gpu)


@pytest.mark.filterwarnings("ignore:.*Grid size")  # one thread that idles
def test_a_step_launches_and_does_not_wait() -> None:
    """It returns while the device is still busy with what was launched before."""
    cuda = load_cuda()

    @cuda.jit  # type: ignore[untyped-decorator]
    def idle(milliseconds: Any) -> None:
        for _ in range(milliseconds):
            cuda.nanosleep(1_000_000)

    gpu = Batch("xianqi", 256, 3, device="cuda")
    actions = gpu.sample()
    with cuda.defer_cleanup():  # what other tests left is not given back now: that would wait
        for milliseconds in (1, 3000):  # the first builds the kernels
            idle[1, 1](milliseconds)
            gpu.step(actions)
            done = cuda.event()
            done.record()
            if milliseconds > 1:
                assert not done.query(), "the step has waited"
            cuda.synchronize()
            assert done.query()


def test_few_lanes_are_no_reason_for_a_warning() -> None:
    """Every warning is an error in our tests, and numba-cuda warns about small grids."""
    batch = Batch("xianqi", 3, 1, device="cuda")
    batch.step(batch.sample())
    batch.rollout(2)


@pytest.mark.parametrize("way", ["dlpack", "interface"])
def test_pytorch_reads_and_acts_without_a_copy(way: str) -> None:
    torch = pytest.importorskip("torch")
    batch = Batch("xianqi", 256, 3, device="cuda")
    read: Any = torch.from_dlpack if way == "dlpack" else lambda x: torch.as_tensor(x, device="cuda")
    tensors = {name: read(getattr(batch, name)) for name in ARRAYS}
    for name, tensor in tensors.items():
        address = getattr(batch, name).__cuda_array_interface__["data"][0]
        assert tensor.data_ptr() == address, name
    for _ in range(30):
        batch.step(tensors["mask"].argmax(1).to(torch.int32))
        assert np.array_equal(tensors["mask"].cpu().numpy(), batch.mask.copy_to_host())
    assert (tensors["seat"] >= 0).all()


@pytest.mark.parametrize("way", ["dlpack", "interface"])
def test_pytorch_reads_a_part_of_the_mask_where_it_lies(way: str) -> None:
    torch = pytest.importorskip("torch")
    batch = Batch("xianqi", 256, 3, device="cuda")
    part = batch.mask[:, : batch.game.rules.actions]
    tensor = torch.from_dlpack(part) if way == "dlpack" else torch.as_tensor(part, device="cuda")
    assert tensor.data_ptr() == batch.mask.__cuda_array_interface__["data"][0]
    assert np.array_equal(tensor.cpu().numpy(), batch.mask.copy_to_host()[:, : batch.game.rules.actions])


def test_a_batch_on_a_stream_of_pytorch_plays_the_same() -> None:
    torch = pytest.importorskip("torch")
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        gpu = Batch("xianqi", 256, 3, device="cuda", stream=stream)
        mask = torch.from_dlpack(gpu.mask)
        for _ in range(30):
            gpu.step(mask.argmax(1).to(torch.int32))
    stream.synchronize()
    cpu = Batch("xianqi", 256, 3)
    for _ in range(30):
        cpu.step(cpu.mask.argmax(1).astype(np.int32))
    assert np.array_equal(mask.cpu().numpy(), cpu.mask)


def test_records_have_no_dlpack() -> None:
    batch = Batch(get("xianqi"), 4, device="cuda")
    with pytest.raises(BufferError):
        batch.state.__dlpack__()
