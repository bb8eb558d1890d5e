"""`run`: a contest from names and numbers to its standings, with the deals split over threads or workers."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, astuple, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from qipai.bots.find import find_agent
from qipai.cluster import Pool
from qipai.cluster.local import Here
from qipai.core import AgentSpec, Game, get
from qipai.core.errors import AgentFault, BadContest, BadCount, BadSeed, UnknownAgent

from .files import add_line, open_lines
from .guard import SECONDS, caught_output, guarded, silenced
from .identity import head_of
from .lanes import Lanes, lanes_of
from .play import LANES, Contest, Tally, play_deal
from .seating import seatings
from .standings import Standings, standings_of
from .watch import fenced, watched

FORMAT = "qipai-arena/1"
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Order:
    """A contest by names, as a worker is told of it."""

    game: str
    agents: tuple[str, ...]
    options: tuple[tuple[str, Any], ...]
    seats: int
    seed: int

    def head(self) -> dict[str, Any]:
        """Return the first line of a file of results; the number of deals is not part of it."""
        options = dict(self.options)
        played = {**asdict(self), "options": options}
        return head_of(FORMAT, get(self.game, options), played, self.agents)


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
    pool: Pool | None = None,
    out: Path | None = None,
    seconds: float = SECONDS,
) -> Standings:
    """Play `agents` against each other: each of `deals` deals once in every seating.

    The standings only depend on game, options, seats, agents, deals and seed; how the work is split changes
    nothing but the time. Without a `pool` of workers it runs in this process, on `threads` threads. Results
    are written to the file `out` as they come, and a contest whose file exists goes on where that ends. With
    `pool` or `out`, game and agents are given by name. Raises `AgentFault` if an agent fails, chooses an
    illegal action, prints to standard output, or takes longer than `seconds` to decide.
    """
    contest = contest_of(game, agents, deals, seed, options, seats)
    count = _whole("threads", threads if threads is not None else os.cpu_count() or 1, 1)
    contest.game.compile()
    contest = guarded(contest, seconds)
    if pool is not None or out is not None:
        order = _order(game, agents, options, contest)
        return standings_of(contest, _through(order, contest, pool or Here(), out, progress))
    with silenced():
        return standings_of(contest, _in_threads(contest, count, progress))


def _order(
    game: Game | str,
    agents: Sequence[str | AgentSpec],
    options: Mapping[str, Any] | None,
    contest: Contest,
) -> Order:
    """Return a contest by names; raise `BadContest` for a game or an agent that has none elsewhere."""
    names = tuple(agent for agent in agents if isinstance(agent, str))
    if not isinstance(game, str) or len(names) != len(agents):
        raise BadContest("with workers or a file of results, game and agents are given by name")
    pairs = tuple(sorted((options or {}).items()))
    return Order(game, names, pairs, int(contest.blank["seats"]), contest.seed)


def _through(
    order: Order, contest: Contest, pool: Pool, out: Path | None, progress: Progress | None
) -> list[Tally]:
    """Return the tallies of all deals, played by the workers of a pool or read from the file."""
    rows = open_lines(out, order.head()) if out is not None else []
    try:
        tallies = [Tally(*(tuple(part) for part in one)) for row in rows for one in row]
    except TypeError as error:
        raise BadContest(f"{out.name if out else ''} is not a file of results: {error}") from error
    del tallies[contest.deals :]  # a file may hold more
    missing = range(len(tallies), contest.deals)
    size = _size_of_part(order, contest.limit, pool) if missing else 1
    starts = missing[::size]
    tasks = [(order, contest.limit, start, min(size, contest.deals - start)) for start in starts]
    with out.open("a", encoding="utf-8") if out is not None else nullcontext() as file:
        for part in pool.stream(play_part, tasks, lost=_lost):
            if file is not None:
                add_line(file, [list(astuple(one)) for one in part])
            tallies += part
            if progress is not None:
                progress(len(tallies), contest.deals)
    return tallies


def _size_of_part(order: Order, seconds: float, pool: Pool) -> int:
    """Return how many deals a worker is given at a time; a worker makes the agents and says it."""

    def lost(task: tuple[Any, ...], doing: str, why: str) -> int:
        raise _fault(order, doing, why)

    (size,) = pool.stream(size_of_part, [(order, seconds)], lost=lost)
    return size


def size_of_part(order: Order, seconds: float) -> int:
    """Return how many deals of a contest are played at once; runs in a worker."""
    lanes = fenced(_standing, order, seconds)[1]
    return 1 if lanes is None else lanes.deals


def play_part(order: Order, seconds: float, first: int, count: int) -> list[Tally]:
    """Play some deals of a contest; runs in a worker."""
    return fenced(_play_part, order, seconds, first, count)


def _play_part(order: Order, seconds: float, first: int, count: int) -> list[Tally]:
    contest, lanes = _standing(order, seconds)
    with silenced(), caught_output():
        return lanes.tallies(first, count) if lanes else [play_deal(contest, first + k) for k in range(count)]


@lru_cache(maxsize=4)
def _standing(order: Order, seconds: float) -> tuple[Contest, Lanes | None]:
    """Return a contest in this process, and its tables if they can be played at once."""
    made = contest_of(order.game, order.agents, 1, order.seed, dict(order.options), order.seats)
    made.game.compile()
    contest = guarded(made, seconds)
    with silenced(), caught_output():
        return contest, lanes_of(contest)


def _lost(task: tuple[Any, ...], doing: str, why: str) -> list[Tally]:
    """Raise the fault of the agent whose worker hung or died."""
    order, _, first, count = task
    raise _fault(order, doing, why, f"deals {first} to {first + count - 1}")


def _fault(order: Order, doing: str, why: str, where: str = "when they were made") -> AgentFault:
    """Return the fault of the agent that a lost worker asked, or of one of them if it did not say."""
    names = ", ".join(order.agents)
    return AgentFault(f"{doing or f'one of {names} failed ({where})'}: {why}")


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


def _in_threads(contest: Contest, threads: int, progress: Progress | None) -> list[Tally]:
    """Play all deals in threads; those of agents that can play at many tables in larger parts."""
    spare: list[Lanes] = []  # made to see whether the agents can; the first thread plays there
    if contest.deals > 1 and (made := fenced(lanes_of, contest)) is not None:
        spare.append(made)
    size = min(spare[0].deals, -(-contest.deals // threads)) if spare else 1
    together = bool(spare)

    def player() -> Callable[[int], list[Tally]]:
        if not together:
            return lambda first: [play_deal(contest, first)]
        try:
            lanes = spare.pop()
        except IndexError:
            again = lanes_of(contest)
            assert again is not None
            lanes = again
        return lambda first: lanes.tallies(first, min(size, contest.deals - first))

    done = 0

    def count(part: list[Tally]) -> None:
        nonlocal done
        for _ in part:
            done += 1
            if progress is not None:
                progress(done, contest.deals)

    parts = watched(player, range(0, contest.deals, size), threads, count)
    return [tally for part in parts for tally in part]


def _whole(name: str, value: Any, low: int, high: int | None = None) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < low:
        raise BadCount(f"{name} must be a whole number from {low}, not {value!r}")
    if high is not None and value > high:
        raise BadCount(f"{name} must be at most {high} here, not {value}")
    return value
