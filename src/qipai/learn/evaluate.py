"""The strength of a net: contests against fixed agents on duplicate deals, in several processes.

Deals, seatings and intervals are those of the arena. A player is given as text: an agent's name, a file
`*.qnet`
or a run folder; a file is evaluated in integers, exactly as the shipped agent plays it. This module does not
need PyTorch, so that its processes start quickly.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from threading import Thread
from typing import Any

from qipai.arena.contest import contest_of
from qipai.arena.play import Contest, Tally, play_deal
from qipai.arena.standings import Standings, standings_of
from qipai.bots.levels import level_of
from qipai.bots.net.agent import spec_of_file
from qipai.core import AgentSpec, Game, bots_of, get

NET = "net.qnet"  # in a run folder
LEFT_OUT = ("random", "net", "search", "search+net")  # not asked about in training
GRACE = 20.0  # seconds that unfinished deals may take after the time is over


@dataclass(frozen=True)
class Question:
    """The opponents of a net: `opponent` in all other seats, on the same deals in every seat."""

    opponent: str
    seats: int | None = None  # None: the fewest
    deals: int = 100_000  # maximum

    @property
    def label(self) -> str:
        """A short name, for tables and curves."""
        return self.opponent if self.seats is None else f"{self.opponent}-{self.seats}"


@dataclass(frozen=True)
class Strength:
    """The result of a net against one opponent."""

    label: str
    deals: int
    chips: float  # payoff per game
    chips_half: float  # half of its 95 % interval
    won: float  # share of games won
    won_half: float
    over: float  # its payoff minus the opponent's
    over_half: float
    standings: Mapping[str, Any]

    def text(self) -> str:
        """Return the result as one line."""
        return (
            f"{self.label}: {self.chips:+.3f} ± {self.chips_half:.3f} per game"
            f" ({self.over:+.3f} ± {self.over_half:.3f} over it), won {100 * self.won:.1f} ±"
            f" {100 * self.won_half:.1f} %, {self.deals} deals"
        )


def questions_of(game: Game, seats: Sequence[int] = (), against: str | None = None) -> list[Question]:
    """Return a question for every agent except levels, nets, random and search, at every number of seats.

    A search takes too long to be asked while training. A run against one agent is asked about that one only.
    """
    if against is not None:
        return [Question(against, count) for count in (seats or (None,))]
    names = [name for name in bots_of(game) if name not in LEFT_OUT and level_of(name) is None] or ["random"]
    return [Question(name, count) for name in names for count in (seats or (None,))]


def find_player(game: Game, text: str, opponent: str = "") -> AgentSpec | str:
    """Return the agent of a file or run folder, called `net`, or `learner` if its opponent is called so.

    A name is returned unchanged.
    """
    path = Path(text)
    if path.is_dir():
        path = path / NET
    if path.suffix != ".qnet":
        return text
    return spec_of_file(path, game, "net" if opponent != "net" else "learner")


@lru_cache(maxsize=8)
def contest(
    game: str,
    player: str,
    opponent: str,
    deals: int,
    seed: int,
    seats: int | None,
    options: tuple[tuple[str, Any], ...],
) -> Contest:
    """Return the contest of one player against `opponent` in all other seats."""
    found = get(game, dict(options))
    count = seats or found.rules.seats[0]
    rivals = [opponent] * max(1, count - 1)
    agents = [find_player(found, player, opponent), *rivals]
    return contest_of(found, agents, deals, seed, dict(options), seats)


def play_deals(arguments: tuple[Any, ...], first: int, last: int) -> list[Tally]:
    """Play deals `first` to `last` - 1 of a contest; runs in a separate process."""
    made = contest(*arguments)
    made.game.compile()
    return [play_deal(made, deal) for deal in range(first, last)]


def processes(count: int) -> ProcessPoolExecutor:
    """Return a pool of fresh processes with one thread each; forking one that uses a GPU is not safe."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")  # read when a new process imports NumPy
    return ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_settle)


def _settle() -> None:
    os.nice(5)  # processes that launch work on a GPU have priority


