"""Playouts on a GPU: arrays, launches, and the sums that come back."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core.calls import uniform
from qipai.core.errors import BadOption

from ..playout import Job
from .build import limits, playout_kernel_for
from .engine import load_cuda, stream_of

THREADS = 1 << 17  # threads that share the playouts, at most
LAUNCH = 1 << 24  # playouts of one launch, at most: a device that also draws a screen must come to a stop


def run_on_cuda(job: Job, stream: Any = None, threads: int = THREADS) -> NDArray[np.int64]:
    """Return the sums of all playouts; waits for the device. Raise `BadOption` for a policy with scratch."""
    if job.policy is not uniform and job.game.search.work > 0:
        raise BadOption(f"{job.game.name}: its playout policy needs scratch, which only the CPU gives it")
    cuda = load_cuda()
    where = stream_of(stream, cuda)
    kernel = playout_kernel_for(job.game, cuda, job.policy)
    block = limits(job.game, "playout_kernel").block
    states = cuda.to_device(np.asarray(job.states), stream=where)
    actions = cuda.to_device(job.actions, stream=where)
    sums = cuda.to_device(np.zeros((len(job.actions), job.columns), np.int64), stream=where)
    for first in range(0, job.total, LAUNCH):
        end = min(first + LAUNCH, job.total)
        blocks = -(-min(end - first, threads) // block)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*Grid size")  # numba-cuda's advice to those with few threads
            launch = kernel[blocks, block, where]
        shape = (first, end, job.n, job.seats, blocks * block, job.limit, job.low, job.high)
        launch(states, actions, sums, *shape)
    found: NDArray[np.int64] = sums.copy_to_host(stream=where)
    if where:
        where.synchronize()
    return found
