"""`qipai bench`: measure the simulator."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from qipai.core import QipaiError, get, names
from qipai.core.errors import BadCount, BadOption

ABOUT = "measure how fast games simulate on this machine"
BATCH = {"cpu": 1024, "cuda": 1 << 18}
THREADS = 2
NOT_WITH = {  # incompatible flags of each measurement; each is None if it was not given
    "peers": ("plot", "batch", "seats", "threads", "obs", "compile"),
    "plot": ("seats", "threads", "compile"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: what is measured, and how long."""
    add = parser.add_argument
    add("game", nargs="?", help="one game (default: all registered games)")
    add("--games", metavar="A,B", help="several, by name")
    add("--device", choices=("cpu", "cuda"), default="cpu", help="where the games run (default: cpu)")
    add("--batch", type=int, metavar="N", help="games side by side (default: 1024; on cuda 262144)")
    add("--seats", type=int, metavar="N", help="number of seats (default: the fewest that the game allows)")
    add("--threads", type=int, metavar="T", help="measure one thread, and this many (default: 2)")
    add(
        "--obs", action=argparse.BooleanOptionalAction, help="measure only with, or only without observations"
    )
    add(
        "--seconds", type=float, default=10.0, metavar="S", help="how long to measure each game (default: 10)"
    )
    timed = "also time the start of a fresh process, cold and cached"
    add("--compile", action="store_true", default=None, help=timed)
    add("--json", action="store_true", help="print the figures as JSON")
    add("--plot", metavar="FILE", help="plot throughput over batch sizes instead (.png, .svg, .pdf)")
    peers = "compare with other installed libraries instead"
    add("--peers", action="store_true", default=None, help=peers)


def run(args: argparse.Namespace) -> int:
    """Run the chosen measurement, printing each game when it is done."""
    if args.threads is not None and args.threads < 1:
        raise BadCount(f"--threads must be a whole number from 1, not {args.threads}")
    if args.plot == "":
        raise BadOption("--plot needs the name of a file")
    _check_together(args)
    games = _chosen(args)
    try:
        if args.device == "cpu":
            _compile(games)
        if args.peers:
            return _peers(games, args)
        if args.plot:
            return _plot(games, args)
        return _speeds(games, args)
    finally:  # so that an error starts on its own line
        _line("")


def _compile(games: list[str]) -> None:
    from qipai.bench import compile_apart

    for name in games:
        _line(f"compiling {name} ...")
        compile_apart(name)


def _check_together(args: argparse.Namespace) -> None:
    for measurement, others in NOT_WITH.items():
        given = [f"--{other}" for other in others if getattr(args, other) is not None]
        if getattr(args, measurement) is not None and given:
            raise BadOption(f"--{measurement} cannot be combined with {', '.join(given)}")
    for name, why in (("threads", "on a GPU every game has its own"), ("peers", "other libraries run there")):
        if args.device != "cpu" and getattr(args, name) is not None:
            raise BadOption(f"--{name} only applies to the CPU: {why}")


def _speeds(games: list[str], args: argparse.Namespace) -> int:
    from qipai.bench.speed import COUNTED

    results = []
    for name in games:
        result, text = _measure(name, args)
        results.append(result)
        if not args.json:
            print(text, flush=True)
    if args.json:
        _print_json({"machine": machine(args.device), "counted": COUNTED, "games": results})
    else:
        print(COUNTED)
    return 0


def _measure(name: str, args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    from dataclasses import asdict

    from qipai import bench
    from qipai.sim.cpu import MIN_SHARE

    batch = BATCH[args.device] if args.batch is None else args.batch
    threads = args.threads
    if threads is None:  # as many as the batch has work for
        threads = THREADS if batch >= THREADS * MIN_SHARE else 1
    report = bench.measure(
        name,
        batch=batch,
        threads=(1,) if threads == 1 or args.device != "cpu" else (1, threads),
        observed=_observed(args),
        seconds=args.seconds,
        device=args.device,
        seats=args.seats,
        progress=_progress(name),
        building=lambda: _line(f"building kernels of {name} ..."),
    )
    result, text = report.to_json(), report.text()
    if args.compile:
        start = bench.time_start(name)
        result["start"] = asdict(start)
        text += (
            f"\nfrom process start to the first decision: {start.cold:.1f} s cold (compiling"
            f" {start.cold_compile:.1f} s), {start.warm:.2f} s warm (loading {start.warm_load:.2f} s)"
        )
    return result, text


def _plot(games: list[str], args: argparse.Namespace) -> int:
    from qipai.bench.curve import check_drawing, curve, draw

    check_drawing(args.plot)
    found = curve(
        games,
        device=args.device,
        sizes=() if args.batch is None else (args.batch,),
        observed=_observed(args),
        seconds=args.seconds,
        progress=_named_progress,
    )
    _line("")
    about = machine(args.device)
    where = f"{about['processor']}, one thread" if args.device == "cpu" else about["gpu"]
    draw(found, args.plot, f"random decisions per second: {where}")
    if args.json:
        _print_json({"machine": about, "points": [point.to_json() for point in found]})
    else:
        for point in found:
            seen = "  with observation" if point.observed else ""
            print(f"{point.game:<16} {point.batch:>9,} games  {point.rate / 1e6:>9.2f} million/s{seen}")
        print(f"drawn: {args.plot}")
    return 0


def _peers(games: list[str], args: argparse.Namespace) -> int:
    from qipai.bench.contest import compete

    outcome = compete(games, args.seconds, _named_progress)
    if args.json:
        _print_json({"machine": machine("cpu"), **outcome.to_json()})
    else:
        print(outcome.text())
    return 0


def _chosen(args: argparse.Namespace) -> list[str]:
    """Return the games to measure; raise for an unknown name before anything is measured."""
    if args.game is not None and args.games is not None:
        raise BadOption("name one game, or several with --games, not both")
    if args.game is None and args.games is None:
        return _loadable()
    if args.game == "":
        raise BadOption("the name of the game is empty")
    found = [args.game] if args.game else [name for name in args.games.split(",") if name]
    if not found:
        raise BadOption("--games needs at least one game")
    for name in found:
        get(name)
    return list(dict.fromkeys(found))


def _observed(args: argparse.Namespace) -> tuple[bool, ...]:
    return (False, True) if args.obs is None else (args.obs,)


def _print_json(data: dict[str, Any]) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))


def machine(device: str = "cpu") -> dict[str, str]:
    """Return a description of the machine."""
    import numba
    import numpy as np

    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    found = {
        "processor": models[0] if models else platform.processor() or platform.machine(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
    }
    if device == "cuda":
        from qipai.sim.cuda.engine import load_cuda

        name = load_cuda().get_current_device().name
        found["gpu"] = name.decode() if isinstance(name, bytes) else str(name)
    return found


def _loadable() -> list[str]:
    found = []
    for name in names():
        try:
            get(name)
        except QipaiError as error:
            print(f"qipai bench: {error} [{error.code}]", file=sys.stderr)
        else:
            found.append(name)
    return found


def _progress(name: str) -> Callable[[int, int], None]:
    def show(done: int, total: int) -> None:
        _line(f"measuring {name} {done + 1}/{total}")
        if done == total - 1:
            _line("")

    return show


def _named_progress(done: int, total: int, name: str) -> None:
    _line("" if done >= total else f"{done + 1}/{total} {name}")


def _line(text: str) -> None:
    """Show a progress line that the next line overwrites."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()
