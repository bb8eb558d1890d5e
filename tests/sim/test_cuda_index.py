"""The CUDA engine and its kernels, run in plain Python: lanes, blocks, rows and barriers.

No device is needed, so that the kernels cannot rot where there is none. That real devices
give the same bytes is checked where there is one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from qipai.core import Game, get, names
from qipai.core.errors import BadGame, IllegalAction, NoDevice
from qipai.sim import Batch
from qipai.sim.cuda import build as cuda_build
from qipai.sim.cuda import engine as cuda
from qipai.sim.cuda import words as cuda_words
from tests.toys_check.changing import changed

from ..envs.toy import LAPS, PARTED, STUCK
from . import cuda_face
from .alike import assert_equal, roll_both, step_both
from .cuda_face import Diverged, Face, Stream

WARP = 32
Make = Callable[..., tuple[Batch, Batch, Face]]


@pytest.fixture
def pair(monkeypatch: pytest.MonkeyPatch) -> Make:
    """Makes two batches of one seed: on the CPU, and on the stand-in with blocks of `most` threads."""

    def make(
        game: Game,
        n: int,
        seed: int = 7,
        stream: Any = None,
        most: int = WARP,
        shared: int = 48 * 1024,
        whole: int = WARP,
    ) -> tuple[Batch, Batch, Face]:
        face = Face(game)
        monkeypatch.setattr(cuda, "load_cuda", lambda: face)
        monkeypatch.setattr(cuda_build, "_kernels", {})
        monkeypatch.setattr(cuda_build, "record_copier", cuda_face.record_copier)
        monkeypatch.setattr(cuda_build, "word_movers", cuda_face.word_movers)
        monkeypatch.setattr(cuda_build, "_close", lambda functions, game, cuda: None)
        monkeypatch.setattr(cuda_build, "MOST", most)
        monkeypatch.setattr(cuda_build, "SHARED", shared)
        monkeypatch.setattr(cuda_build, "FREE_BLOCK", WARP)
        monkeypatch.setattr(cuda_build, "WHOLE_BLOCK", whole)
        gpu = Batch(game, n, seed, device="cuda", stream=stream)
        return Batch(game, n, seed, threads=1), gpu, face

    return make


def games() -> list[Any]:
    """Xianqi and a toy always; the others in the full run."""
    return [
        pytest.param("laps"),
        *(pytest.param(n, marks=[] if n == "xianqi" else [pytest.mark.slow]) for n in names()),
    ]


@pytest.mark.parametrize("name", games())
def test_every_lane_is_as_on_the_cpu_with_a_last_block_partly_filled(name: str, pair: Make) -> None:
    game = LAPS if name == "laps" else get(name)
    cpu, gpu, face = pair(game, 2 * WARP + 5)
    assert_equal(cpu, gpu)
    for _ in range(3):
        step_both(cpu, gpu)
    for steps, observe in ((25, False), (6, True), (1, False), (0, False), (0, True)):
        roll_both(cpu, gpu, steps, observe)
    assert {blocks for _, blocks, _ in face.launches} == {3}
    assert {threads for _, _, threads in face.launches} == {WARP}
    assert {kernel for kernel, _, _ in face.launches} == set(cuda_build.KERNELS)


@pytest.mark.parametrize("n", [1, WARP - 1, WARP, WARP + 1])
def test_a_block_is_filled_from_one_lane_to_all(n: int, pair: Make) -> None:
    cpu, gpu, _ = pair(LAPS, n)
    cpu.rollout(5)
    gpu.rollout(5)
    assert_equal(cpu, gpu)


def roll_out_of_step(cpu: Batch, gpu: Batch) -> None:
    """Rollouts of games that are cut after different numbers of decisions: some lanes wait, others go on."""
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
    cpu, gpu, face = pair(
        replace(PARTED, device=replace(PARTED.device, gather=gather)),
        2 * WARP + 3,
        most=2 * WARP,
        whole=2 * WARP,
    )
    roll_out_of_step(cpu, gpu)
    assert {threads for _, _, threads in face.launches} == {2 * WARP}


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


def test_a_block_whose_threads_part_at_a_barrier_is_noticed(
    pair: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda_face, "PATIENCE", 0.2)
    _, gpu, face = pair(LAPS, WARP + 3)

    def parting(states: Any, mask: Any, obs: Any) -> None:
        """As deliver_kernel would be with the barrier inside the condition."""
        if face.grid(1) < states.shape[0]:
            face.syncthreads()

    with pytest.raises(Diverged):
        face.jit(parting)[2, WARP, 0](gpu.state, gpu.mask, gpu.obs)


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
    cpu, gpu, face = pair(LAPS, WARP + 3, stream=given)
    step_both(cpu, gpu)
    roll_both(cpu, gpu, 4, observe=False)
    assert face.streams == {used}


class Event:
    """As PyTorch has it: something to wait for, and no stream."""

    def synchronize(self) -> None: ...


@pytest.mark.parametrize("bad", ["seven", 1.5, True, object(), Event()])
def test_what_is_no_stream_is_refused(bad: Any, pair: Make) -> None:
    with pytest.raises(NoDevice, match="stream is a CUDA stream or its address"):
        pair(LAPS, 3, stream=bad)


def raising() -> bool:
    raise RuntimeError("driver is broken")


def no_compiler() -> None:
    raise RuntimeError("no compiler\nand more")


@pytest.mark.parametrize(
    ("face", "sentence"),
    [
        ({"is_available": lambda: True}, "numba-cuda is not installed .pip install 'qipai.gpu.'.;"),
        ({"is_available": lambda: False}, "numba-cuda is not installed"),
        ({"is_available": lambda: False, "PTXSource": bytes}, "no CUDA device can be used here;"),
        ({"is_available": lambda: True, "PTXSource": bytes}, "CUDA's compiler .*: no compiler.;"),
        ({"is_available": raising, "PTXSource": bytes}, "cannot be used here .driver is broken.;"),
        ({"is_available": raising}, "cannot be used here .numba-cuda is not installed"),
    ],
)
def test_what_is_missing_is_said(face: Any, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import numba.cuda.cudadrv.nvrtc

    monkeypatch.setattr(numba.cuda.cudadrv, "nvrtc", SimpleNamespace(get_supported_ccs=no_compiler))
    monkeypatch.setattr(numba, "cuda", SimpleNamespace(**face))
    with pytest.raises(NoDevice, match=f"{sentence}.*device='cpu' works everywhere"):
        cuda.load_cuda()


def test_a_kernel_is_linked_with_a_program_old_enough_for_its_device() -> None:
    assert b"sm_70" in cuda_build._empty((7, 0))
    for newer in ((7, 5), (9, 0), (12, 1)):
        assert b"sm_75" in cuda_build._empty(newer)


def test_a_stream_is_of_a_gpu() -> None:
    with pytest.raises(NoDevice, match="on the CPU"):
        Batch(LAPS, 3, stream=0)


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


def every_shape() -> list[Game]:
    """The registered games, and skill gomoku on every board."""
    return [*map(get, names()), *(get("skill_gomoku", {"board_size": n}) for n in range(5, 20))]


def test_a_block_is_whole_warps_and_fits_into_shared_memory() -> None:
    for game in every_shape():
        shape = cuda_build.shape_of(game)
        found = cuda_build._shared(game)
        size = sum(found[f"ROWS_{name}"] * found[f"STRIDE_{name}"] for name in ("MASK", "OBS"))
        assert shape.block % WARP == 0 and WARP <= shape.block <= 128
        assert size <= cuda_build.SHARED, (game.name, size)
    assert all(cuda_build.shape_of(get(name)).obs for name in names())
    assert not cuda_build.shape_of(get("skill_gomoku", {"board_size": 19})).obs


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
    cpu, gpu, face = pair(get("nana"), most + 37, most=most)
    for _ in range(3):
        step_both(cpu, gpu)
    assert {threads for _, _, threads in face.launches} == {most}


@pytest.mark.parametrize("bad", [None, "text", [[1], [1, 2]], 3.7, True, 1 << 32, [1, 2]])
def test_numbers_from_the_host_are_refused_as_on_the_cpu(bad: Any, pair: Make) -> None:
    cpu, gpu, _ = pair(LAPS, WARP)
    given = [bad] * WARP if isinstance(bad, int | float) else bad
    for batch in (cpu, gpu):
        with pytest.raises(IllegalAction):
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


def test_a_state_that_is_no_whole_number_of_words_is_refused() -> None:
    odd = SimpleNamespace(name="odd", rules=SimpleNamespace(State=np.dtype([("a", np.int32, (5,))])))
    with pytest.raises(BadGame, match="state_dtype"):
        cuda_words.record_copier(odd)  # type: ignore[arg-type]
