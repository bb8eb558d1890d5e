"""CUDA against the CPU: equality of every game over 10^7 decisions, and decisions per second.

    python benchmarks/gpu.py [GAME ...] [--lanes N] [--json FILE] [--sweep]
                             [--called N] [--registers N] [--block N] [--shared N] [--gather N]
    python benchmarks/gpu.py --trace [GAME ...]

There is one process per game, so that kernels are built in parallel; one process at a time uses the device.
Equality: the same seed on both devices, 4096 lanes, 2500 random decisions each: 250 by `step`, the
rest in rollouts, half of them with mask and observation; after each of the three, states,
masks, observations, seats, rewards and ends are compared byte for byte. Speed: mask + choice + apply +
re-deal, without and with mask and observation written to device memory at every decision; kernels warm,
lanes no longer in step, three runs of 1000 (observed: 300) decisions per lane together.
`--sweep` also measures other numbers of lanes and, with the same kernels, of threads per block. `--called`,
`--registers`, `--block` (threads per block when a game with a long step is rolled out without observation,
which share all registers, whatever `--registers` is) and `--shared` set the constants of
`qipai.sim.cuda.build`; 0 registers means no limit. `--gather` is how many lanes of 32 wait for one
another (default: the game's own number). `--trace` measures nothing: it compares after every
decision, and shows where a game first differs from the CPU. Several runs share the device if QIPAI_GPU_LOCK
names the same file.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from qipai.core import QipaiError, get, names
from qipai.sim import Batch
from qipai.sim.cuda import build

LANES, STEPS, ONE_BY_ONE = 4096, 2500, 250  # about 10^7 decisions
ARRAYS = ("mask", "obs", "seat", "reward", "done", "cut")


def main() -> int:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("games", nargs="*", help="default: all")
    parser.add_argument("--lanes", type=int, default=1 << 18)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--called", type=int, default=build.CALLED)
    parser.add_argument("--registers", type=int, default=build.REGISTERS or 0, help="0: no limit")
    parser.add_argument("--block", type=int, default=build.WHOLE_BLOCK)
    parser.add_argument("--shared", type=int, default=build.SHARED, help="maximum bytes per block")
    parser.add_argument("--gather", type=int, default=0, help="0: the game's own")
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--trace", action="store_true", help="show where a game first differs from the CPU")
    parser.add_argument("--lock", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.registers < 0:
        parser.error("--registers must be a whole number from 0")
    if args.block not in range(256, 1025, 128):
        parser.error("--block must be a multiple of 128 from 256 to 1024")
    if not 0 <= args.gather <= 32:
        parser.error("--gather must be a whole number from 0 to 32, the threads of a warp")
    if not 0 <= args.shared <= build.SHARED:
        parser.error(f"--shared must be a whole number from 0 to {build.SHARED}")
    build.CALLED, build.REGISTERS = args.called, args.registers or None
    build.SHARED, build.WHOLE_BLOCK = args.shared, args.block
    if args.lock:
        return one(args)
    if args.trace:
        return trace_all(args.games or names())
    titles = f"{'state':>6} {'obs':>6} {'build s':>8} {'equal':>6} {'million/s':>10} {'observed':>9}"
    print(f"{'game':16} {titles}", flush=True)
    rows = list(all_of(args))
    if args.json:
        Path(args.json).write_text(json.dumps(rows, indent=1))
    return 0 if rows and all(row.get("equal") for row in rows) else 1


def all_of(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Start one process per game; yield their rows in order, as they arrive."""
    with tempfile.TemporaryDirectory() as folder:
        lock = os.environ.get("QIPAI_GPU_LOCK", f"{folder}/lock")
        command = [sys.executable, __file__, "--lanes", str(args.lanes), "--lock", lock]
        command += ["--called", str(args.called), "--registers", str(args.registers)]
        command += ["--block", str(args.block), "--shared", str(args.shared), "--gather", str(args.gather)]
        command += ["--sweep"] if args.sweep else []
        started = []
        for name in args.games or names():
            out = Path(folder) / name
            done = subprocess.Popen([*command, name, "--json", str(out)], env={**os.environ})
            started.append((name, done, out))
        for name, done, out in started:
            done.wait()
            yield json.loads(out.read_text()) if out.exists() else {"game": name, "equal": False}


def one(args: argparse.Namespace) -> int:
    """Measure one game, and print and write its row."""
    try:
        row = measure(args.games[0], args)
    except QipaiError as error:
        print(f"{args.games[0]:16} {error}", file=sys.stderr)
        return 2
    print(
        f"{row['game']:16} {row['state']:>6} {row['obs']:>6} {row['build']:>8.1f} {row['equal']!s:>6} "
        f"{row['rate'] / 1e6:>10.0f} {row['observed'] / 1e6:>9.0f}",
        flush=True,
    )
    Path(args.json).write_text(json.dumps(row))
    return 0


