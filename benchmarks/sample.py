"""Where the time of a decision goes, rule by rule: samples of a running rollout, by compiled function.

    python benchmarks/sample.py GAME [--seats N] [--observe] [--seconds N]      (Linux, with `perf`)

A rule small enough to be inlined is counted in its caller; `NRT_*` is the reference counting
of arrays, in the simulator's loops. Shares refer to the samples that fell into compiled code.
"""

from __future__ import annotations

import argparse
import bisect
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from numba.core import codegen
from numba.core.registry import CPUDispatcher

LOOPS = ("rollout_lanes", "rollout_observed_lanes")
LANES, STEPS = 1024, 200


def main() -> int:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, help="default: the fewest that the game has")
    parser.add_argument("--observe", action="store_true", help="mask and observation at every decision")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--map", help=argparse.SUPPRESS)  # the process that is sampled
    args = parser.parse_args()
    if args.map:
        run(args.game, args.seats, args.observe, args.seconds, Path(args.map))
        return 0
    if shutil.which("perf") is None:
        print("sample: needs `perf` (Linux)", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        data, table = f"{folder}/perf.data", Path(folder) / "map"
        watched = [sys.executable, __file__, *sys.argv[1:], "--map", str(table)]
        subprocess.run(
            ["perf", "record", "-q", "-e", "cpu-clock", "-F", "4000", "-o", data, *watched], check=True
        )
        script = subprocess.run(["perf", "script", "-i", data, "-F", "ip"], capture_output=True, text=True)
        report([int(ip, 16) for ip in script.stdout.split()], table)
    return 0


def run(name: str, seats: int | None, observe: bool, seconds: float, table: Path) -> None:
    """Play, and write down the address of each compiled function."""
    kept: dict[int, bytes] = {}
    library: Any = codegen.CPUCodeLibrary
    keep = library._set_compiled_object

    def keeping(self: Any, code: bytes) -> None:
        kept[id(self)] = code
        keep(self, code)

    library._set_compiled_object = keeping
    from qipai.core import get
    from qipai.sim import Batch

    batch = Batch(get(name), LANES, seed=3, seats=seats, threads=1)
    batch.rollout(STEPS, observe=observe)
    table.write_text("\n".join(places(kept)))
    started, decisions = time.process_time(), 0
    while time.process_time() - started < seconds:
        decisions += batch.rollout(STEPS, observe=observe).decisions
    rate = decisions / (time.process_time() - started)
    print(f"{name}: {rate / 1e6:.2f} million decisions/s, {1e9 / rate:.0f} ns each")


def places(kept: dict[int, bytes]) -> list[str]:
    """Return `address length name` of every function in the compiled loops."""
    import gc

    found = []
    for loop in [o for o in gc.get_objects() if isinstance(o, CPUDispatcher)]:
        if loop.py_func.__name__ not in LOOPS or not loop.overloads:
            continue
        code = next(iter(loop.overloads.values())).library
        with tempfile.NamedTemporaryFile(suffix=".o") as file:
            file.write(kept.get(id(code)) or code._get_compiled_object())
            file.flush()
            listing = subprocess.run(["readelf", "-sW", file.name], capture_output=True, text=True).stdout
        for fields in map(str.split, listing.splitlines()):
            if len(fields) == 8 and fields[3] == "FUNC" and fields[6] != "UND":
                try:
                    address = code.get_pointer_to_function(fields[7])
                except Exception:  # not exported
                    continue
                if address:
                    found.append(f"{address} {int(fields[2], 0)} {short(fields[7])}")
    return found


def short(symbol: str) -> str:
    """Return the function's own name: the last part of a mangled one."""
    rest, name = symbol.removeprefix("_ZN"), symbol
    while rest != symbol and (size := re.match(r"\d+", rest)):
        end = size.end() + int(size[0])
        name, rest = rest[size.end() : end], rest[end:]
    return name


def report(samples: list[int], table: Path) -> None:
    rows = sorted((int(a), int(n), name) for a, n, name in map(str.split, table.read_text().splitlines()))
    starts = [row[0] for row in rows]
    found: Counter[str] = Counter()
    for ip in samples:
        i = bisect.bisect_right(starts, ip) - 1
        if i >= 0 and ip < rows[i][0] + rows[i][1]:
            found[rows[i][2]] += 1
    for name, n in found.most_common(30):
        print(f"{100 * n / found.total():6.1f} % {name}")


if __name__ == "__main__":
    sys.exit(main())
