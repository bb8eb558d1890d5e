"""`qipai play`: a table in the terminal, against bots and whoever shares the keyboard."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from qipai.core import LANGUAGES, get
from qipai.core.errors import BadOption, MissingExtra

ABOUT = "sit down at a table in the terminal"
MANY = 1_000_000


def configure(parser: argparse.ArgumentParser) -> None:
    """The game, who sits where, the deal, and where it is kept."""
    parser.add_argument("game", nargs="?", default="xianqi", help="a game of `qipai games` (default: xianqi)")
    parser.add_argument("--seat", type=int, default=0, help="your seat, from 0; -1 watches (default: 0)")
    parser.add_argument("--seats", type=int, help="how many sit at the table, where the game leaves it open")
    parser.add_argument(
        "--bots",
        help="the others, in play order: heuristic,random (default: the strongest); human is another person,"
        " a folder is a training run",
    )
    parser.add_argument("--seed", help="a number or a word: the same one deals the same cards")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="English, Chinese or Japanese")
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep the record in FILE")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="go on with the match in FILE")
    parser.add_argument("--new", action="store_true", help="do not ask about a table you left")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a rule of the game; may be repeated",
    )
    count = "how many hands, or `endless` (default); --deals is its older name"
    parser.add_argument("--hands", "--deals", dest="hands", type=_hands, default=None, help=count)
    parser.add_argument("--fast", action="store_true", help="bots do not pause")
    parser.add_argument("--turns", action="store_true", help="move by move, also where a game is played live")
    parser.add_argument("--selftest", action="store_true", help="run the self test of a game that has one")
    parser.add_argument("--hint", action="store_true", help="show a bot's advice, and chances where known")


def run(args: argparse.Namespace) -> int:
    """Open the table, or the game's own live play where it has one."""
    live = get(args.game, options_given := read_option_flags(args.option)).terminal.live
    if args.selftest and live is None:
        raise BadOption(f"{args.game} has no self test")
    if live is not None and (args.selftest or _wants_live(args)):
        return int(import_module(live).run(args))
    need_rich("the terminal table")
    from qipai.terminal.host import Settings, host
    from qipai.terminal.stage import Stage

    settings = Settings(
        game=args.game,
        seat=args.seat,
        seats=args.seats,
        bots=args.bots,
        seed=args.seed,
        options=options_given,
        hands=args.hands,
        record=args.record,
        resume=args.resume,
        fresh=args.new,
    )
    return host(settings, Stage(fast=args.fast, lang=args.lang, hint=args.hint))


def _wants_live(args: argparse.Namespace) -> bool:
    """At a terminal on both sides, unless a flag asks for what only a table of turns has."""
    turns = args.turns or args.record or args.resume or args.seat != 0 or args.hands is not None or args.hint
    return not turns and sys.stdin.isatty() and sys.stdout.isatty()


def need_rich(what: str) -> None:
    """A clear sentence when the extra is not installed."""
    try:
        import rich  # noqa: F401
    except ImportError as error:
        raise MissingExtra(f"{what} needs the package rich: pip install 'qipai[play]'") from error


def read_option_flags(flags: list[str]) -> dict[str, Any]:
    """`name=value` flags as options; whole numbers are read as such."""
    options: dict[str, Any] = {}
    for flag in flags:
        name, equals, value = flag.partition("=")
        if not equals or not name:
            raise BadOption(f"--option takes NAME=VALUE, not {flag[:40]!r}")
        try:
            options[name] = int(value) if len(value) < 20 else value
        except ValueError:
            options[name] = value
    return options


def _hands(text: str) -> int | None:
    if text == "endless":
        return None
    if text.isdecimal() and 1 <= int(text[:9]) <= MANY:
        return int(text)
    raise argparse.ArgumentTypeError(f"a number of hands from 1, or endless, not {text[:20]!r}")
