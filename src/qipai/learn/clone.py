"""Behaviour cloning: a net learns what an existing agent does, as a warm start for PPO.

`collect` lets the agent play games in several processes and notes what it saw and did; `fit` is plain
supervised learning of its actions, and of the results of its games as values.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import smooth_l1_loss

from qipai.core import NOBODY, Game, agents_of, bots_of, get, make_agent
from qipai.core.agent import agent_words, sight
from qipai.core.errors import AgentFault, BadTraining, UnknownAgent

from .device import Device
from .fused import log_policy
from .nets import OBS_UNIT, Net, flat_weights, padded
from .ppo import Adam

HELD_OUT = 16  # one game in so many is kept apart, to measure agreement on
GAMES_PER_TASK = 8


@dataclass(frozen=True)
class Lessons:
    """What an agent saw and did, m decisions."""

    obs: NDArray[np.int8]  # (m, L)
    mask: NDArray[np.uint8]  # (m, W)
    action: NDArray[np.int64]  # (m,)
    result: NDArray[np.float32]  # (m,) what its seat was paid from there to the end of the game
    game: NDArray[np.int64]  # (m,) the number of the game


def play_games(
    name: str,
    options: Mapping[str, str | int],
    seats: int | None,
    agent: str,
    seed: int,
    numbers: range,
    explore: float,
) -> Lessons:
    """Play games of these numbers with `agent` in every seat.

    With probability `explore` a random legal action is made in place of the agent's, whose answer is what is
    noted: so it also answers in positions that it would not come to.
    """
    game = get(name, dict(options))
    rows: list[tuple[Any, Any, int, int, int]] = []
    results: list[float] = []
    for number in numbers:
        rng = np.random.default_rng((seed, number))
        s = game.new(dict(options), seats, rng.integers(0, 1 << 32, 4).tolist())
        count = int(s["seats"])
        players = [make_agent(game, agent, seed, 2 * (number * count + k)) for k in range(count)]
        words = [agent_words(game, seed, 2 * (number * count + k) + 1) for k in range(count)]
        first = len(rows)
        paid = []
        while (seat := int(s["seat"])) != NOBODY:
            seen = sight(game, s, seat, words[seat])
            mask = seen.mask.copy()
            obs = seen.observation()
            action = int(players[seat].act(seen))
            if not 0 <= action < game.rules.actions or not mask[action]:
                raise AgentFault(f"{agent} answered {action}, which is not legal")
            rows.append((obs, mask, action, seat, number))
            paid.append(int(s["payoff"][seat]))
            made = int(rng.choice(np.flatnonzero(mask))) if rng.random() < explore else action
            game.rules.apply(s, made)
        final = s["payoff"]
        results += [float(final[row[3]]) - was for row, was in zip(rows[first:], paid, strict=True)]
    return Lessons(
        np.array([r[0] for r in rows], np.int8).reshape(len(rows), game.observation_size),
        np.array([r[1] for r in rows], np.uint8).reshape(len(rows), game.width),
        np.array([r[2] for r in rows], np.int64),
        np.array(results, np.float32),
        np.array([r[4] for r in rows], np.int64),
    )


def collect(
    name: str,
    agent: str,
    decisions: int,
    *,
    options: Mapping[str, str | int] | None = None,
    seats: tuple[int, ...] = (),
    seed: int = 1,
    processes: int = 1,
    explore: float = 0.05,
    seconds: float = 1e9,
    say: Callable[[str], None] | None = None,
) -> Lessons:
    """Return at least `decisions` decisions of an agent, or as many as `seconds` allow.

    Tasks are played in the order of their numbers, so the same arguments give the same lessons as long as
    the time is enough.
    """
    game = get(name, dict(options or {}))
    if agent not in agents_of(game):
        raise UnknownAgent(f"{name} has no agent {agent!r}; known: {', '.join(agents_of(game))}")
    found: list[Lessons] = []
    counts: tuple[int | None, ...] = seats or (None,)
    started, total = time.monotonic(), 0

    def task(k: int) -> tuple[Any, ...]:
        numbers = range(k * GAMES_PER_TASK, (k + 1) * GAMES_PER_TASK)
        return name, dict(options or {}), counts[k % len(counts)], agent, seed, numbers, explore

    def enough(lessons: Lessons) -> bool:
        nonlocal total
        found.append(lessons)
        total += len(lessons.action)
        if say is not None and len(found) % 50 == 0:
            say(f"{total:,} decisions of {agent} in {time.monotonic() - started:.0f} s")
        return total >= decisions or time.monotonic() - started > seconds

    if processes <= 1:
        k = 0
        while not enough(play_games(*task(k))):
            k += 1
        return _join(found)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        ahead = [pool.submit(play_games, *task(k)) for k in range(3 * processes)]
        k = len(ahead)
        while not enough(ahead.pop(0).result()):
            ahead.append(pool.submit(play_games, *task(k)))
            k += 1
        pool.shutdown(wait=False, cancel_futures=True)
    return _join(found)


def _join(parts: list[Lessons]) -> Lessons:
    names = ("obs", "mask", "action", "result", "game")
    return Lessons(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


@dataclass(frozen=True)
class Fit:
    """How well a clone does on games that it was not shown."""

    decisions: int
    agreement: float  # share of held-out decisions with a choice where its likeliest action is the agent's
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
    """Teach `net` (on the device already) what the lessons say; its weights change in place."""
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
            left = max(1 - k / steps, 1 - (time.monotonic() - started) / seconds)
            loss = _loss(net, tables, kept[picked])
            adam.step(loss, torch.tensor(rate * min(1.0, 2 * left), device=device.torch))
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


def agent_games(game: Game) -> list[str]:
    """Return the agents of a game that can be cloned."""
    return [name for name in bots_of(game) if name != "random"]
