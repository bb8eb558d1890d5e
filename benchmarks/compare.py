"""Compare the speed of two checkouts: random rollouts of every game, by processor time.

    python benchmarks/compare.py --old PATH --new PATH [--rounds 10] [--games a,b] [--seconds 1]

Each checkout plays in its own process, with its own `src` on the path, pinned to one core. In every
round the old one and the new one play each game in turn, without and with mask and observation at every
decision, so that a machine that slows down slows both. The table gives the median over the rounds of
new / old, and the smallest and largest ratio. Both play the same lanes from the same seed; the digests
of their final states are compared too, so a change of play cannot hide as a change of speed.
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
from typing import Any

GAMES = ("nana", "xianqi", "skill_gomoku", "paipai_rensa", "wuhan_mahjong")
LANES, STEPS = 1024, 64
SEED = 7


def work() -> None:
    """Answer requests on standard input: a game, whether to observe, and processor seconds to play."""
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})
    from qipai.sim import Batch

    batches: dict[str, Any] = {}
    for line in sys.stdin:
        game, observe, seconds = json.loads(line)
        batch = batches.get(game)
        if batch is None:
            batch = batches[game] = Batch(game, LANES, seed=SEED, threads=1)
            for flag in (False, True):  # compile both
                batch.rollout(STEPS, observe=flag)
        batch.reset(SEED)
        done, began = 0, time.process_time()
        digest = ""
        while True:
            batch.rollout(STEPS, observe=observe)
            done += LANES * STEPS
            if not digest:  # after the same number of decisions in both
                digest = hashlib.sha256(batch.state.tobytes()).hexdigest()[:16]
            if time.process_time() - began >= seconds:
                break
        print(json.dumps([done / (time.process_time() - began), digest]), flush=True)


class Worker:
    """A process that plays with the package of one checkout."""

    def __init__(self, checkout: Path) -> None:
        env = {**os.environ, "PYTHONPATH": str(checkout / "src")}
        command = [sys.executable, str(Path(__file__).resolve()), "--work"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=env, text=True)

    def play(self, game: str, observe: bool, seconds: float) -> tuple[float, str]:
        """Return decisions per processor second, and a digest of the states."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps([game, observe, seconds]) + "\n")
        self.process.stdin.flush()
        speed, digest = json.loads(self.process.stdout.readline())
        return speed, digest

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def main() -> int:
    """Run the rounds and print the table; return 1 if the two played differently."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--old", type=Path)
    parser.add_argument("--new", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--games", default=",".join(GAMES))
    args = parser.parse_args()
    if args.work:
        work()
        return 0
    if args.old is None:
        parser.error("--old PATH names the checkout to compare with")
    sides = {"old": Worker(args.old), "new": Worker(args.new)}
    games = args.games.split(",")
    ratios: dict[tuple[str, bool], list[float]] = {}
    speeds: dict[tuple[str, bool, str], list[float]] = {}
    same = True
    for _ in range(args.rounds):
        for game in games:
            for observe in (False, True):
                found = {side: worker.play(game, observe, args.seconds) for side, worker in sides.items()}
                same = same and found["old"][1] == found["new"][1]
                ratios.setdefault((game, observe), []).append(found["new"][0] / found["old"][0])
                for side, (speed, _) in found.items():
                    speeds.setdefault((game, observe, side), []).append(speed)
    for worker in sides.values():
        worker.close()
    print("| game | observation | old, M/s | new, M/s | new / old, median | range |")
    print("|---|---|---|---|---|---|")
    for (game, observe), each in ratios.items():
        old, new = (statistics.median(speeds[game, observe, side]) / 1e6 for side in ("old", "new"))
        spread = f"{min(each):.2f} to {max(each):.2f}"
        words = "yes" if observe else "no"
        print(f"| {game} | {words} | {old:.2f} | {new:.2f} | {statistics.median(each):.3f} | {spread} |")
    print("the states are the same" if same else "THE STATES DIFFER")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
