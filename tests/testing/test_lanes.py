"""A batch whose lanes are not single games is found."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.sim import Batch, Rollout
from qipai.testing import Property, lanes
from tests.toys_check import faults, hush

from .breaking import breaks, keeps, make_run


class Generous(Batch):
    """Pays one more than was won."""

    def step(self, actions: Any) -> None:
        super().step(actions)
        self.reward[:] += self.done[:, None]


class Forgetful(Batch):
    """Shows the mask of the decision before."""

    def step(self, actions: Any) -> None:
        before = self.mask.copy()
        super().step(actions)
        self.mask[:] = before


class Wilful(Batch):
    """Chooses the first action, not a random one."""

    def sample(self) -> Any:
        return self.mask.argmax(1).astype("int32")


class Threaded(Batch):
    """Right with one thread only."""

    def rollout(self, steps: int, observe: bool = False) -> Rollout:
        done = super().rollout(steps, observe)
        if self.threads == 2:
            self.seat[70] ^= 1
        return done


def test_the_healthy_batch_is_single_games_side_by_side() -> None:
    keeps(hush.GAME, Property.BATCH, options=[{}])


@pytest.mark.parametrize(
    ("batch", "text"),
    [
        (Generous, "differs from a single game in reward"),
        (Forgetful, "differs from a single game in mask"),
        (Wilful, "chose"),
        (Threaded, "rollout (observe=False, 2 threads) differs from steps in seat"),
    ],
)
def test_a_batch_that_differs_is_found(
    monkeypatch: pytest.MonkeyPatch, batch: type[Batch], text: str
) -> None:
    monkeypatch.setattr("qipai.testing.lanes.Batch", batch)
    breaks(hush.GAME, Property.BATCH, text, options=[{}])


@pytest.mark.parametrize("act", [faults.act_whole, faults.act_part])
def test_parts_that_are_apply_are_sound(act: Any) -> None:
    keeps(faults.broken(act=act, rest=faults.rest_count), Property.BATCH, options=[{}])


@pytest.mark.parametrize("act", [faults.act_more, faults.act_less])
def test_parts_of_apply_that_are_not_apply_are_found(act: Any) -> None:
    """The rest is taken where `act` says that it is due, and nowhere else."""
    game = faults.broken(act=act, rest=faults.rest_count)
    breaks(game, Property.BATCH, "act and rest are not apply", options=[{}])


class Copied:
    """An array as a GPU holds it."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def copy_to_host(self) -> Any:
        return self._array


class Gpu(Batch):
    """A pretended GPU: the CPU's arrays behind another interface."""

    fault = 0

    def __init__(self, game: Any, n: int, seed: int = 0, device: str = "cpu", **settings: Any) -> None:
        super().__init__(game, n, seed, "cpu", **settings)
        self.pretends = device == "cuda"
        for name in lanes.ARRAYS if self.pretends else ():
            setattr(self, name, Copied(getattr(self, name)))

    def rollout(self, steps: int, observe: bool = False) -> Rollout:
        done = super().rollout(steps, observe)
        if self.pretends:
            self._arrays.mask[5, 0] ^= self.fault
        return done


@pytest.mark.parametrize("fault", [0, 1])
def test_a_gpu_that_plays_differently_is_found(monkeypatch: pytest.MonkeyPatch, fault: int) -> None:
    monkeypatch.setattr("qipai.testing.lanes.Batch", Gpu)
    monkeypatch.setattr(Gpu, "fault", fault)
    if fault:
        breaks(hush.GAME, Property.BATCH, "on CUDA differs from the CPU in mask", options=[{}])
    else:
        run = make_run(hush.GAME)
        lanes.check_lanes(run)
        assert run.report.seen[Property.BATCH] == "on CUDA too"
