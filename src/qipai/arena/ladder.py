"""A ladder: all agents of a game rated by one series of contests that anybody can repeat.

The ladder is a file with one JSON object per line. The first line says what is played: game, rules version,
options, seats, seed, agents and budgets. Every further line is one deal: the group of agents, and for every
seating the payoffs and a digest of all actions. A ladder that was stopped goes on where its file ends, and
`verify` plays a sample of its deals again and compares. Times are reported, and are no part of any digest.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from qipai.cluster import Pool
from qipai.core import agents_of, get
from qipai.core.errors import AgentFault, BadContest, BadCount, short

from .contest import contest_of
from .files import add_line, open_lines, read_lines
from .guard import SECONDS, caught_output, guarded, silenced
from .identity import head_of, merged
from .play import Contest, Played, play_games
from .ratings import Game as Ranked
from .ratings import Ratings, rate
from .schedule import Group, first_round, next_round
from .seating import ladder_seatings
from .watch import fenced

FORMAT = "qipai-ladder/2"
PATIENCE = 600.0  # seconds that one decision may take while a ladder is verified
FAILED = " failed ("  # follows the name of the agent in the text of a fault
Say = Callable[[str], None]


@dataclass(frozen=True)
class Ladder:
    """What is played: everything that the results depend on."""

    game: str
    agents: tuple[str, ...]  # all different
    seats: int
    seed: int = 0
    meetings: int = 20  # deals that every two agents play together at least
    rounds: int = 10  # adaptive rounds after the first
    options: tuple[tuple[str, str | int], ...] = ()
    also: tuple[tuple[str, str], ...] = ()  # further names of agents: (further name, name)

    def head(self) -> dict[str, Any]:
        """Return the first line of the file."""
        options = dict(self.options)
        played = {**asdict(self), "agents": list(self.agents), "options": options, "also": dict(self.also)}
        return head_of(FORMAT, get(self.game, options), played, self.agents)


@dataclass(frozen=True)
class Deal:
    """One line of the file: a deal played by a group in its seatings, or the fault that ended it."""

    number: int
    group: Group
    seatings: tuple[tuple[int, ...], ...] = ()  # by seat: numbers of the ladder's agents
    payoffs: tuple[tuple[int, ...], ...] = ()
    digests: tuple[str, ...] = ()
    seconds: tuple[float, ...] = ()  # by agent of the group
    moves: tuple[int, ...] = ()
    fault: str = ""
    culprit: int = -1  # the ladder's number of the agent that failed

    def games(self, seats: int) -> list[Ranked]:
        """Return the games for the ratings; alone at the table, the agents are ranked by deal."""
        if seats == 1:
            return [Ranked(tuple(s[0] for s in self.seatings), tuple(p[0] for p in self.payoffs))]
        return [Ranked(s, p) for s, p in zip(self.seatings, self.payoffs, strict=True)]


def ladder_of(
    game: str,
    agents: Sequence[str] = (),
    *,
    seats: int | None = None,
    options: Mapping[str, str | int] | None = None,
    **numbers: int,
) -> Ladder:
    """Return a ladder of `agents`, or of all agents that a game registers, after checking every argument.

    Names of one agent, such as `level6` and `net`, are one entry.
    """
    found = get(game, dict(options or {}))
    names = list(agents) or list(agents_of(found))
    different, also = merged(found, names) if len(set(names)) == len(names) else ([], [])
    if len(different) < 2:
        raise BadContest("a ladder needs two or more different agents, each named once")
    blank = found.blank(options, seats)
    for name, value in numbers.items():
        if not isinstance(value, int) or isinstance(value, bool) or value < (name == "meetings"):
            raise BadCount(
                f"{name} must be a whole number from {int(name == 'meetings')}, not {short(value)}"
            )
    pairs = tuple(sorted((options or {}).items()))
    return Ladder(game, tuple(different), int(blank["seats"]), options=pairs, also=tuple(also), **numbers)


# --- playing --------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _contest(ladder: Ladder, group: Group) -> Contest:
    """Return the contest of a group, whose seatings `play` chooses by deal."""
    options = dict(ladder.options)
    game = get(ladder.game, options)
    names = [ladder.agents[agent] for agent in group]
    return contest_of(game, names, 1 << 20, ladder.seed, options, ladder.seats)


def play(ladder: Ladder, number: int, group: Group, seconds: float = SECONDS) -> Deal:
    """Play one deal; a fault of an agent is part of the result. Runs in a worker."""
    places = ladder_seatings(len(group), ladder.seats, ladder.seed, number)
    contest = replace(_contest(ladder, group), seatings=tuple(places))
    contest.game.compile()
    try:
        games = fenced(_games, guarded(contest, seconds), number)
    except AgentFault as error:
        return _fault(ladder, number, group, str(error))
    return _deal(number, group, games)


def _games(contest: Contest, number: int) -> list[Played]:
    with silenced(), caught_output():
        return play_games(contest, number)


def lost(task: tuple[Any, ...], doing: str, why: str) -> Deal:
    """Return the result of a task whose worker hung or died: a fault of the agent that was asked."""
    ladder, number, group = task[:3]
    return _fault(ladder, number, group, f"{doing or f'deal {number}'}: {why}")


def _fault(ladder: Ladder, number: int, group: Group, text: str) -> Deal:
    name = text.partition(FAILED)[0]
    return Deal(number, group, fault=text, culprit=ladder.agents.index(name) if name in ladder.agents else -1)


def _deal(number: int, group: Group, games: Sequence[Played]) -> Deal:
    agents = range(len(group))
    return Deal(
        number,
        group,
        tuple(tuple(group[agent] for agent in game.seating) for game in games),
        tuple(game.payoffs for game in games),
        tuple(game.digest for game in games),
        tuple(round(sum(game.seconds[k] for game in games), 6) for k in agents),
        tuple(sum(game.moves[k] for game in games) for k in agents),
    )


def climb(
    ladder: Ladder, path: Path, pool: Pool, say: Say = lambda text: None, seconds: float = SECONDS
) -> list[Deal]:
    """Play what is missing in the ladder's file, and return all deals; a decision takes `seconds` at most.

    An agent that fails is left out from then on, its games before the fault count, and the others go on.
    """
    deals = open_file(ladder, path)
    groups = plan(ladder, deals)
    with path.open("a", encoding="utf-8") as file:
        while groups:
            start = len(deals)
            tasks = [(ladder, start + k, group, seconds) for k, group in enumerate(groups)]
            for deal in pool.stream(play, tasks, lost=lost):
                add_line(file, asdict(deal))
                deals.append(deal)
                if deal.fault:
                    say(deal.fault)
            say(f"{len(deals)} deals")
            groups = plan(ladder, deals)
    return deals


def plan(ladder: Ladder, deals: Sequence[Deal]) -> list[Group]:
    """Return the groups that are still to play in the round that `deals` has reached; [] at the end.

    In the first round every two agents meet once, which shows who fails. From then on those are left out. In
    the second every two of the others meet as often as is asked for, and all further rounds are adaptive.
    """
    begun = 0
    for number in range(2 + ladder.rounds):
        groups = _round(ladder, deals[:begun], number)
        if not groups or len(deals) < begun + len(groups):
            return groups[len(deals) - begun :]
        begun += len(groups)
    return []


def _round(ladder: Ladder, before: Sequence[Deal], number: int) -> list[Group]:
    """Return the groups of a round, given all deals before it."""
    count, seats = len(ladder.agents), ladder.seats
    if number == 0:
        return first_round(count, seats, 1, ladder.seed)
    failed = {deal.culprit for deal in before if deal.culprit >= 0}
    agents = [agent for agent in range(count) if agent not in failed]
    if len(agents) < 2:
        return []
    full = first_round(len(agents), min(seats, len(agents)) if seats > 1 else 1, ladder.meetings, ladder.seed)
    if number == 1:
        chosen = full
    else:
        ratings, agents = ratings_of(ladder, before, replicates=100)
        chosen = next_round(ratings, seats, max(1, len(full) // 4))
    return [tuple(agents[k] for k in group) for group in chosen]


def ratings_of(ladder: Ladder, deals: Sequence[Deal], *, replicates: int = 200) -> tuple[Ratings, list[int]]:
    """Return the ratings, and the numbers of the agents that they belong to: those that never failed."""
    failed = {deal.culprit for deal in deals if deal.culprit >= 0}
    agents = [k for k in range(len(ladder.agents)) if k not in failed]
    place = {agent: k for k, agent in enumerate(agents)}
    played = []
    for deal in deals:
        if not deal.fault and not failed.intersection(deal.group):
            games = deal.games(ladder.seats)
            played.append([Ranked(tuple(place[a] for a in g.agents), g.payoffs) for g in games])
    return rate(played, len(agents), replicates=replicates, seed=ladder.seed), agents


# --- files ----------------------------------------------------------------------------


def open_file(ladder: Ladder, path: Path) -> list[Deal]:
    """Return the deals that a ladder's file holds; write a new file if there is none.

    A last line that was cut off is removed. Raise `BadContest` if the file is that of another ladder, or if
    one of its agents has changed.
    """
    open_lines(path, ladder.head())
    return read_file(path)[1]


def read_file(path: Path) -> tuple[Ladder, list[Deal]]:
    """Return the ladder and the deals of a file; raise `BadContest` if it is not one, or of other rules."""
    head, rows = read_lines(path, FORMAT)
    try:
        names = ("game", "seats", "seed", "meetings", "rounds")
        ladder = Ladder(
            agents=tuple(head["agents"]),
            options=tuple(sorted(head["options"].items())),
            also=tuple(head["also"].items()),
            **{name: head[name] for name in names},
        )
        deals = [_read(row) for row in rows]
        now = ladder.head()
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise BadContest(f"{path.name} is not the file of a ladder: {error}") from error
    for name in ("rules", "observation"):
        if head.get(name) != now[name]:
            raise BadContest(f"{path.name} was played with other {name}: {short(head.get(name))}")
    if [deal.number for deal in deals] != list(range(len(deals))):
        raise BadContest(f"{path.name}: deals are missing or out of order")
    return ladder, deals


def changes(path: Path) -> list[str]:
    """Return in which agents the ladder of a file differs from what would be played now."""
    ladder, _ = read_file(path)
    then, now = read_lines(path, FORMAT)[0], ladder.head()
    found = []
    for name in ladder.agents:
        for what in ("plays", "weights"):
            old, new = then[what].get(name), now[what][name]
            if old != new:
                found.append(f"{name}: {what} was {old or 'none'}, is {new or 'none'}")
    return found


def _read(row: dict[str, Any]) -> Deal:
    lists = {
        name: tuple(tuple(part) if isinstance(part, list) else part for part in value)
        for name, value in row.items()
        if isinstance(value, list)
    }
    return Deal(**{**row, **lists})


def verify(path: Path, pool: Pool, sample: int | None = None) -> Iterator[tuple[int, bool]]:
    """Play all deals of a file again, or a random sample; yield each number and whether it is the same.

    A slow machine, or one that still compiles, has `PATIENCE` for a decision, except where an agent failed.
    """
    ladder, deals = read_file(path)
    chosen = list(range(len(deals)))
    if sample is not None and sample < len(chosen):
        chosen = sorted(random.Random(f"qipai/ladder/sample/{ladder.seed}").sample(chosen, sample))
    limits = [SECONDS if deals[number].fault else PATIENCE for number in chosen]
    tasks = [(ladder, n, deals[n].group, seconds) for n, seconds in zip(chosen, limits, strict=True)]
    for number, again in zip(chosen, pool.stream(play, tasks, lost=lost), strict=True):
        old = deals[number]
        yield number, replace(again, seconds=old.seconds) == old
