"""The shipped net of a game against every other agent, as a table for the net's page.

    python benchmarks/versus.py --jobs 16 --minutes 10 --out build/versus.jsonl --write

The net has one seat and the opponent all others; every deal is played from every seat. A pair that has been
played is one line of the file, so that a run that is stopped goes on with the next pair; a net that has
changed, or another number of deals, is played again. A pair ends after `--minutes`, with the deals that were
finished, in their order. `--only NAME` plays the pairs of some opponents; tables also have what the file
knows about the others. `--write` puts the table of each game into docs/training/GAME.md. Numbers of seats
that the net was not trained with are played with a quarter of the deals. Levels are left out unless
`--levels` is given: they are rated on docs/levels.md.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import isfinite
from pathlib import Path
from textwrap import fill

from qipai.bots.levels import level_of
from qipai.bots.net.agent import NAME, weights_path
from qipai.core import Game, agents_of, get
from qipai.core.registry import OURS
from qipai.learn.evaluate import Question, examine, processes
from qipai.learn.settings import TUNED
from qipai.search import agent as search

PAGES = Path(__file__).parents[1] / "docs" / "training"
BEGIN, END = "<!-- versus: begin -->", "<!-- versus: end -->"
HEADING, BEFORE = "## Against every other agent", "## Cost and curve"
QUICK = "search@quick"  # instead of `search`, which thinks longer
PARTNERS, SEARCHES, OTHERS = 100, 50, 200  # deals
OPEN_END = 600.0  # seconds that unfinished deals of a pair may take after its time is over
SEED = 77
UNITS = {"xianqi": "chips", "wuhan_mahjong": "points", "paipai_rensa": "points"}  # others: games won alone


@dataclass(frozen=True)
class Pair:
    """An opponent of a game's net, the number of seats, and how many deals are asked for."""

    game: str
    opponent: str
    seats: int
    asked: int


@dataclass(frozen=True)
class Result:
    """What a net did in a pair; half: of the 95 % interval."""

    pair: Pair
    net: str  # digest of the file
    seed: int
    deals: int
    over: float  # payoff per game less the opponent's
    over_half: float
    won: float  # share of games
    won_half: float
    seconds: float
    date: str


def pairs_of(game: Game, deals: int | None = None, levels: bool = False) -> list[Pair]:
    """Return all pairs of a game; `deals` replaces every count."""
    fewest, most = game.rules.seats
    trained = TUNED.get(game.name, {}).get("seats", (fewest,))
    made = []
    for seats in range(fewest, most + 1):
        for opponent, count in opponents_of(game, levels):
            asked = count if seats in trained else count // 4
            made.append(Pair(game.name, opponent, seats, deals or asked))
    return made


def opponents_of(game: Game, levels: bool) -> Iterator[tuple[str, int]]:
    """Return every other agent and its number of deals, weakest first."""
    for name, spec in agents_of(game).items():
        if name == NAME or (level_of(name) is not None and not levels):
            continue
        if name == search.NAME:
            yield QUICK, SEARCHES
        else:
            yield name, OTHERS if spec.offered else PARTNERS


def digest_of(game: Game) -> str:
    """Return the beginning of the SHA-256 of the shipped weights."""
    return sha256(shipped(game).read_bytes()).hexdigest()[:16]


def shipped(game: Game) -> Path:
    """Return the path of the shipped weights."""
    path = weights_path(game)
    assert path is not None
    return path


def read(path: Path) -> dict[tuple[Pair, str, int], Result]:
    """Return the results of a file by pair, net and seed."""
    found = {}
    for line in path.read_text("utf-8").splitlines() if path.exists() else []:
        data = json.loads(line)
        made = Result(**{**data, "pair": Pair(**data["pair"])})
        found[made.pair, made.net, made.seed] = made
    return found


def play(pair: Pair, seed: int, seconds: float, jobs: int, pool: ProcessPoolExecutor | None) -> Result | None:
    """Play a pair; return None if not even one deal was finished."""
    game, started = get(pair.game), time.monotonic()
    found = examine(
        pair.game,
        str(shipped(game)),
        Question(pair.opponent, pair.seats, pair.asked),
        seconds=seconds,
        seed=seed,
        pool=pool,
        processes=jobs,
        grace=OPEN_END,
    )
    if found is None:
        return None
    took, date = round(time.monotonic() - started, 1), time.strftime("%Y-%m-%d")
    figures = (found.deals, found.over, found.over_half, found.won, found.won_half)
    return Result(pair, digest_of(game), seed, *figures, took, date)


