"""CUDA against the CPU: equality of every game over 10^7 decisions, and decisions a second.

    python benchmarks/gpu.py [GAME ...] [--lanes N] [--json FILE]

Equality: the same seed on both devices, 4096 lanes, 2500 random decisions each, half of them
with mask and observation delivered; then states, masks, observations, seats, rewards and
ends are compared byte for byte. Speed: mask + choice + apply + re-deal, without and with mask
and observation written to device memory at every decision; kernels warm, best of three.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

import numpy as np

from qipai.core import QipaiError, get, names
from qipai.sim import Batch

LANES, STEPS = 4096, 2500  # about 10^7 decisions
FACES = ("mask", "obs", "seat", "reward", "done", "cut")


def main() -> int:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("games", nargs="*", help="default: all")
    parser.add_argument("--lanes", type=int, default=1 << 18)
    parser.add_argument("--json", metavar="FILE")
    args = parser.parse_args()
    rows = []
    titles = f"{'state':>6} {'obs':>6} {'build s':>8} {'equal':>6} {'million/s':>10} {'observed':>9}"
    print(f"{'game':16} {titles}")
    for name in args.games or names():
        try:
            row = measure(name, args.lanes)
        except QipaiError as error:
            print(f"{name:16} {error}", file=sys.stderr)
            return 2
        rows.append(row)
        print(
            f"{name:16} {row['state']:>6} {row['obs']:>6} {row['build']:>8.1f} {row['equal']!s:>6} "
            f"{row['rate'] / 1e6:>10.0f} {row['observed'] / 1e6:>9.0f}",
            flush=True,
        )
        if args.json:
            with open(args.json, "w") as file:
                json.dump(rows, file, indent=1)
    return 0 if all(row["equal"] for row in rows) else 1


def measure(name: str, lanes: int) -> dict[str, Any]:
    game = get(name)
    started = time.perf_counter()
    gpu = Batch(game, LANES, seed=11, device="cuda")
    for observe in (False, True):
        gpu.rollout(1, observe=observe)
    gpu.reset(11)
    build = time.perf_counter() - started
    equal = same(gpu, Batch(game, LANES, seed=11))
    del gpu
    batch = Batch(game, lanes, seed=12, device="cuda")
    return {
        "game": name,
        "state": game.State.itemsize,
        "obs": game.observation_size,
        "build": build,
        "equal": equal,
        "lanes": lanes,
        "rate": rate(batch, 200, observe=False),
        "observed": rate(batch, 50, observe=True),
    }


def same(gpu: Batch, cpu: Batch) -> bool:
    half = STEPS // 2
    games = [(b.rollout(half), b.rollout(half, observe=True)) for b in (gpu, cpu)]
    state = gpu.state.copy_to_host()
    equal = games[0] == games[1]
    equal &= all(np.array_equal(state[f], cpu.state[f]) for f in cpu.game.State.names or ())
    return equal and all(np.array_equal(getattr(gpu, f).copy_to_host(), getattr(cpu, f)) for f in FACES)


def rate(batch: Batch, steps: int, observe: bool) -> float:
    best = 0.0
    for _ in range(4):  # the first warms up
        started = time.perf_counter()
        done = batch.rollout(steps, observe=observe)
        best = max(best, done.decisions / (time.perf_counter() - started))
    return best


if __name__ == "__main__":
    sys.exit(main())
