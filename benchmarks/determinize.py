"""Time `determinize`, position by position, with the packages of two checkouts.

    python benchmarks/determinize.py --old PATH [--game xianqi] [--games 400] [--rounds 3] [--moves 0]

Positions come from four kinds of play: random, every seat its lowest legal action, every seat its
highest, and the game's strongest agent in every seat. They are the same for both checkouts. For every
decision and every seat one world is drawn; the table gives percentiles of the processor time of that one
call from Python, which itself takes one to two microseconds. "Compiled" is the rate of a compiled loop over
all those positions. Each checkout works in its own process, pinned to one core, and the two alternate;
each time is the minimum over several rounds, so that other load on the machine matters little.
With `--moves`, the strongest agent also makes a move at that many of the positions, once.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

KINDS = ("random", "lowest", "highest", "bot")
SHARES = (50.0, 99.0, 99.9)
WORLDS = 200_000  # of the compiled loop, at most
SECONDS = 2.0  # of the compiled loop, about


def play(game: Any, kind: str, games: int) -> Any:
    """Return the states of every decision of `games` games."""
    from qipai.core import copy_state, new_states, pick, seed_words
    from qipai.core.agent import Player, agents_of

    words = np.zeros(4, np.uint32)
    seed_words(words, 1, 2, 3, 4)
    bots = [Player(game, list(agents_of(game))[-1], 5, seat) for seat in range(game.rules.seats[1])]
    choose: dict[str, Callable[[Any, Any], list[int]]] = {
        "random": lambda s, mask: [int(pick(words, mask, int(mask.sum())))],
        "lowest": lambda s, mask: [int(mask.argmax())],
        "highest": lambda s, mask: [int(np.flatnonzero(mask)[-1])],
        "bot": lambda s, mask: bots[int(s["seat"])].move(s),
    }
    found = []
    for number in range(games):
        s = game.new(words=(number, 6, 7, 8))
        while s["seat"] >= 0 and s["ply"] < 500:
            for action in choose[kind](s, game.mask(s)):
                found.append(copy_state(s))
                game.rules.apply(s, action)
    states = new_states(game.rules.State, len(found))
    for i, state in enumerate(found):
        states[i] = state
    return states


def one_by_one(game: Any, states: Any) -> list[int]:
    """Return the nanoseconds of one world for every position and seat."""
    from qipai.core import new_states

    work = new_states(game.rules.State, 1)
    determinize, clock = game.rules.determinize, time.thread_time_ns
    times = []
    for i in range(len(states)):
        for seat in range(int(states[i]["seats"])):
            work[0] = states[i]
            s = work[0]
            game.key(s, (i, seat, 9, 9))
            began = clock()
            determinize(s, seat)
            times.append(clock() - began)
    return times


def compiled_rate(game: Any, states: Any) -> float:
    """Return the worlds per processor second of a compiled loop over the positions."""
    import numba

    from qipai.core import new_states

    determinize = game.rules.determinize

    @numba.njit
    def loop(states: Any, work: Any, first: int, last: int) -> None:
        for k in range(first, last):
            i = k % len(states)
            work[0] = states[i]
            s = work[0]
            s.rng[0] = k
            determinize(s, (k // len(states)) % s.seats)

    work = new_states(game.rules.State, 1)
    loop(states, work, 0, 10)
    done, began = 0, time.process_time()
    while done < WORLDS and time.process_time() - began < SECONDS:
        loop(states, work, done, done + 100)
        done += 100
    return done / (time.process_time() - began)


def moves(game: Any, states: Any, count: int) -> list[int]:
    """Return the nanoseconds of a move of the strongest agent at `count` of the positions."""
    from qipai.core import copy_state
    from qipai.core.agent import Player, agents_of

    player = Player(game, list(agents_of(game))[-1], 3)
    times = []
    for i in range(0, len(states), max(1, len(states) // max(1, count))):
        s = copy_state(states[i])
        began = time.thread_time_ns()
        player.move(s)
        times.append(time.thread_time_ns() - began)
    return times


def work() -> None:
    """Answer requests on standard input: a game, the file of its positions, and how many moves to make."""
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})
    from qipai.core import get

    for line in sys.stdin:
        name, path, count = json.loads(line)
        game = get(name)
        game.compile()
        states = np.load(path).astype(game.rules.State).view(np.recarray)
        if count:
            print(json.dumps([moves(game, states, count), 0.0]), flush=True)
        else:
            print(json.dumps([one_by_one(game, states), compiled_rate(game, states)]), flush=True)


class Worker:
    """A process that draws worlds with the package of one checkout."""

    def __init__(self, checkout: Path) -> None:
        env = {**os.environ, "PYTHONPATH": str(checkout / "src")}
        command = [sys.executable, str(Path(__file__).resolve()), "--work"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=env, text=True)

    def time(self, game: str, path: Path, moves: int = 0) -> tuple[list[int], float]:
        """Return the time of every world and the rate of a compiled loop, or the time of every move."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps([game, str(path), moves]) + "\n")
        self.process.stdin.flush()
        times, rate = json.loads(self.process.stdout.readline())
        return times, rate

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def main() -> int:
    """Make the positions, time both checkouts on them and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--old", type=Path, help="the checkout to compare with (default: none)")
    parser.add_argument("--new", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--game", default="xianqi")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--moves", type=int, default=0, help="moves of the strongest agent to time")
    args = parser.parse_args()
    if args.work:
        work()
        return 0
    from qipai.core import get

    game = get(args.game)
    game.compile()
    checkouts = {"old": args.old, "new": args.new}
    sides = {side: Worker(path) for side, path in checkouts.items() if path is not None}
    print("| play | worlds | side | p50, µs | p99 | p99.9 | max | compiled, thousand/s |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for kind in args.kinds.split(","):
            path = Path(folder) / f"{kind}.npy"
            np.save(path, np.asarray(play(game, kind, args.games)))
            report(kind, {side: [] for side in sides}, sides, args.game, path, args.rounds)
            if args.moves:
                for side, worker in sides.items():
                    took = np.array(worker.time(args.game, path, args.moves)[0]) / 1e6
                    p50, p99 = np.percentile(took, (50, 99))
                    shares = f"p50 {p50:,.1f}, p99 {p99:,.1f}, max {took.max():,.1f}"
                    print(f"{kind}, {side}, {len(took)} moves, ms: {shares}", flush=True)
    for worker in sides.values():
        worker.close()
    return 0


def report(
    kind: str, found: dict[str, list[Any]], sides: dict[str, Worker], game: str, path: Path, rounds: int
) -> None:
    """Time one kind of play in turns and print its rows."""
    for _ in range(rounds):
        for side, worker in sides.items():
            found[side].append(worker.time(game, path))
    for side, each in found.items():
        times = np.min([times for times, _ in each], axis=0) / 1000
        shares = " | ".join(f"{x:,.1f}" for x in (*np.percentile(times, SHARES), times.max()))
        rate = np.median([rate for _, rate in each]) / 1000
        print(f"| {kind} | {len(times):,} | {side} | {shares} | {rate:,.1f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
