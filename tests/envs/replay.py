"""What the games of a learner must be, by batches of one lane: nothing of the environments is used."""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.core import AgentSpec, Game, get
from qipai.sim import Batch


class First:
    """An agent that takes the first legal action."""

    def act(self, sight: Any) -> int:
        return int(np.flatnonzero(sight.mask)[0])


FIRST = AgentSpec("first", 0, lambda game, words: First())


class Lane:
    """One lane of a seed: seat 0 is the learner's, the others take their first legal action."""

    def __init__(self, game: Game | str, state: Any) -> None:
        self.batch = Batch(game, 1)
        self.batch.load(state)
        self._carry = 0  # before the first decision of a game
        self._run()

    @property
    def mask(self) -> Any:
        return self.batch.mask[0, : self.batch.game.rules.actions].astype(bool)

    @property
    def obs(self) -> Any:
        return self.batch.obs[0].copy()

    def step(self, action: int) -> tuple[int, bool, bool]:
        """Return reward, done and cut of a decision; the lane then waits for the next one."""
        self.batch.step([action])
        reward, over = self._carry + int(self.batch.reward[0, 0]), bool(self.batch.done[0])
        self._carry, cut = 0, bool(self.batch.cut[0])
        while not over and self.batch.seat[0] != 0:
            reward += self._others()
            over, cut = bool(self.batch.done[0]), bool(self.batch.cut[0])
        if over:
            self._run()
        return reward, over, cut

    def _others(self) -> int:
        self.batch.step([int(self.batch.mask[0].argmax())])
        return int(self.batch.reward[0, 0])

    def _run(self) -> None:
        """Go on to the learner's first decision; a game that ends before it does not count."""
        self._carry = 0
        while self.batch.seat[0] != 0:
            self._carry += self._others()
            if self.batch.done[0]:
                self._carry = 0


def lanes(name: str, n: int, seed: int) -> list[Lane]:
    """Return the lanes of `Batch(name, n, seed)`."""
    batch = Batch(name, n, seed)
    return [Lane(get(name), batch.state[k]) for k in range(n)]
