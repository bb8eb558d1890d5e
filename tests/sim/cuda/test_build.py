"""What a kernel is built with: blocks, registers, rows in shared memory, and what it is linked with."""

from __future__ import annotations

import pytest

from qipai.core import Game, get, names
from qipai.sim.cuda import build as cuda_build
from tests.envs.toy import LAPS, PARTED

from .conftest import WARP


def every_shape() -> list[Game]:
    """Return the registered games, and skill gomoku on every board."""
    return [*map(get, names()), *(get("skill_gomoku", {"board_size": n}) for n in range(5, 20))]


def test_a_kernel_is_linked_with_a_program_old_enough_for_its_device() -> None:
    assert b"sm_70" in cuda_build._empty((7, 0))
    for newer in ((7, 5), (9, 0), (12, 1)):
        assert b"sm_75" in cuda_build._empty(newer)


def test_rows_in_shared_memory_fall_on_different_banks() -> None:
    for name in names():
        game = get(name)
        for width in (game.width, game.observation_size):
            stride = cuda_build._stride(width)
            assert width <= stride < width + 8 and stride % 8 == 4


def test_a_rollout_with_a_long_step_takes_a_multiprocessor_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without observation; every other kernel is as that of any game."""
    for game in (LAPS, PARTED, *map(get, names())):
        block, registers = cuda_build.limits(game, "rollout_kernel")
        if game.device.act is None:
            assert (block, registers) == (cuda_build.FREE_BLOCK, cuda_build.REGISTERS)
        else:
            assert block % WARP == 0 and registers is not None and block * registers == 1 << 16
            with monkeypatch.context() as other:
                other.setattr(cuda_build, "WHOLE_BLOCK", 384)
                assert cuda_build.limits(game, "rollout_kernel") == (384, 168)
        for name in set(cuda_build.KERNELS) - {"rollout_kernel"}:
            assert cuda_build.limits(game, name) == (cuda_build.shape_of(game).block, cuda_build.REGISTERS)


def test_a_block_is_whole_warps_and_fits_into_shared_memory() -> None:
    for game in every_shape():
        shape = cuda_build.shape_of(game)
        found = cuda_build._shared(game)
        size = sum(found[f"ROWS_{name}"] * found[f"STRIDE_{name}"] for name in ("MASK", "OBS"))
        assert shape.block % WARP == 0 and WARP <= shape.block <= 128
        assert size <= cuda_build.SHARED, (game.name, size)
    assert all(cuda_build.shape_of(get(name)).obs for name in names())
    assert not cuda_build.shape_of(get("skill_gomoku", {"board_size": 19})).obs
