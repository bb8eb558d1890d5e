"""How long a fresh process takes until a game can be simulated: with nothing compiled, and from the cache.

Run as a module, it is that process: `python -m qipai.bench.start GAME`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from time import perf_counter

from qipai.core import QipaiError, get
from qipai.core.errors import BadGame
from qipai.sim.cpu import is_kept


@dataclass(frozen=True)
class Start:
    """Seconds from the start of the process to the first decisions of a batch."""

    cold: float  # with an empty cache of compiled code
    warm: float  # the second time
    cold_compile: float  # the part spent compiling the rules and the simulator's loops
    warm_load: float  # the part spent loading them


def compile_apart(name: str) -> None:
    """Compile what is not cached yet in a separate process, so that this one loads it from the cache.

    Code compiled in this process is spread over distant pages and ran 2 to 28 % slower than the same
    code from the cache. A game that another process cannot import is compiled here.
    """
    if not is_kept(get(name)):
        subprocess.run([sys.executable, "-m", "qipai.bench.start", name], capture_output=True, check=False)


def time_start(name: str) -> Start:
    """Start `name` twice in separate processes that share a new cache folder."""
    with TemporaryDirectory() as folder:
        cold, cold_compile = _process(name, folder)
        warm, warm_load = _process(name, folder)
    return Start(cold, warm, cold_compile, warm_load)


def _process(name: str, folder: str) -> tuple[float, float]:
    environment = {**os.environ, "QIPAI_CACHE_DIR": folder}
    started = perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "qipai.bench.start", name],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    took = perf_counter() - started
    if done.returncode != 0:
        raise BadGame(f"{name} does not start in a separate process: {done.stderr.strip()[-200:]}")
    return took, float(json.loads(done.stdout))


def main(name: str) -> int:
    """Make a batch and take a step; print how long that took."""
    from qipai.sim import Batch

    started = perf_counter()
    try:
        batch = Batch(name, 64)
    except QipaiError as error:
        print(error, file=sys.stderr)
        return 2
    took = perf_counter() - started
    batch.step(batch.sample())
    print(json.dumps(took))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
