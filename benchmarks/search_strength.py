"""Strength of the search against its budget: duplicate deals with the best agent shipped before it.

    python benchmarks/search_strength.py --jobs 16 --minutes 15 --out build/strength.jsonl

Every deal is played once in every seating: one seat searches, the others are held by the opponent. A finished
deal is one line of the file, so that a run that is stopped, or out of time, goes on where it was; deals are
taken in turn over games and budgets, so that an early stop leaves all of them equally far. Nothing depends on
the number of jobs. The four budgets of a game are fixed numbers of simulations, which take about 4, 16, 64
and 256 milliseconds a decision on one quiet core; the time that they took is printed next to them.

`--set key=value` overrides settings of `qipai.core.Search`, to compare variants: they are kept apart in the
file.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.arena.contest import contest_of
from qipai.arena.play import Contest, play_deal
from qipai.arena.standings import estimate
from qipai.core import AgentSpec, Game, Search, Sight, get
from qipai.search.agent import SearchAgent

SEED = 18
MOST_DEALS = 100_000


@dataclass(frozen=True)
class Trial:
    """Who is played, with how many seats, and the four budgets in simulations."""

    game: str
    opponent: str
    seats: int
    budgets: tuple[int, int, int, int]
    bar: str  # what the top budget should reach, in words


TRIALS = (
    Trial("xianqi", "heuristic", 3, (1000, 4500, 18_000, 72_000), "+0.3 chips over"),
    Trial("skill_gomoku", "sharp", 2, (120, 480, 1900, 7700), "60 % won"),
    Trial("nana", "exact", 2, (300, 1300, 5000, 20_000), "50 % won"),
    Trial("nana", "exact", 4, (200, 800, 3200, 13_000), "25 % won"),
    Trial("paipai_rensa", "builder", 1, (2, 8, 40, 180), "more points"),
    Trial("wuhan_mahjong", "heuristic", 4, (20, 80, 320, 1280), "+50 points over"),
)


class Timed(SearchAgent):
    """A search that notes how long it took."""

    seconds = 0.0
    decisions = 0

    def act(self, sight: Sight) -> int:
        """Return the action, and count the processor time of a real decision."""
        start = time.thread_time()
        action = super().act(sight)
        if int(sight.mask.sum()) > 1:
            Timed.seconds += time.thread_time() - start
            Timed.decisions += 1
        return action


@dataclass(frozen=True)
class MakeTimed:
    """Makes searches that note how long they took."""

    settings: Search

    def __call__(self, game: Game, words: NDArray[np.uint32]) -> Timed:
        """Return an agent."""
        return Timed(game, words, self.settings)


def contest(trial: Trial, simulations: int, changes: dict[str, Any], seed: int) -> Contest:
    """Return the contest of one budget: one seat searches in each seating, every seat in turn."""
    game = get(trial.game)
    settings = replace(game.search, simulations=simulations, **changes)
    spec = AgentSpec("search", 9, MakeTimed(settings), offered=False)
    agents: list[str | AgentSpec] = [spec, *[trial.opponent] * max(trial.seats - 1, 1)]
    return contest_of(game, agents, MOST_DEALS, seed, None, trial.seats)


def play(trial: Trial, simulations: int, changes: dict[str, Any], seed: int, deal: int) -> dict[str, Any]:
    """Play one deal in every seating, in a separate process; return its line of the file."""
    held = contest(trial, simulations, changes, seed)
    warm_up(held)
    Timed.seconds, Timed.decisions = 0.0, 0
    tally = play_deal(held, deal)
    seats = [sum(seating.count(k) for seating in held.seatings) for k in range(2)]
    return {
        "key": key_of(trial, simulations, changes, seed),
        "deal": deal,
        "held": seats,
        "chips": tally.chips,
        "won": tally.won,
        "seconds": round(Timed.seconds, 6),
        "decisions": Timed.decisions,
    }


_warm: set[str] = set()


def warm_up(held: Contest) -> None:
    """Compile everything before the clock runs."""
    if held.game.name not in _warm:
        play_deal(held, MOST_DEALS - 1)
        _warm.add(held.game.name)


def key_of(trial: Trial, simulations: int, changes: dict[str, Any], seed: int) -> str:
    """Return what one contest is called in the file."""
    more = json.dumps(changes, sort_keys=True) if changes else ""
    return f"{trial.game}/{trial.seats}/{trial.opponent}/{simulations}/{seed}{more}"


def read(path: Path) -> dict[str, dict[int, dict[str, Any]]]:
    """Return the finished deals by contest and number; a line that was cut off does not count."""
    found: dict[str, dict[int, dict[str, Any]]] = {}
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        found.setdefault(row["key"], {})[row["deal"]] = row
    return found


def tasks(given: argparse.Namespace, changes: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Yield every deal that is to be played, in turn over games and budgets."""
    done = read(given.out)
    for deal in range(given.deals):
        for trial in chosen(given):
            for place in given.budgets:
                simulations = trial.budgets[place]
                if deal not in done.get(key_of(trial, simulations, changes, given.seed), {}):
                    yield trial, simulations, changes, given.seed, deal


