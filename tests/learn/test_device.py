"""Where a run computes."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.core.errors import NoDevice  # noqa: E402
from qipai.learn.device import Device  # noqa: E402


def test_a_missing_gpu_is_named() -> None:
    if torch.cuda.is_available():
        pytest.skip("a GPU is here")
    with pytest.raises(NoDevice, match="no CUDA device"):
        Device("cuda")


def test_an_unknown_device_is_refused() -> None:
    with pytest.raises(NoDevice, match="unknown device"):
        Device("tpu")


def test_on_the_cpu_a_recorded_function_is_the_function() -> None:
    calls: list[int] = []
    device = Device("cpu")
    function = device.record(lambda: calls.append(1))
    assert calls == []
    function()
    assert calls == [1]


def test_the_generator_goes_on_from_a_kept_state() -> None:
    device = Device("cpu")
    device.seed(4)
    torch.rand(3)
    kept = device.generator_state()
    wanted = torch.rand(5)
    device.set_generator_state(kept)
    assert np.array_equal(torch.rand(5), wanted)
