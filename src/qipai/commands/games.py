"""`qipai games`: the registered games, or all about one."""

from __future__ import annotations

import argparse

from qipai.core import Game, Option, QipaiError, agents_of, get, names

ABOUT = "list the registered games"


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments: a line a game. A name: its options and agents too."""
    parser.add_argument("game", nargs="?", help="show this game's options and agents")
    parser.add_argument("--markdown", action="store_true", help="the reference part of its page")


def run(args: argparse.Namespace) -> int:
    """Print every game, or one."""
    if args.game:
        print(reference(get(args.game)) if args.markdown else _one(args.game))
        return 0
    for name in names():
        try:
            game = get(name)
        except QipaiError as error:
            print(f"{name:16} cannot be loaded: {error}")
            continue
        low, high = game.rules.seats
        seats = str(low) if low == high else f"{low}-{high}"
        title = _titles(game)
        size = game.rules.State.itemsize
        print(f"{name:16} {seats:>4} seats {game.rules.actions:>5} actions {size:>6} bytes   {title}")
    return 0


def _one(name: str) -> str:
    game = get(name)
    lines = [f"{_titles(game)} (rules version {game.rules.version})"]
    for option in game.rules.options:
        about = game.option_about(option.name)
        lines.append(f"  option {option.name} = {option.show(option.default)}   ({_values(option)})  {about}")
    for spec in agents_of(game).values():
        lines.append(f"  agent {spec.name} (level {spec.level})  {game.agent_about(spec.name)}")
    return "\n".join(lines)


def _titles(game: Game) -> str:
    return " ".join(dict.fromkeys(game.title(lang) for lang in game.languages))


def reference(game: Game) -> str:
    """Return the part of a game's page that follows from its `Game`."""
    lines = ["| option | default | values | meaning |", "|---|---|---|---|"]
    for o in game.rules.options:
        lines.append(
            f"| `{o.name}` | {o.show(o.default)} | {_values(o, ', ')} | {game.option_about(o.name)} |"
        )
    phases = dict.fromkeys(game.rules.phases(p).name for edge in game.rules.edges for p in edge)
    lines += ["", "Phases: " + ", ".join(f"`{name}`" for name in phases) + ".", ""]
    lines += [f"An observation has {game.observation_size} bytes.", ""]
    lines += ["| bytes | feature | meaning |", "|---|---|---|"]
    for f in game.rules.observation:
        where = str(f.start) if f.length == 1 else f"{f.start}-{f.start + f.length - 1}"
        lines.append(f"| {where} | `{f.name}` | {f.about} |")
    return "\n".join(lines)


def _values(option: Option, between: str = " | ") -> str:
    return between.join(option.choices) if option.choices else f"{option.low}..{option.high}"
