"""Batches on a stand-in for the device, for the tests of its engine, build and kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from qipai.core import Game
from qipai.sim import Batch
from qipai.sim.cuda import build as cuda_build
from qipai.sim.cuda import engine as cuda

from . import stand_in
from .stand_in import StandIn

WARP = 32
Make = Callable[..., tuple[Batch, Batch, StandIn]]


@pytest.fixture
def pair(monkeypatch: pytest.MonkeyPatch) -> Make:
    """Return a maker of two batches of one seed: on the CPU, and on the stand-in with `most` threads."""

    def make(
        game: Game,
        n: int,
        seed: int = 7,
        stream: Any = None,
        most: int = WARP,
        shared: int = 48 * 1024,
        whole: int = WARP,
    ) -> tuple[Batch, Batch, StandIn]:
        device = StandIn(game)
        monkeypatch.setattr(cuda, "load_cuda", lambda: device)
        monkeypatch.setattr(cuda_build, "_kernels", {})
        monkeypatch.setattr(cuda_build, "_spaces", {})
        monkeypatch.setattr(cuda_build, "record_copier", stand_in.record_copier)
        monkeypatch.setattr(cuda_build, "word_movers", stand_in.word_movers)
        monkeypatch.setattr(cuda_build, "_close", lambda *given: None)
        monkeypatch.setattr(cuda_build, "MOST", most)
        monkeypatch.setattr(cuda_build, "SHARED", shared)
        monkeypatch.setattr(cuda_build, "FREE_BLOCK", WARP)
        monkeypatch.setattr(cuda_build, "WHOLE_BLOCK", whole)
        gpu = Batch(game, n, seed, device="cuda", stream=stream)
        return Batch(game, n, seed, threads=1), gpu, device

    return make
