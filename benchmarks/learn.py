"""Decisions per second of self-play training, end to end: rollout and update.

    python benchmarks/learn.py [GAME ...] [--json FILE] [--seconds S] [--budget S] [--pgx] [--profile]
    python benchmarks/learn.py --device cpu --small        # the same code, a few seconds, to see that it runs

Every game is measured with the net of all figures in docs/training.md, an MLP of 3 x 512 with residuals and
LayerNorm over the observation's bytes, two epochs, bfloat16, with several numbers of lanes, steps and rows of
a minibatch; the best is kept. `--encoded` measures the typed features that training uses instead. `--conv`
adds the convolution where a game has planes. With `--pgx`, the same PPO on Pgx (`benchmarks/pgx_ppo.py`) is
measured in the same run. It needs `jax`, `pgx` and what Pgx imports:

    pip download --no-deps --dest peers pgx svgwrite       # where there is a network
    pip install --no-index --no-deps --target pgx_src peers/*.whl
    PYTHONPATH=src:pgx_src python benchmarks/learn.py --pgx

A module that is missing is named before anything is built, and the run goes on without Pgx.

One process per game, so that kernels are built side by side; then one at a time has the device. What fails is
reported in its row, and the others go on. Results are printed, and written to --json, as they come.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
import time
import traceback
from pathlib import Path
from threading import Event, Thread
from typing import Any

GAMES = ("nana", "xianqi", "paipai_rensa", "wuhan_mahjong", "skill_gomoku")
PEERS = ("connect_four", "hex", "sparrow_mahjong")
BARS = {"nana": 20, "xianqi": 20, "paipai_rensa": 15, "wuhan_mahjong": 10, "skill_gomoku": 10}  # million/s
# (lanes, steps, minibatch, fuse); docs/training/ledger.md has published runs with 32768 x 64 and 65536 x 32
SHAPES: dict[str, list[tuple[int, int, int, bool]]] = {
    "nana": [(32768, 64, 131072, True), (65536, 32, 131072, True)],
    "xianqi": [(65536, 32, 131072, True), (32768, 64, 131072, True)],
    "paipai_rensa": [(32768, 64, 65536, True), (65536, 32, 65536, True)],
    "wuhan_mahjong": [(32768, 64, 65536, True), (65536, 32, 65536, True), (131072, 16, 65536, True)],
    "skill_gomoku": [(32768, 64, 131072, True), (65536, 32, 131072, True), (65536, 16, 131072, True)],
}
SMALL = [(64, 4, 128, False), (64, 4, 64, False)]
PGX_SHAPES = [(8192, 64, 32768), (32768, 32, 65536)]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", help="default: all")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds to measure each setting")
    parser.add_argument("--budget", type=float, default=330.0, help="seconds in total")
    parser.add_argument("--build", type=float, default=150.0, help="seconds of the total for building")
    parser.add_argument("--small", action="store_true", help="tiny sizes")
    parser.add_argument("--encoded", action="store_true", help="typed features instead of bytes")
    parser.add_argument("--conv", action="store_true", help="the convolution too")
    parser.add_argument("--pgx", action="store_true", help="also measure the same PPO on Pgx")
    parser.add_argument("--profile", action="store_true", help="show where the time goes")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        return child(args)
    return parent(args)


# --- the parent: starts all children, then gives the device to one after another ----------


def parent(args: argparse.Namespace) -> int:
    started = time.time()
    jobs = list(args.games or GAMES)
    if args.conv:
        jobs.append("skill_gomoku:conv")
    if args.pgx:
        missing = missing_modules()
        if missing:
            print(f"Pgx is not measured: {missing} cannot be imported (see the top of this file)", flush=True)
        jobs += [] if missing else [f"pgx:{name}" for name in PEERS]
    flags = ["--device", args.device, "--seconds", str(args.seconds), "--build", str(args.build)]
    wanted = {"--small": args.small, "--encoded": args.encoded, "--profile": args.profile}
    flags += [flag for flag, on in wanted.items() if on]
    children = {job: Child(job, flags) for job in jobs}
    for child in children.values():  # nothing is measured while others build
        child.wait_built(started + args.build + 60)
    print(f"building took {time.time() - started:.0f} s", flush=True)
    results: dict[str, Any] = {"device": device_name(args.device), "games": {}}
    for job, child in children.items():
        rows = child.measure(started + args.budget)
        results["games"][job] = rows
        report(job, rows)
        results["seconds"] = round(time.time() - started, 1)
        if args.json:
            Path(args.json).write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    table(results)
    return 0


def missing_modules() -> str:
    """Return the name of the first module that Pgx needs and that cannot be imported here, or ""."""
    code = f"import jax, pgx; [pgx.make(name) for name in {PEERS!r}]"
    env = {**os.environ, "JAX_PLATFORMS": "cpu"}
    tried = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    if tried.returncode == 0:
        return ""
    last = tried.stderr.strip().rpartition("\n")[2]
    return last.partition("No module named ")[2].strip("'") or last


class Child:
    """A process that builds one game's loop, then measures it on request."""

    def __init__(self, job: str, flags: list[str]) -> None:
        env = {**os.environ, "PYTHONUNBUFFERED": "1", "TORCHINDUCTOR_COMPILE_THREADS": "2"}
        env["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
        self.job, self.rows, self.built, self.ended = job, [], Event(), Event()
        command = [sys.executable, __file__, "--one", job, *flags]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env
        )
        Thread(target=self._read, daemon=True).start()

    rows: list[dict[str, Any]]

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if not line.startswith("{"):
                print(f"[{self.job}] {line.rstrip()}", flush=True)
                continue
            row = json.loads(line)
            if "built" in row:
                self.built.set()
            elif "end" in row:
                break
            self.rows.append(row)
        else:
            self.rows.append({"error": f"the process ended early, with {self.process.wait()}"})
        self.built.set()
        self.ended.set()

    def wait_built(self, deadline: float) -> None:
        """Wait until everything is built, or the time is over."""
        self.built.wait(max(0.0, deadline - time.time()))

    def measure(self, deadline: float) -> list[dict[str, Any]]:
        """Return the rows that the child reports until it ends or the time is over."""
        if not self.ended.is_set():
            try:
                assert self.process.stdin is not None
                self.process.stdin.write("go\n")
                self.process.stdin.flush()
            except OSError as error:
                self.rows.append({"error": str(error)})
            if not self.ended.wait(max(0.0, deadline - time.time())):
                self.rows.append({"error": "no time left"})
        self.process.kill()
        return self.rows


