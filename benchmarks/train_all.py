"""Train several games one after another on one GPU, and measure every net against the shipped agents.

    python benchmarks/train_all.py --budget 540 --out OUT                  # the plan below
    python benchmarks/train_all.py xianqi:2 nana --budget 300 --out OUT    # shares of 2 and 1 of the time
    python benchmarks/train_all.py xianqi xianqi@2 --budget 300 --out OUT  # the same, and a run with seed 2
    python benchmarks/train_all.py --device cpu --small --budget 240 --out OUT   # the same code, tiny
    ... --set xianqi.rate=0.001 --set nana.from=hard                       # other settings for one game

All games build at the same time, each in its own process (kernels, recorded launches, lessons of the
agent that is cloned); then one at a time uses the GPU, while the CPU measures the net trained before.
The remaining time is shared out again before each turn. A game that fails does not stop the others, and
at the end of the budget all results are on disk: OUT/results.json, OUT/curves.csv, OUT/GAME.qnet,
and for each run OUT/GAME/curve.csv with its plot OUT/GAME/curve.png (needs matplotlib).
A run with its own seed is called GAME@SEED; `--set GAME.NAME=VALUE` applies to both.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from dataclasses import asdict
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

# By game: share of the time, agent to clone, settings that differ from the tuned ones, opponents of the net.
PLAN: dict[str, dict[str, Any]] = {
    "xianqi": {"share": 0.9, "meets": [("heuristic", None)]},
    "skill_gomoku": {"share": 1.2, "meets": [("heuristic", None), ("sharp", None)]},
    "wuhan_mahjong": {"share": 1.2, "meets": [("heuristic", None)]},
    "nana": {"share": 1.1, "meets": [("hard", 2), ("exact", 2), ("hard", 4), ("exact", 4)]},
    "paipai_rensa": {"share": 0.8, "meets": [("greedy", None), ("builder", None)]},
}
SMALL: dict[str, Any] = {
    "width": 32,
    "layers": 2,
    "channels": 8,
    "blocks": 1,
    "lanes": 32,
    "steps": 8,
    "minibatch": 64,
    "clone_decisions": 60,
    "clone_seconds": 5.0,
    "clone_steps": 5,
    "clone_rows": 32,
    "precision": "f32",
    "fuse": False,
}
SNAPSHOTS = (0.0, 0.25, 0.5, 0.75)  # fractions of a game's time: nets that make up its curve


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="GAME[@SEED][:SHARE]", help="default: the whole plan")
    parser.add_argument("--out", required=True, metavar="DIR")
    parser.add_argument("--budget", type=float, default=540.0, help="seconds in total")
    parser.add_argument("--tail", type=float, default=40.0, help="seconds of these to measure the last net")
    parser.add_argument("--judge", type=float, default=40.0, help="seconds to measure a final net")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 2), help="processes")
    parser.add_argument("--small", action="store_true", help="tiny sizes")
    parser.add_argument("--set", action="append", default=[], metavar="GAME.NAME=VALUE")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    args = parser.parse_args()
    return child(args) if args.one else parent(args)


# --- the parent -----------------------------------------------------------------------


def parent(args: argparse.Namespace) -> int:
    started = time.monotonic()
    deadline = started + args.budget
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    shares = shares_of(args.games)
    work = Path(tempfile.mkdtemp(prefix="train_all-"))
    book = Book(out, args, started)
    children = {game: Child(game, args, work, book) for game in shares}
    judge = Judge(args, book)
    waiting = dict(children)
    while waiting and time.monotonic() < deadline - args.tail:
        game = next_ready(waiting, deadline - args.tail)
        if game is None:
            break
        one = waiting.pop(game)
        left = deadline - args.tail - time.monotonic()
        share = shares[game] / sum(shares[name] for name in (game, *waiting))
        book.say(f"{game} trains for {left * share:.0f} s")
        judge.warm(game)
        one.train(left * share)
        take_over(one, out, book)
        judge.add(one)
    for game in waiting:
        book.note(game, {"error": "not built in time", "log": children[game].tail()})
    judge.finish(deadline)
    for one in children.values():
        one.process.kill()
    book.write()
    book.draw()
    book.table()
    shutil.rmtree(work, ignore_errors=True)
    return 0


def shares_of(wanted: list[str]) -> dict[str, float]:
    found = {}
    for text in wanted or PLAN:
        game, _, share = text.partition(":")
        found[game] = float(share or PLAN[game_of(game)]["share"])
    return found


def game_of(name: str) -> str:
    """Return the game of a run: the name without its seed."""
    return name.partition("@")[0]


def file_of(name: str) -> str:
    """Return the name of a run's file."""
    return name.replace("@", "-")


