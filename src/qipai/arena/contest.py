"""`run`: a contest from names and numbers to its standings, with the deals split over threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

from qipai.bots.find import find_agent
from qipai.core import AgentSpec, Game, get
from qipai.core.errors import BadCount, BadSeed, UnknownAgent

from .play import LANES, Contest, Tally, play_deal
from .seating import seatings
from .standings import Standings, standings_of

Progress = Callable[[int, int], None]


def run(
    game: Game | str,
    agents: Sequence[str | AgentSpec],
    deals: int,
    *,
    seed: int = 0,
    threads: int | None = None,
    options: Mapping[str, Any] | None = None,
    seats: int | None = None,
    progress: Progress | None = None,
) -> Standings:
    """Play `agents` against each other: each of `deals` deals once in every seating.

    The standings only depend on game, options, seats, agents, deals and seed; `threads` changes
    nothing but the time. Raises `AgentFault` if an agent fails or chooses an illegal action.
    """
    contest = contest_of(game, agents, deals, seed, options, seats)
    count = _whole("threads", threads if threads is not None else os.cpu_count() or 1, 1)
    contest.game.compile()
    tallies = _one_by_one(contest, progress) if count == 1 else _in_threads(contest, count, progress)
    return standings_of(contest, tallies)


def contest_of(
    game: Game | str,
    agents: Sequence[str | AgentSpec],
    deals: int,
    seed: int,
    options: Mapping[str, Any] | None,
    seats: int | None,
) -> Contest:
    """Return the contest that `run` plays with these arguments."""
    found = game if isinstance(game, Game) else get(game, options)
    blank = found.blank(options, seats)
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 1 << 64:
        raise BadSeed("an arena's seed must be a whole number from 0 to 2^64 - 1")
    specs = _specs(found, agents)
    different = {spec.name: spec for spec in specs}
    numbers = [list(different).index(spec.name) for spec in specs]
    places = seatings(numbers, int(blank["seats"]))
    most = LANES // (2 * int(blank["seats"]) * len(places))
    return Contest(
        game=found,
        blank=blank,
        agents=tuple(different.values()),
        seatings=tuple(places),
        deals=_whole("deals", deals, 1, most),
        seed=seed,
    )


def _specs(game: Game, agents: Sequence[str | AgentSpec]) -> list[AgentSpec]:
    if isinstance(agents, str) or not agents:
        raise UnknownAgent("an arena needs a list of agents")
    specs: list[AgentSpec] = []
    for agent in agents:
        spec = find_agent(game, agent)
        if any(spec.name == other.name and spec != other for other in specs):
            raise UnknownAgent(f"two different agents are called {spec.name!r}")
        specs.append(spec)
    return specs


def _one_by_one(contest: Contest, progress: Progress | None) -> list[Tally]:
    tallies = []
    for deal in range(contest.deals):
        tallies.append(play_deal(contest, deal))
        if progress is not None:
            progress(deal + 1, contest.deals)
    return tallies


def _in_threads(contest: Contest, threads: int, progress: Progress | None) -> list[Tally]:
    with ThreadPoolExecutor(threads) as pool:
        jobs = [pool.submit(play_deal, contest, deal) for deal in range(contest.deals)]
        try:
            for done, job in enumerate(as_completed(jobs), 1):
                job.result()  # an error ends the contest immediately
                if progress is not None:
                    progress(done, contest.deals)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return [job.result() for job in jobs]


def _whole(name: str, value: Any, low: int, high: int | None = None) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < low:
        raise BadCount(f"{name} must be a whole number from {low}, not {value!r}")
    if high is not None and value > high:
        raise BadCount(f"{name} must be at most {high} here, not {value}")
    return value
