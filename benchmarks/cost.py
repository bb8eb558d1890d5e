"""The cost of a decision, part by part: each function of a game by itself, over recorded positions.

    python benchmarks/cost.py GAME [--seats N] [--instructions] [--rounds N]

1024 lanes of random play are stopped after every 7 decisions, 24 times, so that openings and
endings are among the positions. Compiled loops then call one function for all of them.
Times are nanoseconds of processor time, the best of five. With --instructions every loop runs once
more in valgrind, half a minute each: instructions do not depend on the load of the machine
(the code is then compiled for x86-64-v3, because valgrind does not support AVX-512). The instructions of
starting a process are subtracted and vary: with 20 rounds the result is uncertain by about 80 instructions
per call, with 160 rounds by about 10.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from qipai.core import get, pick, rule
from qipai.core.compiling import compile_rules, rules_digest
from qipai.core.variant import Variant
from qipai.sim import Batch

LANES, STOPS, APART = 1024, 24, 7
PARTS = ("copy", "legal", "legal + pick", "copy + apply", "observe", "deal")
WHOLE = ("rollout", "rollout, observed")
deal = legal = apply = observe = None  # slots for a game's functions


@rule(states="states", work="states", choice="u4[:,:]", actions="i4[:]")
def run_part(states, work, choice, actions, mask, out, part):
    """Call one function for every position."""
    done = 0
    for i in range(states.shape[0]):
        s = states[i]
        if part == 0:
            work[i] = s
        elif part == 1:
            done += legal(s, mask)
        elif part == 2:
            done += pick(choice[i], mask, legal(s, mask))
        elif part == 3:
            work[i] = s
            apply(work[i], actions[i])
        elif part == 4:
            observe(s, s.seat, out)
        else:
            deal(work[i])
    return done


def main() -> int:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, help="default: the fewest that the game has")
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--rounds", type=int, default=20, help="in valgrind, over all positions")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)  # a part, and how often: inside valgrind
    args = parser.parse_args()
    if args.one:
        calls(args.game, args.seats)[args.one[0]](int(args.one[1]))
        return 0
    parts = calls(args.game, args.seats)
    print(f"{args.game:24} {'ns':>8}" + (f" {'instructions':>14}" if args.instructions else ""))
    for name, call in parts.items():
        line = f"{name:24} {nanoseconds(call):>8.1f}"
        if args.instructions:
            line += f" {instructions(args.game, args.seats, name, args.rounds):>14.0f}"
        print(line, flush=True)
    return 0


def calls(name: str, seats: int | None) -> dict[str, Callable[[int], int]]:
    """Return, by part, a function that runs it a number of times and returns the number of calls."""
    game = get(name)
    batch = Batch(game, LANES, seed=5, seats=seats, threads=1)
    states, actions = np.recarray(LANES * STOPS, game.rules.State), np.zeros(LANES * STOPS, np.int32)
    for k in range(STOPS):
        batch.rollout(APART)
        states[k * LANES : (k + 1) * LANES] = batch.state
        actions[k * LANES : (k + 1) * LANES] = batch.sample()
    work = states.copy()
    choice = np.random.default_rng(1).integers(0, 1 << 32, (len(states), 4), np.uint32)
    mask, out = np.zeros(game.width, np.uint8), np.zeros(game.observation_size, np.int8)
    loop = _loop(game)

    def part(number: int) -> Callable[[int], int]:
        def call(times: int) -> int:
            for _ in range(times):
                loop(states, work, choice, actions, mask, out, number)
            return times * len(states)

        return call

    def whole(observed: bool) -> Callable[[int], int]:
        return lambda times: batch.rollout(STOPS * times, observe=observed).decisions

    found = {name: part(k) for k, name in enumerate(PARTS)}
    return {**found, WHOLE[0]: whole(False), WHOLE[1]: whole(True)}


def _loop(game: Any) -> Any:
    parts = game.functions("compiled")
    names = {n: getattr(parts, n) for n in ("deal", "legal", "apply", "observe")}
    tag = f"cost-{game.name}-{rules_digest(names.values())}"
    made = Variant("compiled", tag=tag, names={__name__: names})(run_part)
    compile_rules([made], game.rules.State, f"cost/{game.name}")
    return made


def nanoseconds(call: Callable[[int], int]) -> float:
    best = float("inf")
    for _ in range(6):  # the first run is a warm-up
        started = time.process_time()
        n = call(8)
        best = min(best, (time.process_time() - started) / n)
    return best * 1e9


def instructions(game: str, seats: int | None, part: str, rounds: int) -> float:
    """Return the instructions of a call: those of a process with many rounds, less those of one with none."""
    start = _in_valgrind(game, seats, PARTS[0], 0)
    return (_in_valgrind(game, seats, part, rounds) - start) / (rounds * LANES * STOPS)


@cache
def _in_valgrind(game: str, seats: int | None, part: str, times: int) -> int:
    env = {**os.environ, "NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": "", "PYTHONHASHSEED": "0"}
    own = [sys.executable, __file__, game, "--one", part, str(times)]
    own += ["--seats", str(seats)] if seats else []
    if times == 0:
        subprocess.run(own, env=env, check=True)  # compiles everything
    tool = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    done = subprocess.run([*tool, *own], env=env, capture_output=True, text=True)
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if found is None:
        raise SystemExit(done.stderr)
    return int(found[1].replace(",", ""))


if __name__ == "__main__":
    sys.exit(main())
