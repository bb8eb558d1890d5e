"""Compare the speed of two checkouts: random rollouts of every game, by processor time.

    python benchmarks/compare.py --old PATH --new PATH [--rounds 10] [--games a,b] [--seconds 1]
    python benchmarks/compare.py --old PATH --same-observation --games nana,paipai_rensa

Each checkout plays in its own process, with its own `src` on the path, pinned to one core. In every
round the old one and the new one play each game in turn, without and with mask and observation at every
decision, so that a machine that slows down slows both. The table gives the median over the rounds of
new / old, and the smallest and largest ratio. Both play the same lanes from the same seed; the digests
of their final states and observations are compared too, so a change of play cannot hide as a change of
speed. Of an observation or a state that has become longer, the part that both have is compared.

`--same-observation` lets the new checkout write only what the first version of an observation had, for the
games in `ADDED`: the speed of the code, without the price of a longer observation.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

GAMES = ("nana", "xianqi", "skill_gomoku", "paipai_rensa", "wuhan_mahjong")
LANES, STEPS = 1024, 1024  # a rollout without observation writes one observation at its end
SEED = 7
FIRST = {"nana": 150, "paipai_rensa": 268}  # bytes of version 1 of an observation
NEW = {"paipai_rensa": ("next_pairs",)}  # options that are younger than some checkouts


def no_seen(s, seat, out):  # type: ignore[no-untyped-def]
    """Do nothing in the place of NANA's `_observe_seen`."""


def no_reach(links, seats, out):  # type: ignore[no-untyped-def]
    """Do nothing in the place of NANA's `_observe_reach`."""


def no_count(s, seat, held, ahead):  # type: ignore[no-untyped-def]
    """Do nothing in the place of Paipai Rensa's `count_hand`."""


# What version 2 of an observation added: its first new feature, and the rules that write the new ones.
ADDED: dict[str, tuple[str, dict[str, Any]]] = {
    "nana": ("seen", {"_observe_seen": no_seen, "_observe_reach": no_reach}),
    "paipai_rensa": ("held", {"count_hand": no_count}),
}


def first_version(name: str) -> Any:
    """Return a game that writes version 1 of its observation; the rules that write the rest do nothing.

    Nothing of the game may have been compiled in this process, or be in its cache of compiled code.
    """
    from qipai.core import Game, get, rule
    from qipai.core.rule import kinds_of, plain_function

    game: Game = get(name)
    feature, writers = ADDED[name]
    module = import_module(plain_function(game.rules.observe).__module__)
    for writer, nothing in writers.items():
        kinds = kinds_of(getattr(module, writer))
        names = nothing.__code__.co_varnames
        setattr(module, writer, rule(**dict(zip(names, kinds, strict=True)))(nothing))
    features = [f.name for f in game.rules.observation]
    observation = game.rules.observation[: features.index(feature)]
    return replace(game, rules=replace(game.rules, observation=observation, observation_version=1))


def digest_of(game: str, batch: Any) -> str:
    """Return a digest of the final states and observations, of what both checkouts have."""
    new = NEW.get(game, ())
    names = [name for name in batch.state.dtype.names if name not in new]
    parts = [batch.state[name].tobytes() for name in names] + [batch.obs[:, : FIRST.get(game)].tobytes()]
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def work(same_observation: bool) -> None:
    """Answer requests on standard input: a game, whether to observe, and processor seconds to play."""
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})
    from qipai.sim import Batch

    batches: dict[str, Any] = {}
    for line in sys.stdin:
        game, observe, seconds = json.loads(line)
        batch = batches.get(game)
        if batch is None:
            played = first_version(game) if same_observation and game in ADDED else game
            batch = batches[game] = Batch(played, LANES, seed=SEED, threads=1)
            for flag in (False, True):  # compile both
                batch.rollout(STEPS, observe=flag)
        batch.reset(SEED)
        done, began = 0, time.process_time()
        digest = ""
        while True:
            batch.rollout(STEPS, observe=observe)
            done += LANES * STEPS
            if not digest:  # after the same number of decisions in both
                digest = digest_of(game, batch)
            if time.process_time() - began >= seconds:
                break
        print(json.dumps([done / (time.process_time() - began), digest]), flush=True)


class Worker:
    """A process that plays with the package of one checkout."""

    def __init__(self, checkout: Path, games: list[str], same_observation: bool = False) -> None:
        self._env = {**os.environ, "PYTHONPATH": str(checkout / "src")}
        self._command = [sys.executable, str(Path(__file__).resolve()), "--work"]
        if same_observation:  # code of changed rules is kept apart from that of the real ones
            self._command.append("--same-observation")
            self.cache = tempfile.TemporaryDirectory(prefix="qipai-compare-")
            self._env["QIPAI_CACHE_DIR"] = self.cache.name
        self.process = self._start()
        for game in games:  # code is slower in the process that has compiled it
            self.play(game, False, 0.0)
        self.close()
        self.process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        return subprocess.Popen(self._command, stdin=pipe, stdout=pipe, env=self._env, text=True)

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
    parser.add_argument("--same-observation", action="store_true", help="the new one writes version 1")
    args = parser.parse_args()
    if args.work:
        work(args.same_observation)
        return 0
    if args.old is None:
        parser.error("--old PATH names the checkout to compare with")
    games = args.games.split(",")
    sides = {
        "old": Worker(args.old, games),
        "new": Worker(args.new, games, args.same_observation),
    }
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