def table(game: Game, results: Sequence[Result]) -> str:
    """Return the table of a game as Markdown."""
    unit = UNITS.get(game.name)
    together = game.rules.seats[1] > 1
    columns = ["opponent", *(["seats"] if several(game) else []), "deals"]
    columns += ["games won", "equal share"] if together else []
    columns += [f"{unit} over it"] if unit else []
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    for r in results:
        cells = [f"`{r.pair.opponent}`", *([str(r.pair.seats)] if several(game) else []), f"{r.deals:,}"]
        if together:
            cells += [figure(f"{100 * r.won:.1f}", 100 * r.won_half, 1) + " %", f"{100 / r.pair.seats:.3g} %"]
        if unit:
            digits = 0 if abs(r.over) >= 10 else 2
            cells.append(figure(f"{r.over:+,.{digits}f}", r.over_half, digits))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def several(game: Game) -> bool:
    """Return whether a game can be played with different numbers of seats."""
    return game.rules.seats[0] < game.rules.seats[1]


def figure(mean: str, half: float, digits: int) -> str:
    """Return a figure with half its interval, "?" if one deal gives none."""
    return f"{mean} ± {half:,.{digits}f}" if isfinite(half) else f"{mean} ± ?"


def section(game: Game, results: Sequence[Result], missing: Sequence[Pair] = ()) -> str:
    """Return what stands between the markers of a page; it names the opponents of `missing` pairs."""
    dates = sorted({r.date for r in results})
    days = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    how = f"One `{NAME}` and the opponent in all other seats, every deal from every seat"
    if game.rules.seats[1] == 1:
        how = f"`{NAME}` and the opponent play the same deals, each alone"
    note = f"{fill(f'Not in this table: {unplayed(game, missing)}.', 116)}\n" if missing else ""
    return (
        f"{how}; 95 % intervals\n"
        f"({days}). `{QUICK}` is `search` with fewer simulations; levels are rated on\n"
        "[a separate page](../levels.md).\n"
        f"`python benchmarks/versus.py {game.name} --write` plays it again.\n{note}\n{table(game, results)}"
    )


def unplayed(game: Game, missing: Sequence[Pair]) -> str:
    """Return the opponents of these pairs, with the numbers of seats if a game has several."""
    seats: dict[str, list[str]] = {}
    for pair in missing:
        seats.setdefault(pair.opponent, []).append(str(pair.seats))
    if several(game):
        return "; ".join(f"`{name}` with {', '.join(counts)} seats" for name, counts in seats.items())
    return ", ".join(f"`{name}`" for name in seats)


def write(path: Path, text: str) -> None:
    """Put a text between the markers of a page; a page without them gets a section with a heading."""
    page = path.read_text("utf-8")
    if BEGIN not in page:
        page = page.replace(BEFORE, f"{HEADING}\n\n{BEGIN}\n{END}\n\n{BEFORE}", 1)
    head, _, rest = page.partition(BEGIN)
    path.write_text(f"{head}{BEGIN}\n\n{text}\n\n{END}{rest.partition(END)[2]}", "utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Play what is missing, then print the tables and write them if asked; return 1 if a pair is missing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("games", nargs="*", help="default: every game")
    add("--jobs", type=int, default=1, help="processes")
    add("--minutes", type=float, default=10.0, help="most that a pair may take (default: 10)")
    add("--deals", type=int, help="instead of every count, to try it")
    add("--seed", type=int, default=SEED, help=f"of the deals (default: {SEED})")
    add("--only", nargs="+", metavar="NAME", help="opponents to play (default: all)")
    add("--levels", action="store_true", help="play the levels too")
    add("--out", type=Path, default=Path("build/versus.jsonl"), help="the file of results")
    add("--write", action="store_true", help="write the tables into docs/training")
    args = parser.parse_args(argv)
    games = [get(name) for name in args.games or OURS]
    known = {name for game in games for name, _ in opponents_of(game, args.levels)}
    if unknown := sorted(set(args.only or known) - known):
        parser.error(f"no opponent is called {unknown[0]}; known: {', '.join(sorted(known))}")
    args.out.parent.mkdir(parents=True, exist_ok=True)
    pool = processes(args.jobs) if args.jobs > 1 else None
    whole = True
    for game in games:
        found, missing = [], []
        for pair in pairs_of(game, args.deals, args.levels):
            key = (pair, digest_of(game), args.seed)
            made = read(args.out).get(key)
            if made is None and args.only and pair.opponent not in args.only:
                missing.append(pair)
                continue
            made = made or play(pair, args.seed, 60 * args.minutes, args.jobs, pool)
            if made is None:
                print(f"{pair}: no deal was finished", flush=True)
                missing.append(pair)
                whole = False
                continue
            if key not in read(args.out):
                with args.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(made)) + "\n")
                print(
                    f"{game.name} {pair.opponent}, {pair.seats}: {made.deals} deals, {made.seconds} s",
                    flush=True,
                )
            found.append(made)
        print(f"\n{game.name}\n\n{table(game, found)}\n", flush=True)
        if args.write and found:
            write(PAGES / f"{game.name}.md", section(game, found, missing))
    if pool is not None:
        pool.shutdown()
    return 0 if whole else 1


if __name__ == "__main__":
    raise SystemExit(main())
