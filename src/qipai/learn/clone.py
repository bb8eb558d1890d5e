"""Behaviour cloning: a net learns to imitate an existing agent, as a warm start for PPO.

`lessons.collect` lets the agent play; `fit` is plain supervised learning of its actions, and of the results
of its games as values.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import smooth_l1_loss

from qipai.core.errors import BadTraining

from .device import Device
from .fused import log_policy
from .lessons import Lessons
from .nets import OBS_UNIT, Net, flat_weights, padded
from .ppo import Adam

HELD_OUT = 16  # one in this many games is held out, to measure agreement


@dataclass(frozen=True)
class Fit:
    """How well a clone does on held-out games."""

    decisions: int
    agreement: float  # share of held-out decisions in which its likeliest action is the agent's
    loss: float  # mean negative log-likelihood there
    steps: int


def fit(
    net: Net,
    lessons: Lessons,
    device: Device,
    *,
    scale: float,
    steps: int,
    rows: int = 4096,
    rate: float = 1e-3,
    seed: int = 1,
    seconds: float = 1e9,
) -> Fit:
    """Train `net` (already on the device) on the lessons; its weights change in place."""
    held = torch.from_numpy(lessons.game % HELD_OUT == 0)
    if int((~held).sum()) == 0 or int(held.sum()) == 0:
        raise BadTraining("too few games to clone from")
    tables = _tables(net, lessons, device, scale)
    kept, apart = (torch.nonzero(m).squeeze(1).to(device.torch) for m in (~held, held))
    order = torch.Generator(device="cpu").manual_seed(seed)
    with device.active():
        weights = flat_weights(net)
        adam = Adam(weights, list(net.parameters()), 1.0)
        started, done = time.monotonic(), 0
        for k in range(steps):
            picked = torch.randint(len(kept), (min(rows, len(kept)),), generator=order).to(device.torch)
            left = min(1 - k / steps, 1 - (time.monotonic() - started) / seconds)
            loss = _loss(net, tables, kept[picked])
            adam.step(loss, torch.tensor(rate * min(1.0, max(0.0, 2 * left)), device=device.torch))
            done = k + 1
            if time.monotonic() - started > seconds:
                break
        agreement, miss = _agreement(net, tables, apart)
    return Fit(len(lessons.action), agreement, miss, done)


def _tables(net: Net, lessons: Lessons, device: Device, scale: float) -> dict[str, Tensor]:
    width = padded(net.length, OBS_UNIT) - net.length
    return {
        "obs": torch.from_numpy(np.pad(lessons.obs, ((0, 0), (0, width)))).to(device.torch),
        "mask": torch.from_numpy(lessons.mask).to(device.torch),
        "action": torch.from_numpy(lessons.action).to(device.torch),
        "result": torch.from_numpy(lessons.result / scale).to(device.torch),
    }


def _loss(net: Net, tables: dict[str, Tensor], rows: Tensor) -> Tensor:
    part = {name: table[rows] for name, table in tables.items()}
    logits, value = net(part["obs"])
    taken = log_policy(logits, part["mask"]).gather(1, part["action"][:, None]).mean()
    return 0.5 * smooth_l1_loss(value.float(), part["result"]) - taken


@torch.no_grad()
def _agreement(net: Net, tables: dict[str, Tensor], rows: Tensor) -> tuple[float, float]:
    same, choices, miss = 0.0, 0.0, 0.0
    for chunk in rows.split(8192):
        part = {name: table[chunk] for name, table in tables.items()}
        log_p = log_policy(net(part["obs"])[0], part["mask"])
        choice = part["mask"].sum(1) > 1
        same += float(((log_p.argmax(1) == part["action"]) & choice).sum())
        choices += float(choice.sum())
        miss -= float(log_p.gather(1, part["action"][:, None]).sum())
    return same / max(choices, 1.0), miss / max(len(rows), 1)
