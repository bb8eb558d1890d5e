"""Segments of self-play: `steps` decisions in every lane, made by the net and stored for the update.

Shapes: T steps, N lanes, S seats at most, L padded bytes of an observation, W bytes of a mask, A actions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from qipai.core import Game
from qipai.core.errors import BadTraining
from qipai.sim import Batch

from .device import Device
from .fused import Fused
from .nets import OBS_UNIT, Critic, Net, padded
from .settings import Settings


class Tables:
    """One batch per number of seats, with their lanes side by side as if they were one batch.

    obs    int8 (N, L)     padded with zeros
    mask   uint8 (N, W)
    seat   int8 (N,)
    reward int32 (N, S)    0 for seats that a batch does not have
    done   uint8 (N,)
    """

    def __init__(self, game: Game, settings: Settings, device: Device, seed: int) -> None:
        self.game, self.device = game, device
        counts = settings.seats or (game.rules.seats[0],)
        if settings.lanes % len(counts):
            raise BadTraining(f"{settings.lanes} lanes cannot be shared by {len(counts)} numbers of seats")
        share = settings.lanes // len(counts)
        self.lanes, self.seats = settings.lanes, max(counts)
        self.batches = [
            Batch(
                game,
                share,
                seed=(seed + (k << 40)) % (1 << 64),
                device=device.kind,
                options=dict(settings.options),
                seats=count,
                **({"stream": device.stream} if device.stream is not None else {}),
            )
            for k, count in enumerate(counts)
        ]
        self.edges = [k * share for k in range(len(counts) + 1)]
        self._views = [
            {name: _tensor(getattr(batch, name)) for name in ("obs", "mask", "seat", "reward", "done")}
            for batch in self.batches
        ]

    def show(self, obs: Tensor, mask: Tensor, seat: Tensor) -> None:
        """Write the next decision of every lane into obs (N, L), mask (N, W) and seat (N,)."""
        length = self.game.observation_size
        for view, lo, hi in self._parts():
            obs[lo:hi, :length] = view["obs"]
            mask[lo:hi] = view["mask"]
            seat[lo:hi] = view["seat"]

    def show_all(self, seen: Tensor) -> None:
        """Write the observations of all seats (N, S, L), the seat to move first."""
        length = self.game.observation_size
        for (_, lo, hi), batch in zip(self._parts(), self.batches, strict=True):
            found = _tensor(batch.observe_all()).view(hi - lo, -1, length)
            seen[lo:hi, : found.shape[1], :length] = found

    def step(self, actions: Tensor) -> None:
        """Apply one action (N,) int32 per lane."""
        for batch, (_, lo, hi) in zip(self.batches, self._parts(), strict=True):
            part = actions[lo:hi]
            batch.step(part if self.device.kind == "cuda" else part.numpy())

    def tell(self, reward: Tensor, done: Tensor) -> None:
        """Write the results of the last step into reward (N, S) float32 and done (N,)."""
        for view, lo, hi in self._parts():
            found = view["reward"]
            reward[lo:hi, : found.shape[1]] = found
            done[lo:hi] = view["done"]

    def check(self) -> None:
        """Raise `IllegalAction` if a GPU met an illegal action. Waits for the device."""
        for batch in self.batches:
            batch.check()

    def _parts(self) -> list[tuple[dict[str, Tensor], int, int]]:
        return list(zip(self._views, self.edges[:-1], self.edges[1:], strict=True))


def _tensor(array: Any) -> Tensor:
    """Return a tensor over a batch's array, without copying."""
    return torch.from_numpy(array) if isinstance(array, np.ndarray) else torch.from_dlpack(array)


