"""Behaviour cloning: a net learns to imitate an existing agent, as a warm start for PPO.

`lessons.collect` lets the agent play; `fit` is plain supervised learning of its actions, and of the results
of its games as values.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import smooth_l1_loss

from qipai.bots.net.encode import cells_of, turns_of
from qipai.core import Game
from qipai.core.errors import BadTraining

from .device import Device
from .fused import log_policy
from .lessons import Lessons
from .nets import OBS_UNIT, Net, flat_weights, padded
from .ppo import Adam

# A board turned in one way: for each entry of the observation and each action the one that comes to it, and
# where each action goes.
Turned = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
HELD_OUT = 16  # one in this many games is held out, to measure agreement


@dataclass(frozen=True)
class Fit:
    """How well a clone does on held-out games."""

    decisions: int
    agreement: float  # share of held-out decisions in which its likeliest action is the agent's
    before: float  # the same before the first step
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
    turned: Sequence[Turned] = (),
) -> Fit:
    """Train `net` (already on the device) on the lessons; its weights change in place.

    With `turned`, the symmetries of the board, the rows of every minibatch are turned in one of these ways.
    """
    held = torch.from_numpy(lessons.game % HELD_OUT == 0)
    if int((~held).sum()) == 0 or int(held.sum()) == 0:
        raise BadTraining("too few games to clone from")
    tables = _tables(net, lessons, device, scale)
    kept, apart = (torch.nonzero(m).squeeze(1).to(device.torch) for m in (~held, held))
    order = torch.Generator(device="cpu").manual_seed(seed)
    ways = [tuple(torch.from_numpy(index).to(device.torch) for index in way) for way in turned]
    with device.active():
        weights = flat_weights(net)
        adam = Adam(weights, list(net.parameters()), 1.0)
        before, _ = _agreement(net, tables, apart)
        started, done = time.monotonic(), 0
        for k in range(steps):
            picked = torch.randint(len(kept), (min(rows, len(kept)),), generator=order).to(device.torch)
            left = min(1 - k / steps, 1 - (time.monotonic() - started) / seconds)
            part = {name: table[kept[picked]] for name, table in tables.items()}
            if ways:
                part = _turn(part, *ways[int(torch.randint(len(ways), (1,), generator=order))])
            loss = _loss(net, part)
            adam.step(loss, torch.tensor(rate * min(1.0, max(0.0, 2 * left)), device=device.torch))
            done = k + 1
            if time.monotonic() - started > seconds:
                break
        agreement, miss = _agreement(net, tables, apart)
    return Fit(len(lessons.action), agreement, before, miss, done)


def _tables(net: Net, lessons: Lessons, device: Device, scale: float) -> dict[str, Tensor]:
    width = padded(net.length, OBS_UNIT) - net.length
    return {
        "obs": torch.from_numpy(np.pad(lessons.obs, ((0, 0), (0, width)))).to(device.torch),
        "mask": torch.from_numpy(lessons.mask).to(device.torch),
        "action": torch.from_numpy(lessons.action).to(device.torch),
        "result": torch.from_numpy(lessons.result / scale).to(device.torch),
    }


def turned_of(game: Game) -> list[Turned]:
    """Return the symmetries of a game's board, or nothing if it has only one.

    They are those of `turns_of`. Boards of the observation and actions that name cells turn alike.
    """
    cells = cells_of(game)
    named = np.flatnonzero(cells >= 0)
    found = []
    for turn in turns_of(game, game.rules.symmetries) if game.rules.symmetries > 1 else []:
        entries = np.arange(game.observation_size)
        for feature in game.rules.observation:
            if feature.shape:
                boards = np.arange(feature.start, feature.start + feature.length).reshape(-1, len(turn))
                entries[feature.start : feature.start + feature.length] = boards[:, turn].ravel()
        actions = np.arange(game.width)
        actions[named] = named[turn]
        found.append((entries, actions, np.argsort(actions)))
    return found


def _turn(part: dict[str, Tensor], entries: Tensor, actions: Tensor, places: Tensor) -> dict[str, Tensor]:
    """Return rows of lessons on a turned board."""
    obs, length = part["obs"], len(entries)
    boards = torch.cat([obs[:, entries], obs[:, length:]], 1)
    return {**part, "obs": boards, "mask": part["mask"][:, actions], "action": places[part["action"]]}


def _loss(net: Net, part: dict[str, Tensor]) -> Tensor:
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