def next_ready(waiting: dict[str, Child], deadline: float) -> str | None:
    """Return the first game of the plan that is ready; wait for one."""
    while time.monotonic() < deadline:
        for game, one in list(waiting.items()):
            if one.failed():
                waiting.pop(game)
                one.book.note(game, {"error": one.tail()})
        if not waiting:
            return None
        ready = [game for game, one in waiting.items() if one.ready.is_set()]
        if ready:
            return ready[0]
        time.sleep(0.2)
    return None


def take_over(one: Child, out: Path, book: Book) -> None:
    """Copy the net of a game that has trained."""
    net = one.folder / "net.qnet"
    if net.exists():
        shutil.copy(net, out / f"{file_of(one.game)}.qnet")
    book.note(one.game, {"figures": one.figures, "log": one.tail()} if one.figures else {"error": one.tail()})


def with_strength(rows: list[dict[str, Any]], strength: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return copies of a curve's rows with what was measured at each share of the time ("25 %", "end")."""
    made = [dict(row) for row in rows]
    for found in strength if made else []:
        share = 1.0 if found["at"] == "end" else float(found["at"].split()[0]) / 100
        last = float(made[-1]["seconds"])
        row = min(made, key=lambda row: abs(float(row["seconds"]) - share * last))
        row[found["label"]] = round(found["chips"], 4)
        row[f"{found['label']} half"] = round(found["chips_half"], 4)
    return made


class Book:
    """All results, written to disk after each piece."""

    def __init__(self, out: Path, args: argparse.Namespace, started: float) -> None:
        self.out, self.started, self.lock = out, started, Lock()
        self.results: dict[str, Any] = {"command": " ".join(sys.argv), "device": "", "games": {}}
        self.rows: dict[str, list[dict[str, Any]]] = {}

    def say(self, text: str) -> None:
        """Print a line with the time."""
        print(f"{time.monotonic() - self.started:6.1f} s  {text}", flush=True)

    def note(self, game: str, found: dict[str, Any]) -> None:
        """Add what is known about a game."""
        with self.lock:
            self.results["games"].setdefault(game, {"strength": []}).update(found)
        self.write()

    def strength(self, game: str, found: dict[str, Any]) -> None:
        """Add the result of a contest."""
        with self.lock:
            self.results["games"].setdefault(game, {"strength": []})["strength"].append(found)
        self.write()

    def row(self, game: str, row: dict[str, Any]) -> None:
        """Add a row of a game's curve."""
        with self.lock:
            self.rows.setdefault(game, []).append({"game": game, **row})

    def write(self) -> None:
        """Write everything."""
        with self.lock:
            self.results["seconds"] = round(time.monotonic() - self.started, 1)
            text = json.dumps(self.results, indent=1)
            rows = [row for part in self.rows.values() for row in part]
            (self.out / "results.json").write_text(text + "\n", "utf-8")
            names = list(dict.fromkeys(name for row in rows for name in row))
            with (self.out / "curves.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, names)
                writer.writeheader()
                writer.writerows(rows)

    def draw(self) -> None:
        """Write the curve of each game with its strength so far, as a table and as a picture."""
        from qipai.learn.curve import draw, write

        for game, rows in self.rows.items():
            folder = self.out / file_of(game)
            folder.mkdir(exist_ok=True)
            strength = self.results["games"].get(game, {}).get("strength", [])
            joined = with_strength(rows, strength)
            write(joined, folder / "curve.csv")
            if not draw(joined, folder / "curve.png", game):
                self.say("no curve.png: matplotlib is not installed")

    def table(self) -> None:
        """Print the figures of all games."""
        for game, found in self.results["games"].items():
            figures = found.get("figures") or {}
            made = figures.get("decisions", 0) / 1e6
            rate = figures.get("rate", 0) / 1e6
            print(f"{game}: {made:.0f} M decisions in {figures.get('seconds')} s, {rate:.2f} M/s")
            if found.get("error"):
                print("  failed:", str(found["error"])[-1500:])
            for row in found["strength"]:
                print(f"  {row['at']:>6} {row['text']}", flush=True)


class Child:
    """A process that builds one game, and trains it on request."""

    def __init__(self, game: str, args: argparse.Namespace, work: Path, book: Book) -> None:
        self.game, self.book, self.folder = game, book, work / game
        self.ready, self.ended = Event(), Event()
        self.figures: dict[str, Any] = {}
        self.snapshots: list[tuple[str, Path]] = []
        self.lines: list[str] = []
        seed = game.partition("@")[2] or str(args.seed)
        command = [sys.executable, __file__, "--one", game_of(game), "--out", str(self.folder)]
        command += ["--device", args.device, "--seed", seed, "--workers", str(args.workers)]
        command += ["--small"] if args.small else []
        for pair in args.set:
            command += ["--set", pair]
        env = {**os.environ, "PYTHONUNBUFFERED": "1", "TORCHINDUCTOR_COMPILE_THREADS": "2"}
        env |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=env,
        )
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith('{"told":'):
                self._told(json.loads(line))
            else:
                self.lines.append(line.rstrip())
                print(f"[{self.game}] {line.rstrip()}", flush=True)
        self.ended.set()

    def _told(self, row: dict[str, Any]) -> None:
        kind = row.pop("told")
        if kind == "ready":
            self.book.say(f"{self.game} is ready")
            self.ready.set()
        elif kind == "row":
            self.book.row(self.game, row)
        elif kind == "snapshot":
            self.snapshots.append((row["at"], Path(row["path"])))
        elif kind == "end":
            self.figures = row
            self.ended.set()

    def failed(self) -> bool:
        """Return whether it ended before it was ready."""
        return self.ended.is_set() and not self.ready.is_set()

    def train(self, seconds: float) -> None:
        """Let it train; return when it has ended, at the latest half a minute after its time."""
        try:
            assert self.process.stdin is not None
            self.process.stdin.write(f"{seconds}\n")
            self.process.stdin.flush()
        except OSError as error:
            self.lines.append(str(error))
        if not self.ended.wait(seconds + 30):
            self.lines.append("it did not end in time")
            self.process.kill()

    def tail(self) -> str:
        """Return the last lines that it printed."""
        return "\n".join(self.lines[-60:])


class Judge:
    """Measures nets with a pool of processes: final ones first, then those of the curves."""

    def __init__(self, args: argparse.Namespace, book: Book) -> None:
        from qipai.learn.evaluate import processes

        self.args, self.book = args, book
        self.pool = processes(args.workers)
        self.finals: list[tuple[str, str, str]] = []
        self.others: list[tuple[str, str, str]] = []
        self.lock, self.over = Lock(), False
        self.deadline = time.monotonic() + args.budget
        self.thread = Thread(target=self._work, daemon=True)
        self.thread.start()

    def add(self, one: Child) -> None:
        """Queue the nets of a game that has trained."""
        with self.lock:
            net = self.book.out / f"{file_of(one.game)}.qnet"
            if net.exists():
                self.finals.append((one.game, "end", str(net)))
            self.others += [(one.game, at, str(path)) for at, path in one.snapshots]

    def warm(self, game: str) -> None:
        """Let every process load a game and its agents, before its net is measured."""
        from qipai.learn.evaluate import play_deals

        try:
            for opponent, seats in PLAN[game_of(game)]["meets"]:
                for _ in range(self.args.workers):
                    self.pool.submit(play_deals, (game_of(game), opponent, opponent, 1, 1, seats, ()), 0, 1)
        except Exception as error:
            self.book.say(f"warming {game} failed: {error}")

    def finish(self, deadline: float) -> None:
        """Measure what is queued until the time is over."""
        self.deadline, self.over = deadline, True
        self.thread.join(max(0.0, deadline - time.monotonic()) + 5)

    def _next(self) -> tuple[str, str, str] | None:
        with self.lock:
            if self.finals:
                return self.finals.pop(0)
            return self.others.pop(0) if self.others else None

    def _work(self) -> None:
        from qipai.learn.evaluate import processes

        while time.monotonic() < self.deadline - 3:
            job = self._next()
            if job is None:
                if self.over:
                    break
                time.sleep(0.2)
                continue
            try:
                self._measure(self.pool, *job)
            except Exception:
                self.book.say(f"measuring {job[0]} failed: {traceback.format_exc(limit=4)}")
                self.pool.shutdown(wait=False, cancel_futures=True)
                self.pool = processes(self.args.workers)
        self.pool.shutdown(wait=False, cancel_futures=True)

    def _measure(self, pool: Any, game: str, at: str, path: str) -> None:
        from qipai.learn.evaluate import Question, examine

        meets = PLAN[game_of(game)]["meets"]
        if at != "end":
            meets = meets[:1]
        with self.lock:
            others = len(self.finals)
        room = max(1.0, self.deadline - 4 - time.monotonic())
        each = (self.args.judge if at == "end" else 6.0) / len(meets)
        if self.over:
            each = min(max(each, room / (len(meets) * (others + 1))), 60.0) if at == "end" else each
        for k, (opponent, seats) in enumerate(meets):
            room = self.deadline - 4 - time.monotonic()
            seconds = min(each, room / (len(meets) - k))
            if seconds <= 0.5:
                return
            found = examine(
                game_of(game),
                path,
                Question(opponent, seats),
                seconds=seconds,
                pool=pool,
                processes=self.args.workers,
                grace=3.0,
            )
            if found is not None:
                self.book.say(f"{game} at {at}, {found.text()}")
                self.book.strength(game, {"at": at, "text": found.text(), **asdict(found)})


# --- a child ----------------------------------------------------------------------------


def tell(kind: str, **found: Any) -> None:
    print(json.dumps({"told": kind, **found}), flush=True)


def child(args: argparse.Namespace) -> int:
    try:
        train_one(args)
    except Exception:
        traceback.print_exc(limit=12)
        return 1
    return 0


def train_one(args: argparse.Namespace) -> None:
    import torch

    from qipai.commands.train import read_settings
    from qipai.learn.run import Run
    from qipai.learn.settings import START, defaults

    game = args.one
    pairs = [pair.removeprefix(f"{game}.") for pair in args.set if pair.startswith(f"{game}.")]
    source = START.get(game)
    for pair in [pair for pair in pairs if pair.startswith("from=")]:
        pairs.remove(pair)
        source = pair.removeprefix("from=") or None
    if args.device == "cpu":
        torch.set_num_threads(1)
    sizes = SMALL if args.small else {}
    settings = defaults(game, args.device, **{"seed": args.seed, **sizes, **read_settings(pairs)})
    workers = 1 if args.small else max(1, args.workers // 3)
    command = f"qipai train {game}" + (f" --from {source}" if source else "") + f" --seed {args.seed}"
    run = Run(
        Path(args.out),
        settings,
        args.device,
        source=source,
        command=command + "".join(f" --set {pair}" for pair in pairs),
        workers=workers,
        say=lambda text: print(text, flush=True),
    )
    begun = time.monotonic()
    run.prepare()
    print(f"built in {time.monotonic() - begun:.0f} s", flush=True)
    tell("ready")
    seconds = float(sys.stdin.readline())
    train_for(run, seconds)


def train_for(run: Any, seconds: float) -> None:
    """Train in one span; keep the nets of the curve on the way."""
    left = list(SNAPSHOTS)
    told = 0

    def watch(share: float) -> None:
        nonlocal told
        while left and share >= left[0]:
            at = f"{round(100 * left.pop(0))} %"
            path = run.folder / f"at-{at.split()[0]}.qnet"
            run.export(path)
            tell("snapshot", at=at, path=str(path))
        for row in run.rows[told:]:
            tell("row", **row)
        told = len(run.rows)

    run.train(seconds=seconds, watch=watch)
    watch(0.0)
    figures = run.figures()
    tell("end", **figures)


if __name__ == "__main__":
    sys.exit(main())
