"""Our games against those of other libraries: random decisions per second on one core, measured in turns.

Every contender is a separate process on the same core; one plays while the others
wait. The rounds alternate between them, so that a machine that slows down slows all of them, and
time is processor time, which a busy machine affects least.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Any

from qipai.core.errors import BadCount, BadOption, MissingExtra

from .peers import LIBRARIES, Contender, Library, contenders

COUNTED = (
    "On one core, by processor time: random legal choice, its application, a new game where one ended;\n"
    "+obs: an observation at every decision too. Chance moves are not decisions; starting is not timed."
)
ROUNDS = 5
GET = "pip install open_spiel pgx jax rlcard 'pettingzoo[classic]'"
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Pace:
    """One contender: decisions per second."""

    contender: Contender
    best: float
    median: float


@dataclass(frozen=True)
class Outcome:
    """Everything that ran, and what could not run."""

    paces: tuple[Pace, ...]
    failed: tuple[tuple[str, str], ...]  # a contender and the reason
    absent: tuple[str, ...]  # libraries that are not installed

    def pairs(self) -> list[tuple[Pace, Pace, float]]:
        """Return ours, theirs, and the ratio of medians; both with observations or both without."""
        found = []
        for theirs in self.paces:
            for ours in self.paces:
                if _alike(ours.contender, theirs.contender):
                    found.append((ours, theirs, ours.median / theirs.median))
        return sorted(found, key=lambda pair: (pair[0].contender.name, pair[2]))

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
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
        """Return the outcome as text for a terminal."""
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


def _alike(us: Contender, them: Contender) -> bool:
    return us.library == "qipai" and us.game in them.like and us.observed == them.observed


def _ratio(ratio: float) -> str:
    """Return enough digits that a ratio just below 1 does not read as 1; truncated, not rounded up."""
    return f"{ratio:,.0f}" if ratio >= 100 else f"{int(ratio * 100) / 100:.2f}"


def installed() -> tuple[list[Library], list[str]]:
    """Return the installed libraries, and the titles of those that are missing."""
    there, absent = [], []
    for library in LIBRARIES:
        try:
            found = find_spec(library.module) is not None
        except ModuleNotFoundError:  # its parent package is missing
            found = False
        if found:
            there.append(library)
        else:
            absent.append(library.title)
    return there, absent


def compete(games: Sequence[str], seconds: float = 10.0, progress: Progress | None = None) -> Outcome:
    """Measure `games` and everything installed that is comparable, each for about `seconds` in total."""
    if not isinstance(seconds, int | float) or not 0 < seconds <= 3600:
        raise BadCount(f"seconds must be a number above 0 and up to 3600, not {seconds!r}")
    there, absent = installed()
    if not there:
        raise MissingExtra(f"no peer is installed ({', '.join(absent)}): {GET}")
    return Contest(contenders(list(games), there), absent, progress).hold(seconds / ROUNDS)


class Contest:
    """The contenders that are still playing, and the results of the others."""

    def __init__(self, chosen: list[Contender], absent: list[str], progress: Progress | None) -> None:
        self._chosen, self._absent, self._progress = chosen, absent, progress
        self._workers: dict[Contender, Worker] = {}
        self._rates: dict[Contender, list[float]] = {}
        self._failed: list[tuple[str, str]] = []

    def hold(self, share: float) -> Outcome:
        """Let all contenders take turns of `share` seconds; raise `MissingExtra` if no pair is left."""
        self._check_pairs(self._chosen)
        try:
            for k, contender in enumerate(self._chosen):
                self._tell(k, f"starting {contender.name}")
                self._start(contender)
            self._check_pairs(self._workers)
            for turn in range(ROUNDS):
                for k, contender in enumerate(list(self._workers)):
                    self._tell(len(self._chosen) * (1 + turn) + k, contender.name)
                    self._play(contender, share)
            self._check_pairs(self._workers)
        finally:
            for worker in self._workers.values():
                worker.close()
            self._tell(len(self._chosen) * (1 + ROUNDS), "")
        paces = [Pace(c, max(r), statistics.median(r)) for c, r in self._rates.items() if c in self._workers]
        return Outcome(tuple(paces), tuple(self._failed), tuple(self._absent))

    def _start(self, contender: Contender) -> None:
        self._workers[contender] = worker = Worker(contender)
        self._rates[contender] = []
        reason = worker.failure()
        if reason is not None:
            self._leave_out(contender, reason)

    def _play(self, contender: Contender, share: float) -> None:
        try:
            self._rates[contender].append(self._workers[contender].play(share))
        except Ended as error:
            self._leave_out(contender, str(error))

    def _leave_out(self, contender: Contender, reason: str) -> None:
        self._workers.pop(contender).close()
        self._failed.append((contender.name, reason))

    def _check_pairs(self, playing: Iterable[Contender]) -> None:
        """Fail with a hint if no pair is comparable."""
        left = list(playing)
        if any(_alike(us, them) for us in left for them in left):
            return
        why = [f"{name} could not run: {reason}" for name, reason in self._failed[:1]]
        why += [f"not installed: {', '.join(self._absent)}"] if self._absent else []
        if not why:
            raise BadOption("no peer has a game comparable to these")
        raise MissingExtra(f"no peer to compare with ({'; '.join(why)}): {GET}")

    def _tell(self, done: int, what: str) -> None:
        if self._progress is not None:
            self._progress(done, len(self._chosen) * (1 + ROUNDS), what)


class Ended(Exception):
    """The process of a contender ended in the middle of a run; the message says why, if known."""


class Worker:
    """The process of a contender, waiting for orders."""

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
        """Return why it cannot play, or None; waits until it is known."""
        heard = self._hear()
        return None if heard.get("ready") else str(heard.get("failed", "the process ended"))

    def play(self, seconds: float) -> float:
        """Return decisions per second; raise `Ended` if the process dies."""
        self._tell(repr(seconds))
        heard = self._hear()
        if "decisions" not in heard:
            raise Ended(heard.get("failed", "its process ended in the middle of a run"))
        return float(heard["decisions"]) / float(heard["seconds"])

    def close(self) -> None:
        """End the process."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):  # its last unread order
                    pipe.close()
        self._process.wait()

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # the process has ended, as its answer will show

    def _hear(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        heard: dict[str, Any] = json.loads(line) if line.endswith("\n") else {}
        return heard
