"""Random decisions per second of a batch, with and without observations, on one thread and on several.

A decision is one random choice among the legal actions, its application with everything
automatic that follows, the deal of a new game if one ended, and the mask of the next
decision; "with observation" also writes the observation of the seat that decides next, at
every decision. Compiling and allocating are not counted. The measurements alternate, so
that a machine that slows down slows all of them, and report how many cores they used: two
threads cannot be faster than one while something else uses the second core.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import pairwise
from time import perf_counter, process_time
from typing import Any

from qipai.core import Game, get
from qipai.core.errors import BadBatch, BadCount
from qipai.sim import Batch

COUNTED = (
    "A decision: random legal choice, its application, the deal of a new game if one ended, the next mask;"
    " with observation also the features of the seat that decides next. Compiling is not counted."
)
REPETITIONS = 7
CALIBRATION = 0.02  # minimum seconds of a trial
# seconds of wall-clock time, and processor time of this process on all cores
Clock = Callable[[], tuple[float, float]]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Speed:
    """One way of running, measured `runs` times: decisions per second."""

    threads: int
    observed: bool
    best: float
    median: float
    cores: float  # cores that the process used, median
    runs: int


@dataclass(frozen=True)
class Report:
    """The measurements of one game."""

    game: str
    version: int  # rules version
    state_bytes: int
    mask_bytes: int
    observation_bytes: int
    batch: int
    cores: int
    speeds: tuple[Speed, ...]
    device: str = "cpu"
    seats: int = 0  # in every game

    def scaling(self, observed: bool) -> float | None:
        """Return the best with most threads over the best with one; None if only one number was measured."""
        bests = [speed.best for speed in self.speeds if speed.observed == observed]
        return bests[-1] / bests[0] if len(bests) > 1 else None

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {**asdict(self), "scaling": {"plain": self.scaling(False), "observed": self.scaling(True)}}

    def text(self) -> str:
        """Return the report as text for a terminal."""
        lines = [
            f"{self.game} (rules version {self.version}): a state is {self.state_bytes} bytes, a mask"
            f" {self.mask_bytes}, an observation {self.observation_bytes}; {self.batch} games of {self.seats}"
            f" side by side on {f'{self.cores} core(s)' if self.device == 'cpu' else 'the GPU'}",
            "threads  observation  million decisions/s: best  median  cores got",
        ]
        for speed in self.speeds:
            how = f"{speed.threads:>7}  {'yes' if speed.observed else 'no':>11}"
            rates = f"{speed.best / 1e6:>25.2f}  {speed.median / 1e6:>6.2f}"
            lines.append(f"{how}  {rates}  {speed.cores:>9.2f}")
        for observed in (False, True):
            ratio = self.scaling(observed)
            if ratio is not None:
                kind = "with" if observed else "without"
                most = max(speed.threads for speed in self.speeds)
                lines.append(f"{most} threads over one, {kind} observation: {ratio:.2f}")
        return "\n".join(lines)


def both_clocks() -> tuple[float, float]:
    """Return the wall-clock time and this process's processor time on all cores."""
    return perf_counter(), process_time()


def measure(
    game: Game | str,
    *,
    batch: int = 1024,
    threads: Sequence[int] = (1, 2),
    observed: Sequence[bool] = (False, True),
    seconds: float = 10.0,
    seed: int = 0,
    device: str = "cpu",
    seats: int | None = None,
    clock: Clock = both_clocks,
    progress: Progress | None = None,
    building: Callable[[], None] | None = None,
) -> Report:
    """Measure `game` for about `seconds` in total. `threads` ascend; on a GPU there is one, the host's.

    `building` is called on a GPU before its kernels are built, which is not timed and may take a minute.
    """
    found = game if isinstance(game, Game) else get(game)
    if not isinstance(seconds, int | float) or not 0 < seconds <= 3600:
        raise BadCount(f"seconds must be a number above 0 and up to 3600, not {seconds!r}")
    if not threads or any(a >= b for a, b in pairwise(threads)):
        raise BadCount(f"threads must be one or more ascending numbers, not {threads!r}")
    if building is not None and device != "cpu":
        building()
    ways = [(count, seen) for seen in observed for count in threads]
    with _memory_for(batch):
        batches = {count: _batch(found, batch, count, seed, device, seats) for count in threads}
        for count, seen in ways:  # a kernel is built at its first launch
            batches[count].rollout(1, observe=seen)
    share = seconds / (len(ways) * REPETITIONS)
    steps = {way: _steps(batches[way[0]], way[1], share, clock) for way in ways}
    runs: dict[tuple[int, bool], list[tuple[float, float]]] = {way: [] for way in ways}
    for k in range(REPETITIONS):
        for j, way in enumerate(ways):
            if progress is not None:
                progress(k * len(ways) + j, REPETITIONS * len(ways))
            runs[way].append(_run(batches[way[0]], steps[way], way[1], clock))
    return Report(
        game=found.name,
        version=found.rules.version,
        state_bytes=found.rules.State.itemsize,
        mask_bytes=found.width,
        observation_bytes=found.observation_size,
        batch=batch,
        cores=os.cpu_count() or 1,
        speeds=tuple(_speed(*way, measured) for way, measured in runs.items()),
        device=device,
        seats=found.rules.seats[0] if seats is None else seats,
    )


def _speed(threads: int, observed: bool, runs: Sequence[tuple[float, float]]) -> Speed:
    rates, cores = [rate for rate, _ in runs], [cores for _, cores in runs]
    return Speed(threads, observed, max(rates), statistics.median(rates), statistics.median(cores), len(runs))


def _batch(game: Game, n: int, threads: int, seed: int, device: str, seats: int | None) -> Batch:
    made = Batch(game, n, seed, device, threads=threads, seats=seats)
    if made.threads != threads:
        why = "is too small for" if device == "cpu" else f"on {device} does not support"
        raise BadCount(f"a batch of {n} games {why} {threads} threads")
    return made


@contextmanager
def _memory_for(n: int) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        # On a GPU the driver raises its own error, which cannot be named here without importing it.
        if not isinstance(error, MemoryError) and "OUT_OF_MEMORY" not in str(error):
            raise
        raise BadBatch(f"not enough memory for {n} games side by side") from error


def _steps(batch: Batch, observed: bool, share: float, clock: Clock) -> int:
    """Return how many decisions per lane take about `share` seconds."""
    steps = 1
    while True:
        started = clock()[0]
        batch.rollout(steps, observe=observed)
        took = clock()[0] - started
        if took >= min(share, CALIBRATION):
            return max(1, round(steps * share / took))
        steps *= 2


def _run(batch: Batch, steps: int, observed: bool, clock: Clock) -> tuple[float, float]:
    """Return decisions per second, and cores used."""
    wall, used = clock()
    done = batch.rollout(steps, observe=observed)
    now, now_used = clock()
    return done.decisions / (now - wall), (now_used - used) / (now - wall)
