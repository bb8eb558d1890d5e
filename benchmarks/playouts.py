"""Playouts and the primitives of search: CUDA against the CPU, byte for byte, and how fast they are.

    python benchmarks/playouts.py [GAME ...] [--n 1000000] [--sweep] [--json FILE]
    python benchmarks/playouts.py --cpu [GAME ...]

One process per game, so that kernels are built side by side; the device is used by one at a time. Equality:
64 positions from games of random moves with 200 playouts each, one position with 20,000, all with first
actions, and the same with the game's own policy where it has one: sums, means and errors are compared byte
for byte. Then two batches of 2,048 lanes without a new deal: steps, chosen resets, redrawn and loaded
states, rollouts and playouts; all arrays and states are compared after each. Speed: milliseconds for `--n`
playouts of one position (the first decision of a deal), the best of five, from the call to the result in
main memory; and on one core of the CPU. `--sweep` tries other numbers of threads on the device. `--cpu`
measures only the CPU. Exit status 1 where anything differs.
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
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from qipai.core import QipaiError, get, names
from qipai.sim import Batch, Playouts, playouts
from qipai.sim.playout import job_of, run_on_cpu

SEED = 21
LANES = 2048
ARRAYS = ("mask", "obs", "seat", "reward", "done", "cut")
SECONDS = 1.0  # of processor time, for the figure of one core


def main() -> int:
    """Run one process per game and print a line for each."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("games", nargs="*", help="default: all")
    parser.add_argument("--n", type=int, default=1_000_000)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--cpu", action="store_true", help="measure only the CPU")
    parser.add_argument("--lock", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.lock:
        return one(args)
    print(
        f"{'game':16} {'build s':>8} {'equal':>6} {'ms':>9} {'million/s':>10} {'one core/s':>11}", flush=True
    )
    rows = all_of(args)
    if args.json:
        Path(args.json).write_text(json.dumps(rows, indent=1))
    return 0 if rows and all("core" in row and row.get("equal", args.cpu) for row in rows) else 1


def all_of(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the rows of all games."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--n", str(args.n), "--lock", f"{folder}/lock"]
        command += [flag for flag in ("--sweep", "--cpu") if getattr(args, flag[2:])]
        started = []
        for name in args.games or names():
            out = Path(folder) / name
            started.append((name, subprocess.Popen([*command, name, "--json", str(out)]), out))
        for name, done, out in started:
            done.wait()
            found.append(json.loads(out.read_text()) if out.exists() else {"game": name, "equal": False})
    return found


def one(args: argparse.Namespace) -> int:
    """Measure one game, print its line and write its row."""
    name = args.games[0]
    row: dict[str, Any] = {"game": name, "n": args.n}
    try:
        if not args.cpu:
            row |= on_device(name, args)
        with Path(args.lock).open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            row["core"] = core_rate(name)
    except QipaiError as error:
        print(f"{name:16} {error}", file=sys.stderr)
        return 2
    there = f"{'-':>8} {'-':>6} {'-':>9} {'-':>10}"  # nothing was compared or timed on a device
    if not args.cpu:
        there = f"{row['build']:>8.1f} {row['equal']!s:>6} {row['ms']:>9.2f} {row['rate'] / 1e6:>10.1f}"
    print(f"{name:16} {there} {row['core']:>11,.0f}", flush=True)
    for fault in row.get("differ", []):
        print(f"{name:16} differs: {fault}", flush=True)
    if "sweep" in row:
        print(f"{name:16} threads: ms  {row['sweep']}", flush=True)
    Path(args.json).write_text(json.dumps(row))
    return 0


def on_device(name: str, args: argparse.Namespace) -> dict[str, Any]:
    """Build the kernels, compare with the CPU, and time playouts of one position."""
    from qipai.sim.cuda.playout import THREADS, run_on_cuda

    game = get(name)
    began = time.perf_counter()
    s = Batch(game, 1, SEED).state
    playouts(game, s, None, 32, SEED, "cuda")
    build = time.perf_counter() - began
    with Path(args.lock).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        differ = [*differing_playouts(name), *differing_batches(name)]
        best = fastest(lambda: playouts(game, s, None, args.n, SEED, "cuda"))
        row = {
            "build": build,
            "equal": not differ,
            "differ": differ,
            "ms": 1000 * best,
            "rate": args.n / best,
        }
        if args.sweep:
            job = job_of(game, s, None, args.n, SEED)
            sizes = [THREADS >> 2, THREADS >> 1, THREADS, THREADS << 1, THREADS << 2]
            swept = {k: fastest(lambda k=k: run_on_cuda(job, threads=k)) for k in sizes}  # type: ignore[misc]
            row["sweep"] = {k: round(1000 * seconds, 2) for k, seconds in swept.items()}
    return row


def _policies(name: str) -> tuple[str, ...]:
    """Return the policies that run on both devices; one with scratch runs on the CPU only."""
    game = get(name)
    own = game.rules.playout is not None and game.search.work == 0
    return ("uniform", "own") if own else ("uniform",)


def fastest(call: Callable[[], Any]) -> float:
    """Return the seconds of the fastest of five calls, after one more."""
    times = []
    for _ in range(6):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return min(times[1:])


def core_rate(name: str) -> float:
    """Return playouts per processor second of one thread, from the first decision of a deal."""
    game = get(name)
    s = Batch(game, 1, SEED).state
    done, n = 0, 64
    run_on_cpu(job_of(game, s, None, n, SEED), 1)
    began = time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        run_on_cpu(job_of(game, s, None, n, SEED + done), 1)
        done += n
        n = min(2 * n, 4096)
    return done / spent


def positions(name: str) -> tuple[Any, Any]:
    """Return 64 positions at different depths of games of random moves, and a legal action in each."""
    batch = Batch(name, 64, SEED)
    found = batch.state.copy()
    for k in range(64):
        batch.rollout(1)
        found[k] = batch.state[k]
    batch.load(found)
    return found, batch.sample()


def differing_playouts(name: str) -> list[str]:
    """Return what differs between playouts on the two devices."""
    states, actions = positions(name)
    found = []
    for policy in _policies(name):
        for what, s, a, n in (
            ("64 positions", states, actions, 200),
            ("one", states[:1], actions[:1], 20_000),
        ):
            cpu = playouts(name, s, a, n, SEED, policy=policy)
            gpu = playouts(name, s, a, n, SEED, "cuda", policy=policy)
            found += [f"playouts, {policy}, {what}: {part}" for part in unequal(cpu, gpu)]
    return found


def unequal(cpu: Playouts, gpu: Playouts) -> list[str]:
    """Return the parts of two results that are not the same bytes."""
    parts = ("totals", "mean", "error", "cut")
    return [part for part in parts if getattr(cpu, part).tobytes() != getattr(gpu, part).tobytes()]


def differing_batches(name: str) -> list[str]:
    """Return what differs between two batches without a new deal, and after which call."""
    cpu, gpu = (Batch(name, LANES, SEED, device=d, redeal=False) for d in ("cpu", "cuda"))
    found: list[str] = []

    def both(what: str, call: Callable[[Batch], Any]) -> None:
        answers = [call(batch) for batch in (cpu, gpu)]
        answers = [a.copy_to_host() if hasattr(a, "copy_to_host") else a for a in answers]
        if answers[0] is not None and not np.array_equal(answers[0], answers[1]):
            found.append(f"{what}: its result")
        theirs = gpu.state.copy_to_host()
        pairs = {f: (cpu.state[f], theirs[f]) for f in cpu.game.rules.State.names or ()}
        pairs |= {f: (getattr(cpu, f), getattr(gpu, f).copy_to_host()) for f in ARRAYS}
        found.extend(f"{what}: {f}" for f, (ours, other) in pairs.items() if not np.array_equal(ours, other))

    for k in range(60):
        both(f"step {k}", lambda batch: batch.step(batch.sample()))
    over = cpu.seat < 0  # before either is reset
    both("reset of what is over", lambda batch: batch.reset(mask=over))
    both("seeded reset of a third", lambda batch: batch.reset(5, mask=np.arange(LANES) % 3 == 0))
    both("rollout", lambda batch: astuple(batch.rollout(20)))
    both("redraw", lambda batch: batch.redraw(0))
    both("playout", lambda batch: batch.playout())
    other = Batch(name, LANES, SEED + 1)
    other.rollout(9)
    both("load", lambda batch: batch.load(other.state))
    both("playout of loaded states", lambda batch: batch.playout())
    return found


def astuple(rollout: Any) -> Any:
    """Return a rollout as an array."""
    return np.array([rollout.decisions, rollout.games])


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    sys.exit(main())