def chosen(given: argparse.Namespace) -> list[Trial]:
    """Return the trials that were asked for."""
    return [t for t in TRIALS if not given.games or t.game in given.games]


def run(given: argparse.Namespace, changes: dict[str, Any]) -> None:
    """Play until all is done or time is up."""
    until = time.monotonic() + 60 * given.minutes
    given.out.parent.mkdir(parents=True, exist_ok=True)
    left = tasks(given, changes)
    with (
        given.out.open("a", encoding="utf-8") as file,
        ProcessPoolExecutor(given.jobs, mp_context=get_context("spawn")) as pool,
    ):
        running = {pool.submit(play, *task) for task in islice(left, given.jobs)}
        while running:
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for job in finished:
                file.write(json.dumps(job.result()) + "\n")
                file.flush()
                task = next(left, None) if time.monotonic() < until else None
                if task is not None:
                    running.add(pool.submit(play, *task))


def summary(given: argparse.Namespace, changes: dict[str, Any]) -> list[dict[str, Any]]:
    """Return one row for each budget of each game: gain over the opponent, games won, time."""
    done = read(given.out)
    rows = []
    for trial in chosen(given):
        for place in given.budgets:
            simulations = trial.budgets[place]
            deals = list(done.get(key_of(trial, simulations, changes, given.seed), {}).values())
            if not deals:
                continue
            a, b = deals[0]["held"]
            gain = estimate([r["chips"][0] * b - r["chips"][1] * a for r in deals], a * b)
            won = estimate([r["won"][0] for r in deals], a)
            decisions = max(sum(r["decisions"] for r in deals), 1)
            rows.append({
                "game": trial.game, "seats": trial.seats, "opponent": trial.opponent, "bar": trial.bar,
                "simulations": simulations, "deals": len(deals), "changes": changes,
                "ms": round(1000 * sum(r["seconds"] for r in deals) / decisions, 2),
                "gain": [gain.mean, gain.half], "won": [won.mean, won.half],
            })  # fmt: skip
    return rows


def table(rows: list[dict[str, Any]]) -> str:
    """Return the rows as text."""
    lines = [
        f"{'game':<14} {'seats':>5} {'opponent':<10} {'simulations':>11} {'ms':>8} {'deals':>6}"
        f"  {'gain (95 %)':>22}  {'won (95 %)':>16}  bar at the top budget"
    ]
    for r in rows:
        gain, won = (f"{m:+.3f} ± {h if h is None else round(h, 3)}" for m, h in (r["gain"], r["won"]))
        lines.append(
            f"{r['game']:<14} {r['seats']:>5} {r['opponent']:<10} {r['simulations']:>11,} {r['ms']:>8.2f}"
            f" {r['deals']:>6}  {gain:>22}  {won:>16}  {r['bar']}"
        )
    return "\n".join(lines)


def main() -> None:
    """Play what is missing, then print the table (and with --json the rows)."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", help="games to play; all by default")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--deals", type=int, default=100, help="deals of each budget")
    parser.add_argument("--budgets", type=int, nargs="+", default=[0, 1, 2, 3], choices=range(4))
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, default=Path("build/search_strength.jsonl"))
    parser.add_argument("--set", nargs="*", default=[], metavar="KEY=VALUE", help="settings, as JSON values")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    changes = {key: json.loads(value) for key, _, value in (item.partition("=") for item in given.set)}
    if given.minutes > 0:
        run(given, changes)
    rows = summary(given, changes)
    print(json.dumps(rows, indent=1) if given.json else table(rows))


if __name__ == "__main__":
    sys.exit(main())
