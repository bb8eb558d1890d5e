"""Measure the six levels of a game on a ladder, or look for descriptions that make even steps.

    make levels                                            # measure every game; writes docs/levels.md
    python benchmarks/levels.py nana --jobs 2              # measure one
    python benchmarks/levels.py nana --fit --jobs 2        # rate a range of errors and propose six levels
    python benchmarks/levels.py --published --write        # take the figures from the ladders in docs/ladder

A measurement is a ladder of `random` and the six levels in build/levels/GAME, which goes on where it stopped.
Levels are in order if every one beats the one below (p < 0.01) and each step is between half and twice the
mean step.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from qipai.arena.ladder import Ladder, climb, ladder_of, ratings_of, read_file
from qipai.arena.publish import GAMES
from qipai.arena.ratings import Ratings
from qipai.cluster import open_pool
from qipai.core import get, strongest
from qipai.core.registry import OURS

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "levels.md"
LADDERS = ROOT / "docs" / "ladder"
BEGIN, END = "<!-- levels: begin -->", "<!-- levels: end -->"
SEPARATED = 0.01  # p value below which two neighbours count as separated
RANGE = (0.5, 2.0)  # a step, in mean steps
GRID = (0.0, 0.15, 0.3, 0.45, 0.6, 0.8, 1.0)  # how much the agents of a fit err
MOST = (4.0, 0.5, 0.3)  # temperature, oversight, memory of the one that errs most


@dataclass(frozen=True)
class Step:
    """Two neighbouring levels: how far apart they are, and how certain that is."""

    lower: str
    upper: str
    points: float
    low: float
    high: float
    doubt: float


def described(error: float, remembers: bool) -> str:
    """Return the description of a net that errs: 0 not at all, 1 as much as a beginner."""
    if error <= 0:
        return "net"
    temperature, oversight, memory = MOST
    text = f"net~t{temperature * error:.2f}~o{oversight * error:.2f}"
    return text + f"~m{1 - (1 - memory) * error:.2f}" if remembers else text


def measured(
    name: str, agents: Sequence[str], folder: Path, args: argparse.Namespace
) -> tuple[Ladder, Ratings, int]:
    """Return the ratings of `agents`, after playing what is missing in the folder's file."""
    ladder = ladder_of(name, agents, seed=args.seed, meetings=args.meetings, rounds=args.rounds)
    with open_pool(args.jobs) as pool:
        deals = climb(ladder, folder / "games.jsonl", pool, lambda text: print(name, text, file=sys.stderr))
    ratings, rated = ratings_of(ladder, deals)
    assert rated == list(range(len(agents))), "an agent failed"
    return ladder, ratings, len(deals)


def steps_of(names: Sequence[str], places: Sequence[int], ratings: Ratings) -> list[Step]:
    """Return the steps between neighbours; `places` are those of the agents `names` in the ratings."""
    found = []
    for (lower, below), (upper, above) in pairwise(zip(names, places, strict=True)):
        points, low, high = ratings.over(above, below)
        doubt = ratings.doubt(above, below) if points > 0 else 1.0
        found.append(Step(lower, upper, points, low, high, doubt))
    return found


def faults(steps: Sequence[Step]) -> list[str]:
    """Return what is wrong with the steps between the levels."""
    mean = sum(step.points for step in steps) / len(steps)
    found = [
        f"{step.upper} does not beat {step.lower} (p = {step.doubt:.2g})"
        for step in steps
        if step.doubt >= SEPARATED
    ]
    return found + [
        f"{step.upper} is {step.points / mean:.2f} mean steps above {step.lower}"
        for step in steps
        if not RANGE[0] <= step.points / mean <= RANGE[1]
    ]


def measure(name: str, args: argparse.Namespace) -> dict[str, Any]:
    """Measure the levels of a game; return the figures for the page."""
    levels = [f"level{k + 1}" for k in range(len(get(name).levels.agents))]
    return figures(*measured(name, ["random", *levels], args.out / name, args))


def published(name: str) -> dict[str, Any]:
    """Return the figures for the page from the published ladder of a game."""
    ladder, deals = read_file(LADDERS / name / GAMES)
    ratings, rated = ratings_of(ladder, deals)
    assert rated == list(range(len(ladder.agents))), "an agent failed"
    return figures(ladder, ratings, len(deals))


