"""Measure how many games the arena plays per second: table by table, and at many tables at once.

    python benchmarks/arena.py                  # random against random and heuristic against net, xianqi
    python benchmarks/arena.py --seconds 10     # longer, for steadier figures
    python benchmarks/arena.py --ray 2          # Ray clusters of one node and of two, each with one core

Rates on one core are per second of processor time, so that other programs on the machine do not matter. Those
of several worker processes are per second of the clock; the processor time of all processes is printed too.
Set OPENBLAS_NUM_THREADS=1: with more threads than free cores, the processor time of nets is mostly waiting.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import active_children
from pathlib import Path

from qipai import arena
from qipai.arena.contest import contest_of
from qipai.arena.lanes import lanes_of
from qipai.arena.play import play_deal
from qipai.cluster import open_pool

CONTESTS = (["random"], ["heuristic", "net"])
PART = 170  # deals of Xianqi that a worker is given at a time
LOOPBACK = "127.0.0.1"


def rate(play: Callable[[int, int], int], seconds: float, step: int) -> float:
    """Return games per second of processor time; `play(first, count)` plays deals and returns the games."""
    play(0, step)  # compile and warm up
    began, first, games = time.process_time(), step, 0
    while time.process_time() - began < seconds:
        games += play(first, step)
        first += step
    return games / (time.process_time() - began)


def spent() -> float:
    """Return the processor seconds of this process and of its workers so far (Linux)."""
    seconds = time.process_time()
    for worker in active_children():
        fields = Path(f"/proc/{worker.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return seconds


@contextmanager
def cluster(nodes: int) -> Iterator[str]:
    """Start a local Ray cluster of so many nodes with one core each; yield its address."""
    os.environ.update(RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER="0", RAY_USAGE_STATS_ENABLED="0")
    from ray.cluster_utils import Cluster

    node = {"num_cpus": 1, "num_gpus": 0, "object_store_memory": 100 << 20, "node_ip_address": LOOPBACK}
    made = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    try:
        for _ in range(nodes - 1):
            made.add_node(**node)
        yield str(made.address)
    finally:
        made.shutdown()


def on_clusters(game: str, nodes: int, seconds: float) -> int:
    """Measure clusters of one node and of `nodes`; return 1 if their standings differ."""
    agents = CONTESTS[1]
    rates, found = {}, []
    deals = 0
    for count in (1, nodes):
        with cluster(count) as address, open_pool(address=address) as pool:
            arena.run(game, agents, 2 * count * PART, seed=1, pool=pool)  # compile, and start the processes
            if not deals:
                began = time.perf_counter()
                arena.run(game, agents, 2 * PART, seed=2, pool=pool)
                deals = PART * max(4 * nodes, round(2 * seconds / (time.perf_counter() - began)))
            began = time.perf_counter()
            found.append(arena.run(game, agents, deals, pool=pool))
            rates[count] = found[-1].games / (time.perf_counter() - began)
        print(f"{' against '.join(agents)}, {count} node(s) with one core each: {rates[count]:,.0f} games/s")
    same = all(one == arena.run(game, agents, deals) for one in found)
    told = "those" if same else "NOT those"
    print(f"{rates[nodes] / rates[1]:.2f} times; standings of {deals} deals are {told} of a single process")
    return int(not same)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", default="xianqi")
    parser.add_argument("--seconds", type=float, default=3.0, help="per figure (3)")
    parser.add_argument("--workers", type=int, default=2, help="processes of the last column (2)")
    parser.add_argument("--ray", type=int, metavar="N", help="clusters of one node and of N instead")
    args = parser.parse_args(argv)
    if args.ray is not None:
        return on_clusters(args.game, args.ray, args.seconds)
    for agents in CONTESTS:
        contest = contest_of(args.game, agents, 1 << 20, 0, None, None)
        contest.game.compile()
        lanes = lanes_of(contest)
        assert lanes is not None
        games = len(contest.seatings)

        def plain(first: int, count: int) -> int:
            for deal in range(first, first + count):
                play_deal(contest, deal)  # noqa: B023
            return count * games  # noqa: B023

        def together(first: int, count: int) -> int:
            lanes.tallies(first, count)  # noqa: B023
            return count * games  # noqa: B023

        before = rate(plain, args.seconds, 8)
        after = rate(together, args.seconds, lanes.deals)
        deals = max(2 * lanes.deals * args.workers, int(after * args.seconds * args.workers / games))
        with open_pool(args.workers) as pool:
            arena.run(args.game, agents, lanes.deals * args.workers, seed=1, pool=pool)  # start the processes
            began, busy = time.perf_counter(), spent()
            arena.run(args.game, agents, deals, pool=pool)
            clock = deals * games / (time.perf_counter() - began)
            used = deals * games / (spent() - busy)
        print(
            f"{' against '.join(agents * (2 if len(agents) == 1 else 1)):24} table by table {before:8,.0f}/s,"
            f" at once {after:8,.0f}/s ({after / before:.1f}x), {args.workers} workers {clock:8,.0f}/s,"
            f" {used:8,.0f} per processor second"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
