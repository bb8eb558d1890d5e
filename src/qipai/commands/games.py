"""`qipai games`: the registered games, or all about one."""

from __future__ import annotations

import argparse

from qipai.core import QipaiError, agents_of, get, names

ABOUT = "list the registered games"


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments: a line a game. A name: its options and agents too."""
    parser.add_argument("game", nargs="?", help="show this game's options and agents")


def run(args: argparse.Namespace) -> int:
    """Print the table, or one game."""
    if args.game:
        _one(args.game)
        return 0
    for name in names():
        try:
            game = get(name)
        except QipaiError as error:
            print(f"{name:16} cannot be loaded: {error}")
            continue
        low, high = game.seats
        seats = str(low) if low == high else f"{low}-{high}"
        title = " ".join(dict.fromkeys(game.title.values()))
        size = game.State.itemsize
        print(f"{name:16} {seats:>4} seats {game.actions:>5} actions {size:>6} bytes   {title}")
    return 0


def _one(name: str) -> None:
    game = get(name)
    print(" ".join(dict.fromkeys(game.title.values())), f"(rules version {game.version})")
    for option in game.options:
        values = " | ".join(option.choices) if option.choices else f"{option.low}..{option.high}"
        about = option.about.get("en", "")
        print(f"  option {option.name} = {option.show(option.default)}   ({values})  {about}")
    for spec in agents_of(game).values():
        print(f"  agent {spec.name} (level {spec.level})  {spec.about.get('en', '')}")
