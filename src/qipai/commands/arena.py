"""`qipai arena`: agents play against each other on duplicate deals."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence

from qipai.core.errors import BadOption

ABOUT = "let agents play each other and print the standings"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the contest, and how its standings are printed."""
    add = parser.add_argument
    add("game", help="a game's name")
    add(
        "--agents",
        required=True,
        metavar="A,B",
        help="two or more: names from `qipai games GAME`, folders of training runs, .qnet files",
    )
    add(
        "--deals",
        type=int,
        default=100,
        metavar="N",
        help="number of deals, each played in every seating (default: 100)",
    )
    add(
        "--seed", type=int, default=0, metavar="S", help="the same seed gives the same standings (default: 0)"
    )
    add("--seats", type=int, metavar="K", help="number of seats, if the game allows several")
    add("--threads", type=int, metavar="T", help="number of threads (default: one per core)")
    add(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="option of the game; may be repeated",
    )
    add("--json", action="store_true", help="print the standings as JSON")


def run(args: argparse.Namespace) -> int:
    """Play the contest and print the standings."""
    from qipai import arena

    agents = [name.strip() for name in args.agents.split(",") if name.strip()]
    standings = arena.run(
        args.game,
        agents,
        args.deals,
        seed=args.seed,
        threads=args.threads,
        options=read_pairs(args.option),
        seats=args.seats,
        progress=progress_bar() if sys.stderr.isatty() else None,
    )
    print(json.dumps(standings.to_json(), ensure_ascii=False, indent=2) if args.json else standings.text())
    return 0


def read_pairs(pairs: Sequence[str]) -> dict[str, str | int]:
    """Return the options given as NAME=VALUE; a value that looks like a whole number becomes one."""
    options: dict[str, str | int] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise BadOption(f"--option takes NAME=VALUE, not {pair[:40]!r}")
        if name in options:
            raise BadOption(f"option {name} is given twice")
        options[name] = int(value) if re.fullmatch(r"-?[0-9]{1,18}", value) else value
    return options


def progress_bar() -> Callable[[int, int], None]:
    """Return a progress bar on standard error that disappears at the end."""
    shown = -1

    def show(done: int, total: int) -> None:
        nonlocal shown
        if done == total:
            sys.stderr.write("\r\033[K")
        elif (share := 40 * done // total) != shown or done % 100 == 0:
            shown = share
            sys.stderr.write(f"\r{'█' * share}{'░' * (40 - share)} {done}/{total} deals")
        sys.stderr.flush()

    return show
