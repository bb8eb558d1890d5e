"""A batch whose lanes are not single games is found."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.sim import Batch, Rollout
from qipai.testing import Property
from tests.toys_check import hush

from .breaking import breaks, keeps


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