class Segment:
    """The data of a rollout for the update, T steps of N lanes."""

    def __init__(self, game: Game, settings: Settings, seats: int, device: Device) -> None:
        t, n, where = settings.steps, settings.lanes, device.torch
        self.length = padded(game.observation_size, OBS_UNIT)
        self.rows = t * n
        self.obs = torch.zeros(t + 1, n, self.length, dtype=torch.int8, device=where)  # the last: at the cut
        self.mask = torch.zeros(t + 1, n, game.width, dtype=torch.uint8, device=where)
        self.seat = torch.zeros(t + 1, n, dtype=torch.int8, device=where)
        self.action = torch.zeros(t, n, dtype=torch.int64, device=where)
        self.log_p = torch.zeros(t, n, device=where)
        self.value = torch.zeros(t + 1, n, device=where)
        self.reward = torch.zeros(t, n, seats, device=where)  # in units of `scale`
        self.done = torch.zeros(t, n, dtype=torch.uint8, device=where)
        self.own = torch.ones(t, n, dtype=torch.bool, device=where)  # decided by the net that learns
        shape = (t + 1, n, seats, self.length) if settings.critic == "all" else (0,)
        self.all_obs = torch.zeros(shape, dtype=torch.int8, device=where)
        # filled in by `ppo.Learner.prepare`
        self.advantage = torch.zeros(t, n, device=where)
        self.target = torch.zeros(t, n, device=where)
        self.weight = torch.zeros(t, n, device=where)


class Opponent(Protocol):
    """Plays the seats that do not learn in lanes `lo` to `hi`."""

    lo: int
    hi: int

    def act(self, obs: Tensor, mask: Tensor, seat: Tensor, mine: Tensor) -> Tensor:
        """Return actions (hi - lo,) int64 for those lanes; they are ignored if `mine` is False."""
        ...


Sit = Callable[[Tables, int, int], Opponent]  # seats an opponent in these lanes of the tables


class Rollout:
    """Plays segments: the net decides for every seat, or for one seat in the lanes of an opponent.

    `chair` (N,) int8 is the seat that learns in a lane, -1 if every seat does.
    """

    def __init__(
        self,
        tables: Tables,
        segment: Segment,
        net: Net,
        settings: Settings,
        fused: Fused,
        critic: Critic | None = None,
        opponents: Sequence[Opponent] = (),
    ) -> None:
        self.tables, self.segment, self.net, self.fused = tables, segment, net, fused
        self.critic, self.opponents, self.steps = critic, opponents, settings.steps
        where, n = tables.device.torch, tables.lanes
        self.scale = torch.ones((), device=where)
        self.noise = torch.zeros(n, net.actions, device=where)
        self.choice = torch.zeros(n, dtype=torch.int32, device=where)
        self.chair = torch.full((n,), -1, dtype=torch.int8, device=where)
        for opponent in opponents:
            for _, first, last in tables._parts():
                lo, hi = max(first, opponent.lo), min(last, opponent.hi)
                if lo < hi:
                    count = tables.batches[tables.edges.index(first)].reward.shape[1]
                    self.chair[lo:hi] = (torch.arange(hi - lo, device=where) % count).to(torch.int8)

    @torch.no_grad()
    def run(self) -> None:
        """Fill the segment; games continue where the last segment ended."""
        s, tables = self.segment, self.tables
        for t in range(self.steps):
            tables.show(s.obs[t], s.mask[t], s.seat[t])
            logits, value = self.net(s.obs[t])
            self.noise.exponential_()
            action, log_p = self.fused.choose(logits, s.mask[t], self.noise)
            if self.critic is not None:
                tables.show_all(s.all_obs[t])
                value = self.critic(s.all_obs[t])
            s.value[t].copy_(value)
            s.log_p[t].copy_(log_p)
            if self.opponents:
                action = self._shared(action, t)
            s.action[t].copy_(action)
            self.choice.copy_(action)
            tables.step(self.choice)
            tables.tell(s.reward[t], s.done[t])
            s.reward[t] /= self.scale
        last = self.steps
        tables.show(s.obs[last], s.mask[last], s.seat[last])
        if self.critic is not None:
            tables.show_all(s.all_obs[last])
            s.value[last].copy_(self.critic(s.all_obs[last]))
        else:
            s.value[last].copy_(self.net(s.obs[last])[1])

    def _shared(self, action: Tensor, t: int) -> Tensor:
        """Return the actions (N,) with the opponents' at their seats, and record which ones are the net's."""
        s = self.segment
        own = (self.chair < 0) | (s.seat[t] == self.chair)
        s.own[t].copy_(own)
        for opponent in self.opponents:
            lo, hi = opponent.lo, opponent.hi
            theirs = opponent.act(s.obs[t, lo:hi], s.mask[t, lo:hi], s.seat[t, lo:hi], ~own[lo:hi])
            action = torch.cat([action[:lo], torch.where(own[lo:hi], action[lo:hi], theirs), action[hi:]])
        return action
