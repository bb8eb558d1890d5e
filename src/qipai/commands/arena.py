"""`qipai arena`: agents play against each other on duplicate deals."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack
from pathlib import Path

from .arguments import AGENTS, add_ray, add_seed, add_setup, progress_bar, read_names, read_pairs

ABOUT = "let agents play each other and print the standings"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the contest, and how its standings are printed."""
    add = parser.add_argument
    add("game", help="a game's name")
    add("--agents", required=True, metavar="A,B", help=f"two or more: {AGENTS}")
    add(
        "--deals",
        type=int,
        default=100,
        metavar="N",
        help="number of deals, each played in every seating (default: 100)",
    )
    add_seed(parser, "standings")
    add_setup(parser)
    add("--threads", type=int, metavar="T", help="threads of this process (default: one per core)")
    add("--workers", type=int, metavar="W", help="play in W other processes instead")
    add_ray(parser)
    add(
        "--out",
        type=Path,
        metavar="FILE",
        help="write results to FILE as they come; an existing FILE is continued",
    )
    add("--json", action="store_true", help="print the standings as JSON")


def run(args: argparse.Namespace) -> int:
    """Play the contest and print the standings."""
    from qipai import arena
    from qipai.cluster import open_pool

    with ExitStack() as stack:
        elsewhere = args.workers is not None or args.ray is not None
        pool = stack.enter_context(open_pool(args.workers, args.ray)) if elsewhere else None
        standings = arena.run(
            args.game,
            read_names(args.agents),
            args.deals,
            seed=args.seed,
            threads=args.threads,
            options=read_pairs(args.option),
            seats=args.seats,
            progress=progress_bar() if sys.stderr.isatty() else None,
            pool=pool,
            out=args.out,
        )
    print(json.dumps(standings.to_json(), ensure_ascii=False, indent=2) if args.json else standings.text())
    return 0