def report(job: str, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        if "error" in row:
            print(f"{job:20} {row.get('shape', '')} failed: {row['error'][-400:]}", flush=True)
        elif "rate" in row:
            parts = f"rollout {row['rollout_ms']:.1f} ms, update {row['update_ms']:.1f} ms"
            print(f"{job:20} {row['shape']}: {row['rate'] / 1e6:.2f} M/s ({parts})", flush=True)
        elif "built" in row:
            print(f"{job:20} built in {row['built']} s", flush=True)
        elif "profile" in row:
            print(row["profile"], flush=True)


def table(results: dict[str, Any]) -> None:
    print(f"\n{'game':20} {'best M/s':>9} {'bar':>5}  setting")
    for job, rows in results["games"].items():
        best = max((r for r in rows if "rate" in r), key=lambda r: r["rate"], default=None)
        if best is None:
            print(f"{job:20} {'-':>9}")
        else:
            bar = BARS.get(job, "")
            print(f"{job:20} {best['rate'] / 1e6:9.2f} {bar!s:>5}  {best['shape']}")
    print(f"{results['seconds']} s in all", flush=True)


def device_name(kind: str) -> str:
    if kind == "cpu":
        return "cpu"
    try:
        found = subprocess.run(
            ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
            capture_output=True,
            text=True,
            timeout=20,
        )
        return found.stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return kind


# --- a child: builds, waits for its turn, measures ------------------------------------


def say(row: dict[str, Any]) -> None:
    print(json.dumps(row), flush=True)


def child(args: argparse.Namespace) -> int:
    try:
        if args.one.startswith("pgx:"):
            from pgx_ppo import measure_all

            shapes = [(64, 8, 128)] if args.small else PGX_SHAPES
            measure_all(args.one[4:], shapes, args.seconds, say, wait_for_turn)
        else:
            measure_ours(args)
    except Exception:
        say({"error": traceback.format_exc(limit=6)})
    say({"end": True})
    return 0


def wait_for_turn(seconds: float = 0.0) -> None:
    say({"built": round(seconds, 1)})
    sys.stdin.readline()


def measure_ours(args: argparse.Namespace) -> None:
    """Build every setting until the time for building is over, then measure them one by one."""
    import torch

    name, _, kind = args.one.partition(":")
    started = time.time()
    if args.device == "cpu":
        torch.set_num_threads(1)
    shapes = SMALL if args.small else SHAPES[name]
    built = []
    for shape in shapes:
        if built and time.time() - started > args.build:
            say({"error": "not built in time", "shape": str(shape)})
            continue
        try:
            built.append((shape, build(args, name, kind, shape)))
        except Exception:
            say({"error": traceback.format_exc(limit=8), "shape": str(shape)})
            gc.collect()
    wait_for_turn(time.time() - started)
    best = None
    for shape, trainer in built:
        try:
            row = measure(trainer, args.seconds)
        except Exception:
            say({"error": traceback.format_exc(limit=8), "shape": str(shape)})
            continue
        say({"shape": label(shape), **row})
        if best is None or row["rate"] > best[0]:
            best = row["rate"], trainer
    if args.profile and best is not None:
        try:
            say({"profile": profile(best[1])})
        except Exception:
            say({"error": traceback.format_exc(limit=4), "shape": "profile"})


def label(shape: tuple[int, int, int, bool]) -> str:
    lanes, steps, minibatch, fuse = shape
    return f"{lanes} x {steps}, minibatch {minibatch}{', fused' if fuse else ''}"


def build(args: argparse.Namespace, name: str, kind: str, shape: tuple[int, int, int, bool]) -> Any:
    from qipai.core import get
    from qipai.learn.nets import Raw
    from qipai.learn.settings import defaults
    from qipai.learn.trainer import Trainer

    lanes, steps, minibatch, fuse = shape
    small = {"width": 64} if args.small else {"width": 512, "layers": 3, "channels": 64, "blocks": 5}
    precision = "f32" if args.device == "cpu" else "bf16"
    sizes = {"lanes": lanes, "steps": steps, "minibatch": minibatch, "epochs": 2, "league": 0.0, "kl": 0.0}
    settings = defaults(
        name, args.device, net=kind or "mlp", fuse=fuse, precision=precision, critic="own", **sizes, **small
    )
    columns = None if args.encoded or kind else Raw.of(get(name))
    trainer = Trainer(settings, args.device, columns=columns)
    trainer.prepare()
    trainer.iterate()
    trainer.device.wait()
    replay(trainer)
    return trainer


def replay(trainer: Any) -> None:
    """Check that a recorded segment holds what the same actions give in a batch stepped one by one."""
    from qipai.sim import Batch

    first = trainer.tables.batches[0]
    with trainer.device.active():
        extra = {} if trainer.device.stream is None else {"stream": trainer.device.stream}
        other = Batch(trainer.game, first.n, device=trainer.device.kind, seats=first.reward.shape[1], **extra)
        if trainer.device.stream is None:
            other.state[:] = first.state
        else:
            other.state.copy_to_device(first.state, stream=other._engine._stream)
        other.observe()
        trainer._collect()
        s, n, length = trainer.segment, first.n, trainer.game.observation_size
        views = {name: tensor_of(getattr(other, name)) for name in ("obs", "mask", "seat", "reward", "done")}
        for t in range(trainer.settings.steps):
            same = (
                (s.obs[t, :n, :length] == views["obs"]).all()
                & (s.mask[t, :n] == views["mask"]).all()
                & (s.seat[t, :n] == views["seat"]).all()
            )
            actions = s.action[t, :n].int().contiguous()
            other.step(actions if trainer.device.stream is not None else actions.numpy())
            paid = s.reward[t, :n, : views["reward"].shape[1]] * trainer.rollout.scale
            same = same & (s.done[t, :n] == views["done"]).all()
            same = same & ((paid - views["reward"]).abs() < 0.01 + 1e-4 * paid.abs()).all()
            if not bool(same):
                raise AssertionError(f"step {t} of the recorded segment differs from the batch")


def tensor_of(array: Any) -> Any:
    from qipai.learn.rollout import _tensor

    return _tensor(array)


def measure(trainer: Any, seconds: float) -> dict[str, Any]:
    """Return decisions per second over at least `seconds`, and how a segment's time is shared."""
    trainer.set_progress(0.5)
    for _ in range(2):
        trainer.iterate()
    trainer.device.wait()
    trainer.learner.log()
    count, started = 0, time.perf_counter()
    while True:
        for _ in range(4):
            trainer.iterate()
        trainer.device.wait()
        count += 4
        took = time.perf_counter() - started
        if took >= seconds:
            break
    parts = {}
    for part, function in (("rollout_ms", trainer._collect), ("update_ms", trainer.learner.update)):
        begun = time.perf_counter()
        with trainer.device.active():
            for _ in range(3):
                function()
        trainer.device.wait()
        parts[part] = round((time.perf_counter() - begun) / 3 * 1000, 3)
    trainer.tables.check()  # no illegal action was chosen
    log = trainer.learner.log()
    finite = all(v == v and abs(v) < 1e9 for v in log.values())
    decisions = count * trainer.segment.rows
    return {"rate": decisions / took, "decisions": decisions, "finite": finite, "log": log, **parts}


def profile(trainer: Any) -> str:
    """Return where the time of one iteration goes, by kernel."""
    import torch
    from torch.profiler import ProfilerActivity

    kinds = [ProfilerActivity.CPU]
    if trainer.device.kind == "cuda":
        kinds.append(ProfilerActivity.CUDA)
    with torch.profiler.profile(activities=kinds) as found:
        trainer.iterate()
        trainer.device.wait()
    rows = []
    for event in found.key_averages():
        took = getattr(event, "self_device_time_total", 0) or getattr(event, "self_cuda_time_total", 0)
        if took:
            rows.append((took, event.count, event.key))
    rows.sort(reverse=True)
    total = sum(row[0] for row in rows) or 1
    lines = [f"  {100 * t / total:5.1f} % {t / 1000:9.2f} ms {n:6d} x {key[:90]}" for t, n, key in rows[:18]]
    return "\n".join([f"profile of one iteration, {total / 1000:.1f} ms on the device:", *lines])


if __name__ == "__main__":
    sys.exit(main())