def examine(
    game: str,
    player: str,
    question: Question,
    *,
    seconds: float,
    seed: int = 1,
    options: Mapping[str, Any] | None = None,
    pool: ProcessPoolExecutor | None = None,
    processes: int = 1,
    grace: float = GRACE,
) -> Strength | None:
    """Return the strength of a player after all deals, or as many as `seconds` allow; None if there is none.

    Deals are handed out in order and the first ones count, up to the first that is not finished when the time
    is
    over: which deals count does not depend on their results.
    """
    pairs = tuple(sorted((options or {}).items()))
    arguments = (game, player, question.opponent, question.deals, seed, question.seats, pairs)
    if pool is None:
        tallies = _one_by_one(arguments, question.deals, seconds)
    else:
        tallies = _together(arguments, question.deals, seconds, pool, processes, grace)
    if not tallies:
        return None
    return strength_of(question.label, standings_of(contest(*arguments), tallies))


def strength_of(label: str, standings: Standings) -> Strength:
    """Return the result of the first agent in the standings."""
    row = standings.rows[0]
    over = standings.pairs[0].chips if standings.pairs else row.chips
    return Strength(
        label,
        standings.deals,
        row.chips.mean,
        _half(row.chips),
        row.won.mean,
        _half(row.won),
        over.mean,
        _half(over),
        standings.to_json(),
    )


def _half(estimate: Any) -> float:
    return float("inf") if estimate.half is None else float(estimate.half)


def _one_by_one(arguments: tuple[Any, ...], deals: int, seconds: float) -> list[Tally]:
    started, tallies = time.monotonic(), []
    for deal in range(deals):
        if deal and time.monotonic() - started > seconds:
            break
        tallies += play_deals(arguments, deal, deal + 1)
    return tallies


def _together(
    arguments: tuple[Any, ...],
    deals: int,
    seconds: float,
    pool: ProcessPoolExecutor,
    processes: int,
    grace: float,
) -> list[Tally]:
    deadline = time.monotonic() + seconds
    jobs: list[Future[list[Tally]]] = []
    open_jobs: set[Future[list[Tally]]] = set()
    try:
        while time.monotonic() < deadline and (open_jobs or len(jobs) < deals):
            while len(open_jobs) < 2 * processes and len(jobs) < deals:
                jobs.append(pool.submit(play_deals, arguments, len(jobs), len(jobs) + 1))
                open_jobs.add(jobs[-1])
            _, open_jobs = wait(open_jobs, max(0.0, deadline - time.monotonic()), FIRST_COMPLETED)
    finally:
        for job in open_jobs:
            job.cancel()
    wait([job for job in open_jobs if not job.cancelled()], grace)
    tallies: list[Tally] = []
    for job in jobs:
        if job.cancelled() or not job.done():
            break
        tallies += job.result()
    return tallies


class Examination(Thread):
    """Questions that a pool answers in the background, one after another."""

    def __init__(
        self,
        game: str,
        player: str,
        questions: Sequence[Question],
        seconds: float,
        pool: ProcessPoolExecutor,
        processes: int,
        options: Mapping[str, Any] | None = None,
        seed: int = 1,
    ) -> None:
        super().__init__(daemon=True)
        self.game, self.player, self.questions = game, player, list(questions)
        self.seconds, self.pool, self.processes = seconds, pool, processes
        self.options, self.seed = options, seed
        self.found: list[Strength] = []
        self.error = ""

    def run(self) -> None:
        """Share the time fairly among the questions: time left over by one goes to the next."""
        deadline = time.monotonic() + self.seconds
        try:
            for k, question in enumerate(self.questions):
                share = (deadline - time.monotonic()) / (len(self.questions) - k)
                if share <= 0:
                    break
                found = examine(
                    self.game,
                    self.player,
                    question,
                    seconds=share,
                    seed=self.seed,
                    options=self.options,
                    pool=self.pool,
                    processes=self.processes,
                )
                if found is not None:
                    self.found.append(found)
        except (Exception, BrokenExecutor) as error:  # a net that cannot be played does not end the run
            self.error = f"{type(error).__name__}: {error}"
