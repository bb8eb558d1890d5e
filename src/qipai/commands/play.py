"""`qipai play`: a table in the terminal, with bots and people who share the keyboard."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

from qipai.core import LANGUAGES, get
from qipai.core.errors import BadOption, MissingExtra

from .arguments import add_setup, read_pairs

ABOUT = "play a game in the terminal"
MANY = 1_000_000


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the game, who sits where, the deal, and where it is stored."""
    parser.add_argument("game", nargs="?", default="xianqi", help="a game of `qipai games` (default: xianqi)")
    parser.add_argument("--seat", type=int, default=0, help="your seat, from 0; -1 watches (default: 0)")
    add_setup(parser)
    parser.add_argument(
        "--bots",
        help="the others, such as heuristic,random (default: the strongest bot); human is another person,"
        " a folder is a training run, FILE.py:SPEC an agent of your own; also search@500 or net~t1",
    )
    parser.add_argument(
        "--level", type=int, metavar="N", help="all others at this level, from 1, a beginner, to 6"
    )
    parser.add_argument("--seed", help="a number or a word; the same seed deals the same cards")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="English, Chinese or Japanese")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write the record to FILE")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="continue the match in FILE")
    parser.add_argument("--new", action="store_true", help="do not offer to resume an unfinished table")
    count = "number of hands, or `endless` (default); --deals is the older name"
    parser.add_argument("--hands", "--deals", dest="hands", type=_hands, default=None, help=count)
    parser.add_argument("--fast", action="store_true", help="let bots play without pauses")
    parser.add_argument(
        "--turns", action="store_true", help="play in turns, even if the game has real-time play"
    )
    parser.add_argument("--selftest", action="store_true", help="run the self test, if the game has one")
    parser.add_argument("--hint", action="store_true", help="show a bot's advice, and probabilities if known")


def run(args: argparse.Namespace) -> int:
    """Start a table, or the game's real-time play if it has one."""
    live = get(args.game, options_given := read_pairs(args.option)).terminal.live
    if args.selftest and live is None:
        raise BadOption(f"{args.game} has no self test")
    if live is not None and (args.selftest or _wants_live(args)):
        return int(import_module(live).run(args))
    need_rich("the table in the terminal")
    from qipai.terminal.host import Settings, host
    from qipai.terminal.stage import Stage

    settings = Settings(
        game=args.game,
        seat=args.seat,
        seats=args.seats,
        bots=_bots(args),
        seed=args.seed,
        options=options_given,
        hands=args.hands,
        record=args.record,
        resume=args.resume,
        fresh=args.new,
    )
    return host(settings, Stage(fast=args.fast, lang=args.lang, hint=args.hint))


def _bots(args: argparse.Namespace) -> str | None:
    """Return the bots that `--bots` or `--level` names."""
    if args.level is None:
        return None if args.bots is None else str(args.bots)
    if args.bots is not None:
        raise BadOption("give --bots or --level, not both")
    from qipai.bots.levels import level_name, playing

    game = get(args.game, read_pairs(args.option))
    return playing(game, level_name(game, args.level))


def _wants_live(args: argparse.Namespace) -> bool:
    """Return whether to play in real time: on a terminal, unless a flag only makes sense in turns."""
    turns = args.turns or args.record or args.resume or args.seat != 0 or args.hands is not None or args.hint
    turns = turns or args.bots is not None or args.level is not None
    return not turns and sys.stdin.isatty() and sys.stdout.isatty()


def need_rich(what: str) -> None:
    """Raise `MissingExtra` if `rich` is not installed."""
    try:
        import rich  # noqa: F401
    except ImportError as error:
        raise MissingExtra(f"{what} needs the package rich: pip install 'qipai[play]'") from error


def _hands(text: str) -> int | None:
    if text == "endless":
        return None
    if text.isdecimal() and 1 <= int(text[:9]) <= MANY:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a number of hands from 1, or endless, not {text[:20]!r}")
