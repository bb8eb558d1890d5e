"""Playouts on a stand-in for the device: the sums are those of the CPU, byte for byte."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.core import get
from qipai.core.errors import BadGame, BadOption
from qipai.sim import Batch, playouts
from qipai.sim.cuda import playout as cuda_playout
from tests.envs.toy import LAPS, PARTED, STUCK
from tests.sim.test_playout import NOTING, WILFUL, positions

from .conftest import WARP, Make
from .stand_in import StandIn, Stream
from .test_kernels import games


@pytest.fixture
def on_device(pair: Make, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make a game ready for the stand-in, on which few threads share all playouts."""

    def make(game: Any, threads: int = WARP, launch: int = 1 << 24, **how: Any) -> StandIn:
        _, _, device = pair(game, 1, **how)
        monkeypatch.setattr(cuda_playout, "load_cuda", lambda: device)
        monkeypatch.setattr(cuda_playout, "LAUNCH", launch)
        monkeypatch.setattr(cuda_playout.run_on_cuda, "__defaults__", (None, threads))
        return device

    return make


def assert_alike(game: Any, states: Any, actions: Any, n: int, **how: Any) -> None:
    cpu = playouts(game, states, actions, n, 9, threads=1, **how)
    gpu = playouts(game, states, actions, n, 9, device="cuda", **how)
    for name in ("totals", "mean", "error", "cut"):
        assert getattr(cpu, name).tobytes() == getattr(gpu, name).tobytes(), name
    assert cpu.decisions == gpu.decisions


@pytest.mark.parametrize("name", games())
def test_the_sums_are_those_of_the_cpu(name: str, on_device: Any) -> None:
    game = LAPS if name == "laps" else get(name)
    states, actions = positions(game, 3)
    device = on_device(game)
    assert_alike(game, states, actions, 15, limit=60)  # 45 playouts for 32 threads
    assert_alike(game, states[0], None, 33, limit=60)
    assert device.launches[-1] == ("playout_kernel", 1, WARP)


def test_threads_go_from_position_to_position(on_device: Any) -> None:
    """With fewer playouts of a position than threads, and with more."""
    states, actions = positions(LAPS, 11)
    on_device(LAPS, threads=2 * WARP)
    for n in (1, 2, 7):
        assert_alike(LAPS, states, actions, n)
    on_device(LAPS, launch=50)
    assert_alike(LAPS, states, actions, 12)


@pytest.mark.parametrize("whole", [WARP, 2 * WARP])
def test_lanes_wait_for_one_another_before_a_long_step(whole: int, on_device: Any) -> None:
    batch = Batch(PARTED, 3, 4)
    batch.state["cap"] = [2, 3, 7]
    on_device(PARTED, threads=2 * WARP, whole=whole, most=whole)
    assert_alike(PARTED, batch.state, None, 50)
    assert_alike(PARTED, batch.state, batch.sample(), 9, limit=2)


def test_a_games_own_policy_plays_there_too(on_device: Any) -> None:
    states, actions = positions(WILFUL, 3)
    on_device(WILFUL)
    assert_alike(WILFUL, states, actions, 20, policy="own")
    assert_alike(WILFUL, states, actions, 20, policy="uniform")


def test_a_policy_with_scratch_is_refused(on_device: Any) -> None:
    states, actions = positions(NOTING, 3)
    on_device(NOTING)
    with pytest.raises(BadOption, match="needs scratch, which only the CPU gives it"):
        playouts(NOTING, states, actions, 2, device="cuda", policy="own")


def test_a_limit_of_one_decision_is_the_first_action_alone(on_device: Any) -> None:
    states, actions = positions(LAPS, 3)
    on_device(LAPS)
    assert_alike(LAPS, states, actions, 20, limit=1)


def test_everything_is_launched_on_the_stream_that_is_given(on_device: Any) -> None:
    device = on_device(LAPS)
    device.streams.clear()
    playouts(LAPS, Batch(LAPS, 1).state, None, 3, device="cuda", stream=4096)
    assert device.streams == {Stream(4096)}


def test_rules_that_leave_a_seat_without_an_action_are_refused_by_name(on_device: Any) -> None:
    on_device(STUCK)
    with pytest.raises(BadGame, match="stuck: in a playout of position 0 a seat has no legal action"):
        playouts(STUCK, Batch(STUCK, 1, seats=3).state, np.array([0]), 4, device="cuda")
