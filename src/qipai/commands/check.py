"""`qipai check`: check whether a game keeps the contract."""

from __future__ import annotations

import argparse
import sys

ABOUT = "check a game against the contract: rules, secrecy, compiled code, records"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the game, how much of it is played, and how."""
    parser.add_argument("game", help="a registered game, or a Python file that holds one")
    parser.add_argument("--games", type=int, default=200, metavar="N", help="random games (default: 200)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the run (default: 0)")
    parity = "games played plain, compiled and bounds-checked (default: 20)"
    parser.add_argument("--parity", type=int, default=20, metavar="N", help=parity)
    variant = "how the random games are played (default: checked)"
    parser.add_argument(
        "--variant", choices=("checked", "compiled", "plain"), default="checked", help=variant
    )


def run(args: argparse.Namespace) -> int:
    """Print the report, one line per property; return 0 if the game keeps the contract, else 1."""
    from qipai.testing import ConformanceError, check_game

    try:
        report = check_game(
            args.game,
            games=args.games,
            seed=args.seed,
            variant=args.variant,
            parity_games=args.parity,
            progress=_show,
        )
    except ConformanceError as error:
        print("\n".join(error.report.lines()))
        print(error)
        return 1
    print("\n".join(report.lines()))
    return 0


def _show(done: int, total: int, name: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K" if done >= total else f"\r\033[K{name} {done:,}/{total:,}")
        sys.stderr.flush()
