"""Our games against other libraries': random decisions a second of one core, measured in turns.

Every contender is a process of its own on the same one core; one plays while the others
wait. Rounds go over all of them, so that a machine that slows down slows all alike, and
seconds are those of the processor, which a busy machine stretches least.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Any

from qipai.core.errors import BadOption, MissingExtra

from .peers import LIBRARIES, Contender, Library, contenders

COUNTED = (
    "On one core, by processor time: random legal choice, its application, a new game where one ended;\n"
    "+obs: an observation at every decision too. Chance moves are not decisions; starting is not timed."
)
ROUNDS = 5
GET = "pip install -r benchmarks/peers.txt"
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Pace:
    """One contender: decisions a second."""

    contender: Contender
    best: float
    median: float


@dataclass(frozen=True)
class Outcome:
    """Everything that ran, and what could not."""

    paces: tuple[Pace, ...]
    failed: tuple[tuple[str, str], ...]  # a contender, and why
    absent: tuple[str, ...]  # libraries that are not installed

    def pairs(self) -> list[tuple[Pace, Pace, float]]:
        """Ours, theirs, and ours over theirs by medians; both with observations or both without."""
        found = []
        for theirs in self.paces:
            for ours in self.paces:
                us, them = ours.contender, theirs.contender
                if us.library == "qipai" and us.game in them.like and us.observed == them.observed:
                    found.append((ours, theirs, ours.median / theirs.median))
        return sorted(found, key=lambda pair: (pair[0].contender.name, pair[2]))

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "counted": COUNTED.replace("\n", " "),
            "paces": [{**asdict(p.contender), "best": p.best, "median": p.median} for p in self.paces],
            "ratios": [
                {"ours": a.contender.name, "theirs": b.contender.name, "ratio": r} for a, b, r in self.pairs()
            ],
            "failed": [{"contender": name, "reason": reason} for name, reason in self.failed],
            "absent": list(self.absent),
        }

    def text(self) -> str:
        """The table for a terminal."""
        per = f"{'thousand/s':>10}"
        lines = [f"{'ours':<22} {per}   {'theirs':<32} {per}  {'ours over theirs':>16}"]
        last = ""
        for ours, theirs, ratio in self.pairs():
            name = ours.contender.name.removeprefix("qipai ")
            left = f"{name:<22} {ours.median / 1e3:>10,.0f}" if name != last else " " * 33
            lines.append(
                f"{left}   {theirs.contender.name:<32} {theirs.median / 1e3:>10,.1f}  {_ratio(ratio):>16}"
            )
            last = name
        behind = [(a.contender.name, b.contender.name) for a, b, ratio in self.pairs() if ratio < 1]
        lines += [f"behind: {ours} is slower than {theirs}" for ours, theirs in behind]
        lines += [f"{name} could not run: {reason}" for name, reason in self.failed]
        if self.absent:
            lines.append(f"not installed: {', '.join(self.absent)} ({GET})")
        lines.append(COUNTED)
        return "\n".join(lines)


def _ratio(ratio: float) -> str:
    """Enough digits that a ratio just below 1 does not read as 1, cut off and not rounded up."""
    return f"{ratio:,.0f}" if ratio >= 100 else f"{int(ratio * 100) / 100:.2f}"


def installed() -> tuple[list[Library], list[str]]:
    """The libraries that are there, and the titles of those that are not."""
    there, absent = [], []
    for library in LIBRARIES:
        try:
            found = find_spec(library.module) is not None
        except ModuleNotFoundError:  # its parent is not there
            found = False
        if found:
            there.append(library)
        else:
            absent.append(library.title)
    return there, absent


def compete(games: Sequence[str], seconds: float = 10.0, progress: Progress | None = None) -> Outcome:
    """Measure `games` and all that is installed and comparable, each for about `seconds` in all."""
    if not isinstance(seconds, int | float) or not 0 < seconds <= 3600:
        raise BadOption(f"seconds is a number above 0 and up to 3600, not {seconds!r}")
    there, absent = installed()
    if not there:
        raise MissingExtra(f"no peer is installed ({', '.join(absent)}): {GET}")
    return _measure(contenders(list(games), there), seconds / ROUNDS, absent, progress)


def _measure(chosen: list[Contender], share: float, absent: list[str], progress: Progress | None) -> Outcome:
    workers: dict[str, tuple[Contender, Worker]] = {}
    failed: list[tuple[str, str]] = []
    rates: dict[str, list[float]] = {}
    total = len(chosen) * (1 + ROUNDS)
    try:
        for k, contender in enumerate(chosen):
            if progress is not None:
                progress(k, total, f"starting {contender.name}")
            worker = Worker(contender)
            reason = worker.failure()
            if reason is None:
                workers[contender.name] = contender, worker
                rates[contender.name] = []
            else:
                worker.close()
                failed.append((contender.name, reason))
        for turn in range(ROUNDS):
            for k, (name, (_, worker)) in enumerate(list(workers.items())):
                if progress is not None:
                    progress(len(chosen) * (1 + turn) + k, total, name)
                rates[name].append(worker.play(share))
        if progress is not None:
            progress(total, total, "")
    finally:
        for _, worker in workers.values():
            worker.close()
    paces = [Pace(workers[n][0], max(r), statistics.median(r)) for n, r in rates.items()]
    return Outcome(tuple(paces), tuple(failed), tuple(absent))


class Worker:
    """A contender's process, waiting to be told to play."""

    def __init__(self, contender: Contender) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "qipai.bench.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "JAX_PLATFORMS": "cpu"},
        )
        self._tell(json.dumps(asdict(contender)))

    def failure(self) -> str | None:
        """Why it cannot play, or None; waits until it is known."""
        heard = self._hear()
        return None if heard.get("ready") else str(heard.get("failed", "the process ended"))

    def play(self, seconds: float) -> float:
        """Decisions a second."""
        self._tell(repr(seconds))
        heard = self._hear()
        if "decisions" not in heard:
            raise BadOption("a contender's process ended in the middle of a run")
        return float(heard["decisions"]) / float(heard["seconds"])

    def close(self) -> None:
        """Let it end."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.wait()

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended: the answer will say so

    def _hear(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        heard: dict[str, Any] = json.loads(line) if line else {}
        return heard
