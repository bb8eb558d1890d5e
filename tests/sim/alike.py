"""Two batches of one seed, on the CPU and elsewhere: moved together, and compared byte for byte."""

from __future__ import annotations

import numpy as np

from qipai.sim import Batch

ARRAYS = ("mask", "obs", "seat", "reward", "done", "cut")


def assert_equal(cpu: Batch, gpu: Batch) -> None:
    """Compare everything that a batch shows, and its states field by field."""
    for name in ARRAYS:
        assert np.array_equal(getattr(cpu, name), getattr(gpu, name).copy_to_host()), name
    states = gpu.state.copy_to_host()
    for name in cpu.game.rules.State.names or ():
        assert np.array_equal(cpu.state[name], states[name]), name


def step_both(cpu: Batch, gpu: Batch, steps: int = 1) -> None:
    """Make random steps, which both draw in the same way."""
    for step in range(steps):
        actions, there = cpu.sample(), gpu.sample()
        assert np.array_equal(actions, there.copy_to_host())
        cpu.step(actions)
        gpu.step(actions if step % 2 else there)  # from main memory, and from the device's
    assert_equal(cpu, gpu)


def roll_both(cpu: Batch, gpu: Batch, steps: int, observe: bool) -> None:
    """Make a rollout of each."""
    assert cpu.rollout(steps, observe) == gpu.rollout(steps, observe)
    assert_equal(cpu, gpu)
