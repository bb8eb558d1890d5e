"""What an existing agent does, decision by decision: the training data of `clone.fit`.

`collect` lets the agent play games on the workers of a pool and records what it saw and did. This module does
not need PyTorch, so that those processes start quickly.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count as counting
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.bots.find import find_agent
from qipai.cluster import Pool
from qipai.cluster.local import Here
from qipai.core import NOBODY, AgentSpec, Game, State, get, make_agent
from qipai.core.agent import agent_words, sight
from qipai.core.errors import AgentFault

GAMES_PER_TASK = 2


@dataclass(frozen=True)
class Lessons:
    """What an agent saw and did in m decisions."""

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
    other: str = "",
) -> Lessons:
    """Play the games with these numbers, with `agent` in every seat.

    If `other` names a second agent, it moves for every second seat, but the answers of `agent` are recorded
    there too: this way it also answers in positions that the other one reaches.

    With probability `explore` a random legal action is made instead of the agent's, but the agent's answer is
    recorded: this way it also answers in positions that it would not reach itself.
    """
    game = get(name, dict(options))
    spec = find_agent(game, agent)
    second = find_agent(game, other) if other else None
    rows: list[tuple[Any, Any, int, int, int]] = []
    results: list[float] = []
    for number in numbers:
        rng = np.random.default_rng((seed, number))
        s = game.new(dict(options), seats, rng.integers(0, 1 << 32, 4).tolist())
        count = int(s["seats"])
        players = [make_agent(game, spec, seed, 2 * (number * count + k)) for k in range(count)]
        words = [agent_words(game, seed, 2 * (number * count + k) + 1) for k in range(count)]
        others = {} if second is None else _seated(game, second, seed + 1, number, count)
        first = len(rows)
        paid = []
        while (seat := int(s["seat"])) != NOBODY:
            seen = sight(game, s, seat, words[seat])
            mask = seen.mask.copy()
            obs = seen.observation()
            action = int(players[seat].act(seen))
            seen.close()
            moved = others[seat](s) if seat in others else action
            if not 0 <= action < game.rules.actions or not mask[action]:
                raise AgentFault(f"{agent} answered {action}, which is not legal")
            rows.append((obs, mask, action, seat, number))
            paid.append(int(s["payoff"][seat]))
            made = int(rng.choice(np.flatnonzero(mask))) if rng.random() < explore else moved
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


def _seated(
    game: Game, spec: AgentSpec, seed: int, number: int, count: int
) -> dict[int, Callable[[State], int]]:
    """Return what chooses the actions of every second seat: those with an odd sum of seat and game number."""

    def seat_one(k: int) -> Callable[[State], int]:
        player = make_agent(game, spec, seed, 2 * (number * count + k))
        words = agent_words(game, seed, 2 * (number * count + k) + 1)

        def choose(s: State) -> int:
            seen = sight(game, s, k, words)
            action = int(player.act(seen))
            seen.close()
            return action

        return choose

    return {k: seat_one(k) for k in range(count) if (k + number) % 2}


def collect(
    name: str,
    agent: str,
    decisions: int,
    *,
    options: Mapping[str, str | int] | None = None,
    seats: tuple[int, ...] = (),
    seed: int = 1,
    pool: Pool | None = None,
    explore: float = 0.05,
    other: str = "",
    seconds: float = 1e9,
    say: Callable[[str], None] | None = None,
) -> Lessons:
    """Return at least `decisions` decisions of an agent, or as many as `seconds` allow.

    Games are played by the workers of `pool`, or in this process. Their tasks count in the order of their
    numbers, so the same arguments give the same lessons if there is enough time.
    """
    game = get(name, dict(options or {}))
    for text in (agent, other) if other else (agent,):
        find_agent(game, text)  # raises if there is none
    found: list[Lessons] = []
    counts: tuple[int | None, ...] = seats or (None,)
    started, total = time.monotonic(), 0

    def task(k: int) -> tuple[Any, ...]:
        numbers = range(k * GAMES_PER_TASK, (k + 1) * GAMES_PER_TASK)
        return name, dict(options or {}), counts[k % len(counts)], agent, seed, numbers, explore, other

    def enough(lessons: Lessons) -> bool:
        nonlocal total
        found.append(lessons)
        total += len(lessons.action)
        if say is not None and len(found) % 50 == 0:
            say(f"{total:,} decisions of {agent} in {time.monotonic() - started:.0f} s")
        return total >= decisions or time.monotonic() - started > seconds

    workers = pool if pool is not None else Here()
    (first,) = workers.stream(play_games, [task(0)])  # one worker compiles, the others load the result
    if workers.workers > 1:
        started = time.monotonic()
    if not enough(first):
        rest = (task(k) for k in counting(1))
        for lessons in workers.stream(play_games, rest, ahead=3 * workers.workers):
            if enough(lessons):
                break
    return _join(found)


def _join(parts: list[Lessons]) -> Lessons:
    names = ("obs", "mask", "action", "result", "game")
    return Lessons(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})