def figures(ladder: Ladder, ratings: Ratings, deals: int) -> dict[str, Any]:
    """Return the figures of the levels on a ladder that has them and `random`."""
    plays = get(ladder.game).levels.agents
    first = dict(ladder.also)
    names = ["random", *(f"level{k + 1}" for k in range(len(plays)))]
    places = [ladder.agents.index(first.get(name, name)) for name in names]
    steps = steps_of(names[1:], places[1:], ratings)
    mean = sum(step.points for step in steps) / len(steps)
    start = ratings.points[places[1]]
    rows = []
    for k, (name, place) in enumerate(zip(names, places, strict=True)):
        step = steps[k - 2] if k > 1 else None
        rows.append(
            {
                "agent": name,
                "plays": plays[k - 1] if k else "random",
                "points": round(float(ratings.points[place] - start)),
                "low": round(float(ratings.low[place] - start)),
                "high": round(float(ratings.high[place] - start)),
                "step": round(step.points / mean, 2) if step else None,
                "p": step.doubt if step else None,
            }
        )
    return {"game": ladder.game, "seats": ladder.seats, "seed": ladder.seed, "deals": deals, "rows": rows,
            "faults": faults(steps)}  # fmt: skip


def fit(name: str, args: argparse.Namespace) -> None:
    """Measure nets that err more and more, and print six descriptions with even steps."""
    game = get(name)
    remembers = game.levels.shown is not None
    errors = [error * args.most for error in reversed(GRID)]
    agents = [described(error, remembers) for error in errors]
    top = strongest(game)
    ladder, ratings, _ = measured(
        name, ["random", *agents, *([] if top == "net" else [top])], args.out / f"{name}-fit", args
    )
    for agent, points, low, high in zip(
        ladder.agents, ratings.points, ratings.low, ratings.high, strict=True
    ):
        print(f"{agent:28} {points:6.0f}  {low:6.0f} to {high:6.0f}")
    curve = np.maximum.accumulate(ratings.points[1 : 1 + len(errors)])
    wanted = np.linspace(curve[0], ratings.points[-1], 6)
    for level, target in enumerate(wanted[:-1], 1):
        error = float(np.interp(target, curve, errors))
        over = "" if target <= curve[-1] else "   (above the net: needs a stronger base)"
        print(f"level {level}: {described(error, remembers)}{over}")
    print(f"level 6: {top}")


def page(found: Sequence[dict[str, Any]]) -> str:
    """Return the tables of the page."""
    parts = []
    for one in found:
        lines = [
            f"### {get(one['game']).title('en')}",
            "",
            f"{one['seats']} seats, {one['deals']:,} deals, seed {one['seed']}.".replace("1 seats", "1 seat"),
            "",
            "| level | plays | points over level 1 (95 %) | step, in mean steps | p |",
            "|---|---|---|---|---|",
        ]
        for row in one["rows"]:
            step = "" if row["step"] is None else f"{row['step']:.2f}"
            doubt = "" if row["p"] is None else "< 0.001" if row["p"] < 0.001 else f"{row['p']:.3f}"
            span = f"{row['points']:+d} ({row['low']:+d} to {row['high']:+d})"
            lines.append(f"| {row['agent']} | `{row['plays']}` | {span} | {step} | {doubt} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def write(found: Sequence[dict[str, Any]], path: Path = PAGE) -> None:
    """Replace the tables of the page."""
    text = path.read_text("utf-8")
    head, _, rest = text.partition(BEGIN)
    tail = rest.partition(END)[2]
    path.write_text(f"{head}{BEGIN}\n\n{page(found)}\n\n{END}{tail}", "utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Measure or fit; return 1 if levels are out of order."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", help="default: every game")
    parser.add_argument("--fit", action="store_true", help="propose levels instead of measuring them")
    parser.add_argument(
        "--most", type=float, default=1.0, help="with --fit: how much the first level errs (1)"
    )
    parser.add_argument("--meetings", type=int, default=150, help="deals that every two share (150)")
    parser.add_argument("--rounds", type=int, default=10, help="adaptive rounds (10)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, help="worker processes (default: all cores)")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "levels")
    parser.add_argument("--write", action="store_true", help="write docs/levels.md; needs every game")
    parser.add_argument("--published", action="store_true", help="take the figures from docs/ladder")
    args = parser.parse_args(argv)
    names = args.games or list(OURS)
    if args.write and set(names) != set(OURS):
        parser.error("--write replaces every table of the page: give no games, or all of them")
    if args.fit:
        for name in names:
            fit(name, args)
        return 0
    found = [published(name) if args.published else measure(name, args) for name in names]
    print(page(found))
    for one in found:
        for fault in one["faults"]:
            print(f"{one['game']}: {fault}", file=sys.stderr)
    if args.write:
        write(found)
        args.out.mkdir(parents=True, exist_ok=True)
        (args.out / "levels.json").write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return int(any(one["faults"] for one in found))


if __name__ == "__main__":
    sys.exit(main())
