"""Play the ladders that docs/ladder publishes: every game with two seeds, all of them at the same time.

    python benchmarks/ladders.py                               # all games; goes on where it was stopped
    python benchmarks/ladders.py nana --jobs 2                 # one game
    python benchmarks/ladders.py --seconds 540 --pack FILE     # stop then; keep the games in an archive too
    python benchmarks/ladders.py --publish                     # write what was played to docs/ladder

A ladder has all registered agents of its game: `qipai ladder GAME --meetings N --seed S` plays the same. Its
files are in build/ladders/GAME/S. With `--pack` the games played so far are written to one archive over and
over, so that nothing is lost if the machine goes away. At the end `qipai ladder --compare` says whether the
second seed keeps the order of the first.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import textwrap
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from qipai.arena.compare import Comparison, compare
from qipai.arena.ladder import ladder_of, play, read_file
from qipai.arena.publish import GAMES, publish, report_of_file
from qipai.arena.report import Entry
from qipai.core import agents_of, get

ROOT = Path(__file__).parents[1]
PUBLISHED = ROOT / "docs" / "ladder"
PAGE = ROOT / "docs" / "ladder.md"
BEGIN, END = "<!-- ladders: begin -->", "<!-- ladders: end -->"
AGAIN = "again.jsonl"
WIDTH = 120  # characters of a line of our pages
SEEDS = (1, 2)  # published, played again
COMPILING = 600.0  # seconds that an agent may take for a decision while code is compiled
TICK = 1.0  # seconds between two looks at the processes
PACKING = 20.0  # seconds between two archives
MORE = 1.25  # processes per core and seed


@dataclass(frozen=True)
class Size:
    """How long the ladder of a game is."""

    meetings: int  # deals that every two agents share
    share: float  # of the processor time of all ladders with this seed, roughly


PLAN = {
    "xianqi": Size(24, 0.12),
    "nana": Size(10, 0.18),
    "wuhan_mahjong": Size(100, 0.21),
    "skill_gomoku": Size(10, 0.30),
    "paipai_rensa": Size(40, 0.19),
}


@dataclass
class Run:
    """A ladder: its files, and the process that plays it once that has started."""

    game: str
    seed: int
    folder: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def games(self) -> Path:
        """The file of games."""
        return self.folder / GAMES

    @property
    def name(self) -> str:
        """Name for messages."""
        return f"{self.game}, seed {self.seed}"

    def deals(self) -> int:
        """Return how many deals are on disk."""
        return max(0, self.games.read_bytes().count(b"\n") - 1) if self.games.exists() else 0


def command(game: str, seed: int, workers: int, folder: Path) -> list[str]:
    """Return the command line of a ladder."""
    words = ["ladder", game, "--meetings", PLAN[game].meetings, "--seed", seed, "--workers", workers]
    return [sys.executable, "-m", "qipai", *map(str, words), "--out", str(folder)]


def compile_agents(game: str) -> None:
    """Let every agent of a game play one deal, so that everything is compiled and in the cache."""
    ladder = ladder_of(game, seed=0)
    count = len(ladder.agents)
    size = min(ladder.seats, count) if ladder.seats > 1 else count
    for first in range(0, count, size):
        start = min(first, count - size)
        if fault := play(ladder, 0, tuple(range(start, start + size)), COMPILING).fault:
            print(fault, file=sys.stderr)


def pack(runs: Sequence[Run], path: Path) -> None:
    """Write an archive of the games played so far; the one before it is there until this one is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    with tarfile.open(part, "w:gz", compresslevel=6) as archive:
        for run in runs:
            if run.games.exists():
                archive.add(run.games, f"{run.game}/{run.seed}/{GAMES}")
    part.replace(path)


def start(run: Run, workers: int) -> None:
    """Start the process of a ladder; what it says is kept next to its games."""
    run.folder.mkdir(parents=True, exist_ok=True)
    with (run.folder / "said.txt").open("ab") as said:
        words = command(run.game, run.seed, workers, run.folder)
        run.process = subprocess.Popen(words, stdout=said, stderr=said)


def played(runs: Sequence[Run], jobs: int, until: float, archive: Path | None) -> list[str]:
    """Play ladders until a time, each from when the code of its game is compiled; return what is wrong."""
    games = list(dict.fromkeys(run.game for run in runs))
    compilers = {
        game: subprocess.Popen([sys.executable, __file__, "--compile", game, "--jobs", "1"]) for game in games
    }
    total = sum(PLAN[game].share for game in games)
    waiting, wrong, packed = list(runs), [], time.monotonic()
    try:
        while waiting and time.monotonic() < until:
            time.sleep(TICK)
            for run in list(waiting):
                if run.process is None:
                    if (code := compilers[run.game].poll()) == 0:
                        # more processes than cores, so that the ladders that end last use all cores too
                        start(run, max(1, round(MORE * jobs * PLAN[run.game].share / total)))
                    elif code is not None:
                        waiting.remove(run)
                        wrong.append(f"{run.name}: its code was not compiled")
                elif (code := run.process.poll()) is not None:
                    waiting.remove(run)
                    print(f"{run.name}: {run.deals()} deals, ended with {code}", flush=True)
                    if code:
                        wrong.append(f"{run.name}: ended with {code}")
            if archive is not None and time.monotonic() - packed > PACKING:
                pack(runs, archive)
                packed = time.monotonic()
    finally:
        started = [run.process for run in waiting if run.process is not None]
        for process in [*compilers.values(), *started]:
            process.terminate()  # workers end with it
            process.wait()
    if archive is not None:
        pack(runs, archive)
    return wrong + [
        f"{run.name}: stopped after {run.deals()} deals; the same command goes on from there"
        for run in waiting
    ]


