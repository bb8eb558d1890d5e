"""Contests and ladders of failing agents in threads of this process, where threads that hang stay behind.

The tests run `python -m tests.arena.in_threads CONTEST... -- LADDER...` because such a thread slows down all
others, and because CPython 3.11 stands still under a tracer while an exception waits for a thread.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback
from pathlib import Path

from qipai.arena import run
from qipai.cluster import open_pool
from qipai.core.errors import AgentFault

from .test_faulty import FAULTS, FILE, SECONDS, check_ladder


def fault(name: str, threads: int) -> str:
    """Return how a contest of this agent ends."""
    try:
        run("kuhn_poker", [f"{FILE}:{name}", "random"], 12, seed=1, seconds=SECONDS, threads=threads)
    except AgentFault as error:
        return str(error)
    return "it did not fail"


def ladder(name: str) -> str:
    """Return what is wrong with a ladder of this agent: nothing, or the error of the check."""
    with tempfile.TemporaryDirectory() as folder, open_pool(1) as here:
        try:
            check_ladder(here, Path(folder), name, SECONDS, FAULTS[name])
        except BaseException:
            return traceback.format_exc()
    return ""


def main(contests: list[str], ladders: list[str]) -> None:
    """Print the results as JSON and end the process, whatever its threads do."""
    said: dict[str, str] = {}
    for hang in (False, True):  # those whose threads stay behind come last
        said |= {name: ladder(name) for name in ladders if ("HANGS" in name) is hang}
        named = [name for name in contests if ("HANGS" in name) is hang]
        said |= {f"{name} {threads}": fault(name, threads) for name in named for threads in (1, 2)}
    print(json.dumps(said), flush=True)
    os._exit(0)


if __name__ == "__main__":
    words = sys.argv[1:]
    cut = words.index("--")
    main(words[:cut], words[cut + 1 :])
