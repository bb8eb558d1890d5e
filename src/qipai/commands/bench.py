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
from qipai.core.errors import BadOption

ABOUT = "measure how fast games simulate on this machine"


def configure(parser: argparse.ArgumentParser) -> None:
    """What is measured, and how long."""
    add = parser.add_argument
    add("game", nargs="?", help="one game; all registered ones if not said")
    add("--batch", type=int, default=1024, metavar="N", help="games side by side (1024)")
    add("--threads", type=int, default=2, metavar="T", help="measure one thread, and this many (2)")
    add("--obs", action=argparse.BooleanOptionalAction, help="only with, or only without observations")
    add("--seconds", type=float, default=10.0, metavar="S", help="how long to measure each game (10)")
    add("--compile", action="store_true", help="also time a fresh process, cold and from the cache")
    add("--json", action="store_true", help="print the figures as JSON")


def run(args: argparse.Namespace) -> int:
    """Measure game after game, printing each as it is done."""
    from qipai.bench.speed import COUNTED

    if args.threads < 1:
        raise BadOption(f"--threads is a whole number from 1, not {args.threads}")
    results = []
    for name in [args.game] if args.game else _loadable():
        result, text = _measure(name, args)
        results.append(result)
        if not args.json:
            print(text, flush=True)
    if args.json:
        data = {"machine": machine(), "counted": COUNTED, "games": results}
        print(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        print(COUNTED)
    return 0


def _measure(name: str, args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    from dataclasses import asdict

    from qipai import bench

    report = bench.measure(
        name,
        batch=args.batch,
        threads=(1,) if args.threads == 1 else (1, args.threads),
        observed=(False, True) if args.obs is None else (args.obs,),
        seconds=args.seconds,
        progress=_progress(name) if sys.stderr.isatty() else None,
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


def machine() -> dict[str, str]:
    """What the figures were measured on."""
    import numba
    import numpy as np

    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "processor": models[0] if models else platform.processor() or platform.machine(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
    }


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
        end = "\r\033[K" if done == total - 1 else ""
        sys.stderr.write(f"\r\033[Kmeasuring {name} {done + 1}/{total}{end}")
        sys.stderr.flush()

    return show