@contextmanager
def alone(path: str) -> Iterator[None]:
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def measure(name: str, args: argparse.Namespace) -> dict[str, Any]:
    game = get(name)
    game = replace(game, device=replace(game.device, gather=args.gather or game.device.gather))
    started = time.perf_counter()
    gpu = Batch(game, LANES, seed=11, device="cuda")
    for observe in (False, True):
        gpu.rollout(1, observe=observe)
    gpu.step(gpu.sample())
    gpu.reset(11)
    built = time.perf_counter() - started
    cpu = Batch(game, LANES, seed=11)
    row: dict[str, Any] = {"game": name, "state": game.rules.State.itemsize, "obs": game.observation_size}
    row |= {"build": built, "lanes": args.lanes, "called": args.called, "registers": args.registers}
    row |= {"block": args.block, "shared": args.shared, "gather": game.device.gather}
    with alone(args.lock):
        row["differ"] = list(compare(gpu, cpu))
        row["equal"] = not row["differ"]
        del gpu
        batch = Batch(game, args.lanes, seed=12, device="cuda")
        row |= {"rate": rate(batch, 1000, observe=False), "observed": rate(batch, 300, observe=True)}
        row["kernels"] = {n: shape(k) for n, k in build._kernels[game].items() if k.overloads}
        if args.sweep:
            row["sweep"] = sweep(game)
    return row


def compare(gpu: Batch, cpu: Batch) -> Iterator[dict[str, Any]]:
    """Yield what differs after single steps, after a rollout, and after one with observations."""
    for _ in range(ONE_BY_ONE):
        for batch in (gpu, cpu):
            batch.step(batch.sample())
    for observe in (None, False, True):
        if observe is not None:
            ended = [batch.rollout((STEPS - ONE_BY_ONE) // 2, observe=observe) for batch in (gpu, cpu)]
        found: dict[str, Any] = differences(gpu, cpu)
        if observe is not None and ended[0] != ended[1]:
            found["ended"] = ended
        if found:
            yield {"after": {None: "steps", False: "rollout", True: "observed"}[observe], **found}


def differences(gpu: Batch, cpu: Batch) -> dict[str, list[int]]:
    """Return by field or array how many lanes differ, and the first of them."""
    state = gpu.state.copy_to_host()
    pairs = {f: (state[f], cpu.state[f]) for f in cpu.game.rules.State.names or ()}
    pairs |= {f: (getattr(gpu, f).copy_to_host(), getattr(cpu, f)) for f in ARRAYS}
    found = {}
    for name, (theirs, ours) in pairs.items():
        lanes = np.flatnonzero((theirs != ours).reshape(len(ours), -1).any(axis=1))
        if len(lanes):
            found[name] = [len(lanes), int(lanes[0])]
    return found


def trace_all(games: list[str]) -> int:
    try:
        equal = [trace(name) for name in games]
        return 0 if all(equal) else 1
    except QipaiError as error:
        print(error, file=sys.stderr)
        return 2


def trace(name: str) -> bool:
    """Print where the two first differ, comparing after every decision; return whether they never do."""
    gpu, cpu = (Batch(get(name), LANES, seed=11, device=d) for d in ("cuda", "cpu"))
    gpu.rollout(0)
    with alone(os.environ.get("QIPAI_GPU_LOCK", os.devnull)):
        return never_part(gpu, cpu)


def never_part(gpu: Batch, cpu: Batch) -> bool:
    name = cpu.game.name
    for step in range(STEPS):
        gpu.rollout(1)
        cpu.rollout(1)
        found = differences(gpu, cpu)
        if found:
            print(f"{name}: after decision {step + 1}: {found}")
            lane = next(iter(found.values()))[1]
            one, other = gpu.state.copy_to_host()[lane], cpu.state[lane]
            for field in cpu.game.rules.State.names or ():
                if field in found:
                    print(f"  lane {lane} {field}: cuda {one[field].tolist()} cpu {other[field].tolist()}")
            return False
    print(f"{name}: equal after each of {STEPS} decisions")
    return True


def rate(batch: Batch, steps: int, observe: bool) -> float:
    """Return the rate over three runs, after a warm-up that begins with every lane at a fresh deal.

    All three runs count together, not the best of them: lanes whose hands have the same length stay in step,
    so
    one run may have more of the quick decisions than another.
    """
    batch.rollout(steps, observe=observe)
    started = time.perf_counter()
    decisions = sum(batch.rollout(steps, observe=observe).decisions for _ in range(3))
    return decisions / (time.perf_counter() - started)


def shape(kernel: Any) -> dict[str, int]:
    """Return the resources of a kernel: registers and local bytes per thread, shared bytes per block."""
    made = next(iter(kernel.overloads.values()))
    return {
        "registers": made.regs_per_thread,
        "local": made.local_mem_per_thread,
        "shared": made.shared_mem_per_block,
    }


def sweep(game: Any) -> list[dict[str, Any]]:
    """Measure other numbers of lanes, and of threads per block if a kernel allows it."""
    found = []
    for power in (15, 16, 17):
        batch = Batch(game, 1 << power, seed=12, device="cuda")
        rates = {"rate": rate(batch, 1000, False), "observed": rate(batch, 300, True)}
        found.append({"lanes": 1 << power, **rates})
        del batch
    for block in (32, 64, 256):
        build.FREE_BLOCK = build.WHOLE_BLOCK = block
        batch = Batch(game, 1 << 18, seed=12, device="cuda")
        found.append({"lanes": 1 << 18, "block": block, "rate": rate(batch, 1000, False)})
        del batch
    return found


if __name__ == "__main__":
    sys.exit(main())