def compared(games: Sequence[str], folder: Path) -> int:
    """Compare both seeds of every game; return how many ladders do not keep the order of the first."""
    found = []
    for game in games:
        files = [folder / game / str(seed) / GAMES for seed in SEEDS]
        if all(file.exists() for file in files):
            words = [sys.executable, "-m", "qipai", "ladder", "--compare", *map(str, files)]
            found.append((game, subprocess.Popen(words, stdout=subprocess.PIPE, text=True)))
    worse = 0
    for game, process in found:
        text = process.communicate()[0]
        worse += process.returncode != 0
        print(f"{game}: {text.rstrip()}", flush=True)
    return worse


def publish_all(games: Sequence[str], folder: Path) -> int:
    """Copy the ladders of games to docs/ladder and write their figures; return 1 if an order is not kept."""
    worse = 0
    for game in games:
        place = PUBLISHED / game
        place.mkdir(parents=True, exist_ok=True)
        for seed, name in zip(SEEDS, (GAMES, AGAIN), strict=True):
            shutil.copyfile(folder / game / str(seed) / GAMES, place / name)
        publish(place)
    text = PAGE.read_text("utf-8")
    head, _, rest = text.partition(BEGIN)
    sections = []
    for game in PLAN:
        if (PUBLISHED / game / AGAIN).exists():
            found = compare(PUBLISHED / game / GAMES, PUBLISHED / game / AGAIN)
            worse += bool(found.swaps)
            sections.append(section(game, found))
    PAGE.write_text(f"{head}{BEGIN}\n\n{chr(10).join(sections)}\n{END}{rest.partition(END)[2]}", "utf-8")
    return int(bool(worse))


def section(game: str, found: Comparison) -> str:
    """Return what docs/ladder.md says about a ladder."""
    report = report_of_file(PUBLISHED / game / GAMES)
    head, place = report.head, f"ladder/{game}"
    again = len(read_file(PUBLISHED / game / AGAIN)[1])
    seats = f"{head['seats']} seat{'s' if head['seats'] > 1 else ''}"
    played_by = f"qipai ladder {game} --meetings {head['meetings']} --rounds {head['rounds']}"
    if {*head["agents"], *head["also"]} != set(agents_of(get(game))):
        played_by += " --agents \\\n    " + ",".join(head["agents"])
    lines = [
        f"### {get(game).title('en')}",
        "",
        wrapped(
            f"{seats}, {report.deals:,} deals, {report.games:,} games, seed {head['seed']}:",
            f"[figures]({place}/ladder.json), [games]({place}/games.jsonl),",
            f"[page with plots]({place}/index.html).",
        ),
        "",
        "```shell",
        played_by.replace(" --meetings", f" --seed {head['seed']} --meetings", 1),
        "```",
        "",
        "| agent | rating | 95 % | games | chips per game | won | ms per move | separated from the next |",
        "|---|---|---|---|---|---|---|---|",
        *(row(entry) for entry in report.entries),
        "",
        wrapped(
            f"The same command with another seed played {again:,} deals",
            f"([again.jsonl]({place}/again.jsonl)). Of the {found.pairs} pairs of agents",
            f"{found.separated} are separated (p < 0.01), and",
            f"{found.separated - len(found.swaps)} of these keep their order.",
        ),
        "",
    ]
    return "\n".join(lines)


def row(entry: Entry) -> str:
    """Return the line of an agent in a table."""
    if entry.rating is None or entry.low is None or entry.high is None:
        return f"| `{entry.agent}` | left out: {entry.fault} | | | | | | |"
    digits = 2 if abs(entry.chips.mean) < 100 else 0
    cells = [
        ", ".join(f"`{name}`" for name in (entry.agent, *entry.also)),
        f"{entry.rating:.0f}",
        f"{entry.low:.0f} to {entry.high:.0f}",
        f"{entry.games:,}",
        f"{entry.chips.mean:+,.{digits}f} ± {entry.chips.half or 0:,.{digits}f}",
        f"{100 * entry.won.mean:.1f} %",
        f"{entry.milliseconds:.2f}",
        {None: "", True: "yes", False: "no"}[entry.separated],
    ]
    return f"| {' | '.join(cells)} |"


def wrapped(*parts: str) -> str:
    """Return prose in lines of the width of our pages."""
    return textwrap.fill(" ".join(parts), WIDTH, break_long_words=False, break_on_hyphens=False)


def main(argv: Sequence[str] | None = None) -> int:
    """Play and compare; return 1 if a ladder is not finished or does not keep an order."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", help="default: every game")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long; no limit")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="cores (default: all)")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "ladders")
    parser.add_argument("--pack", type=Path, metavar="FILE", help="keep the games in this archive too")
    parser.add_argument("--publish", action="store_true", help="publish what is in the folder, play nothing")
    parser.add_argument("--compile", metavar="GAME", help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.compile:
        compile_agents(args.compile)
        return 0
    games = args.games or list(PLAN)
    if unknown := set(games) - set(PLAN):
        parser.error(f"no such game: {', '.join(sorted(unknown))}")
    if args.publish:
        return publish_all(games, args.out)
    began = time.monotonic()
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")
    runs = [Run(game, seed, args.out / game / str(seed)) for seed in SEEDS for game in games]
    wrong = played(runs, args.jobs, began + args.seconds, args.pack)
    worse = compared(games, args.out)
    for text in wrong:
        print(text, file=sys.stderr)
    print(f"{time.monotonic() - began:.0f} s", flush=True)
    return int(bool(wrong or worse))


if __name__ == "__main__":
    sys.exit(main())
