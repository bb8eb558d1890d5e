"""Compare the speed of Xianqi's named API in two checkouts, by processor time.

    python benchmarks/named_api.py --old PATH [--new PATH] [--rounds 10] [--games 200]

Each checkout plays whole games of consecutive seeds in its own process, pinned to one core; the two
alternate, so that a machine that slows down slows both. Every seat chooses at random among the legal actions
that the last call returned. Three callers are measured:

- player: reads the legal actions, and the hand of the seat to move if cards are covered;
- table: reads the legal actions and the public state after every action;
- all: turns everything that a call returns into JSON, and plays under four sets of options in turn.

The digest of everything that was returned (of `all`) is compared, so a change of results cannot hide as a
change of speed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

CALLERS = ("player", "table", "all")
THREE = {"player_count": 3}
OPTIONS: tuple[Any, ...] = (
    {},
    "later",
    {"reveal_ceramic_liability": True, "enough_must_buckle": True},
    {"first_game_limits": True, "eight_pillars": True, "dog_pair": "equal_red_shi"},
)


def play(engine: Any, seed: int, choice: Random, caller: str, told: Any) -> None:
    """Play one game from the deal to the settlement."""
    config = {**THREE, "rules": OPTIONS[seed % len(OPTIONS)]} if caller == "all" else THREE
    out = engine.init_game(config, seed)
    while True:
        if caller == "table":
            out["public_state"]
        elif caller == "all":
            told.update(json.dumps(out).encode())
        listed = out["legal_actions"]
        if listed is None:
            break
        actions = listed["actions"]
        at = int(choice.random() * len(actions))
        if actions[at]["type"] == "COVER":
            hand = out["private_state_by_seat"][str(listed["seat"])]["hand"]
            out = engine.apply_action(at, weakest(hand, actions[at]["required_count"]))
        else:
            out = engine.apply_action(at)
    settled = engine.settle()
    told.update(json.dumps(settled["settlement"]["chip_delta_by_seat"]).encode())


def weakest(hand: dict[str, int], count: int) -> dict[str, int]:
    """Return the last `count` cards of a hand, which are mostly the weakest."""
    cover: dict[str, int] = {}
    for code in reversed(hand):
        cover[code] = min(hand[code], count)
        count -= cover[code]
        if count == 0:
            break
    return cover


def work() -> None:
    """Answer requests on standard input: a caller, a first seed and a number of games."""
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})
    from qipai.games.xianqi import XianqiGameEngine

    engine = XianqiGameEngine()
    for line in sys.stdin:
        caller, seed, games = json.loads(line)
        told, choice = hashlib.sha256(), Random(seed)
        began = time.process_time()
        for number in range(seed, seed + games):
            play(engine, number, choice, caller, told)
        print(json.dumps([games / (time.process_time() - began), told.hexdigest()]), flush=True)


class Worker:
    """A process that plays with the package of one checkout."""

    def __init__(self, checkout: Path) -> None:
        env = {**os.environ, "PYTHONPATH": str(checkout / "src")}
        command = [sys.executable, str(Path(__file__).resolve()), "--work"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=env, text=True)

    def play(self, caller: str, seed: int, games: int) -> tuple[float, str]:
        """Return games per processor second, and a digest of what was returned."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps([caller, seed, games]) + "\n")
        self.process.stdin.flush()
        speed, digest = json.loads(self.process.stdout.readline())
        return speed, digest

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def main() -> int:
    """Run the rounds and print the table; return 1 if the two returned different things."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--old", type=Path)
    parser.add_argument("--new", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--games", type=int, default=200)
    args = parser.parse_args()
    if args.work:
        work()
        return 0
    if args.old is None:
        parser.error("--old PATH names the checkout to compare with")
    sides = {"old": Worker(args.old), "new": Worker(args.new)}
    for worker in sides.values():
        worker.play("all", 0, 5)  # compile
    speeds: dict[tuple[str, str], list[float]] = {}
    same = True
    for number in range(args.rounds):
        for caller in CALLERS:
            found = {side: w.play(caller, number * args.games, args.games) for side, w in sides.items()}
            same = same and found["old"][1] == found["new"][1]
            for side, (speed, _) in found.items():
                speeds.setdefault((caller, side), []).append(speed)
    for worker in sides.values():
        worker.close()
    print("| caller | old, games/s | new, games/s | new / old, median | range |")
    print("|---|---|---|---|---|")
    for caller in CALLERS:
        old, new = speeds[caller, "old"], speeds[caller, "new"]
        ratios = [b / a for a, b in zip(old, new, strict=True)]
        medians = f"{statistics.median(old):,.0f} | {statistics.median(new):,.0f}"
        spread = f"{min(ratios):.1f} to {max(ratios):.1f}"
        print(f"| {caller} | {medians} | {statistics.median(ratios):.1f} | {spread} |")
    print("the results are the same" if same else "THE RESULTS DIFFER")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
