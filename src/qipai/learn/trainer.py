"""`Trainer`: the training loop, segment after segment, with all its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from qipai.bots.net import Encoding, cells_of
from qipai.core import Game, get
from qipai.core.errors import BadTraining

from . import checkpoint
from .clone import Fit, fit, turned_of
from .device import Device
from .fused import Fused, compiled
from .league import Frozen, League
from .lessons import Lessons
from .nets import Columns, Conv, Critic, Mlp, Net
from .ppo import ENTROPY, KL, RATE, Learner
from .ranks import ALONE, Ranks
from .rollout import Opponent, Rollout, Segment, Sit, Tables
from .settings import Settings

FIRST_GAMES = 4  # segments of random play that measure an unknown payoff scale


def make_net(game: Game, settings: Settings, fused: Fused, columns: Columns | None = None) -> Net:
    """Return a fresh net for a game, on the CPU."""
    encoding: Any = columns if columns is not None else columns_of(game, settings)
    if settings.net == "conv":
        return Conv(game, encoding, cells_of(game), settings, fused)
    return Mlp(game, encoding, settings, fused)


def columns_of(game: Game, settings: Settings) -> Encoding:
    """Return the columns that a run's net reads."""
    return Encoding.of(game, settings.hot, settings.skip)


class Trainer:
    """A net that learns from games against itself, frozen nets and other agents.

    `opponent` makes an agent that plays all seats but one in every lane (`qipai train --against`); otherwise
    the last `league` share of the lanes is played against snapshots and the `rivals` that the settings name,
    and in all others every seat learns.
    """

    def __init__(
        self,
        settings: Settings,
        kind: str = "cpu",
        *,
        game: Game | None = None,
        columns: Columns | None = None,
        opponent: Sit | None = None,
        rivals: Sequence[Sit] = (),
        start: dict[str, Any] | None = None,
        reference: bool = False,
        ranks: Ranks = ALONE,
    ) -> None:
        """Make a trainer; one of several `ranks` is given the settings of its share."""
        settings.check()
        self.settings, self.device, self.ranks = settings, Device(kind), ranks
        self.game = game or get(settings.game, dict(settings.options))
        self.columns, self.start = columns, start
        self.device.seed(settings.seed)
        if kind == "cpu":
            torch.set_num_threads(settings.threads)
        fused = compiled() if settings.fuse and kind == "cuda" else Fused()
        self.updates = 0
        with self.device.active():
            self.net = make_net(self.game, settings, fused, columns)
            if start is not None:
                self.net.load(start)
            self.net.to(self.device.torch)
            self.reference = self._frozen(fused, columns) if reference else None
            self.tables = Tables(self.game, settings, self.device, self.seed)
            seats = self.tables.seats
            self.segment = Segment(self.game, settings, seats, self.device)
            self.critic = None
            if settings.critic == "all":
                seen = columns if columns is not None else columns_of(self.game, settings)
                self.critic = Critic(self.net, seen, seats, settings, fused)
                self.critic.to(self.device.torch)
            self.league = League(settings.league_size)
            opponents = self._opponents(opponent, rivals, fused, columns)
            self.learner = Learner(
                self.net, self.segment, settings, self.device, fused, self.critic, self.reference, ranks
            )
            parts = (self.tables, self.segment, self.net, settings, fused, self.critic)
            self.rollout = Rollout(*parts, opponents)
            self.rollout.scale.fill_(settings.scale or 1.0)
        self._collect: Callable[[], Any] = self.rollout.run
        if ranks.size > 1:
            self.device.seed(self.seed)
            self.agree()

    @property
    def seed(self) -> int:
        """The seed of this rank's games."""
        return self.settings.seed + (self.ranks.rank << 48)

    def agree(self) -> None:
        """Take over everything learned from the first rank."""
        with self.device.active():
            tensors = [self.learner.weights, *self.learner.adam.tensors().values(), self.rollout.scale]
            for net in (self.reference, self.slot.net if self.slot is not None else None):
                tensors += [] if net is None else [p.data for p in net.parameters()]
            for tensor in tensors:
                self.ranks.from_first(tensor)

    def _opponents(
        self, opponent: Sit | None, rivals: Sequence[Sit], fused: Fused, columns: Columns | None
    ) -> Sequence[Opponent]:
        self.slot: Frozen | None = None
        if opponent is not None:
            return (opponent(self.tables, 0, self.settings.lanes),)
        if len(rivals) != len(self.settings.rivals):
            raise BadTraining(f"{len(rivals)} rivals for the {len(self.settings.rivals)} of the settings")
        shares = self.settings.league_shares()
        if not shares:
            return ()
        net = self._frozen(fused, columns)
        self.slot = Frozen(net, *shares[0], fused)
        sits: list[Sit] = [lambda tables, lo, hi: Frozen(net, lo, hi, fused), *rivals]
        return [sits[k % len(sits)](self.tables, lo, hi) for k, (lo, hi) in enumerate(shares)]

    def _frozen(self, fused: Fused, columns: Columns | None) -> Net:
        """Return a copy of the current net, without gradients."""
        made = make_net(self.game, self.settings, fused, columns)
        made.load(self.net.arrays())
        made.to(self.device.torch)
        return made.requires_grad_(False)  # type: ignore[no-any-return]

    def prepare(self) -> None:
        """Measure the payoff scale if it is not given, then record both halves of the loop on a GPU."""
        if self.settings.scale == 0 and self.updates == 0:
            self.measure_scale()
        self._collect = self.device.record(self.rollout.run)
        self.learner.record()
        self.tables.check()

    def measure_scale(self) -> None:
        """Set the payoff that counts as 1: the root mean square of what finished games of this net paid."""
        total, games = 0.0, 0.0
        with self.device.active():
            for _ in range(FIRST_GAMES):
                self.rollout.run()
                s = self.segment
                total += float((s.reward**2).sum())
                games += float(s.done.sum()) * s.reward.shape[2]
            sums = torch.tensor([total, games], dtype=torch.float64, device=self.device.torch)
            total, games = self.ranks.add(sums).tolist()
            self.rollout.scale.fill_(max(1.0, (total / max(games, 1.0)) ** 0.5))

    def adopt(self, arrays: dict[str, Any], scale: float | None = None) -> None:
        """Start from these weights: net, reference and first opponents; the optimizer is reset."""
        with self.device.active():
            for net in (self.net, self.reference, self.slot.net if self.slot is not None else None):
                if net is not None:
                    net.load(arrays)
            for tensor in self.learner.adam.tensors().values():
                tensor.zero_()
            if scale is not None:
                self.rollout.scale.fill_(scale)

    def clone(self, lessons: Lessons) -> tuple[Fit, float]:
        """Train a fresh net, or one with the weights of the start, on these lessons, and go on with it.

        Return how well it does, and the payoff scale.
        """
        s = self.settings
        torch.manual_seed(s.seed)
        scale = s.scale or max(1.0, float(np.sqrt(np.mean(lessons.result.astype(np.float64) ** 2))))
        with self.device.active():
            net = make_net(self.game, s, Fused(), self.columns)
            if self.start is not None:
                net.load(self.start)
            net.to(self.device.torch)
        found = fit(
            net,
            lessons,
            self.device,
            scale=scale,
            steps=s.clone_steps,
            rows=s.clone_rows,
            rate=s.clone_rate,
            seed=s.seed,
            seconds=s.clone_fit,
            turned=turned_of(self.game) if s.clone_turned else (),
        )
        self.adopt(net.arrays(), scale)
        return found, scale

    def set_progress(self, share: float) -> None:
        """Set the values that change during a run, for the fraction (0 to 1) of it that is over."""
        s = self.settings
        share = min(1.0, max(0.0, share))
        knobs = self.learner.knobs.new_zeros(3, device="cpu")
        knobs[RATE] = s.rate + (s.rate_end - s.rate) * share
        knobs[ENTROPY] = s.entropy * (s.entropy_end / s.entropy) ** share if s.entropy > 0 else 0.0
        knobs[KL] = s.kl + (s.kl_end - s.kl) * share
        with self.device.active():
            self.learner.knobs.copy_(knobs, non_blocking=True)

    def iterate(self) -> None:
        """Play one segment and learn from it."""
        self.collect()
        self.learn()

    def collect(self) -> None:
        """Play one segment."""
        with self.device.active():
            self._collect()

    def learn(self) -> None:
        """Learn from the segment; from time to time add a snapshot to the league."""
        with self.device.active():
            self.learner.update()
            self.updates += 1
            if self.slot is not None and self.updates % self.settings.league_every == 0:
                self.league.add(f"update-{self.updates}", self.net)
                self.league.seat(self.slot, self.settings.seed, self.updates)

    def wait(self) -> None:
        """Wait for the device."""
        self.device.wait()

    def check(self) -> None:
        """Raise `IllegalAction` if a GPU met an illegal action; waits."""
        self.tables.check()

    def log(self) -> dict[str, float]:
        """Return the means of the losses since the last call; waits."""
        with self.device.active():
            return self.learner.log()

    def arrays(self) -> dict[str, Any]:
        """Return the net's weights under the names of the file format; waits."""
        self.wait()
        return self.net.arrays()

    def pack(self, about: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return header and arrays of a checkpoint; waits."""
        return checkpoint.pack(self, about)

    def restore(self, header: Mapping[str, Any], arrays: dict[str, Any]) -> None:
        """Continue from a checkpoint; raise `BadTraining` if it does not match the settings."""
        checkpoint.restore(self, header, arrays)

    def close(self) -> None:
        """Do nothing: all of it is in this process."""

    @property
    def decisions(self) -> int:
        """Number of decisions made so far, by all ranks."""
        return self.updates * self.segment.rows * self.ranks.size

    def games(self) -> dict[str, float]:
        """Return the games ended in the last segment, and decisions and payoff of seat 0 per game. Waits."""
        s = self.segment
        with self.device.active():
            ended = float(s.done.sum())
            paid = float(s.reward[:, :, 0].sum()) * float(self.rollout.scale)
        return {"games": ended, "length": s.rows / max(ended, 1.0), "payoff": paid / max(ended, 1.0)}
