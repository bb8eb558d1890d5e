"""What `measure` counts, in what order it measures, and what it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from qipai.bench import measure
from qipai.bench.speed import REPETITIONS
from qipai.core import get
from qipai.core.errors import BadBatch, BadCount, BadSeats, QipaiError, UnknownGame
from qipai.sim import Batch, Rollout
from tests.envs.toy import LAPS


class Stopwatch:
    """A machine on which a decision takes a known time: a microsecond, two when observed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall = self.used = 0.0
        self.calls: list[tuple[int, bool, int]] = []
        monkeypatch.setattr(Batch, "rollout", lambda batch, steps, observe: self.spend(batch, steps, observe))

    def spend(self, batch: Batch, steps: int, observe: bool) -> Rollout:
        self.calls.append((batch.threads, observe, steps))
        work = steps * batch.n * (2e-6 if observe else 1e-6)
        self.used += work
        self.wall += work / (1.8 if batch.threads == 2 else 1)
        return Rollout(decisions=steps * batch.n, games=0)

    def __call__(self) -> tuple[float, float]:
        return self.wall, self.used


def test_a_rate_is_decisions_of_all_lanes_over_time(monkeypatch: pytest.MonkeyPatch) -> None:
    report = measure(LAPS, batch=128, clock=Stopwatch(monkeypatch))
    found = {(speed.threads, speed.observed): speed for speed in report.speeds}
    assert list(found) == [(1, False), (2, False), (1, True), (2, True)]
    for (threads, observed), speed in found.items():
        rate = 1e6 * (1.8 if threads == 2 else 1) / (2 if observed else 1)
        assert speed.best == pytest.approx(rate) and speed.median == pytest.approx(rate)
        assert speed.cores == pytest.approx(1.8 if threads == 2 else 1) and speed.runs == REPETITIONS
    assert report.scaling(False) == pytest.approx(1.8) and report.scaling(True) == pytest.approx(1.8)


def test_it_takes_about_as_long_as_asked_and_measures_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Stopwatch(monkeypatch)
    measure(LAPS, batch=128, seconds=7, clock=clock)
    assert clock.wall == pytest.approx(7, rel=0.1)
    turns = [call[:2] for call in clock.calls[-4 * REPETITIONS :]]
    assert turns == [(1, False), (2, False), (1, True), (2, True)] * REPETITIONS


class Device:
    """A batch on a GPU whose kernels take a second to build, each at its first launch."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.n, self.threads, self.now = 1024, 1, 0.0
        self.built: set[bool] = set()
        self.steps: list[int] = []
        monkeypatch.setattr("qipai.bench.speed.Batch", lambda *how, **more: self)

    def rollout(self, steps: int, observe: bool) -> Rollout:
        self.steps.append(steps)
        self.now += steps * self.n * 1e-8 + (observe not in self.built)
        self.built.add(observe)
        return Rollout(decisions=steps * self.n, games=0)

    def clock(self) -> tuple[float, float]:
        return self.now, self.now


def test_building_kernels_is_not_taken_for_their_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    device, told = Device(monkeypatch), list[str]()
    report = measure(
        LAPS,
        batch=device.n,
        threads=(1,),
        seconds=7,
        device="cuda",
        clock=device.clock,
        progress=lambda *at: told.append("measuring"),
        building=lambda: told.append("building"),
    )
    assert [speed.best for speed in report.speeds] == pytest.approx([1e8, 1e8])
    assert device.now == pytest.approx(2 + 7, rel=0.1)  # built twice, and measured as long as asked
    assert min(device.steps[-2 * REPETITIONS :]) > 10_000
    assert told == ["building"] + ["measuring"] * 2 * REPETITIONS


def test_a_real_report_says_the_sizes_and_is_plain_data() -> None:
    told: list[tuple[int, int]] = []
    report = measure("xianqi", batch=64, threads=(1,), seconds=0.02, progress=lambda *at: told.append(at))
    data = json.loads(json.dumps(report.to_json()))
    size = get("xianqi").rules.State.itemsize
    assert (data["game"], data["state_bytes"], data["mask_bytes"], data["batch"]) == ("xianqi", size, 64, 64)
    assert data["scaling"] == {"plain": None, "observed": None}
    assert all(0 < speed["median"] <= speed["best"] for speed in data["speeds"])
    assert told == [(k, 2 * REPETITIONS) for k in range(2 * REPETITIONS)]
    assert f"{size} bytes" in report.text() and "threads over one" not in report.text()


@pytest.mark.parametrize(
    ("error", "given"),
    [
        (UnknownGame, {"game": "chess"}),
        (BadBatch, {"batch": 0}),
        (BadCount, {"batch": 64}),  # too small for two threads
        (BadCount, {"threads": ()}),
        (BadCount, {"threads": (2, 1)}),
        (BadCount, {"seconds": 0}),
        (BadCount, {"seconds": float("nan")}),
        (BadCount, {"seconds": "long"}),
    ],
)
def test_bad_arguments_are_refused_by_name(error: type[QipaiError], given: dict[str, Any]) -> None:
    with pytest.raises(error):
        measure(**{"game": LAPS, "batch": 128, "seconds": 0.01, **given})


class CudaAPIError(Exception):
    """As Numba's, which cannot be imported without CUDA."""


@pytest.mark.parametrize(
    "raised", [MemoryError(), CudaAPIError("[2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY")]
)
@pytest.mark.parametrize("where", ["allocate", "rollout"])
def test_games_that_find_no_room_are_a_sentence(
    where: str, raised: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*how: Any) -> None:
        raise raised

    monkeypatch.setattr(f"qipai.sim.cpu.CpuEngine.{where}", full)
    with pytest.raises(BadBatch, match=r"128 (games side by side|lanes of laps do not fit into memory)"):
        measure(LAPS, batch=128, seconds=0.01)


def test_another_fault_of_a_device_is_not_taken_for_want_of_room(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*how: Any) -> None:
        raise CudaAPIError("[700] CUDA_ERROR_ILLEGAL_ADDRESS")

    monkeypatch.setattr("qipai.sim.cpu.CpuEngine.rollout", broken)
    with pytest.raises(CudaAPIError):
        measure(LAPS, batch=128, seconds=0.01)


def test_a_game_of_several_sizes_is_measured_at_the_one_asked_for() -> None:
    for seats, said in ((None, 2), (5, 5)):
        report = measure("nana", batch=64, threads=(1,), seconds=0.02, seats=seats)
        assert report.seats == said
        assert f"64 games of {said} side by side" in report.text()
    with pytest.raises(BadSeats):
        measure("nana", batch=64, threads=(1,), seconds=0.02, seats=7)
