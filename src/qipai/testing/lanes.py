"""Batches: each lane equals a game stepped by hand, for any number of threads, loop or device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from qipai.core import Game, State, copy_state, pick, seed_words
from qipai.core.errors import NoDevice
from qipai.sim import Batch
from qipai.sim.cpu import MIN_SHARE
from qipai.sim.loops import CHANCE, CHOICE, MAX_REDEALS

from .report import Property
from .run import Run, running

THREADS = (1, 2, 3)
LANES = MIN_SHARE * max(THREADS)
BY_HAND = (0, LANES // 2 + 1, LANES - 1)
SETTINGS = 3  # maximum of the run's settings
ARRAYS = ("state", "mask", "obs", "seat", "reward", "done", "cut")


class Lane:
    """One lane of a batch, played by hand."""

    def __init__(self, game: Game, blank: State, seed: int, number: int) -> None:
        self.game = game
        self.state = copy_state(blank)
        self.seats = int(blank["seats"])
        words = seed & 0xFFFFFFFF, seed >> 32, number
        seed_words(self.state["rng"], *words, CHANCE)
        self.choice = np.zeros(4, np.uint32)
        seed_words(self.choice, *words, CHOICE)
        self.reward = [0] * self.seats
        self.done = self.cut = 0
        self.parts_equal = True
        self._deal()

    def _deal(self) -> None:
        for _ in range(MAX_REDEALS):
            self.game.rules.deal(self.state)
            if running(self.state):
                return

    def step(self) -> int:
        """Make a random action, and deal again if that was the last."""
        mask = self.game.mask(self.state)
        action = int(pick(self.choice, mask, int(mask.sum())))
        before = self.state["payoff"].copy()
        parts = self._in_parts(action)
        self.game.rules.apply(self.state, action)
        self.parts_equal = parts is None or parts.tobytes() == self.state.tobytes()
        self.reward = (self.state["payoff"] - before)[: self.seats].tolist()
        self.done = 0 if running(self.state) else 1
        self.cut = int(self.state["cut"]) if self.done else 0
        if self.done:
            self._deal()
        return action

    def _in_parts(self, action: int) -> State | None:
        """Return the state after `act`, and after `rest` if that is due, for a game that has them."""
        if self.game.device.act is None:
            return None
        s = copy_state(self.state)
        if self.game.device.act(s, action):
            self.game.device.rest(s)
        return s

    def arrays(self) -> dict[str, Any]:
        """Return what the batch should contain for this lane."""
        s = self.state
        seat = int(s["seat"])
        return {
            "state": s.tobytes(),
            "mask": self.game.mask(s).tolist(),
            "obs": self.game.observation_of(s, seat).tolist(),
            "seat": seat,
            "reward": self.reward,
            "done": self.done,
            "cut": self.cut,
        }


def check_lanes(run: Run) -> None:
    """Step and roll out batches with some settings of the run."""
    steps = max(4, min(2 * run.game.rules.length, 120))
    chosen = run.settings[:1] + run.settings[1 : -1 : max(1, len(run.settings) // SETTINGS)]
    for options, seats in chosen[:SETTINGS]:
        run.tick(0, 1, "batches")
        with run.guard(Property.BATCH, f"a batch with {dict(options)}, {seats} seats"):
            stepped = _check_steps(run, options, seats, steps)
            _check_rollouts(run, options, seats, steps, stepped)
            _check_cuda(run, options, seats, steps, stepped)


def _check_steps(run: Run, options: Mapping[str, Any], seats: int, steps: int) -> Batch:
    batch = Batch(run.game, LANES, run.seed, options=options, seats=seats, threads=1)
    blank = run.game.blank(options, seats)
    lanes = {i: Lane(run.game, blank, run.seed, i) for i in BY_HAND}
    for step in range(steps + 1):
        for i, lane in lanes.items():
            for name, expected in lane.arrays().items():
                found = getattr(batch, name)[i]
                found = found.tobytes() if name == "state" else found.tolist()
                message = f"lane {i} differs from a single game in {name}, step {step}, seed {run.seed}"
                run.require(found == expected, Property.BATCH, f"{message}, {dict(options)}")
        if step == steps:
            return batch
        actions = batch.sample()
        for i, lane in lanes.items():
            action = lane.step()
            message = f"lane {i} chose {actions[i]} and not {action}, step {step}, seed {run.seed}"
            run.require(int(actions[i]) == action, Property.BATCH, message)
            message = f"act and rest are not apply: lane {i}, action {action}, step {step}, seed {run.seed}"
            run.require(lane.parts_equal, Property.BATCH, message)
        batch.step(actions)
    return batch


def _check_rollouts(run: Run, options: Mapping[str, Any], seats: int, steps: int, expected: Batch) -> None:
    for threads in THREADS:
        for observe in (False, True):
            batch = Batch(run.game, LANES, run.seed, options=options, seats=seats, threads=threads)
            batch.rollout(steps, observe=observe)
            for name in ARRAYS:
                equal = getattr(batch, name).tobytes() == getattr(expected, name).tobytes()
                way = f"rollout (observe={observe}, {threads} threads)"
                message = f"{way} differs from steps in {name}, seed {run.seed}, {dict(options)}"
                run.require(equal, Property.BATCH, message)


def _check_cuda(run: Run, options: Mapping[str, Any], seats: int, steps: int, expected: Batch) -> None:
    """Compare with the bytes of a GPU, if there is one."""
    try:
        batch = Batch(run.game, LANES, run.seed, "cuda", options=options, seats=seats)
    except NoDevice:
        run.report.seen[Property.BATCH] = "no CUDA device here"
        return
    run.report.seen[Property.BATCH] = "on CUDA too"
    for observe in (False, True):
        batch.reset(run.seed)
        batch.rollout(steps, observe=observe)
        for name in ARRAYS:
            equal = getattr(batch, name).copy_to_host().tobytes() == getattr(expected, name).tobytes()
            message = f"rollout (observe={observe}) on CUDA differs from the CPU in {name}, seed {run.seed}"
            run.require(equal, Property.BATCH, f"{message}, {dict(options)}")
