"""`qipai data`: play games and write them as a dataset."""

from __future__ import annotations

import argparse
import sys

from .arguments import AGENTS, add_seed, add_setup, add_workers, progress_bar, read_names, read_pairs

ABOUT = "play games and write them as a dataset (Parquet)"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: what is played, and where it goes."""
    add = parser.add_argument
    add("game", help="a game's name")
    add("--out", required=True, metavar="DIR", help="a new folder; with --check the folder of a dataset")
    add("--games", type=int, default=1000, metavar="N", help="number of games (default: 1000)")
    add(
        "--agents",
        default="random",
        metavar="A,B",
        help=f"agents, which move on by one seat with every game: {AGENTS} (default: random)",
    )
    add(
        "--values",
        type=int,
        default=0,
        metavar="N",
        help="add what a search of N simulations thinks of each action (default: 0, no search)",
    )
    add_seed(parser, "rows")
    add_setup(parser)
    add_workers(parser)
    add("--check", action="store_true", help="write nothing: check every file and play every game again")


def run(args: argparse.Namespace) -> int:
    """Write or check a dataset, and print its size."""
    from qipai.core.errors import BadData
    from qipai.data import load, write

    if args.check:
        found = load(args.out)
        if found.card["game"] != args.game:
            raise BadData(f"this is a dataset of {found.card['game']}, not of {args.game}")
        print(f"{found.card['games']} games, {found.verify()} decisions: every game replays")
        return 0
    card = write(
        args.game,
        args.out,
        args.games,
        read_names(args.agents),
        seed=args.seed,
        options=read_pairs(args.option),
        seats=args.seats,
        workers=args.workers,
        address=args.ray,
        values=args.values,
        progress=progress_bar("games") if sys.stderr.isatty() else None,
    )
    print(f"{args.out}: {card['games']} games, {card['decisions']} decisions, digest {card['digest'][:16]}")
    return 0
