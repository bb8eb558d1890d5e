"""`playouts`: from given positions and first actions to the end of the game, many times, on the CPU or a GPU.

All of a playout follows from the seed, the number of its position and its own number there, and the sums are
whole numbers: the results are the same bytes on every device, with any number of threads.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from math import nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import Game, get, new_states
from qipai.core.calls import uniform
from qipai.core.errors import (
    BadBatch,
    BadCount,
    BadOption,
    BadStream,
    IllegalAction,
    MatchOver,
    NoDevice,
    short,
)

from .batch import MAX_LANES, seed_pair, whole_actions
from .cpu import PLAYOUTS, primitives_for
from .engine import no_action
from .given import given_states
from .primitives import MORE, OF_CUT, OF_DECISIONS, OF_STUCK, PARTS

MOST = (1 << 31) - 1  # playouts of a position
MOST_IN_ALL = 1 << 40
PIECE = 4096  # playouts that a thread takes at a time
POLICIES = ("uniform", "own")


@dataclass(frozen=True, eq=False)
class Playouts:
    """What playouts came to: a row for each position, a column for each seat.

    n          playouts of each position mean       float64 (positions, seats)  mean payoff error
    float64 (positions, seats)  its standard error; NaN where n is 1 cut        int64 (positions,)
    playouts that a cap of the game, or `limit`, has ended decisions  in all playouts together totals
    int64 (positions, 3 * seats + 3): the exact sums behind these: of each seat the payoffs and the low
               and high 32 bits of their squares; then cut, decisions, and 0
    """

    n: int
    mean: NDArray[np.float64]
    error: NDArray[np.float64]
    cut: NDArray[np.int64]
    decisions: int
    totals: NDArray[np.int64]


@dataclass(frozen=True)
class Job:
    """Playouts that were found in order: what a device needs to know of them."""

    game: Game
    states: Any  # one per position, or one for all
    actions: NDArray[np.int32]  # first actions; -1: none
    n: int
    seats: int
    limit: int
    low: int  # words of the seed
    high: int
    policy: Any

    @property
    def total(self) -> int:
        """Playouts in all."""
        return self.n * len(self.actions)

    @property
    def columns(self) -> int:
        """Columns of sums."""
        return PARTS * self.seats + MORE


def playouts(
    game: Game | str,
    states: Any,
    actions: Any,
    n: int,
    seed: int = 0,
    device: str = "cpu",
    *,
    options: Mapping[str, Any] | None = None,
    policy: str = "uniform",
    limit: int | None = None,
    threads: int | None = None,
    stream: Any = None,
) -> Playouts:
    """Play `n` games to the end from every position and first action; return mean payoffs and their errors.

    `states` are worlds: one for all actions, or one for each. They are taken as they are, hidden cards and
    order of the deck included; only chance that is still to be drawn differs between playouts. What a seat
    may know is up to the caller: draw worlds with `Game.redrawn` or `Batch.redraw` first. `actions` has one
    legal action for each position; with None the first action is the policy's too.

    `policy` is "uniform" over legal actions, or "own": the game's `Rules.playout`. A playout that makes
    `limit` decisions stops with the payoffs as they stand; the default is the most that a game of these
    rules can take. Playouts of one position and seed are the same whatever `n`, device and threads;
    positions differ by their number even where states and actions are equal. `threads` only applies to the
    CPU and `stream` to CUDA.
    """
    job = job_of(game, states, actions, n, seed, options, policy, limit)
    if device == "cpu":
        if stream is not None:
            raise BadStream("only playouts on a GPU have a stream; these are on the CPU")
        totals = run_on_cpu(job, threads)
    elif device == "cuda":
        from .cuda.playout import run_on_cuda

        totals = run_on_cuda(job, stream)
    else:
        raise NoDevice(f"unknown device {str(device)[:20]!r}: 'cpu' or 'cuda'")
    return summary(job, totals)


def job_of(
    game: Game | str,
    states: Any,
    actions: Any,
    n: int,
    seed: int,
    options: Mapping[str, Any] | None = None,
    policy: str = "uniform",
    limit: int | None = None,
) -> Job:
    """Return what was asked for, or raise a `QipaiError` that says what is wrong with it."""
    found = game if isinstance(game, Game) else get(game, options)
    _check_count("n", n, MOST)
    limit = found.rules.length if limit is None else limit
    _check_count("limit", limit, MOST)
    if policy not in POLICIES:
        raise BadOption(f"policy must be one of {', '.join(POLICIES)}, not {short(policy)}")
    if policy == "own" and found.rules.playout is None:
        raise BadOption(
            f"{found.name} has no playout policy of its own; policy='uniform' works for every game"
        )
    worlds = given_states(found, states, None, None)
    first = _first_actions(actions, len(worlds))
    if len(first) > MAX_LANES or int(n) * len(first) > MOST_IN_ALL:
        raise BadCount(f"{len(first)} positions with {n} playouts each are too many: {MOST_IN_ALL} in all")
    seats = int(worlds["seats"][0])
    chosen = uniform if policy == "uniform" else found.rules.playout
    job = Job(found, worlds, first, int(n), seats, int(limit), *seed_pair(seed), chosen)
    _check_positions(job, actions is not None)
    return job


def run_on_cpu(job: Job, threads: int | None = None, variant: str = "compiled") -> NDArray[np.int64]:
    """Return the sums of all playouts, played in threads that each take the next piece."""
    if threads is not None:
        _check_count("threads", threads, 1 << 16)
    play = primitives_for(job.game, PLAYOUTS, variant, job.policy)["playout_range"]
    sums = np.zeros((len(job.actions), job.columns), np.int64)
    pieces, lock, stop = count(0, PIECE), threading.Lock(), threading.Event()

    def share() -> None:
        place = new_states(job.game.rules.State, 1)
        mask, rng = np.zeros(job.game.width, np.uint8), np.zeros(4, np.uint32)
        work = np.zeros(max(job.game.search.work, 1), np.int64)
        while not stop.is_set() and (lo := next(pieces)) < job.total:
            hi = min(lo + PIECE, job.total)
            first, last = lo // job.n, (hi - 1) // job.n
            part = np.zeros((last + 1 - first, job.columns), np.int64)
            shape = (job.n, job.seats, job.limit, job.low, job.high, first, lo, hi)
            play(job.states, place, job.actions, mask, rng, work, part, *shape)
            with lock:
                sums[first : last + 1] += part

    wanted = min(threads or os.cpu_count() or 1, -(-job.total // PIECE))
    if wanted == 1:
        share()
        return sums
    with ThreadPoolExecutor(wanted) as pool:
        try:
            for done in [pool.submit(share) for _ in range(wanted)]:
                done.result()
        finally:
            stop.set()
    return sums


def summary(job: Job, totals: NDArray[np.int64]) -> Playouts:
    """Return means and errors from exact sums; raise `BadGame` if a seat was left without an action."""
    more = PARTS * job.seats
    if totals[:, more + OF_STUCK].any():
        position = int(np.argmax(totals[:, more + OF_STUCK] > 0))
        raise no_action(job.game, f"in a playout of position {position} a seat has")
    mean = np.zeros((len(totals), job.seats))
    error = np.full_like(mean, nan)
    for i, row in enumerate(totals.tolist()):
        for k in range(job.seats):
            total, low, high = row[PARTS * k : PARTS * (k + 1)]
            mean[i, k] = total / job.n
            if job.n > 1:
                spread = job.n * ((high << 32) + low) - total * total
                error[i, k] = sqrt(spread / (job.n * job.n * (job.n - 1)))
    decisions = int(totals[:, more + OF_DECISIONS].sum())
    return Playouts(job.n, mean, error, totals[:, more + OF_CUT].copy(), decisions, totals)


def _check_count(name: str, value: Any, most: int) -> None:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or not 1 <= value <= most:
        raise BadCount(f"{name} must be a whole number from 1 to {most}, not {short(value)}")


def _first_actions(actions: Any, worlds: int) -> NDArray[np.int32]:
    """Return an action for each position, -1 for none; raise `BadBatch` if they do not fit the worlds."""
    if actions is None:
        return np.full(worlds, -1, np.int32)
    try:
        length = len(actions)
    except TypeError:
        raise BadBatch(f"actions must be a list of whole numbers, or None, not {short(actions)}") from None
    if not length or worlds not in (1, length):
        raise BadBatch(f"{length} actions do not fit {worlds} states: one each, or one state for all")
    return whole_actions(actions, length, "playouts")


def _check_positions(job: Job, given: bool) -> None:
    """Raise `MatchOver` or `IllegalAction` for the first position that cannot be played from."""
    at = int(np.argmax(job.actions < 0)) if given and (job.actions < 0).any() else -1
    mask = np.zeros(job.game.width, np.uint8)
    check = primitives_for(job.game, PLAYOUTS, "compiled", job.policy)["first_bad"]
    found = check(job.states, job.actions, mask, job.game.rules.actions, 0, len(job.actions))
    if found < 0 and at < 0:
        return
    at = min(k for k in (at, int(found)) if k >= 0)
    if job.states["seat"][0 if len(job.states) == 1 else at] < 0:
        raise MatchOver(f"position {at} is over: nothing can be played from it")
    raise IllegalAction(f"position {at}: action {int(job.actions[at])} is not legal")
