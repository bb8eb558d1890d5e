"""Arguments that several commands share, and how their texts are read."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence

from qipai.core.errors import BadOption

AGENTS = "names from `qipai games GAME`, training runs, .qnet files, FILE.py:SPEC"


def add_option(parser: argparse.ArgumentParser) -> None:
    """Add `--option`, which `read_pairs` reads."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="option of the game; may be repeated",
    )


def add_setup(parser: argparse.ArgumentParser) -> None:
    """Add what sets up a game: `--seats` and `--option`."""
    parser.add_argument("--seats", type=int, metavar="K", help="number of seats, if the game allows several")
    add_option(parser)


def add_seed(parser: argparse.ArgumentParser, gives: str) -> None:
    """Add `--seed`; `gives` names what is the same for the same seed."""
    parser.add_argument(
        "--seed", type=int, default=0, metavar="S", help=f"the same seed gives the same {gives} (default: 0)"
    )


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add what runs elsewhere: `--workers` on this machine, `--ray` on a cluster."""
    parser.add_argument(
        "--workers", type=int, metavar="W", help="processes that play (default: one per core)"
    )
    add_ray(parser)


def add_ray(parser: argparse.ArgumentParser) -> None:
    """Add `--ray`."""
    parser.add_argument(
        "--ray",
        metavar="ADDRESS",
        help="play on a Ray cluster: HOST:PORT, or auto (pip install 'qipai[ray]')",
    )


def read_names(text: str) -> list[str]:
    """Return the names in a list with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


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


def progress_bar(unit: str = "deals") -> Callable[[int, int], None]:
    """Return a progress bar on standard error that disappears at the end; it counts in `unit`."""
    shown = -1

    def show(done: int, total: int) -> None:
        nonlocal shown
        if done == total:
            sys.stderr.write("\r\033[K")
        elif (share := 40 * done // total) != shown or done % 100 == 0:
            shown = share
            sys.stderr.write(f"\r{'█' * share}{'░' * (40 - share)} {done}/{total} {unit}")
        sys.stderr.flush()

    return show
