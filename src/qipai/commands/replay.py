"""`qipai replay`: a record file retold in words, step by step."""

from __future__ import annotations

import argparse
from pathlib import Path

from qipai.core import LANGUAGES, WATCHER
from qipai.core.errors import BadCount, BadRecord, BadSeats, MatchRunning
from qipai.match import Match, read_record, replay, restore
from qipai.terminal.words import say

ABOUT = "retell a recorded match in words"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the file, the viewer, and where to stop."""
    parser.add_argument("file", type=Path, help="a record file")
    parser.add_argument(
        "--seat", type=int, default=WATCHER, help="show what this seat saw (default: a watcher)"
    )
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="English, Chinese or Japanese")
    parser.add_argument("--ply", type=int, help="stop after PLY actions and show the position")


def run(args: argparse.Namespace) -> int:
    """Retell the match. A match that is still running shows no more than a watcher may see."""
    match = _read(args)
    game, lang = match.game, args.lang
    print(_title(match, lang))
    state = match.at(0)
    number = 0
    for step in replay(match):
        if args.ply is not None and step.ply >= args.ply:
            break
        told = [game.tell(event, lang) for event in step.events(args.seat)]
        # The number of actions that watchers were not told about is secret while the match runs.
        number = step.ply + 1 if match.over else number + bool(told)
        for line in told:
            print(f"{number:>4}  {line}")
        state = step.after
    print()
    print(game.drawing(state, args.seat, lang))
    if not match.over:
        print(say("running", lang))
    return 0


def _title(match: Match, lang: str) -> str:
    """Return the game's title, and the options that differ from the default."""
    game = match.game
    usual = {o.name: o.show(o.default) for o in game.rules.options}
    odd = [f"{name}={value}" for name, value in match.options.items() if value != usual.get(name)]
    return " · ".join([game.title(lang), *odd])


def _read(args: argparse.Namespace) -> Match:
    try:
        record = read_record(args.file, torn=True)
        match = restore(record)
    except BadRecord as error:
        raise BadRecord(f"{args.file}: {error}") from error
    if record.dropped:
        print(say("torn", args.lang))
    _check(args, match)
    return match


def _check(args: argparse.Namespace, match: Match) -> None:
    if not WATCHER <= args.seat < match.seats:
        raise BadSeats(f"--seat must be from 0 to {match.seats - 1}, or -1 for a watcher, not {args.seat}")
    if not match.over and (args.seat != WATCHER or args.ply is not None):
        raise MatchRunning(
            "the match is still running: only a watcher's view is available, without --seat and --ply"
        )
    if args.ply is not None and not 0 <= args.ply <= match.ply:
        raise BadCount(f"--ply must be a number of actions from 0 to {match.ply}, not {args.ply}")
