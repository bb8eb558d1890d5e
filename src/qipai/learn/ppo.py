"""PPO's update: advantages of a segment, then minibatches of it in random order.

Shapes: T steps, N lanes, M = T * N rows, B rows of a minibatch, A actions, P weights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import smooth_l1_loss

from .credit import credit
from .device import Device
from .fused import Fused, log_policy
from .nets import Critic, Net, flat_weights
from .ranks import ALONE, Ranks
from .rollout import Segment
from .settings import Settings

# Values that change during a run, in one tensor, so that recorded launches see the changes.
RATE, ENTROPY, KL = range(3)
# Sums over minibatches for the log, in `Learner.sums`.
SUMS = ("policy", "value", "entropy", "shift", "clipped", "kl", "gradient", "minibatches")
BETA1, BETA2, TINY = 0.9, 0.999, 1e-8


@dataclass(frozen=True)
class Rows:
    """Rows of a segment, B of them."""

    obs: Tensor  # (B, L) int8
    mask: Tensor  # (B, W) uint8
    action: Tensor  # (B,) int64
    log_p: Tensor  # (B,) of the policy that acted
    advantage: Tensor  # (B,) normalised
    target: Tensor  # (B,) target of the value
    weight: Tensor  # (B,) 0 for rows that do not count


def terms(
    logits: Tensor,  # (B, A)
    value: Tensor,  # (B,)
    mask: Tensor,
    action: Tensor,
    log_p: Tensor,
    advantage: Tensor,
    target: Tensor,
    weight: Tensor,
    clip: float,
) -> Tensor:
    """Return the weighted means of PPO's terms (5,): policy, value, entropy, shift, share clipped."""
    now = log_policy(logits, mask)
    taken = now.gather(1, action[:, None]).squeeze(1)
    change = taken - log_p
    ratio = change.exp()
    gain = torch.min(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage)
    legal = mask[:, : logits.shape[1]] != 0
    entropy = -(now.exp() * torch.where(legal, now, 0.0)).sum(1)
    miss = smooth_l1_loss(value.float(), target, reduction="none")
    shift = ratio - 1 - change  # an estimate of KL(old || new) that is never negative
    clipped = (((ratio - 1).abs() > clip) & (weight > 0)).float()
    share = weight / weight.sum().clamp(min=1)
    return torch.stack([(share * x).sum() for x in (-gain, miss, entropy, shift, clipped)])


def divergence(logits: Tensor, reference: Tensor, mask: Tensor, weight: Tensor) -> Tensor:
    """Return the weighted mean of KL(policy || reference) over legal actions, from scores (B, A)."""
    now, other = log_policy(logits, mask), log_policy(reference, mask)
    legal = mask[:, : logits.shape[1]] != 0
    each = (now.exp() * torch.where(legal, now - other, 0.0)).sum(1)
    return (weight * each).sum() / weight.sum().clamp(min=1)


class Adam:
    """Adam over one vector of weights (P,), with gradient clipping; everything stays on the device."""

    def __init__(self, weights: Tensor, parameters: list[Tensor], limit: float, ranks: Ranks = ALONE) -> None:
        self.weights, self.parameters, self.limit, self.ranks = weights, parameters, limit, ranks
        self.mean = torch.zeros_like(weights)
        self.square = torch.zeros_like(weights)
        self.count = torch.zeros((), device=weights.device)

    def step(self, loss: Tensor, rate: Tensor, rows: Tensor | None = None) -> Tensor:
        """Follow the gradient of `loss`; return its norm before clipping.

        Several ranks follow the mean of their gradients, each counted as often as `rows` (), which is how
        many rows of its minibatch count: the gradient of their minibatches taken together.
        """
        grads = torch.autograd.grad(loss, self.parameters)
        flat = torch.cat([g.float().flatten() for g in grads])
        if self.ranks.size > 1:
            count = torch.ones_like(flat[:1]) if rows is None else rows.reshape(1)
            joint = self.ranks.add(torch.cat([flat * count, count]))
            flat = joint[:-1] / joint[-1].clamp(min=1)
        norm = flat.norm()
        flat *= (self.limit / (norm + 1e-6)).clamp(max=1.0)
        self.count += 1
        self.mean.lerp_(flat, 1 - BETA1)
        self.square.mul_(BETA2).addcmul_(flat, flat, value=1 - BETA2)
        first, second = 1 - BETA1**self.count, 1 - BETA2**self.count
        with torch.no_grad():
            self.weights -= rate * (self.mean / first) / ((self.square / second).sqrt() + TINY)
        return norm

    def tensors(self) -> dict[str, Tensor]:
        """Return everything that a checkpoint must contain."""
        return {"mean": self.mean, "square": self.square, "count": self.count}


