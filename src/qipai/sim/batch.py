"""`Batch`: thousands of games at once, one face on every device.

The arrays `state, mask, obs, seat, reward, done, cut` are owned by the batch and written
in place by `reset`, `step` and `rollout`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from qipai.core import Game, get
from qipai.core.errors import BadSeats, BadSeed, IllegalAction, NoDevice

from .cpu import CpuEngine

MAX_LANES = 1 << 28


@dataclass(frozen=True)
class Rollout:
    """What a rollout did: decisions made, games ended."""

    decisions: int
    games: int


class Batch:
    """`n` games side by side, each re-dealt when it ends.

    state   recarray (n,)            the true records
    mask    uint8 (n, game.width)    legal actions of the next decision
    obs     int8 (n, L)              what its seat may know
    seat    int8 (n,)                whose decision it is
    reward  int32 (n, seats)         change of payoff in the last step
    done    uint8 (n,)               1 where a game ended in it; mask, obs and seat then
                                     belong to the new deal
    cut     uint8 (n,)               1 where it ended by a cap
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        seed: int = 0,
        device: str = "cpu",
        *,
        options: Mapping[str, Any] | None = None,
        seats: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else get(game, options)
        if not isinstance(n, int) or isinstance(n, bool) or not 1 <= n <= MAX_LANES:
            raise BadSeats(f"a batch has 1 to {MAX_LANES} games, not {n!r}")
        if device == "cuda":
            raise NoDevice("the CUDA engine is not part of this version; device='cpu' works everywhere")
        if device != "cpu":
            raise NoDevice(f"unknown device {device!r}: 'cpu' or 'cuda'")
        if threads is not None and (not isinstance(threads, int) or threads < 1):
            raise NoDevice(f"threads is a whole number from 1, not {threads!r}")
        self.n = n
        self.device = device
        blank = self.game.blank(options, seats)
        engine = self._engine = CpuEngine(self.game, n, threads)
        self.state = engine.states(self.game)
        self.state[:] = blank
        self.mask = engine.array((n, self.game.width), np.uint8)
        self.obs = engine.array((n, self.game.observation_size), np.int8)
        self.seat = engine.array((n,), np.int8)
        self.reward = engine.array((n, int(blank["seats"])), np.int32)
        self.done = engine.array((n,), np.uint8)
        self.cut = engine.array((n,), np.uint8)
        self._choice = engine.array((n, 4), np.uint32)
        self.reset(seed)

    @property
    def threads(self) -> int:
        """How many threads share the lanes."""
        return self._engine.threads

    def reset(self, seed: int = 0) -> None:
        """Seed every lane anew and deal."""
        if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or not 0 <= seed < 1 << 64:
            raise BadSeed("a batch's seed is a whole number from 0 to 2^64 - 1")
        low, high = int(seed) & 0xFFFFFFFF, int(seed) >> 32
        self.reward[:] = 0
        self.done[:] = 0
        self.cut[:] = 0
        self._engine.run("reset_lanes", self.state, self._choice, self.mask, self.seat, low, high)
        if (self.seat < 0).any():
            raise BadSeats(f"{self.game.name}: with these options no deal holds a decision")
        self._engine.run("observe_lanes", self.state, self.obs)

    def step(self, actions: ArrayLike) -> None:
        """One action a lane. IllegalAction, naming the first bad lane, when any is not legal."""
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise IllegalAction(f"step takes {self.n} whole numbers, not {given.dtype} {given.shape}")
        if given.dtype != np.int32 and given.size and not -1 <= given.min() <= given.max() < 1 << 31:
            raise IllegalAction("an action is out of range")
        chosen = np.ascontiguousarray(given, np.int32)
        bad = self._engine.run("first_illegal", chosen, self.mask, self.seat, self.game.actions)
        for lane in bad:
            if lane >= 0:
                raise IllegalAction(f"lane {lane}: action {int(chosen[lane])} is not legal")
        self._engine.run(
            "step_lanes",
            self.state,
            chosen,
            self.mask,
            self.obs,
            self.seat,
            self.reward,
            self.done,
            self.cut,
        )

    def sample(self) -> Any:
        """A random legal action a lane (int32), from the lanes' own streams of choice."""
        actions = np.zeros(self.n, np.int32)
        self._engine.run("choose_lanes", self._choice, self.mask, actions)
        return actions

    def rollout(self, steps: int, observe: bool = False) -> Rollout:
        """`steps` random decisions a lane in one compiled loop.

        With `observe`, mask and observation are delivered at every decision, not only at
        the end. The games are the same either way.
        """
        if not isinstance(steps, int) or isinstance(steps, bool) or steps < 0:
            raise IllegalAction(f"steps is a whole number from 0, not {steps!r}")
        outputs = (self.seat, self.reward, self.done, self.cut)
        if observe:
            ended = self._engine.run_chunked(
                "rollout_observed_lanes", self.state, self._choice, self.mask, self.obs, *outputs, steps
            )
        else:
            ended = self._engine.run(
                "rollout_lanes", self.state, self._choice, self.mask, *outputs, steps
            )
            self._engine.run("observe_lanes", self.state, self.obs)
        return Rollout(decisions=steps * self.n, games=sum(ended))
