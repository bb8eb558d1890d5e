"""`qipai think`: what the search sees at a position: the legal actions, ranked, and the expected line."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from qipai.core import Game, State, get
from qipai.core.errors import BadCount, BadLayout, BadRecord, MatchRunning, UnknownGame

from .arguments import add_setup, read_pairs

ABOUT = "search a position and rank its actions"
STATE_LIMIT = 1 << 20  # bytes of a layout


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the position, the budget, how the answer is printed."""
    add = parser.add_argument
    add("game", help="a game's name")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--state", type=Path, metavar="FILE", help="a layout, as JSON (default: a new deal)")
    where.add_argument("--record", type=Path, metavar="FILE", help="a record file of a finished match")
    add("--ply", type=int, metavar="N", help="the position of the record after N actions")
    add(
        "--simulations",
        type=int,
        metavar="N",
        help="number of simulations (default: those of the agent search)",
    )
    add(
        "--ms",
        type=float,
        metavar="T",
        help="stop after T milliseconds; the answer then depends on the machine",
    )
    add("--seed", type=int, default=0, metavar="S", help="seed of the redrawn worlds, and of a new deal (0)")
    add("--threads", type=int, default=1, metavar="T", help="trees that grow side by side (1)")
    add_setup(parser)
    add("--json", action="store_true", help="print the answer as JSON")


def run(args: argparse.Namespace) -> int:
    """Search, then print what was found."""
    from qipai.search import think

    if args.ply is not None and args.record is None:
        raise BadCount("--ply belongs to --record")
    if args.ms is not None and not 0 < args.ms <= 3_600_000:
        raise BadCount(f"--ms must be a number of milliseconds above 0 and up to an hour, not {args.ms}")
    game, state = _recorded(args) if args.record is not None else _laid_out(args)
    seat = int(state["seat"])
    thought = think(
        game, state, seat, args.simulations, milliseconds=args.ms, seed=args.seed, threads=args.threads
    )
    print(json.dumps(thought.to_json(), ensure_ascii=False, indent=2) if args.json else thought.text())
    return 0


def _laid_out(args: argparse.Namespace) -> tuple[Game, State]:
    """Return the position of a layout, or a new deal."""
    options = read_pairs(args.option)
    game = get(args.game, options)
    layout = None if args.state is None else _layout(args.state)
    words = (args.seed & 0xFFFFFFFF, (args.seed >> 32) & 0xFFFFFFFF, 0, 0xDEA1)
    return game, game.new(options, args.seats, words, layout)


def _layout(path: Path) -> dict[str, Any]:
    try:
        text = path.read_bytes()[: STATE_LIMIT + 1]
        found = json.loads(text) if len(text) <= STATE_LIMIT else None
    except (OSError, ValueError, RecursionError) as error:
        raise BadLayout(f"{path}: {error}") from error
    if not isinstance(found, dict):
        raise BadLayout(f"{path}: a layout is a JSON object of at most {STATE_LIMIT} bytes")
    return found


def _recorded(args: argparse.Namespace) -> tuple[Game, State]:
    """Return the position of a record file. A match that still runs is refused."""
    from qipai.match import read_record, restore

    try:
        match = restore(read_record(args.record))
    except BadRecord as error:
        raise BadRecord(f"{args.record}: {error}") from error
    if match.game.name != args.game:
        raise UnknownGame(f"{args.record} is a match of {match.game.name}, not of {args.game}")
    if not match.over:
        raise MatchRunning("the match is still running: only a finished one is searched")
    ply = 0 if args.ply is None else args.ply
    if not 0 <= ply <= match.ply:
        raise BadCount(f"--ply must be a number of actions from 0 to {match.ply}, not {args.ply}")
    return match.game, match.at(ply)
