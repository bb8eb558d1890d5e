"""Strength of the search against its budget: duplicate deals with the best agent shipped before it.

    python benchmarks/search_strength.py --jobs 16 --minutes 15 --out build/strength.jsonl
    python benchmarks/search_strength.py --plan benchmarks/search_strength.plan.jsonl --jobs 16

Every deal is played once in every seating: one seat searches, the others are held by the opponent. A finished
deal is one line of the file, so that a run that is stopped, or out of time, goes on where it was; deals are
taken in turn over games and budgets, so that an early stop leaves all of them equally far; of a plan, the
contests of a lower `turn` come first. Nothing depends on the number of jobs. The four budgets of a game are
fixed numbers of simulations, which take about 4, 16, 64 and 256 milliseconds a decision on one quiet core;
what they took is printed next to them.

The rule for stopping is fixed beforehand: a contest ends with its number of deals (`DEALS`, that of the plan,
or `--deals`), whatever they show. Until then its row is marked as unfinished and says nothing about a bar.
Deals beyond the number are not counted, so nobody can go on until a result pleases.

`--set key=value` overrides settings of `qipai.core.Search`, to compare variants: they are kept apart in the
file.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from pydoc import locate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.arena.contest import contest_of
from qipai.arena.play import Contest, play_deal
from qipai.arena.standings import estimate
from qipai.bots.find import find_agent
from qipai.bots.net import guided
from qipai.core import Agent, AgentSpec, Game, Sight, get
from qipai.search import agent

NAME = "contestant"
SEARCH, GUIDED = agent.NAME, guided.NAME
SEED = 18
DEALS = (100, 100, 100, 400)  # of each budget: a contest ends with them, whatever they show
MOST_DEALS = 100_000


@dataclass(frozen=True)
class Trial:
    """Who is played, with how many seats, and the four budgets in simulations of each kind of search."""

    game: str
    opponent: str
    seats: int
    budgets: tuple[int, int, int, int]
    bar: str  # what the top budget should reach, in words
    guided: tuple[int, int, int, int] | None = None  # of `search+net`; None: there is none


TRIALS = (
    Trial("xianqi", "heuristic", 3, (1000, 4000, 16_000, 62_000), "+0.3 chips over", (16, 64, 256, 1024)),
    Trial("skill_gomoku", "sharp", 2, (4, 16, 64, 256), "60 % won"),
    Trial("nana", "exact", 2, (300, 1300, 5000, 20_000), "50 % won", (8, 32, 128, 512)),
    Trial("nana", "exact", 4, (200, 800, 3200, 13_000), "25 % won", (8, 32, 128, 512)),
    Trial("paipai_rensa", "builder", 1, (2, 8, 40, 180), "more points"),
    Trial("wuhan_mahjong", "heuristic", 4, (20, 80, 320, 1280), "+50 points over", (4, 16, 48, 192)),
)


@dataclass(frozen=True)
class Bout:
    """One contest of the file: an agent of a budget against an opponent, with settings changed."""

    game: str
    seats: int
    opponent: str
    simulations: int
    agent: str = SEARCH
    changes: tuple[tuple[str, Any], ...] = ()
    seed: int = SEED
    bar: str = ""
    deals: int = DEALS[0]  # the contest is over with them
    turn: int = 0  # contests of a lower turn are played first

    @property
    def key(self) -> str:
        """What the contest is called in the file."""
        more = json.dumps(dict(self.changes), sort_keys=True) if self.changes else ""
        kind = "" if self.agent == SEARCH else f"{self.agent}@"
        return f"{self.game}/{self.seats}/{self.opponent}/{kind}{self.simulations}/{self.seed}{more}"


class Timed:
    """An agent that notes how long it takes."""

    seconds = 0.0
    decisions = 0

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def act(self, sight: Sight) -> int:
        """Return the action, and count the processor time of a real decision."""
        start = time.thread_time()
        action = self._agent.act(sight)
        if int(sight.mask.sum()) > 1:
            Timed.seconds += time.thread_time() - start
            Timed.decisions += 1
        return action


@dataclass(frozen=True)
class MakeTimed:
    """Makes agents that note how long they take."""

    make: Any  # as in `AgentSpec`

    def __call__(self, game: Game, words: NDArray[np.uint32]) -> Timed:
        """Return an agent."""
        return Timed(self.make(game, words))


def contest(bout: Bout) -> Contest:
    """Return the contest of a bout: one seat searches in each seating, every seat in turn."""
    game = get(bout.game)
    changes = {"simulations": bout.simulations, **dict(bout.changes)}
    if bout.agent == GUIDED:
        make: Any = guided.Making(replace(game.search.guided, **changes))
    elif bout.agent == SEARCH:
        make = agent.Making(replace(game.search, **changes))
    elif ":" in bout.agent:  # a class, with the changes as its settings
        kind: Any = locate(bout.agent.replace(":", "."))
        make = partial(kind, **dict(bout.changes))
    else:
        make = find_agent(game, bout.agent).make
    spec = AgentSpec(NAME, 9, MakeTimed(make), offered=False)
    agents: list[str | AgentSpec] = [spec, *[bout.opponent] * max(bout.seats - 1, 1)]
    return contest_of(game, agents, MOST_DEALS, bout.seed, None, bout.seats)


def play(bout: Bout, deal: int) -> dict[str, Any]:
    """Play one deal in every seating, in a separate process; return its line of the file."""
    warm_up(bout)
    held = contest(bout)
    Timed.seconds, Timed.decisions = 0.0, 0
    tally = play_deal(held, deal)
    seats = [sum(seating.count(k) for seating in held.seatings) for k in range(2)]
    return {
        "key": bout.key,
        "deal": deal,
        "held": seats,
        "chips": tally.chips,
        "won": tally.won,
        "seconds": round(Timed.seconds, 6),
        "decisions": Timed.decisions,
    }


_warm: set[tuple[str, ...]] = set()


def warm_up(bout: Bout) -> None:
    """Compile everything before the clock runs."""
    known = needs(bout)
    if known not in _warm:
        play_deal(contest(replace(bout, simulations=2)), MOST_DEALS - 1)
        _warm.add(known)


def needs(bout: Bout) -> tuple[str, ...]:
    """Return what decides which functions a contest needs."""
    return (bout.game, bout.agent, bout.opponent)


def compile_all(contests: Sequence[Bout]) -> None:
    """Fill the cache of compiled code for the contests of one game, in a separate process."""
    for bout in contests:
        warm_up(bout)


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


def bouts(given: argparse.Namespace) -> list[Bout]:
    """Return the contests that were asked for: those of a plan, or the budgets of every trial."""
    if given.plan is not None:
        lines = [json.loads(line) for line in given.plan.read_text("utf-8").splitlines() if line]
        return [_planned(line if given.deals is None else {**line, "deals": given.deals}) for line in lines]
    changes = tuple((key, json.loads(value)) for key, _, value in (item.partition("=") for item in given.set))
    found = []
    for trial in TRIALS:
        budgets = trial.guided if given.agent == GUIDED else trial.budgets
        if budgets is None or (given.games and trial.game not in given.games):
            continue
        for opponent in given.against or [trial.opponent]:
            for place in given.budgets:
                bar = trial.bar if opponent == trial.opponent else ""
                deals = DEALS[place] if given.deals is None else given.deals
                setting = (budgets[place], given.agent, changes, given.seed, bar, deals)
                found.append(Bout(trial.game, trial.seats, opponent, *setting))
    return found


def _planned(line: dict[str, Any]) -> Bout:
    return Bout(**{**line, "changes": tuple(sorted(line.get("changes", {}).items()))})


def tasks(given: argparse.Namespace) -> Iterator[tuple[Bout, int]]:
    """Yield every deal that is to be played, in turn over the contests of a turn."""
    done = read(given.out)
    contests = bouts(given)
    for turn in sorted({bout.turn for bout in contests}):
        now = [bout for bout in contests if bout.turn == turn]
        for deal in range(max(bout.deals for bout in now)):
            for bout in now:
                if deal < bout.deals and deal not in done.get(bout.key, {}):
                    yield bout, deal


def run(given: argparse.Namespace) -> None:
    """Play until all is done or time is up; deals that are not done within a further minute are lost."""
    until = time.monotonic() + 60 * given.minutes
    given.out.parent.mkdir(parents=True, exist_ok=True)
    left = tasks(given)
    games: dict[str, dict[tuple[str, ...], Bout]] = {}
    for bout, _ in tasks(given):
        games.setdefault(bout.game, {}).setdefault(needs(bout), bout)
    with (
        given.out.open("a", encoding="utf-8") as file,
        ProcessPoolExecutor(given.jobs, mp_context=get_context("spawn")) as pool,
    ):
        # one process per game, or every process would compile the same
        wait([pool.submit(compile_all, list(kinds.values())) for kinds in games.values()])
        running = {pool.submit(play, *task) for task in islice(left, given.jobs)}
        while running:
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for job in finished:
                file.write(json.dumps(job.result()) + "\n")
                file.flush()
                task = next(left, None) if time.monotonic() < until else None
                if task is not None:
                    running.add(pool.submit(play, *task))


def summary(given: argparse.Namespace) -> list[dict[str, Any]]:
    """Return one row for each contest: gain over the opponent, games won, time."""
    done = read(given.out)
    rows = []
    for bout in bouts(given):
        deals = [row for deal, row in sorted(done.get(bout.key, {}).items()) if deal < bout.deals]
        if not deals:
            continue
        a, b = deals[0]["held"]
        gain = estimate([r["chips"][0] * b - r["chips"][1] * a for r in deals], a * b)
        won = estimate([r["won"][0] for r in deals], a)
        decisions = max(sum(r["decisions"] for r in deals), 1)
        rows.append({
            "game": bout.game, "seats": bout.seats, "agent": bout.agent, "opponent": bout.opponent,
            "bar": bout.bar, "simulations": bout.simulations, "deals": len(deals), "planned": bout.deals,
            "changes": dict(bout.changes),
            "ms": round(1000 * sum(r["seconds"] for r in deals) / decisions, 2),
            "gain": [gain.mean, gain.half], "won": [won.mean, won.half],
        })  # fmt: skip
    return rows


def table(rows: list[dict[str, Any]], mark: str = "") -> str:
    """Return the rows as text, or, with a mark between the cells, as a table of Markdown."""
    heads = ("game", "seats", "agent", "opponent", "simulations", "ms", "deals", "gain (95 %)", "won (95 %)")
    cells = [[*heads, "bar or changes"]]
    for r in rows:
        gain, won = (_figure(*r[name]) for name in ("gain", "won"))
        cells.append([
            r["game"], str(r["seats"]), r["agent"], r["opponent"], f"{r['simulations']:,}", f"{r['ms']:.1f}",
            _count(r), gain, won, r["bar"] or json.dumps(r["changes"]) * bool(r["changes"]),
        ])  # fmt: skip
    if mark:
        cells.insert(1, ["---"] * len(heads) + ["---"])
        return "\n".join(f"{mark} {f' {mark} '.join(row)} {mark}" for row in cells)
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    return "\n".join(
        "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells
    )


def _count(row: dict[str, Any]) -> str:
    """Return the number of deals; of a contest that is not over, with the number that it will have."""
    return str(row["deals"]) if row["deals"] == row["planned"] else f"{row['deals']} of {row['planned']}"


def _figure(mean: float, half: float | None) -> str:
    digits = 1 if abs(mean) >= 10 else 3
    return f"{mean:+.{digits}f} ± {'?' if half is None else f'{half:.{digits}f}'}"


def main() -> int:
    """Play what is missing, then print the table (or with --json the rows, with --markdown a table)."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", help="games to play; all by default")
    parser.add_argument("--agent", default=SEARCH, choices=(SEARCH, GUIDED), help="which search plays")
    parser.add_argument("--against", nargs="+", help="opponents instead of the best agent shipped before")
    parser.add_argument("--plan", type=Path, help="contests as lines of JSON, with the fields of Bout")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument(
        "--deals", type=int, help="deals of each contest; by default 100, and 400 at the top budget"
    )
    parser.add_argument("--budgets", type=int, nargs="+", default=[0, 1, 2, 3], choices=range(4))
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, default=Path("build/search_strength.jsonl"))
    parser.add_argument("--set", nargs="*", default=[], metavar="KEY=VALUE", help="settings, as JSON values")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    given = parser.parse_args()
    if given.minutes > 0:
        run(given)
    rows = summary(given)
    print(json.dumps(rows, indent=1) if given.json else table(rows, "|" if given.markdown else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
