"""Compare the speed of `Match` in two checkouts, on every game, by processor time.

    python benchmarks/match.py --old PATH [--new PATH] [--rounds 10] [--games a,b] [--seconds 0.5] [--show]

The same games are replayed in both checkouts: random moves, chosen beforehand. Each checkout plays in its
own process, with its own `src` on the path, pinned to one core, and the two alternate. One action
consists of reading `over`, `seat` and the legal actions of that seat, and calling `act`; with `--show` also
of
reading the view and the new events of the seat that decides. The table gives the medians over the rounds. The
digests of the final states are compared, and with `--show` everything that was shown.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

GAMES = ("nana", "xianqi", "skill_gomoku", "paipai_rensa", "wuhan_mahjong")
ACTIONS = 500  # minimum number of actions of each game
SEED = 7

Played = tuple[str, list[tuple[int, list[int]]]]  # the seed, and the moves


def record(game: str) -> list[Played]:
    """Return games of random moves, with at least `ACTIONS` actions in total."""
    from qipai.core import get
    from qipai.match import Match

    rules, chance = get(game), random.Random(SEED)
    found: list[Played] = []
    actions = 0
    while actions < ACTIONS:
        seed = chance.randbytes(32)
        match, moves = Match(rules, seed=seed), []
        while not match.over:
            seat, s, move = match.seat, match.state, []
            while not move or not rules.ends_move(s, seat):
                move.append(chance.choice(rules.legal_actions(s)))
                rules.rules.apply(s, move[-1])
            match.act(seat, move)
            moves.append((seat, move))
            actions += len(move)
        found.append((seed.hex(), moves))
    return found


def replay(game: str, played: Played, show: bool, shown: list[Any] | None = None) -> Any:
    """Replay a game; everything that a seat is shown goes into `shown`."""
    from qipai.match import Match

    seed, moves = played
    match = Match(game, seed=bytes.fromhex(seed))
    heard = dict.fromkeys(range(-1, match.seats), 0)
    for seat, actions in moves:
        assert not match.over and match.seat == seat
        match.legal(seat)
        if show:
            view, events = match.view(seat), match.events(seat, heard[seat])
            heard[seat] += len(events)
            if shown is not None:
                shown.append([view, events])
        match.act(seat, actions)
    return match


def work() -> None:
    """Answer requests on standard input: a game, its recorded games, whether to show, processor seconds."""
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})
    known: dict[str, tuple[list[Played], str]] = {}
    for line in sys.stdin:
        game, recorded, show, seconds = json.loads(line)
        if recorded is not None:
            shown: list[Any] = []
            for played in recorded:
                match = replay(game, played, show, shown)
                shown.append([match.digest, match.payoff, match.dump()])
            told = json.dumps(shown, sort_keys=True)
            known[game] = recorded, hashlib.sha256(told.encode()).hexdigest()
        recorded, digest = known[game]
        actions = sum(len(move) for _, moves in recorded for _, move in moves)
        done, began = 0, time.process_time()
        while True:
            for played in recorded:
                replay(game, played, show)
            done += actions
            spent = time.process_time() - began
            if spent >= seconds:
                break
        print(json.dumps([1e6 * spent / done, digest]), flush=True)


class Worker:
    """A process that plays with the package of one checkout."""

    def __init__(self, checkout: Path) -> None:
        env = {**os.environ, "PYTHONPATH": str(checkout / "src")}
        command = [sys.executable, str(Path(__file__).resolve()), "--work"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=env, text=True)
        self._known: set[str] = set()

    def play(self, game: str, recorded: list[Played], show: bool, seconds: float) -> tuple[float, str]:
        """Return microseconds per action, and a digest of what came out."""
        assert self.process.stdin is not None and self.process.stdout is not None
        given = None if game in self._known else recorded
        self._known.add(game)
        self.process.stdin.write(json.dumps([game, given, show, seconds]) + "\n")
        self.process.stdin.flush()
        cost, digest = json.loads(self.process.stdout.readline())
        return cost, digest

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def main() -> int:
    """Run the rounds and print the table; return 1 if the two gave different results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--old", type=Path)
    parser.add_argument("--new", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--show", action="store_true", help="also read views and events")
    args = parser.parse_args()
    if args.work:
        work()
        return 0
    if args.old is None:
        parser.error("--old PATH names the checkout to compare with")
    recorded = {game: record(game) for game in args.games.split(",")}
    sides = {"old": Worker(args.old), "new": Worker(args.new)}
    costs: dict[tuple[str, str], list[float]] = {}
    differ: set[str] = set()
    for _ in range(args.rounds):
        for game, played in recorded.items():
            found = {side: w.play(game, played, args.show, args.seconds) for side, w in sides.items()}
            if found["old"][1] != found["new"][1]:
                differ.add(game)
            for side, (cost, _) in found.items():
                costs.setdefault((game, side), []).append(cost)
    for worker in sides.values():
        worker.close()
    print("| game | old, us/action | new, us/action | old / new, median | range |")
    print("|---|---|---|---|---|")
    for game in recorded:
        old, new = costs[game, "old"], costs[game, "new"]
        each = [a / b for a, b in zip(old, new, strict=True)]
        spread = f"{min(each):.1f} to {max(each):.1f}"
        print(
            f"| {game} | {statistics.median(old):.1f} | {statistics.median(new):.1f}"
            f" | {statistics.median(each):.2f} | {spread} |"
        )
    print(f"THE RESULTS DIFFER: {', '.join(sorted(differ))}" if differ else "the results are the same")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
