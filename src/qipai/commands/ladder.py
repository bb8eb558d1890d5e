"""`qipai ladder`: rate all agents of a game, or play a sample of a published ladder again."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from qipai.core.errors import BadContest

from .arguments import AGENTS, add_seed, add_setup, add_workers, read_names, read_pairs

ABOUT = "rate agents against each other, with intervals, so that anybody can repeat it"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: who plays, how much, and what is written."""
    add = parser.add_argument
    add("game", nargs="?", help="a game's name")
    add("--agents", default="", metavar="A,B", help="agents to rate (default: all that the game registers)")
    add("--add", default="", metavar="C,D", help=f"further agents: {AGENTS}")
    add_setup(parser)
    add_seed(parser, "games")
    add(
        "--meetings",
        type=int,
        default=20,
        metavar="N",
        help="deals that every two agents share (default: 20)",
    )
    add("--rounds", type=int, default=10, metavar="N", help="adaptive rounds at most (default: 10)")
    add(
        "--out",
        type=Path,
        metavar="DIR",
        help="folder for the games, figures and page (default: ladder/GAME-SEATS)",
    )
    add_workers(parser)
    add("--json", action="store_true", help="print the figures as JSON")
    add("--verify", type=Path, metavar="FILE", help="play deals of this ladder again and compare")
    add(
        "--sample",
        type=int,
        metavar="N",
        help="with --verify: check N deals, chosen at random (default: all)",
    )
    add(
        "--compare",
        type=Path,
        nargs=2,
        metavar=("FILE", "AGAIN"),
        help="check that a ladder with another seed keeps the order of separated pairs",
    )


def run(args: argparse.Namespace) -> int:
    """Play, verify or compare ladders."""
    if args.compare:
        return _compare(args)
    return _verify(args) if args.verify else _play(args)


def _play(args: argparse.Namespace) -> int:
    from qipai.arena.ladder import climb, ladder_of
    from qipai.arena.publish import GAMES, figures, publish
    from qipai.cluster import open_pool
    from qipai.core import agents_of, get

    if not args.game:
        raise BadContest("name a game, or a file with --verify")
    options = read_pairs(args.option)
    chosen = read_names(args.agents) or list(agents_of(get(args.game, options)))
    ladder = ladder_of(
        args.game,
        [*chosen, *read_names(args.add)],
        seats=args.seats,
        options=options,
        seed=args.seed,
        meetings=args.meetings,
        rounds=args.rounds,
    )
    folder = args.out or Path("ladder") / f"{ladder.game}-{ladder.seats}"
    with open_pool(args.workers, args.ray) as pool:
        climb(ladder, folder / GAMES, pool, lambda text: print(text, file=sys.stderr))
    report = publish(folder)
    print(figures(report).rstrip() if args.json else report.text())
    return 0


def _verify(args: argparse.Namespace) -> int:
    from qipai.arena.ladder import changes, verify
    from qipai.arena.publish import check_figures
    from qipai.cluster import open_pool

    if args.sample is not None and args.sample < 1:
        raise BadContest(f"a sample has at least one deal, not {args.sample}")
    if wrong_figures := check_figures(args.verify):
        print(wrong_figures)
        return 1
    for change in changes(args.verify):
        print(change)
    checked, wrong = 0, []
    with open_pool(args.workers, args.ray) as pool:
        for number, same in verify(args.verify, pool, args.sample):
            checked += 1
            if not same:
                wrong.append(number)
                print(f"deal {number} differs")
    print(f"{checked} deals played again, {len(wrong)} differ")
    return 1 if wrong else 0


def _compare(args: argparse.Namespace) -> int:
    from qipai.arena.compare import compare

    found = compare(*args.compare)
    print(found.text())
    return 1 if found.swaps else 0