class Learner:
    """Improves the weights with segments of play."""

    def __init__(
        self,
        net: Net,
        segment: Segment,
        settings: Settings,
        device: Device,
        fused: Fused,
        critic: Critic | None = None,
        reference: Net | None = None,
        ranks: Ranks = ALONE,
    ) -> None:
        self.ranks = ranks
        self.net, self.critic, self.reference = net, critic, reference
        self.segment, self.settings, self.device = segment, settings, device
        self.modules = nn.ModuleList([net, *([critic] if critic is not None else [])])
        self.weights = flat_weights(self.modules)
        parameters: list[Any] = list(self.modules.parameters())
        self.adam = Adam(self.weights, parameters, settings.gradient, ranks)
        self.knobs = torch.tensor([settings.rate, settings.entropy, settings.kl], device=device.torch)
        self.sums = torch.zeros(len(SUMS), device=device.torch)
        self.order = torch.zeros(segment.rows, dtype=torch.int64, device=device.torch)
        self.rows = torch.zeros(settings.minibatch, dtype=torch.int64, device=device.torch)
        self._terms = fused.wrap(terms)
        self._divergence = fused.wrap(divergence)
        self._prepare: Callable[[], Any] = self.prepare
        self._follow: Callable[[], Any] = self.follow

    def record(self) -> None:
        """Record the two parts of an update on a GPU, without changing any weight."""
        kept = self.state()
        self._prepare = self.device.record(self.prepare)
        self.order.copy_(torch.arange(self.segment.rows, device=self.device.torch))
        self.rows.copy_(self.order[: len(self.rows)])
        self._follow = self.device.record(self.follow)
        self.restore(kept)
        self.sums.zero_()

    def update(self) -> None:
        """Make `epochs` passes over the segment."""
        with self.device.active():
            self._prepare()
            size = len(self.rows)
            for _ in range(self.settings.epochs):
                torch.randperm(len(self.order), out=self.order)
                for lo in range(0, len(self.order), size):
                    self.rows.copy_(self.order[lo : lo + size])
                    self._follow()

    @torch.no_grad()
    def prepare(self) -> None:
        """Fill in advantages, targets and weights of the segment's rows."""
        s, settings = self.segment, self.settings
        advantage, known = credit(
            s.reward,
            s.done,
            s.seat[:-1],
            s.value[:-1],
            s.seat[-1],
            s.value[-1],
            settings.discount,
            settings.trace,
        )
        weight = (known & s.own).float()
        sums = self.ranks.add(torch.stack([weight.sum(), (weight * advantage).sum()]))
        total = sums[0].clamp(min=1)
        mean = sums[1] / total
        spread = (self.ranks.add((weight * (advantage - mean) ** 2).sum()) / total).sqrt()
        s.target.copy_(advantage + s.value[:-1])
        s.advantage.copy_(((advantage - mean) / (spread + 1e-8)).clamp(-settings.outlier, settings.outlier))
        s.weight.copy_(weight)

    def follow(self) -> None:
        """Take one step of Adam on the rows numbered in `rows` (B,)."""
        settings, knobs = self.settings, self.knobs
        part = self._gather()
        logits, value = self.net(part.obs)
        parts = (part.mask, part.action, part.log_p, part.advantage, part.target, part.weight, settings.clip)
        found = self._terms(logits, value, *parts)
        loss = found[0] + settings.value_weight * found[1] - knobs[ENTROPY] * found[2]
        if self.critic is not None:
            better = self.critic(_pick(self.segment.all_obs[:-1], self.rows)).float()
            miss = smooth_l1_loss(better, part.target, reduction="none")
            loss = loss + settings.value_weight * (part.weight * miss).sum() / part.weight.sum().clamp(min=1)
        apart = torch.zeros((), device=loss.device)
        if self.reference is not None:
            with torch.no_grad():
                wanted, _ = self.reference(part.obs)
            apart = self._divergence(logits, wanted, part.mask, part.weight)
            loss = loss + knobs[KL] * apart
        norm = self.adam.step(loss, knobs[RATE], part.weight.sum())
        with torch.no_grad():
            self.sums += torch.cat(
                [found.detach(), torch.stack([apart.detach(), norm, torch.ones_like(norm)])]
            )

    def _gather(self) -> Rows:
        s, rows, steps = self.segment, self.rows, self.settings.steps
        names = ("action", "log_p", "advantage", "target", "weight")
        return Rows(
            obs=_pick(s.obs[:steps], rows),
            mask=_pick(s.mask[:steps], rows),
            **{name: getattr(s, name).flatten().index_select(0, rows) for name in names},
        )

    def log(self) -> dict[str, float]:
        """Return the means since the last call. Waits for the device."""
        sums = dict(zip(SUMS, self.sums.tolist(), strict=True))
        self.sums.zero_()
        count = max(1.0, sums.pop("minibatches"))
        return {name: value / count for name, value in sums.items()}

    def state(self) -> dict[str, Tensor]:
        """Return copies of weights and optimizer state."""
        found = {"weights": self.weights, **self.adam.tensors()}
        return {name: tensor.detach().clone() for name, tensor in found.items()}

    def restore(self, state: dict[str, Tensor]) -> None:
        """Continue from what `state` returned."""
        with torch.no_grad():
            for name, tensor in {"weights": self.weights, **self.adam.tensors()}.items():
                tensor.copy_(state[name])


def _pick(table: Tensor, rows: Tensor) -> Tensor:
    """Return rows (B, ...) of a table of bytes (T, N, ...), moved eight bytes at a time."""
    words = table.flatten(0, 1).view(torch.int64)
    return words.index_select(0, rows).view(table.dtype)
